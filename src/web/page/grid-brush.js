// Editing a position by hand: a brush places pieces, the right mouse button those of the other
// side; also whose turn it is.
import { clamp, h, row, segments, select } from './dom.js';

const brushesOf = (game) =>
	game.brushes ?? [
		...game.sides.map(({ key, name, glyph }) => [key, `${glyph} ${name}`]),
		[game.empty, 'Empty'],
	];

const MAX_MOVES_PER_TURN = 5; // by other rules than the game's usual ones

const putAt = (board, row, col, key) =>
	board.map((line, r) => (r === row ? line.slice(0, col) + key + line.slice(col + 1) : line));

// In Amoeba Wars the killer of each shaded cell is part of the position; with chains the cell
// shows it.
function recount(position, before, brush) {
	const killed = { ...position.killed };
	if (before === '#') killed[killed.X > 0 ? 'X' : 'O'] -= 1;
	if (before === 'o' || before === 'x') killed[before.toUpperCase()] -= 1;
	if (brush[0] === '#') killed[brush[1]] += 1;
	return { ...position, killed };
}

const letterOfBrush = (position, brush) =>
	brush[0] === '#' && position.rules?.chains ? brush[1].toLowerCase() : brush[0];

function put(position, [row, col], brush, nuts) {
	if (brush === 'value')
		return {
			...position,
			values: position.values.map((line, r) =>
				line.map((value, c) => (r === row && c === col ? nuts : value)),
			),
		};
	const before = position.board[row][col];
	const next = {
		...position,
		board: putAt(position.board, row, col, letterOfBrush(position, brush)),
	};
	return position.killed ? recount(next, before, brush) : next;
}

// Paints these cells, in the order of a stroke. A stroke that begins on what the brush would put
// there erases.
export function paint(game, position, cells, brush, nuts) {
	const [row, col] = cells[0];
	const isErasing = brush.length === 1 && position.board[row][col] === brush;
	const key = isErasing ? game.empty : brush;
	const seen = new Set();
	return cells.reduce((now, cell) => {
		if (seen.has(String(cell))) return now;
		seen.add(String(cell));
		return put(now, cell, key, nuts);
	}, position);
}

// Puts a pattern down: its cells are [row, col, side], the first side that of the brush.
export const stamp = (game, position, cells, brush) => {
	const first = Math.max(
		0,
		game.sides.findIndex(({ key }) => key === brush),
	);
	return cells.reduce(
		(now, [row, col, side]) => put(now, [row, col], game.sides[side ? 1 - first : first].key),
		position,
	);
};

export const cleared = (game, position) => ({
	...position,
	board: position.board.map((line) => game.empty.repeat(line.length)),
	...(position.killed && { killed: { O: 0, X: 0 } }),
});

// onturn(position changes) when the side to move is set; onuse() when a brush is chosen.
export function makeBrush(game, onturn, onuse) {
	let brush = brushesOf(game)[0][0];
	const nuts = h('input', { type: 'number', min: 1, max: 99, value: 10 });
	const nutsRow = row('Nuts on the square', nuts, { hidden: true });
	const choice = segments('Brush', brushesOf(game), use);
	const turn =
		!game.isSimultaneous &&
		select(
			game.sides.map((side) => [side.key, `${side.name} to move`]),
			{ 'aria-label': 'To move', onchange: () => onturn({ to_move: turn.value }) },
		);
	const left =
		game.movesPerTurn > 1 &&
		select(
			Array.from({ length: MAX_MOVES_PER_TURN }, (_, i) => i + 1).map((n) => [
				n,
				`${n} in this turn`,
			]),
			{
				'aria-label': 'Moves left',
				onchange: () => onturn({ moves_left: Number(left.value) }),
			},
		);

	function use(key) {
		brush = key;
		onuse?.();
		nutsRow.hidden = key !== 'value';
	}

	return {
		element: h('div.stack', choice, nutsRow, h('div.two', turn, left)),
		// The left button paints with the brush, the right one for the other side.
		of: (button) =>
			button === 2 ? game.sides[brush === game.sides[1].key ? 0 : 1].key : brush,
		nuts: () => clamp(Number(nuts.value) || 1, 1, 99),
		show(position) {
			if (turn) turn.value = position.to_move;
			if (!left) return;
			const max = position.rules ? MAX_MOVES_PER_TURN : game.movesPerTurn;
			for (const option of left.options) option.hidden = Number(option.value) > max;
			left.value = position.moves_left;
		},
	};
}
