// Entries of galleries and lists: games and tournaments.
import { h, write } from './dom.js';
import { gameOf, nameOr, namesOf } from './games.js';
import { makeMini } from './mini.js';

// A game: a miniature board, the players and the score.
export function makeLiveCard(game, href, isNamed = true) {
	const mini = makeMini(game);
	const names = [h('span.name.side1'), h('span.name.side2')];
	const score = h('span.number');
	const state = h('span');
	const element = h(
		'a',
		{ class: `live ${game.css}`, href },
		mini.element,
		h(
			'div.words',
			isNamed && h('h2', game.name),
			h('p.pair', names[0], score, names[1]),
			state,
		),
	);
	return {
		element,
		update({ board, players, scores, text, isFault = false }) {
			mini.show(board);
			players.forEach((name, side) =>
				write(names[side], `${game.sides[side].glyph} ${nameOr(name)}`),
			);
			write(score, scores.join(' – '));
			write(state, text);
			state.className = isFault ? 'alarm' : 'soft';
		},
	};
}

// The two players of a record, the winner underlined; mine: the sides of the person who reads it.
export function nameTags(game, { players, winner }, mine) {
	const names = namesOf(
		players.map((name) => ({ name })),
		mine,
	);
	const tag = (side) =>
		h(
			'span',
			{ class: `name side${side + 1} ${winner === side ? 'winner' : ''}` },
			`${game.sides[side].glyph} ${names[side]}`,
		);
	return [tag(0), ' v ', tag(1)];
}

export const stateWords = {
	running: 'running',
	stopped: 'stopped',
	done: 'finished',
	failed: 'failed',
};

export const counted = (n) => n.toLocaleString('en');

// A tournament: its game, players and progress.
export function tournamentLine(entry) {
	const game = gameOf(entry.game);
	return h(
		'a',
		{ class: `panel tournament-line ${game.css}`, href: `#/tournaments/${entry.id}` },
		h(
			'div',
			h('h2', `${game.name}, ${entry.players.length} players`),
			h('p.soft', entry.players.join(', ')),
		),
		h(
			'div.progress-side',
			h('span', { class: `state ${entry.state}` }, stateWords[entry.state]),
			h('progress', {
				max: entry.n_total,
				value: entry.n_played,
				'aria-label': 'Games played',
			}),
			h('span.soft.number', `${counted(entry.n_played)} of ${counted(entry.n_total)} games`),
		),
	);
}
