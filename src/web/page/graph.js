// Two charts of a game's scores: the graph below a replay, which also navigates to a move, and the
// domination chart across the top of AI Battleground.
import { clamp, h, s, write } from './dom.js';

const WIDTH = 600;

const line = (points) =>
	points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

// scores: [[first, second], ...] by ply; ongo(ply) when a ply is clicked. Names and points of both
// sides stand above it, the scale and the moves at its edges.
export function makeScoreGraph({ game, names, ongo }) {
	const height = 110;
	const lines = [0, 1].map((side) => s('path', { class: `curve side${side + 1}` }));
	const areas = [0, 1].map((side) => s('path', { class: `under side${side + 1}` }));
	const cursor = s('line.now', { y1: 0, y2: height });
	const points = names.map((name, side) => h('span', { class: `name side${side + 1}` }));
	const [top, end] = [h('span.scale'), h('span')];
	const element = s(
		'svg.graph',
		{ viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
		areas,
		lines,
		cursor,
	);
	let plies = 1;
	const plyAt = (event) => {
		const box = element.getBoundingClientRect();
		return Math.round(clamp((event.clientX - box.left) / box.width, 0, 1) * (plies - 1));
	};
	element.addEventListener('pointerdown', (event) => {
		element.setPointerCapture(event.pointerId);
		ongo(plyAt(event));
	});
	element.addEventListener('pointermove', (event) => event.buttons && ongo(plyAt(event)));
	const across = (ply) => (plies > 1 ? (ply / (plies - 1)) * WIDTH : 0);
	let all = [];
	return {
		element: h(
			'div.graph-box',
			h('div.ends', points),
			h('div.graph-frame', element, top),
			h('div.ends.soft', h('span', 'start'), h('span', `${game.unit} by move`), end),
		),
		draw(scores) {
			all = scores;
			plies = scores.length;
			const most = Math.max(1, ...scores.flat());
			write(top, most);
			write(end, `move ${plies - 1}`);
			for (const side of [0, 1]) {
				const curve = scores.map((score, ply) => [
					across(ply),
					height - 4 - (score[side] / most) * (height - 8),
				]);
				lines[side].setAttribute('d', line(curve));
				areas[side].setAttribute(
					'd',
					`${line(curve)}L${curve.at(-1)[0]} ${height}L0 ${height}Z`,
				);
			}
		},
		at(ply) {
			points.forEach((each, side) =>
				write(each, `${game.sides[side].glyph} ${names[side]} ${all[ply]?.[side] ?? ''}`),
			);
			cursor.setAttribute('x1', across(ply));
			cursor.setAttribute('x2', across(ply));
		},
	};
}

// Each side's share of all living cells, from the first iteration on the left to the last on the
// right.
export function makeDominationChart() {
	const height = 60;
	const first = s('path.share.side1');
	const second = s('path.share.side2');
	const border = s('path.border');
	const middle = s('path.middle', { d: `M0 ${height / 2}H${WIDTH}` });
	const element = s(
		'svg.domination',
		{ viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
		second,
		first,
		border,
		middle,
	);
	return {
		element,
		draw(scores, nIterations) {
			const step = WIDTH / Math.max(1, nIterations);
			const points = scores.map(([a, b], i) => [
				i * step,
				a + b ? height * (1 - a / (a + b)) : height / 2,
			]);
			if (points.length === 1) points.push([Math.max(2, step), points[0][1]]);
			const end = points.at(-1)?.[0] ?? 0;
			first.setAttribute('d', `${line(points)}L${end} ${height}L0 ${height}Z`);
			second.setAttribute('d', `${line(points)}L${end} 0L0 0Z`);
			border.setAttribute('d', line(points));
		},
	};
}
