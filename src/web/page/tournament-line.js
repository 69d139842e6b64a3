// One tournament in a list: its game and players, how far it is.
import { h } from './dom.js';
import { gameOf } from './games.js';

export const stateWords = { running: 'running', stopped: 'stopped', done: 'finished', failed: 'failed' };

export const counted = (n) => n.toLocaleString('en');

export function tournamentLine(entry) {
	const game = gameOf(entry.game);
	return h(
		'a',
		{ class: `panel tournament-line ${game.css}`, href: `#/tournaments/${entry.id}` },
		h('div', h('h2', `${game.name}, ${entry.players.length} players`), h('p.soft', entry.players.join(', '))),
		h('div.progress-side', h('span', { class: `state ${entry.state}` }, stateWords[entry.state]), h('progress', { max: entry.n_total, value: entry.n_played, 'aria-label': 'Games played' }), h('span.soft.number', `${counted(entry.n_played)} of ${counted(entry.n_total)} games`)),
	);
}
