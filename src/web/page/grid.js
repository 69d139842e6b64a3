// The accessible layer of a board: a grid of cells with a roving focus, over a layer of art for the
// eyes only. Flipped boards ask `place` where a cell is on the screen.
import { clamp, h, s } from './dom.js';

export const STEPS = {
	ArrowUp: [-1, 0],
	ArrowDown: [1, 0],
	ArrowLeft: [0, -1],
	ArrowRight: [0, 1],
};

// options: game, rows, cols, label, flipped, onpick(row, col, button), onhover(row, col),
// and onhover() when the pointer leaves; completes(row, col): whether a pick there makes a move. A
// finger does not hover: its first tap on such a cell previews the move, with
// onhover(row, col, true), and the second makes it. With onstroke(cells, button, isDone) a pointer
// paints, and onpick is for the keyboard and the middle button.
export function makeGrid({
	game,
	rows,
	cols,
	label,
	flipped = false,
	isPicture = false,
	isForEditing = false,
	onpick,
	onhover,
	onstroke,
	completes = () => false,
}) {
	const place = (row, col) => (flipped ? [rows - 1 - row, cols - 1 - col] : [row, col]);
	const art = s('svg.art', { viewBox: `0 0 ${cols} ${rows}`, 'aria-hidden': 'true' });
	const field = h('div.field', art);
	const element = h('div', { class: `board ${game.css} ${onstroke ? 'painting' : ''}` }, field);
	element.style.setProperty('--ratio', cols / rows);
	const none = () => {};
	if (isPicture)
		return { element, art, place, start: none, describe: none, point: none, suggest: none };

	const ARROW = 'M.1-.09H.62V-.26L.96 0L.62.26V.09H.1Z';
	const arrow = s('path.arrow', { d: ARROW });
	const suggested = s('g.suggested');
	const cells = [];
	const lines = [];
	for (let y = 0; y < rows; y++) {
		const line = h('div', { role: 'row', class: 'row' });
		for (let x = 0; x < cols; x++) {
			const [row, col] = place(y, x);
			const cell = h('div', {
				role: 'gridcell',
				class: 'cell',
				tabindex: -1,
				'data-row': row,
				'data-col': col,
			});
			cells[row * cols + col] = cell;
			line.append(cell);
		}
		lines.push(line);
	}
	const grid = h('div', { role: 'grid', class: 'grid', 'aria-label': label }, lines);
	grid.style.setProperty('--rows', rows);
	grid.style.setProperty('--cols', cols);
	const at = (row, col) => cells[row * cols + col];
	const where = (target) => {
		const cell = target.closest?.('.cell');
		return cell ? [Number(cell.dataset.row), Number(cell.dataset.col)] : undefined;
	};

	let focused = at(...place(rows - 1, 0));
	focused.tabIndex = 0;
	const rove = (cell) => {
		focused.tabIndex = -1;
		focused = cell;
		focused.tabIndex = 0;
	};

	grid.addEventListener('click', (event) => {
		const cell = where(event.target);
		if (!cell || (onstroke && event.detail > 0)) return;
		rove(at(...cell));
		const isSure = String(cell) === String(aimed);
		aimed = isTouch && !isSure && completes(...cell) ? cell : undefined;
		if (aimed) onhover?.(...cell, true);
		else onpick?.(...cell, 0);
	});
	let isTouch = false;
	let aimed; // the cell of the first tap
	let stroke; // the cells painted so far, and the button
	const endStroke = () => {
		if (!stroke) return;
		const { cells: painted, button } = stroke;
		stroke = undefined;
		onstroke(painted, button, true);
	};
	grid.addEventListener('pointerdown', (event) => {
		isTouch = event.pointerType === 'touch';
		const cell = where(event.target);
		if (!onstroke || !cell || event.button === 1) return;
		stroke = { cells: [cell], button: event.button };
		grid.setPointerCapture(event.pointerId);
		rove(at(...cell));
		onstroke(stroke.cells, stroke.button, false);
	});
	grid.addEventListener('pointermove', (event) => {
		const under = stroke && document.elementFromPoint(event.clientX, event.clientY);
		const cell = under && where(under);
		if (!cell || String(cell) === String(stroke.cells.at(-1))) return;
		stroke.cells.push(cell);
		onstroke(stroke.cells, stroke.button, false);
	});
	grid.addEventListener('pointerup', endStroke);
	grid.addEventListener('pointercancel', endStroke);
	// Editors use all three buttons; boards to play on leave the context menu to the browser.
	grid.addEventListener('mousedown', (event) => {
		const cell = where(event.target);
		if (!isForEditing || !cell || event.button === 0) return;
		event.preventDefault();
		if (!onstroke || event.button === 1) onpick(...cell, event.button);
	});
	grid.addEventListener('contextmenu', (event) => isForEditing && event.preventDefault());
	grid.addEventListener('focusin', (event) => {
		const cell = where(event.target);
		if (!cell) return;
		rove(at(...cell));
		onhover?.(...cell);
	});
	grid.addEventListener('focusout', () => onhover?.());
	grid.addEventListener('pointerover', (event) => {
		const cell = where(event.target);
		if (cell && event.pointerType !== 'touch') onhover?.(...cell);
	});
	grid.addEventListener('pointerleave', () => onhover?.());
	grid.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const cell = where(event.target);
		if (!cell) return;
		if (event.key === 'Enter' || event.key === ' ') {
			event.preventDefault();
			event.stopPropagation();
			onpick?.(...cell, 0);
			return;
		}
		let [y, x] = place(...cell);
		if (STEPS[event.key]) [y, x] = [y + STEPS[event.key][0], x + STEPS[event.key][1]];
		else if (event.key === 'Home') x = 0;
		else if (event.key === 'End') x = cols - 1;
		else return;
		event.preventDefault();
		event.stopPropagation();
		at(...place(clamp(y, 0, rows - 1), clamp(x, 0, cols - 1))).focus();
	});

	const along = (from, to) => {
		const [[y1, x1], [y2, x2]] = [place(...from), place(...to)];
		const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
		const length = Math.hypot(x2 - x1, y2 - y1);
		return `translate(${x1 + 0.5} ${y1 + 0.5}) rotate(${turn}) scale(${length} 1)`;
	};
	const names = (n, name) =>
		Array.from({ length: n }, (_, i) => h('span', name(flipped ? n - 1 - i : i, n)));
	field.append(grid);
	element.prepend(h('div.labels.rows', { 'aria-hidden': 'true' }, names(rows, game.rowLabel)));
	element.append(h('div.labels.cols', { 'aria-hidden': 'true' }, names(cols, game.colLabel)));
	return {
		element,
		art,
		at,
		place,
		// Brings these cells into view, until others are requested; a move from cell to cell has
		// an arrow.
		point(some = [], kind = '') {
			aimed = undefined;
			for (const cell of cells) cell.classList.remove('pointed');
			for (const cell of some) at(...cell).classList.add('pointed');
			arrow.remove();
			if (kind !== 'move' || some.length !== 2) return;
			arrow.setAttribute('transform', along(...some));
			art.append(arrow);
		},
		// The best moves, each by its cells, the best first: arrows, or rings on single cells.
		suggest(list = []) {
			suggested.replaceChildren(
				...list
					.map((some, rank) => {
						const name = `rank${rank + 1}`;
						if (some.length === 2)
							return s(`path.arrow.${name}`, { d: ARROW, transform: along(...some) });
						const [y, x] = place(...some.at(-1));
						return s(`circle.aim.${name}`, { cx: x + 0.5, cy: y + 0.5, r: 0.4 });
					})
					.reverse(),
			);
			art.append(suggested);
		},
		// Sets the cell where the keyboard starts, unless the focus is on the board already.
		start: (row, col) => !grid.contains(document.activeElement) && rove(at(row, col)),
		describe(row, col, text, canBePicked) {
			const cell = at(row, col);
			const full = `${game.cellName(row, col, rows)}, ${text}`;
			if (cell.getAttribute('aria-label') !== full) cell.setAttribute('aria-label', full);
			const isOpen = canBePicked || isForEditing;
			cell.classList.toggle('open', isOpen);
			if (isOpen) cell.removeAttribute('aria-disabled');
			else cell.setAttribute('aria-disabled', 'true');
		},
	};
}
