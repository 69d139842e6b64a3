// What the next step would do with the cells chosen so far, where both sides move at once. The
// server plays the step; the side that has not chosen places nothing.
import { post } from './api.js';

// onknown(omens, scores): the effect and the scores after the step; without arguments when there
// is nothing to foresee. Only the latest question matters: while one is open, others wait.
export function makeForesight(game, onknown) {
	let wanted;
	let isAsking = false;

	async function ask() {
		isAsking = true;
		while (wanted) {
			const asked = wanted;
			const answer = await post('step', { game, ...asked }).catch(() => undefined);
			if (asked !== wanted) continue;
			wanted = undefined;
			onknown(answer?.move.effect, answer?.scores);
		}
		isAsking = false;
	}

	return {
		// move: {letter of a side: its cells}.
		of(position, move) {
			wanted = { position, move };
			if (!isAsking) ask();
		},
		drop: () => (wanted = undefined),
	};
}
