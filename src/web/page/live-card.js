// A game in a gallery: the board in miniature, who plays, how it stands.
import { h, write } from './dom.js';
import { makeMini } from './mini.js';

export function makeLiveCard(game, href, isNamed = true) {
	const mini = makeMini(game);
	const names = [h('span.name.side1'), h('span.name.side2')];
	const score = h('span.number');
	const state = h('span');
	const element = h('a', { class: `live ${game.css}`, href }, mini.element, h('div.words', isNamed && h('h2', game.name), h('p.pair', names[0], score, names[1]), state));
	return {
		element,
		update({ board, players, scores, text, isFault = false }) {
			mini.show(board);
			players.forEach((name, side) => write(names[side], `${game.sides[side].glyph} ${name || 'Anonymous'}`));
			write(score, scores.join(' – '));
			write(state, text);
			state.className = isFault ? 'alarm' : 'soft';
		},
	};
}

// The two players of a record, the winner underlined.
export function nameTags(game, { players, winner }) {
	const tag = (side) => h('span', { class: `name side${side + 1} ${winner === side ? 'winner' : ''}` }, `${game.sides[side].glyph} ${players[side] || 'Anonymous'}`);
	return [tag(0), ' v ', tag(1)];
}
