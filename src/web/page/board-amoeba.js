// The board of Amoeba Wars. Each side is one body: discs and bridges between neighbours, merged by
// a filter, with nuclei (O and X) on top. A killed cell is a dark scar.
import { s } from './dom.js';
import { makeGrid } from './grid.js';
import { announce } from './announce.js';
import { letterOf, ownerOf, sizeOf } from './games.js';

const SCAR = 'M-.3-.22L-.05-.3 .28-.24 .31.08 .2.3-.16.29-.33.1ZM-.16-.12L.16.14M.15-.13L-.13.16';
const HINT = 0.085; // how large on a board of eight columns; relatively larger on larger ones
const BRIDGES = [
	[0, 1],
	[1, 0],
	[1, 1],
	[1, -1],
];
let filters = 0;

// Blurs, then hardens the edge, so that touching shapes merge. Its size scales with the board.
function gooFilter(id) {
	return s(
		'filter',
		{ id, x: '-5%', y: '-5%', width: '110%', height: '110%' },
		s('feGaussianBlur', { in: 'SourceGraphic', stdDeviation: 0.1, result: 'blur' }),
		s('feColorMatrix', { in: 'blur', values: '1 0 0 0 0  0 1 0 0 0  0 0 1 0 0  0 0 0 24 -10' }),
	);
}

