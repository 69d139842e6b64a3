// The table alone, for a frame in another page. It acts in nobody's name.
import { get } from './api.js';
import { h, show, write } from './dom.js';
import { gameOf } from './games.js';
import { followLeague } from './league-access.js';
import { makeLeagueTable } from './league-table.js';
import { makeLine } from './stream.js';
import { stateOf } from './view-league.js';

export async function embedView(place, _, signal) {
	const root = document.documentElement;
	root.classList.add('embedded');
	signal.addEventListener('abort', () => root.classList.remove('embedded'));
	const league = await get('league', { signal });
	const line = makeLine();
	const table = makeLeagueTable({ isSmall: true });
	const state = h('span.state');
	const update = (now) => {
		const [kind, words] = stateOf(now);
		write(state, words);
		state.className = `state ${kind}`;
		table.update(now);
	};
	update(league);
	const name = `${league.title || gameOf(league.game).name} league`;
	show(
		place,
		h(
			'div.embed-head',
			h('h1', h('a', { href: '/#/league', target: '_blank', rel: 'noopener' }, name)),
			state,
		),
		line.element,
		table.element,
	);
	followLeague({ league }, update, signal, line);
	return name;
}
