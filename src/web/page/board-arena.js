// The board of AI Battleground on a canvas: up to 128 by 128 cells at sixty frames a second. Only
// changes are animated, and only while they change. Keyboards and screen readers get a grid of one
// cell, the one under the cursor.
import { makeArenaScreen } from './arena-screen.js';
import { calm, clamp, h } from './dom.js';
import { sizeOf } from './games.js';
import { STEPS } from './grid.js';

const FADE_MS = 200;
const REFUSED_MS = 900;
const FINGER_PX = 32; // how far from a cell a finger may land
// Smaller cells are told apart by colour alone: a hole would make player 2 look fainter.
const MIN_HOLE_PX = 12;
let grids = 0;

// Cells as numbers: 1 and 2 for the two sides, 0 for dead. A plain loop, because a 128 by 128 board
// has 16,384 cells, many times a second.
function toCells(board) {
	const cols = board[0].length;
	const cells = new Uint8Array(board.length * cols);
	for (let row = 0; row < board.length; row++) {
		for (let col = 0; col < cols; col++) {
			const key = board[row].charCodeAt(col) - 48;
			if (key === 1 || key === 2) cells[row * cols + col] = key;
		}
	}
	return cells;
}

// options: game, position, label, onpick(row, col, button) with button 0 left (Enter, space,
// touch), 1 middle, 2 right, onkey(event, row, col), tell(row, col): more text about a cell for
// screen readers. With onstroke(cells, button, isDone) cells are painted by dragging instead of
// being picked; onhover(row, col) follows the pointer.
export function makeArenaBoard(options) {
	const { game, position, label, onpick, onkey, tell, onstroke, onhover } = options;
	const { rows, cols } = sizeOf(position);
	const id = `arena-cell-${grids++}`;
	const canvas = h('canvas', { 'aria-hidden': 'true' });
	const spokenCell = h('span', { role: 'gridcell', id });
	const grid = h(
		'div',
		{
			role: 'grid',
			class: 'field arena-field',
			tabindex: 0,
			'aria-label': label,
			'aria-rowcount': rows,
			'aria-colcount': cols,
			'aria-activedescendant': id,
		},
		canvas,
		h('div', { role: 'row', class: 'unseen' }, spokenCell),
	);
	const element = h('div.board.arena', { class: onstroke && 'board arena painting' }, grid);
	element.style.setProperty('--ratio', cols / rows);

	let now = toCells(position.board);
	let before = now;
	let picks = [[], []];
	let reach;
	let cursor = [Math.floor(rows / 2), Math.floor(cols / 2)];
	let hovered;
	let pointed = [];
	let omens = { born: [], born_to: [], died: [] };
	let refused;
	let shown;
	let changedAt = -Infinity;
	let fadeMs = FADE_MS;
	let frame = 0;
	let colours;

	const readColours = () => {
		const style = getComputedStyle(element);
		const of = (name) => style.getPropertyValue(name).trim();
		colours = {
			ground: of('--ground'),
			line: of('--ground-line'),
			reach: of('--reach'),
			sides: [of('--p1'), of('--p2')],
			mark: of('--mark'),
			alarm: of('--refused'),
		};
	};

	function draw(time) {
		frame = 0;
		const width = canvas.width;
		const height = canvas.height;
		if (!width || !colours) return;
		const context = canvas.getContext('2d', { alpha: false });
		const size = width / cols;
		const progress = calm() ? 1 : clamp((time - changedAt) / fadeMs, 0, 1);
		// Whole pixels keep small cells sharp.
		const edge = (i) => Math.round(i * size);
		context.fillStyle = colours.ground;
		context.fillRect(0, 0, width, height);
		if (reach) {
			context.fillStyle = colours.reach;
			for (let i = 0; i < reach.length; i++) {
				if (reach[i])
					context.fillRect(
						edge(i % cols),
						edge(Math.floor(i / cols)),
						Math.ceil(size),
						Math.ceil(size),
					);
			}
		}
		if (size >= 7) {
			context.fillStyle = colours.line;
			for (let i = 1; i < cols; i++) context.fillRect(edge(i), 0, 1, height);
			for (let i = 1; i < rows; i++) context.fillRect(0, edge(i), width, 1);
		}
		const gap = size >= 7 ? Math.max(1, Math.round(size * 0.08)) : size >= 4 ? 1 : 0;
		const block = (index, scale) => {
			const [x, y] = [edge(index % cols), edge(Math.floor(index / cols))];
			const side = edge((index % cols) + 1) - x - gap;
			const inset = Math.round((side * (1 - scale)) / 2);
			context.fillRect(x + gap + inset, y + gap + inset, side - 2 * inset, side - 2 * inset);
		};
		// Player 2's cells have a hole, to tell the sides apart without colours.
		for (let side = 1; side <= 2; side++) {
			context.fillStyle = colours.sides[side - 1];
			for (let i = 0; i < now.length; i++) {
				if (now[i] === side) block(i, before[i] === side ? 1 : 0.3 + 0.7 * progress);
			}
			if (progress < 1) {
				context.globalAlpha = (1 - progress) * 0.7;
				for (let i = 0; i < now.length; i++)
					if (before[i] === side && now[i] !== side) block(i, 1 - 0.5 * progress);
				context.globalAlpha = 1;
			}
		}
		if (size >= MIN_HOLE_PX) {
			context.fillStyle = colours.ground;
			for (let i = 0; i < now.length; i++) if (now[i] === 2) block(i, 0.34);
		}
		drawOmens(context, size, block);
		drawMarks(context, size);
		if (progress < 1) redraw();
	}

	// What the step would do: births are small squares, deaths are crossed out.
	function drawOmens(context, size, block) {
		omens.born.forEach(([row, col], i) => {
			context.fillStyle = colours.sides[omens.born_to[i]];
			block(row * cols + col, 0.5);
		});
		context.strokeStyle = colours.ground;
		context.lineWidth = Math.max(1.5, size * 0.16);
		context.beginPath();
		for (const [row, col] of omens.died) {
			const [x, y] = [col * size, row * size];
			context.moveTo(x + size * 0.1, y + size * 0.1);
			context.lineTo(x + size * 0.95, y + size * 0.95);
			context.moveTo(x + size * 0.95, y + size * 0.1);
			context.lineTo(x + size * 0.1, y + size * 0.95);
		}
		context.stroke();
	}

	function drawMarks(context, size) {
		const pen = Math.max(1.5, size * 0.1);
		context.lineWidth = pen;
		picks.forEach((cells, side) => {
			context.strokeStyle = colours.sides[side];
			context.fillStyle = colours.sides[side];
			for (const [row, col] of cells) {
				context.globalAlpha = 0.35;
				context.fillRect(col * size, row * size, size, size);
				context.globalAlpha = 1;
				context.strokeRect(
					col * size + pen / 2,
					row * size + pen / 2,
					size - pen,
					size - pen,
				);
				if (side === 1 && size >= 7)
					context.strokeRect(
						col * size + size * 0.35,
						row * size + size * 0.35,
						size * 0.3,
						size * 0.3,
					);
			}
		});
		const at = grid.matches(':focus-visible') ? cursor : hovered;
		context.strokeStyle = colours.mark;
		context.lineWidth = 2;
		for (const [row, col] of at ? [...pointed, at] : pointed)
			context.strokeRect(col * size - 1, row * size - 1, size + 2, size + 2);
		if (!refused) return;
		const [row, col] = refused;
		context.strokeStyle = colours.alarm;
		context.lineWidth = 3;
		context.strokeRect(col * size - 2, row * size - 2, size + 4, size + 4);
		context.beginPath();
		context.moveTo(col * size, row * size);
		context.lineTo((col + 1) * size, (row + 1) * size);
		context.stroke();
	}

	function redraw() {
		if (!frame) frame = requestAnimationFrame(draw);
	}

	function tellCell() {
		const [row, col] = cursor;
		const owner = ['dead', game.sides[0].name, game.sides[1].name][now[row * cols + col]];
		spokenCell.setAttribute('aria-rowindex', row + 1);
		spokenCell.setAttribute('aria-colindex', col + 1);
		const more = tell ? tell(row, col) : '';
		spokenCell.textContent = `${game.cellName(row, col)}, ${owner}${more}`;
	}

	// The pointer's position, in cells.
	const pointOf = (event) => {
		const box = canvas.getBoundingClientRect();
		return [
			((event.clientY - box.top) / box.height) * rows,
			((event.clientX - box.left) / box.width) * cols,
		];
	};
	const cellAt = (event) => {
		const [y, x] = pointOf(event);
		return [clamp(Math.floor(y), 0, rows - 1), clamp(Math.floor(x), 0, cols - 1)];
	};
	// Cells are smaller than fingers: a tap near cells that can be chosen means the nearest of
	// them.
	function cellUnderFinger(event) {
		const [y, x] = pointOf(event);
		const tapped = cellAt(event);
		const isFree = (row, col) =>
			reach[row * cols + col] ||
			picks.some((cells) => cells.some((cell) => cell[0] === row && cell[1] === col));
		if (!reach || isFree(...tapped)) return tapped;
		const far = (FINGER_PX / canvas.getBoundingClientRect().width) * cols;
		let [nearest, least] = [tapped, far];
		for (let i = 0; i < reach.length; i++) {
			const [row, col] = [Math.floor(i / cols), i % cols];
			const distance = Math.hypot(row + 0.5 - y, col + 0.5 - x);
			if (reach[i] && distance < least) [nearest, least] = [[row, col], distance];
		}
		return nearest;
	}
	let isTouch = false;
	const pickAt = (event) => {
		cursor = isTouch ? cellUnderFinger(event) : cellAt(event);
		tellCell();
		onpick?.(...cursor, event.button);
	};
	// The cells from one to the other, so that a quick stroke has no gaps.
	function between([fromRow, fromCol], [row, col]) {
		const n = Math.max(Math.abs(row - fromRow), Math.abs(col - fromCol));
		return Array.from({ length: n }, (_, i) => [
			Math.round(fromRow + ((row - fromRow) * (i + 1)) / n),
			Math.round(fromCol + ((col - fromCol) * (i + 1)) / n),
		]);
	}
	let stroke; // the cells painted so far, and the button
	function endStroke() {
		if (!stroke) return;
		const { cells, button } = stroke;
		stroke = undefined;
		onstroke(cells, button, true);
	}
	// Middle clicks would scroll and right clicks open a menu, so both are handled on pointerdown.
	grid.addEventListener('pointerdown', (event) => {
		isTouch = event.pointerType === 'touch';
		if (onstroke && event.button !== 1) {
			event.preventDefault();
			grid.setPointerCapture(event.pointerId);
			grid.focus({ preventScroll: true });
			cursor = cellAt(event);
			stroke = { cells: [cursor], button: event.button };
			onstroke(stroke.cells, stroke.button, false);
			return;
		}
		if (!onpick || event.button === 0) return;
		event.preventDefault();
		pickAt(event);
	});
	grid.addEventListener('pointerup', endStroke);
	grid.addEventListener('pointercancel', endStroke);
	grid.addEventListener(
		'mousedown',
		(event) => onpick && event.button === 1 && event.preventDefault(),
	);
	grid.addEventListener('contextmenu', (event) => onpick && event.preventDefault());
	grid.addEventListener('click', (event) => onstroke || pickAt(event));
	grid.addEventListener('pointermove', (event) => {
		const cell = cellAt(event);
		hovered = onpick && event.pointerType !== 'touch' ? cell : undefined;
		if (stroke) {
			const more = between(stroke.cells.at(-1), cell);
			stroke.cells.push(...more);
			if (more.length) onstroke(stroke.cells, stroke.button, false);
		} else if (hovered) onhover?.(...hovered);
		redraw();
	});
	grid.addEventListener('pointerleave', () => {
		hovered = undefined;
		onhover?.();
		redraw();
	});
	grid.addEventListener('focus', () => (tellCell(), redraw()));
	grid.addEventListener('blur', redraw);
	grid.addEventListener('keydown', (event) => {
		if (onkey?.(event, ...cursor)) return void event.preventDefault();
		const step = STEPS[event.key];
		if (!step || event.ctrlKey || event.metaKey || event.altKey || !onpick) return;
		event.preventDefault();
		event.stopPropagation();
		cursor = [(cursor[0] + step[0] + rows) % rows, (cursor[1] + step[1] + cols) % cols];
		tellCell();
		redraw();
	});

	new ResizeObserver(() => {
		const box = grid.getBoundingClientRect();
		const pixels = window.devicePixelRatio || 1;
		canvas.width = Math.round(box.width * pixels);
		canvas.height = Math.round(((box.width * rows) / cols) * pixels);
		readColours();
		redraw();
	}).observe(grid);

	return {
		element,
		point(cells = []) {
			pointed = cells;
			redraw();
		},
		// Shows for a moment that this cell cannot be chosen.
		refuse(row, col) {
			refused = [row, col];
			setTimeout(() => {
				refused = undefined;
				redraw();
			}, REFUSED_MS);
			redraw();
		},
		// options: picks (each side's chosen cells), reach (cells that can be chosen), omens (the
		// effect of the step if it came now), animate and within as in the other boards.
		show(
			{ position: next },
			{
				picks: chosen = [[], []],
				reach: near,
				omens: coming = { born: [], born_to: [], died: [] },
				animate = false,
				within = Infinity,
				onstep,
			} = {},
		) {
			onstep?.();
			const cells = toCells(next.board);
			fadeMs = Math.min(FADE_MS, within / 2);
			before = animate ? now : cells;
			now = cells;
			picks = chosen;
			if (next !== shown) pointed = [];
			shown = next;
			reach = near;
			omens = coming;
			if (animate) changedAt = performance.now();
			tellCell();
			redraw();
			return Promise.resolve();
		},
	};
}