export function makeAmoebaBoard(options) {
	const { game, position, label, flipped, isPicture, onmove, onpick, onstroke, onforesee } =
		options;
	const { rows, cols } = sizeOf(position);
	let moves = new Map();
	let shown;
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
		onhover: hover,
		completes: (row, col) => moves.has(row * cols + col),
	});
	const goo = `goo${filters++}`;
	const bodies = [0, 1].map((side) =>
		s('g', { class: `amoeba side${side + 1}`, filter: `url(#${goo})` }),
	);
	const [lines, scars, hints, nuclei, ghost] = ['lines', 'scars', 'hints', 'nuclei', 'ghost'].map(
		(name) => s('g', { class: name }),
	);
	grid.art.append(
		s('defs', gooFilter(goo)),
		s('rect.pond', { width: cols, height: rows, rx: 0.3 }),
		lines,
		scars,
		...bodies,
		hints,
		nuclei,
		ghost,
	);
	for (let i = 1; i < cols; i++) lines.append(s('path', { d: `M${i} .3V${rows - 0.3}` }));
	for (let i = 1; i < rows; i++) lines.append(s('path', { d: `M.3 ${i}H${cols - 0.3}` }));

	const centre = (row, col) => {
		const [y, x] = grid.place(row, col);
		return [x + 0.5, y + 0.5];
	};
	const nucleus = (side, row, col, kind = '') => {
		const [x, y] = centre(row, col);
		const d =
			side === 0 ? 'M.13 0A.13 .13 0 1 1 .13-.001Z' : 'M-.11-.11L.11 .11M.11-.11L-.11 .11';
		return s('path', {
			class: `nucleus side${side + 1} ${kind}`,
			d,
			transform: `translate(${x} ${y})`,
		});
	};

	function draw(board, trail, last, animate) {
		for (const layer of [...bodies, scars, nuclei]) layer.replaceChildren();
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const side = ownerOf(game, board[row][col]);
				const [x, y] = centre(row, col);
				const at = row * cols + col;
				const fresh =
					(trail.has(at) ? 'last ' : '') + (animate && at === last ? 'fresh' : '');
				if (board[row][col] === '#') {
					scars.append(
						s(
							'g',
							{ transform: `translate(${x} ${y})` },
							s('path', {
								class: `scar ${fresh}`,
								d: SCAR,
							}),
						),
					);
				}
				if (side === undefined) continue;
				bodies[side].append(s('circle', { cx: x, cy: y, r: 0.37, class: fresh }));
				for (const [dr, dc] of BRIDGES) {
					if (board[row + dr]?.[col + dc] !== board[row][col]) continue;
					const [x2, y2] = centre(row + dr, col + dc);
					bodies[side].append(
						s('path', {
							class: dr && dc ? 'bridge thin' : 'bridge',
							d: `M${x} ${y}L${x2} ${y2}`,
						}),
					);
				}
				nuclei.append(nucleus(side, row, col, fresh));
				if (trail.has(at))
					nuclei.append(
						s('circle', { class: `mark side${side + 1}`, cx: x, cy: y, r: 0.29 }),
					);
			}
		}
	}

	function pick(row, col) {
		const move = moves.get(row * cols + col);
		if (move) onmove?.(move.move);
		else if (moves.size) announce('Out of reach.');
	}

	function hover(row, col, isAimed = false) {
		ghost.replaceChildren();
		const move = row === undefined ? undefined : moves.get(row * cols + col);
		onforesee?.(move?.scores, Boolean(move && isAimed));
		if (!move) return;
		const { side } = move;
		const [x, y] = centre(row, col);
		if (ownerOf(game, shown.board[row][col]) === undefined) {
			ghost.append(
				s('circle', { class: `grow side${side + 1}`, cx: x, cy: y, r: 0.36 }),
				nucleus(side, row, col, 'faint'),
			);
		} else {
			ghost.append(
				s('circle', { class: `bite side${side + 1}`, cx: x, cy: y, r: 0.42 }),
				s('path.bite', {
					d: 'M-.24-.24L.24.24M.24-.24L-.24.24',
					transform: `translate(${x} ${y})`,
				}),
			);
		}
	}

	function describe() {
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const key = shown.board[row][col];
				const side = ownerOf(game, key);
				const what =
					key === '#'
						? 'killed'
						: side === undefined
							? 'empty'
							: `${game.sides[side].name} lives`;
				const isOpen = moves.has(row * cols + col);
				grid.describe(
					row,
					col,
					what + (isOpen ? (side === undefined ? ', grow here' : ', kill') : ''),
					isOpen,
				);
			}
		}
	}

	return {
		element: grid.element,
		point: grid.point,
		show(
			{ position: next },
			{ moves: allowed = [], last, trail = [], animate = false, onstep } = {},
		) {
			onstep?.();
			shown = next;
			moves = new Map(
				allowed.map((move) => [move.cells[0][0] * cols + move.cells[0][1], move]),
			);
			const cellOf = ({ cells: [[row, col]] }) => row * cols + col;
			const turn = trail.length ? trail : last ? [last] : [];
			draw(next.board, new Set(turn.map(cellOf)), last && cellOf(last), animate);
			hints.replaceChildren();
			for (const { cells, side } of allowed) {
				const [x, y] = centre(...cells[0]);
				hints.append(
					s('circle', {
						class: `hint side${side + 1}`,
						cx: x,
						cy: y,
						r: HINT * Math.max(1, cols / 8) ** 0.5,
					}),
				);
			}
			ghost.replaceChildren();
			grid.point();
			describe();
			if (allowed.length) grid.start(...allowed[0].cells[0]);
			return Promise.resolve();
		},
	};
}

// What the page adds to the server's description of the game.
export const amoeba = {
	css: 'amoeba',
	tagline: 'Three moves a turn. Spread, or devour.',
	rule:
		'Grow into an empty cell next to your own, or kill an enemy there: that cell stays dead. ' +
		'Living cells and kills both count.',
	rules: [
		'O begins with one move. After that every turn has three moves.',
		'A move goes to a cell next to one of your own, including diagonally.',
		'An empty cell becomes yours. An enemy in it is killed, and the cell stays dead.',
		'Your score is your living cells plus your kills.',
		'The game ends when the side to move has no legal move, even within a turn. ' +
			'The higher score wins.',
	],
	cellName: (row, col, rows) => `${letterOf(col)}${rows - row}`,
	rowLabel: (row, rows) => String(rows - row),
	makeBoard: makeAmoebaBoard,
	brushes: [
		['O', 'O'],
		['X', 'X'],
		['#O', 'Killed by O'],
		['#X', 'Killed by X'],
		['.', 'Empty'],
	],
	poster: {
		board: [
			'....XXXX',
			'...XX.XX',
			'..XX#XX.',
			'..#.O#..',
			'.OOO..X.',
			'OO.OO...',
			'OOO..OO.',
			'OO....O.',
		],
	},
};
