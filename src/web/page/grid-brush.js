// Editing a position by hand: a brush places pieces, the right mouse button those of the other
// side; also whose turn it is.
import { clamp, h, row, segments, select } from './dom.js';

const brushesOf = (game) =>
	game.brushes ?? [
		...game.sides.map(({ key, name, glyph }) => [key, `${glyph} ${name}`]),
		[game.empty, 'Empty'],
	];

const putAt = (board, row, col, key) =>
	board.map((line, r) => (r === row ? line.slice(0, col) + key + line.slice(col + 1) : line));

// In Amoeba Wars the killer of each shaded cell is part of the position.
function recount(position, before, brush) {
	const killed = { ...position.killed };
	if (before === '#') killed[killed.X > 0 ? 'X' : 'O'] -= 1;
	if (brush[0] === '#') killed[brush[1]] += 1;
	return { ...position, killed };
}

export function paint(game, position, row, col, brush, nuts) {
	if (brush === 'value')
		return {
			...position,
			values: position.values.map((line, r) =>
				line.map((value, c) => (r === row && c === col ? nuts : value)),
			),
		};
	const before = position.board[row][col];
	const key = before === brush[0] && brush.length === 1 ? game.empty : brush[0];
	const next = { ...position, board: putAt(position.board, row, col, key) };
	return position.killed ? recount(next, before, brush) : next;
}

// onturn(position changes) when the side to move is set.
export function makeBrush(game, onturn) {
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
			Array.from({ length: game.movesPerTurn }, (_, i) => i + 1).map((n) => [
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
			if (left) left.value = position.moves_left;
		},
	};
}
