// A position with one thing to do: the person plays a move on the board, and hears whether it was
// the right one. For puzzles, lessons, and learning from mistakes.
import { post } from './api.js';
import { announce, complain } from './announce.js';
import { makeBoard } from './boards.js';
import { h, pause, show, write } from './dom.js';

const SEEN_MS = 900; // how long a wrong move stays on the board

// judge(move, before, after) says {isRight, words}, before and after being the server's views.
// onright() once the right move has been made, ontry(isRight) at every try.
export function makeTask({ game, signal, onright = () => {}, ontry = () => {} }) {
	const middle = h('div.middle');
	const words = h('p.verdict', { role: 'status' });
	let board;
	let task;
	let before; // the view of the position, with its legal moves
	let isBusy = false;

	const say = (text, kind = '') => {
		write(words, text);
		words.className = `verdict ${kind}`;
	};

	async function tryMove(move) {
		const mine = task;
		if (isBusy || mine.isDone) return;
		isBusy = true;
		board.element.classList.add('busy');
		try {
			const { position } = before;
			const [after, { isRight, words: text }] = await Promise.all([
				post('step', { game: game.id, position, move }, { signal }),
				Promise.resolve(mine.judge(move, before)),
			]);
			if (signal.aborted || mine !== task) return;
			say(text, isRight ? 'right' : 'wrong');
			announce(text);
			ontry(isRight);
			mine.isDone = isRight;
			board.show(after, { last: after.move, animate: true });
			if (isRight) return void onright();
			await pause(SEEN_MS);
			if (!signal.aborted && mine === task) reset();
		} catch (error) {
			if (!signal.aborted) complain(error);
		} finally {
			isBusy = false;
			board.element.classList.remove('busy');
		}
	}

	const reset = () => board.show(before, { moves: task.isDone ? [] : before.moves });

	return {
		element: middle,
		words,
		say,
		// position: as JSON; judge: see above.
		async ask({ position, judge, flipped = false }) {
			task = { judge, isDone: false };
			const mine = task;
			const view = await post('moves', { game: game.id, position }, { signal });
			if (mine !== task || signal.aborted) return;
			before = view;
			board = makeBoard({
				game,
				position,
				label: `${game.name} position`,
				flipped,
				onmove: tryMove,
			});
			show(middle, board.element);
			say('');
			reset();
		},
		// Shows the solution: the move's cells, and what it does.
		async reveal({ move, cells, text }) {
			const mine = task;
			task.isDone = true;
			reset();
			board.point(cells, 'move');
			say(`The move is ${text}.`);
			await pause(SEEN_MS);
			const { position } = before;
			const after = await post('step', { game: game.id, position, move }, { signal });
			if (mine === task && !signal.aborted)
				board.show(after, { last: after.move, animate: true });
		},
	};
}
