// The client's copy of a live game, updated by the server's events. Views are notified of every
// change and always see a consistent state: after a gap the game is fetched again.
import { get, persist, post } from './api.js';
import { follow } from './stream.js';

const AFTER_MOVE = [
	'position',
	'mover',
	'scores',
	'moves_left',
	'over',
	'n_moves',
	'clock',
	'can_undo',
	'pending',
	'offers',
];
// Sent only if a person is to move and the list is short enough.
const LEGAL = ['legal_moves', 'reach'];

// Of the sides played here, the one to choose; if both choose at once, the first that has not
// committed.
export const chooserOf = ({ over, mover, pending }, mine) =>
	[0, 1].find(
		(side) => mine[side] && !over && (mover === 'both' ? !pending[side] : mover === side),
	);

// The legal moves of a position, as GET .../moves gives them, if they came with it.
const legalIn = ({ position, n_moves, legal_moves: moves, reach }) =>
	(moves || reach) && { position, n_moves, moves, reach };

// onchange(game, kind, data) with the event's kind; line: shows a lost connection.
export function followGame(id, signal, onchange, line) {
	let live;

	function take(data) {
		for (const key of AFTER_MOVE) if (key in data) live[key] = data[key];
		for (const key of LEGAL) live[key] = data[key];
		live.asked_at = performance.now();
	}

	function snapshot(data) {
		stream.skipTo(data.event);
		live = { ...data, asked_at: performance.now() };
		onchange(live, 'snapshot', data);
	}

	// A server that answers says itself what is wrong.
	const wordsFor = ({ status, message }, words) =>
		status === 0 ? words : `${message} Trying again…`;
	// Repeats a request until the server answers, and says so.
	const keepAsking = (who, words, request, isPast = () => false) =>
		persist(request, {
			isPast: () => signal.aborted || isPast(),
			onwait: (isWaiting, error) =>
				line.wait(who, isWaiting ? wordsFor(error, words) : undefined),
		});
	const fetchMore = (path, isPast) =>
		keepAsking(path, 'Connection lost. Trying again…', () => get(path, { signal }), isPast);

	const again = () =>
		fetchMore(`live-games/${id}`)
			.then(snapshot)
			.catch(() => {});

	function move(data) {
		if (data.n_moves <= live.n_moves) return;
		if (data.n_moves > live.n_moves + 1) return void again();
		const { ply, side, move: made, text, scores, ms } = data;
		live.moves.push({ ply, side, move: made, text, scores, ms });
		take(data);
		onchange(live, 'move', data);
	}

	const handlers = {
		snapshot,
		move,
		undo(data) {
			live.moves.length = Math.min(live.moves.length, data.n_moves);
			take(data);
			onchange(live, 'undo', data);
		},
		over(data) {
			take(data);
			onchange(live, 'over', data);
		},
	};
	for (const kind of ['pending', 'seat', 'rematch', 'offers']) {
		handlers[kind] = (data) => {
			Object.assign(live, data);
			if ('clock' in data) live.asked_at = performance.now();
			onchange(live, kind, data);
		};
	}

	// In the background somebody may be waiting for their turn.
	const stream = follow(
		`live-games/${id}/events`,
		handlers,
		signal,
		line,
		() => live && !live.over && again(),
	);

	// A person's action, with the seat's token. The response equals the event it causes; whichever
	// arrives first is applied. A move says how many were made before it, so it can be sent again
	// if the answer was lost.
	const act = async (what, body, token) => {
		const send = () => post(`live-games/${id}/${what}`, body, { token });
		if (what !== 'moves') return send();
		const data = await keepAsking(
			'move',
			'Connection lost. Your move will be sent when it is back.',
			send,
		);
		if (data.position && data.n_moves === live.n_moves + 1) move(data);
		return data;
	};

	// isPast() when the answer is of no use any more.
	const legalMoves = async (now, isPast) =>
		legalIn(now) ?? fetchMore(`live-games/${id}/moves`, isPast);
	// The position after `ply` moves, with the move that led to it and its effect.
	const frame = (ply, isPast) =>
		fetchMore(`live-games/${id}/frames?from=${ply}&n=1`, isPast).then(
			({ frames }) => frames[0],
		);
	return { act, again, legalMoves, frame };
}
