// A sitting as this browser knows it, kept up to date by the server's events. Views are told of every change; what they see is always
// whole: a gap or a doubt is mended by asking for the sitting again.
import { get, post } from './api.js';
import { follow } from './stream.js';

const AFTER_MOVE = ['position', 'mover', 'scores', 'moves_left', 'over', 'n_moves', 'clock', 'can_undo', 'pending'];

// The side that is to choose, of those that are played from here: where both choose at once, the first that has not committed.
export const chooserOf = ({ over, mover, pending }, mine) => [0, 1].find((side) => mine[side] && !over && (mover === 'both' ? !pending[side] : mover === side));

// onchange(sitting, kind, data) with the event's kind; line: where a lost connection is shown.
export function followSitting(id, signal, onchange, line) {
	let sitting;

	function take(data) {
		for (const key of AFTER_MOVE) if (key in data) sitting[key] = data[key];
		sitting.asked_at = performance.now();
	}

	function snapshot(data) {
		sitting = { ...data, asked_at: performance.now() };
		onchange(sitting, 'snapshot', data);
	}

	const again = () => get(`sittings/${id}`, { signal }).then(snapshot).catch(() => {});

	function move(data) {
		if (data.n_moves <= sitting.n_moves) return;
		if (data.n_moves > sitting.n_moves + 1) return void again();
		const { ply, side, move: made, text, scores, ms } = data;
		sitting.moves.push({ ply, side, move: made, text, scores, ms });
		take(data);
		onchange(sitting, 'move', data);
	}

	const handlers = {
		snapshot,
		move,
		undo(data) {
			sitting.moves.length = Math.min(sitting.moves.length, data.n_moves);
			take(data);
			onchange(sitting, 'undo', data);
		},
		over(data) {
			take(data);
			onchange(sitting, 'over', data);
		},
	};
	for (const kind of ['pending', 'seat', 'rematch']) {
		handlers[kind] = (data) => {
			Object.assign(sitting, data);
			if ('clock' in data) sitting.asked_at = performance.now();
			onchange(sitting, kind, data);
		};
	}

	follow(`sittings/${id}/events`, handlers, signal, line);

	// What a person does, with the token of the seat. The answer is the event that follows from it, whichever comes first.
	const act = async (what, body, token) => {
		const data = await post(`sittings/${id}/${what}`, body, { token });
		if (what === 'moves' && data.position && data.n_moves === sitting.n_moves + 1) move(data);
		return data;
	};
	return { act, again, legalMoves: () => get(`sittings/${id}/moves`, { signal }) };
}
