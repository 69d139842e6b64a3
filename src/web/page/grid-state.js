// A position to try things on, with the way back. The server checks every position and plays every move; this keeps what it answered.
import { post } from './api.js';

export function makeGridState(game, onchange) {
	const past = [];
	const future = [];
	let now;
	let earlier = Promise.resolve();

	// One after the other, each on what the one before has led to: two quick clicks are two changes.
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
		now = entry;
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
		scores: () => [...past, now].map((each) => each.scores),
		// `start` says what to begin with, or throws.
		begin: (start) =>
			inTurn(async () => {
				const view = await post('start', { game, ...start() });
				past.length = 0;
				now = undefined;
				enter(await look(view.position), 'start');
			}),
		// `change` makes another position of the one there is; refused, with the reason, if it cannot be.
		edit: (change) => inTurn(async () => enter(await look(change(now.position)), 'edit')),
		// Without a move: the crank or the step alone.
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
