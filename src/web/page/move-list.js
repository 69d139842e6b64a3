// The list of moves. Only changes are written: a long game has hundreds of moves.
import { h, write } from './dom.js';

// ongo(ply), if given, makes every move a button that shows its position.
export function makeMoveList({ game, ongo }) {
	const list = h('ol', { class: `moves ${game.css}`, 'aria-label': 'Moves', tabindex: 0 });
	const items = [];
	let current;

	function item(move) {
		const words = [
			h('span.ply'),
			h('span.sign', { 'aria-hidden': 'true' }),
			h('span.text'),
			h('span.mark'),
			h('span.scores.soft'),
		];
		const element = h(
			'li',
			ongo ? h('button', { tabindex: -1, onclick: () => ongo(move.ply) }, words) : words,
		);
		return { element, words };
	}

	function fillIn(entry, move) {
		const { element, words } = entry;
		entry.move = move;
		element.className = move.side === 0 || move.side === 1 ? `side${move.side + 1}` : 'both';
		write(words[0], move.ply);
		write(words[1], game.sides[move.side]?.glyph ?? '');
		write(words[2], move.text || 'step only');
		write(words[4], move.scores?.join(' – ') ?? '');
	}

	return {
		element: list,
		// The sign of a move's mark, and what it is called.
		mark(i, sign, name, isAlarming) {
			const { words } = items[i];
			write(words[3], sign);
			words[3].title = name;
			words[3].classList.toggle('alarm', isAlarming);
		},
		update(moves) {
			while (items.length > moves.length) items.pop().element.remove();
			moves.forEach((move, i) => {
				if (!items[i]) {
					items[i] = item(move);
					list.append(items[i].element);
				}
				if (items[i].move !== move) fillIn(items[i], move);
			});
		},
		// Marks a ply and scrolls the list (never the page) to it.
		at(ply) {
			current?.removeAttribute('aria-current');
			current = items[ply - 1]?.element;
			current?.setAttribute('aria-current', 'step');
			if (!current) list.scrollTop = 0;
			else if (
				current.offsetTop < list.scrollTop ||
				current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight
			) {
				list.scrollTop = current.offsetTop - list.clientHeight / 2;
			}
		},
	};
}
