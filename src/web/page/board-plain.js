// The board of any game: a square for each cell, a disc with its symbol for each piece. A move is
// chosen by picking its cells in order; a move without cells has a button.
import { h, s, show as fill } from './dom.js';
import { makeGrid } from './grid.js';
import { announce } from './announce.js';
import { ownerOf, sizeOf } from './games.js';

const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

export function makePlainBoard({
	game,
	position,
	label,
	flipped,
	isPicture,
	onmove,
	onpick,
	onstroke,
	onforesee,
	tell,
}) {
	const { rows, cols } = sizeOf(position);
	let shown = position;
	let moves = [];
	let path = []; // cells picked so far
	const grid = makeGrid({
		game,
		rows,
		cols,
		label,
		flipped,
		isPicture,
		isForEditing: Boolean(onpick),
		onstroke,
		onpick: onpick ?? pick,
		onhover: foresee,
		completes: (row, col) => Boolean(wholeAt(row, col)),
	});
	const [squares, pieces, marks, plans] = ['squares', 'pieces', 'marks', 'plans'].map((name) =>
		s('g', { class: name }),
	);
	const passes = h('div.buttons.passes');
	grid.element.append(passes);
	grid.art.append(s('rect.ground', { width: cols, height: rows, rx: 0.1 }), squares, pieces);
	grid.art.append(marks, plans);

	const centre = (row, col) => {
		const [y, x] = grid.place(row, col);
		return [x + 0.5, y + 0.5];
	};
	const ring = (kind, cell, r) => {
		const [cx, cy] = centre(...cell);
		return s('circle', { class: kind, cx, cy, r });
	};
	for (let row = 0; row < rows; row++)
		for (let col = 0; col < cols; col++)
			squares.append(
				s('rect.square', { x: col + 0.03, y: row + 0.03, width: 0.94, height: 0.94 }),
			);

	// The moves that begin with the cells picked so far.
	const candidates = () =>
		moves.filter(({ cells }) => path.every((cell, i) => cells[i] && isSame(cells[i], cell)));
	const through = (row, col) =>
		candidates().filter(
			({ cells }) => cells[path.length] && isSame(cells[path.length], [row, col]),
		);

	const wholeAt = (row, col) =>
		through(row, col).find(({ cells }) => cells.length === path.length + 1);

	function pick(row, col) {
		const found = through(row, col);
		const whole = wholeAt(row, col);
		if (whole) {
			path = [];
			onmove?.(whole.move);
		} else if (found.length) {
			path.push([row, col]);
			announce(`${game.cellName(row, col, rows)}: ${found.length} moves.`);
		} else {
			if (moves.length && !path.length) announce('No move here.');
			path = [];
		}
		mark();
	}

	function foresee(row, col, isAimed = false) {
		plans.replaceChildren();
		const found = row === undefined ? [] : through(row, col);
		onforesee?.(found.length === 1 ? found[0].scores : undefined, isAimed);
		if (found.length !== 1) return;
		const { cells, side, effect } = found[0];
		for (const cell of cells) plans.append(ring(`claim side${side + 1}`, cell, 0.38));
		for (const cell of effect.taken ?? [])
			plans.append(ring(`turn side${side + 1}`, cell, 0.2));
	}

	function mark(picks = [[], []], reach) {
		grid.element.classList.toggle('choosing', path.length > 0);
		const open = candidates().map(({ cells, side }) => [cells[path.length], side]);
		marks.replaceChildren(
			...path.map((cell) => ring('chosen', cell, 0.44)),
			...open
				.filter(([cell]) => cell)
				.map(([cell, i]) => ring(`hint side${i + 1}`, cell, 0.1)),
			...picks.flatMap((cells, i) =>
				cells.map((cell) => ring(`pick side${i + 1}`, cell, 0.3)),
			),
		);
		reach?.forEach((can, i) => {
			if (can) marks.append(ring('reach', [Math.floor(i / cols), i % cols], 0.07));
		});
		describe();
	}

	function describe() {
		for (let row = 0; row < rows; row++)
			for (let col = 0; col < cols; col++) {
				const key = shown.board[row][col];
				const side = ownerOf(game, key);
				const words =
					game.sides[side]?.name ?? (key === game.empty ? 'empty' : `symbol ${key}`);
				const isOpen = through(row, col).length > 0;
				const more = isOpen && path.length ? ', move here' : (tell?.(row, col) ?? '');
				grid.describe(row, col, words + more, isOpen);
			}
	}

	function draw(board, last) {
		pieces.replaceChildren();
		for (let row = 0; row < rows; row++)
			for (let col = 0; col < cols; col++) {
				const key = board[row][col];
				const side = ownerOf(game, key);
				const [x, y] = centre(row, col);
				if (side !== undefined)
					pieces.append(ring(`piece side${side + 1}`, [row, col], 0.4));
				const glyph = game.sides[side]?.glyph ?? (key === game.empty ? '' : key);
				if (glyph)
					pieces.append(s('text', { class: `glyph side${side + 1}`, x, y }, glyph));
			}
		for (const cell of last?.cells ?? []) pieces.append(ring('last', cell, 0.46));
	}

	return {
		element: grid.element,
		point: grid.point,
		suggest: grid.suggest,
		show({ position: next }, { moves: allowed = [], last, picks, reach, onstep } = {}) {
			onstep?.();
			shown = next;
			moves = allowed;
			path = [];
			draw(next.board, last);
			mark(picks, reach);
			foresee();
			fill(
				passes,
				allowed
					.filter(({ cells }) => !cells.length)
					.map(({ move, text }) => h('button', () => onmove?.(move), `Play ${text}`)),
			);
			grid.point();
			const first = allowed.find(({ cells }) => cells.length);
			if (first) grid.start(...first.cells[0]);
			return Promise.resolve();
		},
	};
}
