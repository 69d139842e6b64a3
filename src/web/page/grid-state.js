// A position to experiment with, and its undo history. The server checks every position and plays
// every move; this stores its responses.
import { post } from './api.js';

export function makeGridState(game, onchange) {
	const past = [];
	const future = [];
	let now;
	let earlier = Promise.resolve();

	// Changes are queued, each applied to the result of the one before: two quick clicks are two
	// changes.
	function inTurn(act) {
		const done = earlier.then(act);
		earlier = done.catch(() => {});
		return done;
	}

	// An entry is a view with its legal moves, and the move that led to it.
	async function look(position, last) {
		return { ...(await post('moves', { game, position })), last };
	}

	function enter(entry, kind) {
		if (now) past.push(now);
		future.length = 0;
		now = Object.assign(entry, { kind });
		onchange(now, kind);
	}

	function turn(from, to) {
		if (!from.length) return;
		to.push(now);
		now = from.pop();
		onchange(now, 'back');
	}

	return {
		now: () => now,
		canGoBack: () => past.length > 0,
		// One entry per step: an edited position takes the place of the one before it.
		scores: () =>
			[...past, now]
				.filter((_, i, all) => all[i + 1]?.kind !== 'edit')
				.map((each) => each.scores),
		// `start` returns the start, or throws.
		begin: (start) =>
			inTurn(async () => {
				const view = await post('start', { game, ...start() });
				past.length = 0;
				now = undefined;
				enter(await look(view.position), 'start');
			}),
		// `change` returns a modified position; rejected with the reason if it is invalid.
		edit: (change) => inTurn(async () => enter(await look(change(now.position)), 'edit')),
		// Without a move: only the crank or the step.
		step: (move) =>
			inTurn(async () => {
				const { move: made, position } = await post('step', {
					game,
					position: now.position,
					...(move === undefined ? {} : { move }),
				});
				enter(await look(position, made), 'step');
			}),
		back: () => inTurn(() => turn(past, future)),
		forth: () => inTurn(() => turn(future, past)),
		choose: (player) => post('choose', { game, position: now.position, ...player, all: true }),
	};
}
