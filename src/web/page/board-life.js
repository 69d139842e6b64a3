// The board of War of Life. A move is two picks, a piece and its target; then the piece glides and
// the crank turns: births grow inside a ring, deaths shrink and leave a trace until the next move.
import { calm, s } from './dom.js';
import { makeGrid } from './grid.js';
import { announce } from './announce.js';
import { ownerOf, sizeOf } from './games.js';

const GLIDE_MS = 220;
const CRANK_MS = 420;
const MIN_MS = 180; // with less time than this a move is not animated

function pieceOf(side) {
	const body =
		side === 0
			? s('circle', { r: 0.36 })
			: s('rect', {
					x: -0.31,
					y: -0.31,
					width: 0.62,
					height: 0.62,
					rx: 0.11,
					transform: 'rotate(45)',
				});
	const core =
		side === 0 ? s('circle.core', { r: 0.15 }) : s('path.core', { d: 'M-.15 0H.15M0-.15V.15' });
	return s('g', { class: `piece side${side + 1}` }, s('g.body', body, core));
}

export function makeLifeBoard({
	game,
	position,
	label,
	flipped,
	isPicture,
	onmove,
	onpick,
	onstroke,
	onforesee,
}) {
	const { rows, cols } = sizeOf(position);
	let shown = { board: Array(rows).fill(game.empty.repeat(cols)) };
	let moves = [];
	let selected;
	const pieces = new Map();
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
		completes: (row, col) => Boolean(chosen(row, col)),
	});
	const marks = s('g.marks');
	const traces = s('g.traces');
	const colony = s('g.colony');
	const omens = s('g.omens');
	const dots = [];
	for (let y = 1; y < rows; y++)
		for (let x = 1; x < cols; x++) dots.push(s('circle', { cx: x, cy: y, r: 0.035 }));
	grid.art.append(
		s('rect.dish', { width: cols, height: rows, rx: 0.45 }),
		s('g.dots', dots),
		marks,
		traces,
		colony,
		omens,
	);
	grid.element.addEventListener(
		'keydown',
		(event) => event.key === 'Escape' && select(undefined),
	);

	const key = (row, col) => row * cols + col;
	const sideAt = (row, col) => ownerOf(game, shown.board[row][col]);
	const spot = (row, col) => {
		const [y, x] = grid.place(row, col);
		return `translate(${x + 0.5} ${y + 0.5})`;
	};

	function put(row, col, side) {
		const element = pieceOf(side);
		element.setAttribute('transform', spot(row, col));
		pieces.set(key(row, col), { element, side });
		colony.append(element);
		return element;
	}

	const isAt = ([r, c], row, col) => r === row && c === col;
	const targets = (row, col) => moves.filter((move) => isAt(move.cells[0], row, col));
	const chosen = (row, col) =>
		selected && targets(...selected).find((move) => isAt(move.cells[1], row, col));

	function select(cell) {
		selected = cell;
		grid.element.classList.toggle('choosing', cell !== undefined);
		foresee();
		mark();
		describe();
	}

	function pick(row, col) {
		const move = chosen(row, col);
		const isSelected = selected && isAt(selected, row, col);
		if (move) {
			select(undefined);
			onmove?.(move.move);
		} else if (!isSelected && targets(row, col).length) {
			select([row, col]);
			announce(
				`${game.cellName(row, col)}: ${targets(row, col).length} moves. Escape cancels.`,
			);
		} else {
			select(undefined);
			if (moves.length && !isSelected) announce('No piece to move there.');
		}
	}

	// Previews births and deaths if the selected piece moved to the cell under the pointer.
	function foresee(row, col, isAimed = false) {
		omens.replaceChildren();
		const move = row === undefined ? undefined : chosen(row, col);
		onforesee?.(move?.scores, Boolean(move && isAimed));
		if (!move) return;
		const ghost = pieceOf(sideAt(...selected));
		ghost.classList.add('ghost');
		ghost.setAttribute('transform', spot(row, col));
		omens.append(ghost);
		move.effect.born.forEach((cell, i) => {
			const side = move.effect.born_to[i];
			omens.append(
				s('path', {
					class: `birth side${side + 1}`,
					d: side === 0 ? 'M.3 0A.3 .3 0 1 1 .3-.001Z' : 'M0-.36L.36 0L0 .36L-.36 0Z',
					transform: spot(...cell),
				}),
			);
		});
		for (const cell of move.effect.died)
			omens.append(s('path.death', { d: 'M-.34-.34L.34.34', transform: spot(...cell) }));
	}

	let marked;
	function mark(last = marked) {
		marked = last;
		marks.replaceChildren();
		const ring = (row, col, kind, r) =>
			marks.append(s('circle', { class: kind, r, transform: spot(row, col) }));
		if (last) {
			const [from, to] = last.cells.map((cell) => grid.place(...cell).map((n) => n + 0.5));
			marks.append(s('path.trail', { d: `M${from[1]} ${from[0]}L${to[1]} ${to[0]}` }));
			ring(...last.cells[0], 'from', 0.16);
			ring(...last.cells[1], 'to', 0.46);
		}
		if (!selected) return;
		ring(...selected, 'selected', 0.46);
		for (const move of targets(...selected)) ring(...move.cells[1], 'target', 0.14);
	}

	function describe() {
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const side = sideAt(row, col);
				const move = chosen(row, col);
				const what = side === undefined ? 'empty' : game.sides[side].name;
				const how = move
					? `, move here: ${move.effect.born.length} born, ${move.effect.died.length} die`
					: selected && isAt(selected, row, col)
						? ', selected'
						: '';
				grid.describe(row, col, what + how, Boolean(move || targets(row, col).length));
			}
		}
	}

	// Updates the pieces to those of `board`. With isSeen the dead stay, dying.
	function change(board, isSeen) {
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const now = ownerOf(game, board[row][col]);
				const piece = pieces.get(key(row, col));
				if (piece?.side === now) continue;
				if (piece) {
					pieces.delete(key(row, col));
					if (isSeen) piece.element.classList.add('dying');
					else piece.element.remove();
				}
				if (now !== undefined) put(row, col, now).classList.toggle('born', isSeen);
			}
		}
	}

	function glide([from, to], ms) {
		const piece = pieces.get(key(...from));
		if (!piece || pieces.has(key(...to))) return undefined;
		pieces.delete(key(...from));
		pieces.set(key(...to), piece);
		const path = [from, to].map((cell) => ({
			transform: spot(...cell)
				.replace(' ', 'px,')
				.replace(')', 'px)'),
		}));
		piece.element.setAttribute('transform', spot(...to));
		return piece.element.animate(path, { duration: ms, easing: 'ease-in-out' });
	}

	// The effect of the crank stays visible until the next move: rings for births, crosses for
	// deaths.
	function leaveTraces({ between, born, died }) {
		const side = ([row, col]) => `side${ownerOf(game, between[row][col]) + 1}`;
		traces.replaceChildren(
			...born.map((cell) => s('circle.newborn', { r: 0.44, transform: spot(...cell) })),
			...died.map((cell) =>
				s('path', {
					class: `dead ${side(cell)}`,
					d: 'M-.1-.1L.1.1M.1-.1L-.1.1',
					transform: spot(...cell),
				}),
			),
		);
	}

	// Ends the wait of the animation being shown, if there is one.
	let settle = () => {};
	const waitFor = (ms) =>
		new Promise((resolve) => {
			const timer = setTimeout(resolve, ms);
			settle = () => {
				clearTimeout(timer);
				resolve();
			};
		});

	// The move, then the crank. Another position may be shown meanwhile: then the rest is dropped.
	async function animate(next, last, ms, isCurrent, onstep) {
		const part = ms / (GLIDE_MS + CRANK_MS);
		grid.element.style.setProperty('--crank', `${CRANK_MS * part}ms`);
		const gliding = last.cells.length ? glide(last.cells, GLIDE_MS * part) : undefined;
		if (gliding) await waitFor(GLIDE_MS * part);
		gliding?.cancel();
		if (!isCurrent()) return;
		change(last.effect.between, false);
		onstep?.();
		change(next.board, true);
		grid.element.classList.add('cranking');
		await waitFor(CRANK_MS * part);
	}

	// The board as it was going to be, without what is still moving.
	function rest() {
		settle();
		grid.element.classList.remove('cranking');
		for (const element of colony.querySelectorAll('.dying')) element.remove();
		change(shown.board, false);
	}

	// options: moves (that can be picked now), last (the move that led here), animate (show how it
	// happened), within (ms until the next position), onstep (called when the crank turns).
	let nShown = 0;
	async function display(
		{ position: next },
		{ moves: allowed = [], last, animate: isWanted = false, within = Infinity, onstep } = {},
	) {
		const mine = ++nShown;
		const isCurrent = () => mine === nShown;
		const ms = Math.min(GLIDE_MS + CRANK_MS, within * 0.7);
		const isSeen = isWanted && !calm() && last?.effect !== undefined && ms >= MIN_MS;
		rest();
		moves = [];
		select(undefined);
		shown = next;
		grid.point();
		traces.replaceChildren();
		mark(isSeen && last.cells.length ? last : null);
		if (isSeen) await animate(next, last, ms, isCurrent, onstep);
		else onstep?.();
		if (!isCurrent()) return;
		rest();
		if (last?.effect) leaveTraces(last.effect);
		moves = allowed;
		mark(last?.cells?.length ? last : null);
		describe();
		if (allowed.length) grid.start(...allowed[0].cells[0]);
	}

	return { element: grid.element, point: grid.point, suggest: grid.suggest, show: display };
}

