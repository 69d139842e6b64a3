// What the analyst says, and how it is shown: marks, chances, the bar beside a board, the graph
// under it, and candidate lines. Chances come as the first side's.
import { get, persist, post } from './api.js';
import { clamp, h, pause, s, show, write } from './dom.js';

// The sign of a mark, and what it is called.
export const MARKS = {
	best: ['★', 'best move'],
	good: ['', 'good'],
	inaccuracy: ['?!', 'inaccuracy'],
	mistake: ['?', 'mistake'],
	blunder: ['??', 'blunder'],
};
export const isMistake = ({ mark }) => mark === 'mistake' || mark === 'blunder';

export const percent = (chance) => `${Math.round(100 * chance)} %`;

// Games that have no analysis are refused with the reason.
export function needTurns(game) {
	if (game.isSimultaneous)
		throw new Error(`Games of ${game.name} have no analysis: both sides move at once.`);
}

// What a position, and with `move` what a move in it is worth.
export const evaluate = (game, position, { move, signal } = {}) =>
	post('evaluate', { game, position, move }, { signal });

// Asks for the analysis of a recorded game until it is done; onplies(plies) as they come. Returns
// the last answer.
export async function analyseGame(id, signal, onplies = () => {}) {
	const plies = [];
	for (;;) {
		const answer = await persist(
			() => get(`history/${id}/analysis?from=${plies.length}`, { signal }),
			{ isPast: () => signal.aborted },
		);
		plies.push(...answer.plies);
		onplies(plies);
		if (answer.is_done) return { ...answer, plies };
		if (!answer.plies.length) await pause(200);
	}
}

// A move in words, with what it cost.
export function verdictText(game, { side, text, mark, loss, before, exact }) {
	const who = `${game.sides[side].name} ${text}`;
	const proven = exact ? ', proven' : '';
	if (mark === 'best') return `${who}: the best move${proven}.`;
	const cost =
		loss > 0
			? `, which costs ${percent(loss)}${proven}`
			: exact
				? ', with the same result'
				: '';
	return `${who}: ${MARKS[mark][1]}${cost}. Best was ${before.lines[0].text}.`;
}

// What a position is worth, in words.
export function standingText(game, { chance, lead, exact, to_move: mover }) {
	if (mover === null) return '';
	const side = chance >= 0.5 ? 0 : 1;
	const name = game.sides[side].name;
	const points = Math.abs(lead ?? 0);
	if (exact && chance === 0.5) return 'Solved: a draw.';
	if (exact && lead === null) return `Solved: ${name} wins.`;
	if (exact) return `Solved: ${name} wins by ${points} ${game.unit}.`;
	if (chance === 0 || chance === 1) return `${name} wins by force.`;
	return `${name} wins ${percent(side ? 1 - chance : chance)} from here.`;
}

// Both sides' chances, beside the board; the second side's at the top.
export function makeChanceBar(game) {
	const element = h('div.chances', {
		role: 'meter',
		'aria-label': `${game.sides[0].name}’s chance of winning`,
		'aria-valuemin': 0,
		'aria-valuemax': 100,
		'aria-valuenow': 50,
	});
	element.append(h('span'), h('span'));
	return {
		element,
		show(chance) {
			element.style.setProperty('--chance', chance ?? 0.5);
			element.classList.toggle('unknown', chance === undefined);
			element.setAttribute('aria-valuenow', Math.round(100 * (chance ?? 0.5)));
			element.setAttribute('aria-valuetext', chance === undefined ? '' : percent(chance));
			// A number needs room on its colour.
			const number = (own) => (own >= 0.1 ? Math.round(100 * own) : '');
			write(element.firstChild, number(1 - chance));
			write(element.lastChild, number(chance));
		},
	};
}

const [WIDTH, HEIGHT] = [600, 110];

// The first side's chance by move, with its mistakes; ongo(ply) when a ply is clicked.
export function makeChanceGraph({ game, nPlies, ongo }) {
	const across = (ply) => (nPlies ? (ply / nPlies) * WIDTH : 0);
	const down = (chance) => 3 + (1 - chance) * (HEIGHT - 6);
	const [over, under] = [s('path.half.side2'), s('path.half.side1')];
	const curve = s('path.curve');
	const dots = s('g.dots');
	const cursor = s('line.now', { y1: 0, y2: HEIGHT });
	const svg = s(
		'svg.graph.chance-graph',
		{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
		over,
		under,
		s('path.middle', { d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
		curve,
		dots,
		cursor,
	);
	const go = (event) => {
		const { left, width } = svg.getBoundingClientRect();
		ongo(Math.round(clamp((event.clientX - left) / width, 0, 1) * nPlies));
	};
	svg.addEventListener('pointerdown', (event) => {
		svg.setPointerCapture(event.pointerId);
		go(event);
	});
	svg.addEventListener('pointermove', (event) => event.buttons && go(event));
	return {
		element: h(
			'div.graph-box',
			h('div.graph-frame', svg),
			h(
				'div.ends.soft',
				h('span', 'start'),
				h('span', `${game.sides[0].name}’s chance by move`),
				h('span', `move ${nPlies}`),
			),
		),
		// chances: by position, as far as they are known; marks: by move.
		draw(chances, plies) {
			const points = chances.map((chance, i) => `${across(i)} ${down(chance).toFixed(1)}`);
			if (!points.length) return;
			const [d, end] = [`M${points.join('L')}`, across(points.length - 1)];
			curve.setAttribute('d', d);
			over.setAttribute('d', `${d}L${end} 0L0 0Z`);
			under.setAttribute('d', `${d}L${end} ${HEIGHT}L0 ${HEIGHT}Z`);
			show(
				dots,
				plies.map(
					(each, i) =>
						isMistake(each) &&
						chances[i + 1] !== undefined &&
						s('path', {
							class: `dot ${each.mark}`,
							d: `M${across(i + 1)} ${down(chances[i + 1]).toFixed(1)}h0`,
						}),
				),
			);
		},
		at(ply) {
			cursor.setAttribute('x1', across(ply));
			cursor.setAttribute('x2', across(ply));
		},
	};
}

// Up to three candidate lines, each a row of moves to try; onplay(moves) plays them, onpoint(cells)
// shows one on the board.
export function makeLines({ onplay, onpoint }) {
	const element = h('ol.lines.plain', { 'aria-label': 'Candidate lines' });
	// As the side to move sees it.
	const valueOf = ({ chance, lead, decided }, { exact }, side) => {
		const own = side === 1 ? 1 - chance : chance;
		const points = side === 1 ? -lead : lead;
		if (exact && lead !== null) return points > 0 ? `+${points}` : String(points);
		return decided ? ['loses', 'draws', 'wins'][2 * own] : percent(own);
	};
	return {
		element,
		show(judgement, side = 0) {
			const lines = judgement?.lines ?? [];
			show(
				element,
				lines.map((each) =>
					h(
						'li',
						h('span.value.number', valueOf(each, judgement, side)),
						each.line.slice(0, 6).map(({ text, cells }, i, all) =>
							h(
								'button.quiet',
								{
									onclick: () => onplay(all.slice(0, i + 1).map((m) => m.move)),
									onpointerenter: () => i === 0 && onpoint(cells),
									onpointerleave: () => onpoint(),
								},
								text,
							),
						),
					),
				),
			);
		},
	};
}
