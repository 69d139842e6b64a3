// Learn from mistakes: the position before each mistake of one side of a recorded game, to find the
// better move.
import { get } from './api.js';
import { complain } from './announce.js';
import { analyseGame, evaluate, isMistake, needTurns, percent } from './analyst.js';
import { h, show, write } from './dom.js';
import { makeFrames } from './frames.js';
import { gameOf, namesOf } from './games.js';
import { seatsOf } from './keep.js';
import { makeTask } from './task.js';

export async function learnView(place, { id, side: wanted }, signal) {
	const record = await get(`history/${id}`, { signal });
	const game = gameOf(record.game);
	needTurns(game);
	const side = wanted === '1' ? 1 : 0;
	const { tokens } = seatsOf(id.replace(/^s-/, ''));
	const name = namesOf(
		record.players.map((each) => ({ name: each })),
		tokens,
	)[side];
	const who = name === 'You' ? 'You' : `${name} (${game.sides[side].name})`;
	const frame = makeFrames(`history/${id}`, record.moves.length + 1, signal);
	const task = makeTask({ game, signal, onright: () => (next.disabled = false) });
	const ask = h('p.choice');
	const counter = h('p.soft');
	const next = h('button.primary', () => go(at + 1), 'Next');
	const solve = h('button', () => reveal(), 'Show the move');
	const buttons = h('div.buttons', next, solve);
	const thinking = h('p.soft', 'The analyst is looking through the game…');
	let at = 0;
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h('div', h('h1', 'Learn from mistakes'), h('p', `${game.name}, ${who}`)),
		),
		thinking,
	);
	const { plies } = await analyseGame(id, signal);
	const mistakes = plies.filter((each) => each.side === side && isMistake(each));

	async function judge(move, { position }) {
		const { verdict } = await evaluate(game.id, position, { move, signal });
		const isRight = verdict.mark === 'best' || verdict.mark === 'good';
		if (!isRight) return { isRight, words: `That costs ${percent(verdict.loss)}. Try again.` };
		const words = verdict.mark === 'best' ? 'Yes, that is best.' : 'Yes, that is good too.';
		return { isRight, words };
	}

	function finish() {
		write(ask, mistakes.length ? 'That was the last one.' : 'No mistakes to learn from.');
		write(counter, '');
		show(
			buttons,
			h('a.button.primary', { href: `#/analyse/${id}` }, 'Back to the analysis'),
			h('a.button', { href: `#/play/${game.id}` }, 'New game'),
		);
	}

	async function go(to) {
		at = to;
		if (at >= mistakes.length) return finish();
		const { ply, text, loss, mark } = mistakes[at];
		next.disabled = true;
		solve.disabled = false;
		write(counter, `${at + 1} of ${mistakes.length}: move ${ply}`);
		write(ask, `${who} played ${text}: a ${mark} that cost ${percent(loss)}. What is better?`);
		const { position } = await frame(ply - 1);
		return task
			.ask({ position, judge, flipped: side === 1 })
			.catch((error) => signal.aborted || complain(error));
	}

	function reveal() {
		solve.disabled = true;
		next.disabled = false;
		task.reveal(mistakes[at].before.lines[0]).catch(complain);
	}

	thinking.remove();
	place.append(
		h(
			'div',
			{ class: `table task ${game.css}` },
			task.element,
			h('aside.stack', h('section.panel.stack', counter, ask, task.words, buttons)),
		),
	);
	await go(0);
	return `Learn: ${game.name}`;
}
