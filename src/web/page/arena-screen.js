// The screen of AI Battleground, as in its description: names in the upper corners, points below
// them, the domination chart across the top, the board underneath.
import { h, write } from './dom.js';
import { makeDominationChart } from './graph.js';

export function makeArenaScreen(game, board) {
	const chart = makeDominationChart();
	const corner = (side) => ({
		name: h('span.name'),
		points: h('span'),
		then: h('span.then'),
		extra: h('span.extra'),
		glyph: h('span.glyph', { 'aria-hidden': 'true' }, game.sides[side].glyph),
	});
	const corners = [corner(0), corner(1)];
	const tug = h('div.tug', { 'aria-hidden': 'true' }, h('i'));
	const iteration = h('span.iteration');
	const boxes = corners.map((each, side) =>
		h(
			'div',
			{ class: `corner side${side + 1}` },
			h('span.who', each.glyph, each.name),
			h('span.points', each.points, ' ', each.then),
			each.extra,
		),
	);
	const element = h(
		'section.arena-screen.arena',
		h('div.sky', chart.element, h('div.corners', boxes[0], iteration, boxes[1]), tug),
		board.element,
	);
	return {
		element,
		// scores: one entry per iteration, up to the one shown; then: the points after the step, if
		// it came now.
		update({ names, scores, then, iteration: now, nIterations, extras = ['', ''] }) {
			const [a, b] = scores.at(-1) ?? [0, 0];
			[a, b].forEach((points, side) => {
				write(corners[side].name, names[side]);
				write(corners[side].points, points);
				const isNews = then && then[side] !== points;
				write(corners[side].then, isNews ? `→ ${then[side]}` : '');
				write(corners[side].extra, extras[side]);
			});
			write(iteration, `${now} / ${nIterations}`);
			tug.style.setProperty('--share', a + b ? a / (a + b) : 0.5);
			chart.draw(scores, nIterations);
		},
	};
}
