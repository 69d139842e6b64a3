// A board in miniature, on a canvas: enough to see how a game stands.
import { h } from './dom.js';
import { ownerOf } from './games.js';

const SIZE = 192;

// Draws rows of cells as the server gives them, and may be given newer ones later.
export function makeMini(game) {
  const canvas = h('canvas', { class: `mini ${game.css}`, width: SIZE, height: SIZE, 'aria-hidden': 'true' });
  let shown;

  function draw() {
    if (!shown || !canvas.isConnected) return;
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
        context.fillStyle = side === undefined ? of('--ground-line') : of(side ? '--p2' : '--p1');
        stamp(context, col * size, row * size, size, side, of);
      }
    }
  }

  // The first side is round and the second has corners, in every game; in tiny cells both are plain.
  function stamp(context, x, y, size, side, of) {
    const gap = size > 5 ? size * 0.1 : 0;
    if (size <= 5 || side === undefined || game.css === 'squirrel' || game.css === 'arena') {
      context.fillRect(x + gap / 2, y + gap / 2, size - gap, size - gap);
      if (side !== 1 || size <= 5) return;
      context.fillStyle = of('--ground');
      context.fillRect(x + size * 0.4, y + size * 0.4, size * 0.2, size * 0.2);
      return;
    }
    context.beginPath();
    if (side === 0) context.arc(x + size / 2, y + size / 2, size * 0.42, 0, 7);
    else {
      context.moveTo(x + size / 2, y);
      for (const [dx, dy] of [[1, 0.5], [0.5, 1], [0, 0.5]]) context.lineTo(x + dx * size, y + dy * size);
    }
    context.fill();
  }

  addEventListener('themechange', draw);
  return {
    element: canvas,
    show(board) {
      shown = board;
      if (canvas.isConnected) draw();
      else requestAnimationFrame(draw);
    },
  };
}
