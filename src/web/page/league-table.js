// The table of the league: a row for each team, its rating drawn with its interval on a scale that
// all share. Rows that change places are seen to move.
import { counted } from './cards.js';
import { calm, h, write } from './dom.js';
import { margin, percent, rounded } from './figures.js';
import { linkOf } from './league-access.js';

const MOVE_MS = 500;

const STATUS = {
	plays: '',
	waits: 'waits for its first game',
	rests: 'rests after forfeits',
	unrated: 'lost every game',
	retired: 'retired',
};

const known = (n) => n !== null && n !== undefined;

// From the lowest to the highest rating of these rows, with their intervals.
export function scaleOf(rows) {
	const ends = rows.flatMap(({ rating, low, high }) => [rating, low, high]).filter(known);
	const [from, to] = [Math.min(...ends), Math.max(...ends)];
	return ends.length && to > from ? { from, to } : { from: -1, to: 1 };
}

// A rating on a scale: a dot, and its interval as a bar.
export function makeRatingBar() {
	const element = h('i.rating-bar', { 'aria-hidden': 'true' });
	return {
		element,
		update({ rating, low, high }, { from, to }) {
			const at = (n, open) => (known(n) ? (n - from) / (to - from) : open);
			element.classList.toggle('none', !known(rating));
			element.style.setProperty('--low', at(low, 0));
			element.style.setProperty('--high', at(high, 1));
			element.style.setProperty('--at', at(rating, 0.5));
		},
	};
}

export const ratingText = ({ rating, low, high }) =>
	known(rating) ? [rounded(rating), margin([low ?? null, high ?? null])] : ['–', ''];

function makeRow(team, { isSmall, onpractise }) {
	const cell = (sign) => h(sign);
	const bar = makeRatingBar();
	const [rank, version, status, home] = ['span', 'span', 'span', 'span'].map(cell);
	const [rating, plus] = [h('span.number'), h('span.soft.number.plus')];
	const figures = ['games', 'results', 'share', 'faults'].map((name) => h(`td.n.of-${name}`));
	const practise = h(
		'button.small',
		{ 'aria-label': `Practise against ${team}`, onclick: () => onpractise(team) },
		'Practise',
	);
	const link = h('a.entrant', { href: `${isSmall ? '/' : ''}${linkOf(team)}` }, team);
	if (isSmall) Object.assign(link, { target: '_blank', rel: 'noopener' });
	version.className = 'soft small';
	home.className = 'home';
	status.className = 'soft small';
	const element = h(
		'tr',
		h('td.n.place', rank),
		h('th.of-team', { scope: 'row' }, h('div.team', link, version, home), status),
		h('td.of-rating', h('div.rated', bar.element, h('span', rating, plus))),
		isSmall ? figures[0] : figures.slice(1),
		!isSmall && h('td.of-practise', practise),
	);
	return {
		element,
		update(row, scale) {
			write(rank, row.rank ?? '');
			write(version, row.n_versions > 1 ? `v${row.version}` : '');
			write(home, row.is_home ? 'at home' : '');
			home.hidden = !row.is_home;
			home.classList.toggle('off', row.is_connected === false);
			if (row.is_connected === false) write(home, 'not connected');
			const does = row.version === null ? 'has no bot yet' : STATUS[row.status];
			write(status, does ?? row.status);
			const [value, interval] = ratingText(row);
			write(rating, value);
			write(plus, interval);
			bar.update(row, scale);
			const isNew = row.games === 0;
			write(figures[0], counted(row.games));
			write(figures[1], isNew ? '' : [row.won, row.drawn, row.lost].map(counted).join(' – '));
			write(figures[2], isNew || !known(row.score) ? '' : percent(row.score));
			write(figures[3], row.forfeited || '');
			figures[3].classList.toggle('alarm', row.forfeited > 0);
			practise.hidden = !row.allows_practice || row.status === 'retired';
			element.classList.toggle('out', row.rank === null);
		},
	};
}

// Lets rows glide from where they were.
function glide(rows, change) {
	const before = new Map(rows.map((row) => [row, row.offsetTop]));
	change();
	if (calm()) return;
	for (const [row, top] of before) {
		const by = top - row.offsetTop;
		if (by && row.isConnected)
			row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], {
				duration: MOVE_MS,
				easing: 'ease-out',
			});
	}
}

// isSmall: for other pages; own: the team of this browser; onpractise(team).
export function makeLeagueTable({ isSmall = false, own, onpractise }) {
	const rows = new Map();
	const body = h('tbody');
	const heads = isSmall
		? [h('th.n.of-games', 'Games')]
		: [
				['results', 'Won–drawn–lost'],
				['share', 'Score'],
				['faults', 'Forfeits'],
			].map(([name, words]) => h(`th.n.of-${name}`, words));
	const element = h(
		'div.scroll',
		{ role: 'group', 'aria-label': 'Table', tabindex: 0 },
		h(
			'table.league-table',
			h(
				'thead',
				h(
					'tr',
					h('th.n.place', '#'),
					h('th', 'Team'),
					h('th.of-rating', 'Rating, 95 % interval'),
					heads,
					!isSmall && h('td.of-practise'),
				),
			),
			body,
		),
	);
	return {
		element,
		update({ table }) {
			const shown = table.filter(({ status, games }) => status !== 'retired' || games);
			const scale = scaleOf(shown);
			for (const [team, row] of rows)
				if (!shown.some((each) => each.team === team)) {
					row.element.remove();
					rows.delete(team);
				}
			for (const each of shown) {
				if (!rows.has(each.team))
					rows.set(each.team, makeRow(each.team, { isSmall, onpractise }));
				const row = rows.get(each.team);
				row.update(each, scale);
				row.element.classList.toggle('own', each.team === own);
			}
			glide([...body.children], () =>
				shown.forEach(({ team }, i) => {
					const row = rows.get(team).element;
					if (body.children[i] !== row) body.insertBefore(row, body.children[i] ?? null);
				}),
			);
		},
	};
}
