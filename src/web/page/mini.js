// A miniature board on a canvas.
import { h } from './dom.js';
import { ownerOf } from './games.js';

const SIZE = 480;

// Draws the rows of a board from the server, and can be updated.
export function makeMini(game) {
	const canvas = h('canvas', {
		class: `mini ${game.css}`,
		width: SIZE,
		height: SIZE,
		'aria-hidden': 'true',
	});
	let shown;

	function paint() {
		const style = getComputedStyle(canvas);
		const of = (name) => style.getPropertyValue(name).trim();
		const context = canvas.getContext('2d');
		const rows = shown.length;
		const cols = shown[0].length;
		canvas.height = Math.round((SIZE * rows) / cols);
		const size = SIZE / cols;
		const [p1, p2, ground, other] = ['--p1', '--p2', '--ground', '--ground-line'].map(of);
		context.fillStyle = ground;
		context.fillRect(0, 0, SIZE, canvas.height);
		const block = (x, y, part, colour) => {
			context.fillStyle = colour;
			context.fillRect(
				(x - part / 2) * size,
				(y - part / 2) * size,
				size * part,
				size * part,
			);
		};
		const draw = {
			disc(x, y, colour) {
				context.fillStyle = colour;
				context.beginPath();
				context.arc(x * size, y * size, size * 0.38, 0, 7);
				context.fill();
			},
			diamond(x, y, colour) {
				context.fillStyle = colour;
				context.beginPath();
				for (const [dx, dy] of [
					[0, -0.45],
					[0.45, 0],
					[0, 0.45],
					[-0.45, 0],
				])
					context.lineTo((x + dx) * size, (y + dy) * size);
				context.fill();
			},
			tile: (x, y, colour) => block(x, y, size > 5 ? 0.9 : 1, colour),
			hole: (x, y, colour) => (
				block(x, y, size > 5 ? 0.9 : 1, colour),
				size > 5 && block(x, y, 0.3, ground)
			),
		};
		const [first, second] = game.isRound ? [draw.disc, draw.diamond] : [draw.tile, draw.hole];
		for (let row = 0; row < rows; row++) {
			for (let col = 0; col < cols; col++) {
				const key = shown[row][col];
				const side = ownerOf(game, key);
				const [x, y] = [col + 0.5, row + 0.5];
				if (side === 0) first(x, y, p1);
				else if (side === 1) second(x, y, p2);
				else if (key !== game.empty || game.empty !== '.') draw.tile(x, y, other);
			}
		}
	}

	canvas.addEventListener('theme', paint);

	return {
		element: canvas,
		// On the first call the canvas is not on the page yet, and has no colours.
		show(board) {
			shown = board;
			requestAnimationFrame(paint);
		},
	};
}
