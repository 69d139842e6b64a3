// A recorded game with its analysis: what each move cost, the best moves on the board, candidate
// lines, and variations that branch off by playing on the board.
import { games, get, post } from './api.js';
import { announce, complain } from './announce.js';
import {
	MARKS,
	analyseGame,
	evaluate,
	isMistake,
	makeChanceBar,
	makeChanceGraph,
	makeLines,
	needTurns,
	standingText,
	verdictText,
} from './analyst.js';
import { beginGame } from './begin.js';
import { makeBoard } from './boards.js';
import { nameTags } from './cards.js';
import { clamp, h, select, show, write } from './dom.js';
import { makeFrames } from './frames.js';
import { gameOf, namesOf, resultOf } from './games.js';
import { myName, seatsOf } from './keep.js';
import { makeMoveList } from './move-list.js';
import { carry, readdress } from './router.js';

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const COUNTED = [
	['inaccuracy', 'inaccuracies'],
	['mistake', 'mistakes'],
	['blunder', 'blunders'],
];

export async function analysisView(place, { id, ply: wanted }, signal) {
	const record = await get(`history/${id}`, { signal });
	const game = gameOf(record.game);
	const facts = (await games()).get(record.game);
	needTurns(game);
	const { tokens } = seatsOf(id.replace(/^s-/, ''));
	const names = namesOf(
		record.players.map((name) => ({ name })),
		tokens,
	);
	const nPlies = record.moves.length;
	const frame = makeFrames(`history/${id}`, nPlies + 1, signal);
	const board = makeBoard({
		game,
		position: record.start,
		label: `${game.name} analysis`,
		flipped: Boolean(tokens[1] && !tokens[0]) && Boolean(game.canFlip ?? true),
		onmove: (move) => tries(play([move])),
	});
	let plies = [];
	let end;
	let ply = clamp(Number.parseInt(wanted, 10) || 0, 0, nPlies);
	let branch = []; // the positions of a variation that leaves the game after `ply` moves
	let nDrawn = 0;

	const bar = makeChanceBar(game);
	const graph = makeChanceGraph({ game, nPlies, ongo: (to) => goTo(to) });
	const list = makeMoveList({ game, ongo: (to) => goTo(to) });
	const lines = makeLines({
		onplay: (moves) => tries(play(moves)),
		onpoint: (cells) => board.point(cells ?? [], 'move'),
	});
	const words = h('p.choice');
	const standing = h('p.soft');
	const counter = h('output.number');
	const progress = h('progress', { max: nPlies + 1, value: 0, 'aria-label': 'Analysed' });
	const summary = h('div.stack');
	const path = h('div.buttons.path', { hidden: true });
	const levels = facts.players.filter((player) => player.kind === 'level');
	const level = select(
		levels.map((each, i) => [each.id, `Level ${i + 1}`]),
		{ 'aria-label': 'Opponent' },
	);
	level.value = levels[3]?.id;
	const playOn = h('button', () => tries(playFromHere()), 'Play from here');

	const tries = (promise) => promise.catch((error) => signal.aborted || complain(error));
	const judgementAt = (at) => (at < plies.length ? plies[at].before : at === nPlies && end);
	const shown = () => branch.at(-1);

	// The view of the current position, with its legal moves.
	async function look() {
		const node = shown() ?? { view: await frame(ply), last: (await frame(ply)).move };
		if (!node.legal && !node.view.over)
			node.legal = (
				await post('moves', { game: game.id, position: node.view.position }, { signal })
			).moves;
		return node;
	}

	async function draw(animate) {
		const mine = ++nDrawn;
		const node = await look();
		if (mine !== nDrawn || signal.aborted) return;
		board.show(node.view, { moves: node.legal ?? [], last: node.last ?? undefined, animate });
		explain(node);
		clearTimeout(draw.timer);
		draw.timer = setTimeout(() => signal.aborted || readdress(`/analyse/${id}/${ply}`), 120);
	}

	// What is known about the position: it may be less than all while the analyst works.
	function explain(node) {
		const judgement = shown() ? node.judgement : judgementAt(ply);
		const verdict = shown() ? node.verdict : plies[ply - 1];
		bar.show(judgement ? judgement.chance : undefined);
		lines.show(judgement || undefined, node.view.mover);
		board.suggest?.(judgement ? judgement.lines.map((each) => each.cells) : []);
		write(standing, judgement ? standingText(game, judgement) : 'The analyst is thinking…');
		if (node.view.over) write(standing, `The game is over: ${node.view.over.text}.`);
		if (verdict) write(words, verdictText(game, verdict));
		else write(words, ply || shown() ? '' : 'The start. Play on the board to try other moves.');
		write(counter, shown() ? `${ply} + ${branch.length}` : `${ply} / ${nPlies}`);
		playOn.disabled = Boolean(node.view.over);
		graph.at(ply);
		list.at(ply);
		path.hidden = !shown();
		show(
			path,
			h('span.soft', `Instead of move ${ply + 1}:`),
			branch.map(({ text }, i) =>
				h(
					'button.quiet',
					() => {
						branch.length = i + 1;
						tries(draw(false));
					},
					text,
				),
			),
			h('button', () => goTo(ply), 'Back to the game'),
		);
		if (verdict) announce(words.textContent);
	}

	function goTo(to, animate = false) {
		ply = clamp(to, 0, nPlies);
		branch = [];
		return tries(draw(animate));
	}

	function step(by) {
		if (!shown()) return goTo(ply + by, by > 0);
		if (by < 0) branch.pop();
		return tries(draw(false));
	}

	// Plays moves from the current position: along the game as far as they are its moves, then in a
	// variation.
	async function play(moves) {
		let node = shown();
		for (const move of moves) {
			if (!node && record.moves[ply] && same(record.moves[ply].move, move)) {
				ply++;
				continue;
			}
			const { position } = (node ?? { view: await frame(ply) }).view;
			const view = await post('step', { game: game.id, position, move }, { signal });
			node = { view, last: view.move, text: view.move.text, from: position, move };
			branch.push(node);
		}
		await draw(true);
		if (!node || node.judgement) return;
		Object.assign(node, await evaluate(game.id, node.from, { move: node.move, signal }));
		if (shown() === node) explain(await look());
	}

	async function playFromHere() {
		const { view } = await look();
		const seats = [0, 1].map((side) =>
			side === view.mover
				? { kind: 'person', ...(myName() ? { name: myName() } : {}) }
				: { kind: 'player', player: level.value },
		);
		await beginGame(
			{ game: game.id, start: view.position, seats, is_listed: false },
			seats.map((seat) => (seat.kind === 'person' ? 'me' : '')),
		);
	}

	const learnLink = (side, n) =>
		n > 0 &&
		h(
			'a.button',
			{ href: `#/learn/${id}/${side}` },
			tokens[side] && !tokens[1 - side] ? 'Learn from your mistakes' : 'Find better moves',
		);

	const sideSummary = (each, side) =>
		h(
			'div.stack.verdicts',
			h(
				'p',
				h(
					'span',
					{ class: `name side${side + 1}` },
					`${game.sides[side].glyph} ${names[side]}`,
				),
				each.accuracy === null ? '' : ` · accuracy ${each.accuracy} %`,
			),
			h(
				'p.soft.small',
				COUNTED.map(
					([mark, many]) => `${each[mark]} ${each[mark] === 1 ? mark : many}`,
				).join(', '),
			),
			h('div.buttons', learnLink(side, each.mistake + each.blunder)),
		);

	function showSummary({ sides, turning_points: turns, exact_from: exact }) {
		progress.hidden = true;
		show(
			summary,
			sides.map(sideSummary),
			turns.length > 0 &&
				h(
					'div.buttons',
					h('span.soft', 'Turning points:'),
					turns.map((at) => h('button.quiet', () => goTo(at), `move ${at}`)),
				),
			exact !== null &&
				h('p.soft.small', `Solved, not estimated, from ${exact} empty squares on.`),
		);
	}

	async function analyse() {
		const answer = await analyseGame(id, signal, (some) => {
			plies = some;
			progress.value = some.length;
			plies.forEach((each, i) => list.mark(i, ...MARKS[each.mark], isMistake(each)));
			graph.draw(
				plies.map((each) => each.before.chance),
				plies,
			);
			if (!shown()) look().then(explain, () => {});
		});
		end = answer.end;
		graph.draw([...plies.map((each) => each.before.chance), end.chance], plies);
		showSummary(answer.summary);
		if (!shown()) explain(await look());
	}

	const KEYS = {
		j: () => step(-1),
		ArrowLeft: () => step(-1),
		k: () => step(1),
		ArrowRight: () => step(1),
		Home: () => goTo(0),
		End: () => goTo(nPlies),
	};
	addEventListener(
		'keydown',
		(event) => {
			const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
			const isElsewhere = event.target.matches?.('input, textarea, select');
			if (!act || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			act();
		},
		{ signal },
	);

	const turn = (by, name, key) =>
		h(
			'button',
			{ onclick: () => step(by), 'aria-keyshortcuts': key },
			name,
			h('kbd', { 'aria-hidden': 'true' }, key),
		);
	list.update(record.moves);
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h(
				'div',
				h('h1', `${game.name}: analysis`),
				h(
					'p',
					nameTags(game, record, tokens),
					` · ${record.over?.text ?? resultOf(record)}`,
				),
			),
		),
		h(
			'div',
			{ class: `table analysis ${game.css}` },
			h(
				'div.middle',
				h('div.judged', bar.element, board.element),
				h('div.scrubber', graph.element),
			),
			h(
				'aside.stack',
				h(
					'section.panel.stack.transport',
					{ 'aria-label': 'Moves' },
					h('div.steps', turn(-1, 'Back', 'J'), counter, turn(1, 'Next', 'K')),
					words,
					standing,
					lines.element,
					path,
				),
				h('section.panel.stack', h('h2', 'Verdict'), progress, summary),
				h('section.panel.stack', h('h2', 'Moves'), list.element),
				h(
					'section.panel.stack',
					h('h2', 'This position'),
					h('div.with-button', level, playOn),
					h(
						'div.buttons',
						h('a.button', { href: `#/history/${id}` }, 'Replay'),
						h(
							'button',
							async () =>
								carry(game.id, (await look()).view.position, `/grid/${game.id}`),
							'Open in test grid',
						),
					),
				),
			),
		),
	);
	await draw(false);
	tries(analyse());
	return `Analysis: ${game.name}, ${names.join(' – ')}`;
}
