// Patterns of the Game of Life: a shelf of well-known ones, and those that people paste as RLE, the
// format of Life programs (https://conwaylife.com/wiki/Run_Length_Encoded).
import { complain } from './announce.js';
import { h, row, s } from './dom.js';

const SHELF = [
	['Block', '2o$2o!'],
	['Blinker', '3o!'],
	['Glider', 'bo$2bo$3o!'],
	['R-pentomino', 'b2o$2o$bo!'],
	['Spaceship', 'bo2bo$o$o3bo$4o!'],
	['Acorn', 'bo$3bo$2o2b3o!'],
	['Diehard', '6bo$2o$bo3b3o!'],
	['Pentadecathlon', '2bo4bo$2ob4ob2o$2bo4bo!'],
	[
		'Pulsar',
		'2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$' +
			'2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!',
	],
	[
		'Glider gun',
		'24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$' +
			'10bo5bo7bo$11bo3bo$12b2o!',
	],
];

// [[row, col, side], ...]; side is 0 for o and A, 1 for B: patterns of two colours exist.
export function readRle(text) {
	const body = text
		.split('\n')
		.filter((line) => !/^\s*(#|x\s*=)/i.test(line))
		.join('')
		.replace(/\s/g, '')
		.replace(/!.*$/, '');
	const cells = [];
	let [at, col, end] = [0, 0, 0];
	for (const { 0: all, 1: count, 2: sign, index } of body.matchAll(/(\d*)([bo.AB$])/g)) {
		if (index !== end) break;
		end = index + all.length;
		const n = Number(count || 1);
		if (sign === '$') [at, col] = [at + n, 0];
		else {
			if (sign !== 'b' && sign !== '.')
				for (let i = 0; i < n; i++) cells.push([at, col + i, sign === 'B' ? 1 : 0]);
			col += n;
		}
	}
	if (!cells.length || end !== body.length)
		throw new Error('That is not RLE. A glider, for example, is bo$2bo$3o!');
	return cells;
}

const sizeOf = (cells) => [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));

const turned = (cells) => {
	const [height] = sizeOf(cells);
	return cells.map(([r, c, side]) => [c, height - 1 - r, side]);
};

function picture(cells) {
	const [height, width] = sizeOf(cells);
	const size = Math.max(height, width, 5);
	const d = cells
		.map(([r, c]) => `M${c + (size - width) / 2} ${r + (size - height) / 2}h.9v.9h-.9z`)
		.join('');
	return s('svg', { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' }, s('path', { d }));
}

// The cells of a pattern put down with its middle at [row, col], on a board that may wrap around.
export function placeAt(cells, [row, col], { rows, cols, wraps }) {
	const [height, width] = sizeOf(cells);
	const wrap = (n, size) => ((n % size) + size) % size;
	return cells
		.map(([r, c, side]) => [row + r - (height >> 1), col + c - (width >> 1), side])
		.map(([r, c, side]) => (wraps ? [wrap(r, rows), wrap(c, cols), side] : [r, c, side]))
		.filter(([r, c]) => r >= 0 && r < rows && c >= 0 && c < cols);
}

// onchoose(): a pattern was taken from the shelf, or put back.
export function makePatterns({ rows, cols, onchoose }) {
	let chosen;
	const buttons = SHELF.map(([name, rle]) => [name, readRle(rle)])
		.filter(([, cells]) => {
			const [height, width] = sizeOf(cells);
			return height <= rows && width <= cols;
		})
		.map(([name, cells]) =>
			h(
				'button',
				{ onclick: ({ currentTarget }) => take(cells, currentTarget) },
				picture(cells),
				h('span', name),
			),
		);
	const shelf = h('div.shelf', { role: 'group', 'aria-label': 'Patterns' }, buttons);
	const text = h('textarea', { rows: 2, spellcheck: 'false', placeholder: 'bo$2bo$3o!' });
	const turn = h('button', () => (chosen = turned(chosen)), 'Turn');
	const drop = h('button.quiet', () => take(), 'Put back');
	const hand = h('div.buttons', { hidden: true }, turn, drop);

	// Takes a pattern into the hand; `button` is its place on the shelf, if it has one.
	function hold(cells, button) {
		chosen = cells;
		hand.hidden = !cells;
		for (const each of buttons)
			each.setAttribute('aria-pressed', String(Boolean(cells) && each === button));
	}

	function take(cells, button) {
		const isHeld = button?.getAttribute('aria-pressed') === 'true';
		hold(isHeld ? undefined : cells, button);
		onchoose(Boolean(chosen));
	}

	function takeText() {
		try {
			take(readRle(text.value));
		} catch (error) {
			complain(error);
		}
	}

	hold();
	return {
		element: h(
			'section.panel.stack',
			h('h2', 'Patterns'),
			h(
				'p.soft.small',
				'Take one, then click where it goes; right click for the other side.',
			),
			shelf,
			hand,
			h(
				'details',
				h('summary', 'From RLE'),
				h(
					'div.stack.more-room',
					row('Pattern', text),
					h('div.buttons', h('button', takeText, 'Take it')),
				),
			),
		),
		chosen: () => chosen,
		putBack: () => hold(),
	};
}
