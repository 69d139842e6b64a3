// A board in miniature, on a canvas: enough to see how a game stands.
import { h } from './dom.js';
import { ownerOf } from './games.js';

const SIZE = 480;

// Draws rows of cells as the server gives them, and may be given newer ones later.
export function makeMini(game) {
	const canvas = h('canvas', { class: `mini ${game.css}`, width: SIZE, height: SIZE, 'aria-hidden': 'true' });
	let shown;

	function draw() {
		const style = getComputedStyle(canvas);
		const of = (name) => style.getPropertyValue(name).trim();
		const context = canvas.getContext('2d');
		const rows = shown.length;
		const cols = shown[0].length;
		canvas.height = Math.round((SIZE * rows) / cols);
		const size = SIZE / cols;
		context.fillStyle = of('--ground');
		context.fillRect(0, 0, SIZE, canvas.height);
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const key = shown[row][col];
				const side = ownerOf(game, key);
				if (side === undefined && key !== '#') continue;
				const block = (colour, part) => {
					context.fillStyle = of(colour);
					context.fillRect((col + (1 - part) / 2) * size, (row + (1 - part) / 2) * size, size * part, size * part);
				};
				block(['--p1', '--p2'][side] ?? '--ground-line', size > 5 ? 0.9 : 1);
				if (side === 1 && size > 5) block('--ground', 0.3);
			}
		}
	}

	return {
		element: canvas,
		// The first time the canvas is not on the page yet, and has no colours.
		show(board) {
			shown = board;
			requestAnimationFrame(draw);
		},
	};
}
