// A position with one thing to do: the person plays a move on the board, or chooses cells where
// both sides move at once, and hears whether that was right. For puzzles, lessons, and learning
// from mistakes.
import { post } from './api.js';
import { announce, complain } from './announce.js';
import { makePicks } from './arena-seat.js';
import { makeBoard } from './boards.js';
import { h, pause, show, write } from './dom.js';

const SEEN_MS = 900; // how long a wrong move stays on the board

// onright() once the right move has been made, ontry(isRight) at every try.
export function makeTask({ game, signal, onright = () => {}, ontry = () => {} }) {
	const middle = h('div.middle');
	const words = h('p.verdict', { role: 'status' });
	const picks = makePicks(() => true);
	const commit = h('button.primary', () => tryMove(chosen()), 'Commit');
	commit.hidden = !game.isSimultaneous;
	let board;
	let task;
	let before; // the view of the position, with its legal moves
	let isBusy = false;

	const say = (text, kind = '') => {
		write(words, text);
		words.className = `verdict ${kind}`;
	};
	const chosen = () =>
		Object.fromEntries(game.sides.map(({ key }, side) => [key, side ? [] : picks.of(0)]));

	async function tryMove(move) {
		const mine = task;
		if (isBusy || mine.isDone) return;
		isBusy = true;
		board.element.classList.add('busy');
		try {
			const { position } = before;
			const after = await post('step', { game: game.id, position, move }, { signal });
			if (signal.aborted || mine !== task) return;
			board.show(after, { last: after.move, animate: true });
			const { isRight, words: text } = await mine.judge(move, before, after);
			if (signal.aborted || mine !== task) return;
			say(text, isRight ? 'right' : 'wrong');
			announce(text);
			ontry(isRight);
			mine.isDone = isRight;
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

	function drawPicks() {
		board.show(before, { picks: picks.shown([0]), reach: picks.reachOf([0]) });
	}

	function pick(row, col, button) {
		if (isBusy || task.isDone) return;
		const reason = button === 1 ? void picks.undo([0], row, col) : picks.toggle(0, row, col);
		if (reason) {
			say(reason, 'wrong');
			board.refuse?.(row, col);
		} else say('');
		drawPicks();
	}

	function onkey({ key }, row, col) {
		if (key === 'Enter') tryMove(chosen());
		else if (key === ' ') pick(row, col, 0);
		else return false;
		return true;
	}

	function reset() {
		if (!game.isSimultaneous)
			return void board.show(before, { moves: task.isDone ? [] : before.moves });
		picks.begin(before);
		return drawPicks();
	}

	return {
		element: middle,
		words,
		commit,
		say,
		// position: as JSON; judge(move, before, after) says {isRight, words}; before and
		// after are the server's views.
		async ask({ position, judge, flipped = false }) {
			task = { judge, isDone: false };
			const mine = task;
			const view = await post('moves', { game: game.id, position }, { signal });
			if (mine !== task || signal.aborted) return;
			before = view;
			const hand = game.isSimultaneous ? { onpick: pick, onkey } : { onmove: tryMove };
			board = makeBoard({
				game,
				position,
				label: `${game.name} position`,
				flipped,
				...hand,
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
