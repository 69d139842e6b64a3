// The board of SquirrelWar. Every open square shows how many nuts a raid there would take; hover or
// focus also shows which pieces it would turn.
import { s } from './dom.js';
import { makeGrid } from './grid.js';
import { announce } from './announce.js';
import { ownerOf, sizeOf } from './games.js';

// The nuts that a raid takes from the other side.
const lootOf = (move, position) =>
	move.effect.taken.reduce((sum, [row, col]) => sum + position.values[row][col], 0);

export function makeSquirrelBoard(options) {
	const { game, position, label, flipped, isPicture, onmove, onpick, onstroke, onforesee } =
		options;
	const { rows, cols } = sizeOf(position);
	let shown;
	let moves = new Map();
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
	const [tiles, plans] = ['tiles', 'plans'].map((name) => s('g', { class: name }));
	grid.art.append(s('rect.forest', { width: cols, height: rows, rx: 0.12 }), tiles, plans);

	const box = (row, col) => {
		const [y, x] = grid.place(row, col);
		return `translate(${x} ${y})`;
	};

	function tile(row, col, fresh) {
		const key = shown.board[row][col];
		const side = ownerOf(game, key);
		const move = moves.get(row * cols + col);
		const parts = [
			s('rect.square', { x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.12 }),
			s(
				'text.worth',
				{ x: 0.5, y: side === undefined ? 0.5 : 0.6 },
				String(shown.values[row][col]),
			),
		];
		if (side !== undefined)
			parts.push(s('text.owner', { x: 0.2, y: 0.3 }, game.sides[side].glyph));
		const loot = move ? lootOf(move, shown) : 0;
		if (loot) parts.push(s('text.plan', { x: 0.5, y: 0.79 }, `+${loot}`));
		const kind = `tile ${side === undefined ? 'free' : `side${side + 1}`} ${fresh ?? ''}`;
		return s('g', { class: kind, transform: box(row, col) }, s('g.body', parts));
	}

	function hover(row, col, isAimed = false) {
		plans.replaceChildren();
		const move = row === undefined ? undefined : moves.get(row * cols + col);
		onforesee?.(move?.scores, Boolean(move && isAimed));
		if (!move) return;
		const {
			side,
			effect: { taken },
		} = move;
		const frame = (r, c, kind) =>
			s('rect', {
				class: `${kind} side${side + 1}`,
				x: 0.06,
				y: 0.06,
				width: 0.88,
				height: 0.88,
				rx: 0.12,
				transform: box(r, c),
			});
		plans.append(frame(row, col, 'claim'), ...taken.map(([r, c]) => frame(r, c, 'turned')));
		plans.append(
			...taken.map(([r, c]) =>
				s(
					'text',
					{ class: `flip side${side + 1}`, x: 0.8, y: 0.3, transform: box(r, c) },
					game.sides[side].glyph,
				),
			),
		);
	}

	function pick(row, col) {
		const move = moves.get(row * cols + col);
		if (move) onmove?.(move.move);
		else if (moves.size) announce('That square is taken.');
	}

	function describe(row, col) {
		const side = ownerOf(game, shown.board[row][col]);
		const owner = side === undefined ? 'free' : game.sides[side].name;
		const move = moves.get(row * cols + col);
		const loot = move && lootOf(move, shown);
		const turned = move?.effect.taken.map(([r, c]) => game.cellName(r, c)).join(' and ');
		const plan = move
			? `, a ${move.effect.kind}${loot ? ` that takes ${loot} nuts on ${turned}` : ''}`
			: '';
		grid.describe(row, col, `${shown.values[row][col]} nuts, ${owner}${plan}`, Boolean(move));
	}

	return {
		element: grid.element,
		point: grid.point,
		suggest: grid.suggest,
		show({ position: next }, { moves: allowed = [], last, animate = false, onstep } = {}) {
			onstep?.();
			shown = next;
			moves = new Map(
				allowed.map((move) => [move.cells[0][0] * cols + move.cells[0][1], move]),
			);
			const is = (cell, row, col) => cell[0] === row && cell[1] === col;
			tiles.replaceChildren();
			for (let row = 0; row < rows; row++) {
				for (let col = 0; col < cols; col++) {
					const isLast = last?.cells && is(last.cells[0], row, col);
					const isTurned = last?.effect?.taken.some((cell) => is(cell, row, col));
					tiles.append(
						tile(
							row,
							col,
							[
								isLast && 'last',
								isTurned && 'turned',
								animate && isLast && 'fresh',
								animate && isTurned && 'turning',
							]
								.filter(Boolean)
								.join(' '),
						),
					);
					describe(row, col);
				}
			}
			hover();
			grid.point();
			if (allowed.length) grid.start(...allowed[0].cells[0]);
			return Promise.resolve();
		},
	};
}

// What the page adds to the server's description of the game.
export const squirrel = {
	css: 'squirrel',
	tagline: 'Raid next door or sneak anywhere. The nuts decide.',
	rule:
		'Take any empty square. Next to your own it is a raid that captures adjacent enemies; ' +
		'elsewhere it is a sneak. Most nuts win.',
	rules: [
		'X moves first. Take any empty square: its nuts are yours.',
		'Next to a square of your own (not diagonally) it is a raid: the enemies next to the new ' +
			'square change sides.',
		'Anywhere else it is a sneak, which captures nothing.',
		'When the board is full, most nuts win.',
	],
	makeBoard: makeSquirrelBoard,
	empty: '*',
	brushes: [
		['X', 'X'],
		['O', 'O'],
		['*', 'Free'],
		['value', 'Nuts'],
	],
	poster: {
		values: [
			[20, 16, 1, 32, 30],
			[20, 12, 2, 11, 8],
			[28, 48, 9, 1, 1],
			[20, 12, 10, 6, 2],
			[25, 30, 23, 21, 10],
		],
		board: ['*OXX*', '*XXOX', 'XX*O*', '*XOO*', '***OO'],
	},
};
