// The board of Amoeba Wars. Each side is one body: discs and bridges between neighbours, merged by
// a filter, with nuclei (O and X) on top. A killed cell is a dark scar; with chains its killer's,
// in the killer's colour and linked to its neighbours.
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
const KILLERS = { o: 0, x: 1 };
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

	const neighboursAfter = (board, row, col) =>
		BRIDGES.map(([dr, dc]) => [[row + dr, col + dc], Boolean(dr && dc)]).filter(
			([to]) => board[to[0]]?.[to[1]] !== undefined,
		);
	const lineTo = (x, y, to) => `M${x} ${y}L${centre(...to).join(' ')}`;

	function scar(x, y, killer, fresh) {
		const whose = killer === undefined ? '' : `side${killer + 1} owned`;
		scars.append(
			s(
				'g',
				{ transform: `translate(${x} ${y})` },
				s('path', { class: `scar ${whose} ${fresh}`, d: SCAR }),
			),
		);
	}

	// The links of a chain: between kills of one side, and to its living cells.
	function drawLinks(board, row, col, killer) {
		const own = Object.keys(KILLERS)[killer];
		const [x, y] = centre(row, col);
		for (const dr of [-1, 0, 1])
			for (const dc of [-1, 0, 1]) {
				const there = board[row + dr]?.[col + dc];
				const isLater = dr > 0 || (dr === 0 && dc > 0);
				if ((there === own && isLater) || there === own.toUpperCase())
					scars.prepend(
						s('path', {
							class: `link side${killer + 1}`,
							d: lineTo(x, y, [row + dr, col + dc]),
						}),
					);
			}
	}

	function draw(board, trail, last, animate) {
		for (const layer of [...bodies, scars, nuclei]) layer.replaceChildren();
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const side = ownerOf(game, board[row][col]);
				const [x, y] = centre(row, col);
				const at = row * cols + col;
				const fresh =
					(trail.has(at) ? 'last ' : '') + (animate && at === last ? 'fresh' : '');
				const killer = KILLERS[board[row][col]];
				if (board[row][col] === '#' || killer !== undefined) scar(x, y, killer, fresh);
				if (killer !== undefined) drawLinks(board, row, col, killer);
				if (side === undefined) continue;
				bodies[side].append(s('circle', { cx: x, cy: y, r: 0.37, class: fresh }));
				for (const [to, isDiagonal] of neighboursAfter(board, row, col))
					if (board[to[0]][to[1]] === board[row][col])
						bodies[side].append(
							s('path', {
								class: isDiagonal ? 'bridge thin' : 'bridge',
								d: lineTo(x, y, to),
							}),
						);
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

	function inWords(key, side) {
		if (key in KILLERS) return `killed by ${game.sides[KILLERS[key]].name}`;
		if (key === '#') return 'killed';
		return side === undefined ? 'empty' : `${game.sides[side].name} lives`;
	}

	function describe() {
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const key = shown.board[row][col];
				const side = ownerOf(game, key);
				const what = inWords(key, side);
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
		suggest: grid.suggest,
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

const AS_IN_START = ['', 'As in the start'];
const MOVES = [AS_IN_START, ...[1, 2, 3, 4, 5].map((n) => [n, n === 1 ? '1 move' : `${n} moves`])];

// The rules by which a position is played.
const rulesOf = ({ rules: { chains = false, steps = 3, end = 'score' } = {} }) => [
	`A turn has ${steps === 1 ? 'one move' : `${steps} moves`}; the first one may differ.`,
	'A move goes to a cell next to one of your own, including diagonally.',
	...(chains
		? [
				'Chains: it may also go to a cell next to a chain of cells that you have killed, ' +
					'if the chain touches a living cell of yours.',
			]
		: []),
	'An empty cell becomes yours. An enemy in it is killed, and the cell stays dead.',
	...(end === 'stuck'
		? ['Whoever cannot make all moves of a turn loses, whatever the score.']
		: [
				'Your score is your living cells plus your kills.',
				'The game ends when the side to move has no legal move, even within a turn. ' +
					'The higher score wins.',
			]),
];

// What the page adds to the server's description of the game.
export const amoeba = {
	css: 'amoeba',
	tagline: 'Three moves a turn. Spread, or devour.',
	rule:
		'Grow into an empty cell next to your own, or kill an enemy there: that cell stays dead. ' +
		'Living cells and kills both count.',
	rules: [
		'O begins with one move. After that every turn has three moves.',
		...rulesOf({}).slice(1),
		'Virus War adds chains: your kills that are connected to a living cell of yours extend ' +
			'your reach. And whoever cannot make all moves of a turn loses.',
	],
	rulesOf,
	// Choices besides the start.
	configFields: [
		{
			name: 'Chains of kills',
			key: 'chains',
			choices: [AS_IN_START, [true, 'Extend the reach'], [false, 'Are dead']],
		},
		{
			name: 'The game ends',
			key: 'end',
			choices: [AS_IN_START, ['score', 'By the score'], ['stuck', 'Whoever is stuck loses']],
		},
		{ name: 'Moves a turn', key: 'steps', choices: MOVES },
		{ name: 'In the first turn', key: 'first', choices: MOVES },
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
