// The league: the addresses of its views, which are fetched when one is opened, and its tab in the
// navigation, if this server has a league.
import { get } from './api.js';
import { h } from './dom.js';

function addStyle() {
	const link = h('link', { rel: 'stylesheet', href: 'league.css' });
	return new Promise((done, failed) => {
		link.addEventListener('load', done);
		link.addEventListener('error', () => (link.remove(), failed()));
		document.head.append(link);
	});
}

let loading;
function load() {
	loading ??= Promise.all([import('./league-views.js'), addStyle()]).then(
		([views]) => views,
		() => {
			loading = undefined;
			throw new Error('Cannot reach the server. Is turf serve still running?');
		},
	);
	return loading;
}

const lazily = (name) => async (place, parameters, signal) => {
	const views = await load();
	return signal.aborted ? '' : views[name](place, parameters, signal);
};

export const leagueViews = {
	league: lazily('leagueView'),
	'league/team/:name': lazily('teamView'),
	'league/submit': lazily('submitView'),
	'league/join/:token': lazily('joinView'),
	'league/screen': lazily('screenView'),
	'league/embed': lazily('embedView'),
};

export async function offerLeague(nav) {
	const { has_league: hasLeague } = await get('server').catch(() => ({}));
	if (!hasLeague) return;
	const isHere = location.hash.startsWith('#/league');
	nav.append(h('a', { href: '#/league', 'aria-current': isHere && 'page' }, 'League'));
}