// What the page adds to the server's description of the game.
export const battleground = {
	css: 'arena',
	tagline: 'Both strike at once. Then the world takes a step.',
	rule:
		'Colonise dead cells near your own, both sides at once; then Life takes one step. ' +
		'More living cells at the end win.',
	rules: [
		'Both sides choose at once: dead cells at most 2 away from their own living cells. ' +
			'The board wraps around at the edges.',
		'Each turn gives you 3 more cells to place. You can save up to 15.',
		'A cell that both choose stays dead, and both pay for it.',
		'Then Life takes a step. A dead cell is born for the side with exactly 3 more neighbours ' +
			'than the other; a living one survives if its side has 2 or 3 more.',
		'With the classic ruleset a cell is born with exactly 3 neighbours of one side and ' +
			'none of the other, and survives with 2 or 3 of its own.',
		'After the last turn the side with more living cells wins.',
	],
	cellName: (row, col) => `row ${row} column ${col}`,
	rowLabel: String,
	colLabel: String,
	makeBoard: makeArenaBoard,
	makeScreen: makeArenaScreen,
	// Choices besides the start.
	configFields: [
		{
			name: 'Length',
			key: 'maxGameIterations',
			choices: [25, 50, 100, 200, 500].map((n) => [n, `${n} turns`]),
			initial: 100,
		},
		{
			name: 'Ruleset',
			key: 'ruleset',
			choices: [
				['diff', 'Difference of neighbours'],
				['classic', 'Classic'],
			],
		},
	],
	brushes: [
		['1', '■ Player 1'],
		['2', '◘ Player 2'],
		['.', 'Dead'],
	],
	wraps: true,
	help: [
		['Left click', 'player 1'],
		['Right click', 'player 2'],
		['Middle click', 'undo'],
		['Enter', 'next state'],
		['R', 'run and pause'],
		['1 2', 'choose the cell under the cursor'],
		['Backspace', 'undo'],
	],
	poster: {
		board: [
			'.........2..',
			'..11....2.2.',
			'.1..1...22..',
			'.11.1.......',
			'...1....2...',
			'1.....22.2..',
			'11...2...2..',
			'.1.1..22....',
			'..11.....2..',
			'.1...1..2.2.',
			'..111....2..',
			'...1........',
		],
	},
};