// What the page adds to the server's description of the game.
export const life = {
	css: 'life',
	tagline: 'Move one piece. The crank turns. Not everyone survives.',
	rule:
		'Move a piece one step; then every cell lives or dies by its neighbours. ' +
		'Wipe out the other colour.',
	rules: [
		'Blue moves first. Move one of your pieces to an empty cell next to it, in any direction.',
		'Then the crank turns for all cells at once. A piece with 2 or 3 neighbours of either ' +
			'colour survives; with fewer or more it dies.',
		'An empty cell with exactly 3 neighbours gets a piece of the majority’s colour.',
		'You win when the other side has no pieces left. If neither has any, it is a draw.',
		'It is also a draw after 250 moves, or when the side to move has no legal move.',
	],
	makeBoard: makeLifeBoard,
	isRound: true,
	stepName: 'Turn the crank',
	betweenName: 'Before the crank',
	brushes: [
		['b', '● Blue'],
		['r', '◆ Red'],
		['.', 'Empty'],
	],
	help: [
		['Click', 'a piece, then where it goes'],
		['C', 'turn only the crank'],
		['R', 'run and pause'],
		['J K', 'back and forward'],
	],
	poster: {
		board: [
			'..b.....',
			'.bb...r.',
			'b..b.rr.',
			'.bb..r.r',
			'.b..r.r.',
			'..bb.rr.',
			'.b.b..r.',
			'..bb....',
		],
	},
};
