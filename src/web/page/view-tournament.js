// One tournament: standings with ratings, the cross table, the last games, and buttons to stop,
// resume and export.
import { get, getAsOwner, postAsOwner } from './api.js';
import { announce, complain } from './announce.js';
import { h, show, write } from './dom.js';
import { gameOf, isFault, resultOf } from './games.js';
import { counted, makeLiveCard, stateWords } from './cards.js';
import { margin, percent, rounded } from './figures.js';
import { follow, makeLine } from './stream.js';
import { fileLink, ownerNote } from './widgets.js';

function standing(row, i) {
	const bar = h('i.share-bar', { 'aria-hidden': 'true' });
	bar.style.setProperty('--share', row.share);
	if (row.interval)
		(bar.style.setProperty('--from', row.interval[0]),
			bar.style.setProperty('--to', row.interval[1]));
	return h(
		'tr',
		{},
		h('td.n.soft', i + 1),
		h('td', h('strong.entrant', row.name)),
		row.buchholz === undefined
			? []
			: [row.points, row.buchholz].map((n) => h('td.n', n.toFixed(1))),
		h('td', bar, ' ', percent(row.share)),
		h('td.n', rounded(row.rating), h('span.soft', margin(row.rating_interval))),
		[row.n_games, row.wins, row.draws, row.losses].map((n) => h('td.n', counted(n))),
	);
}

// Wins, losses and draws of `first` against `second`.
function resultsOf(table, first, second, isBothWays) {
	const sums = [0, 0, 0];
	for (const row of table) {
		const isSame = row.first === first && row.second === second;
		const isOther = row.first === second && row.second === first && first !== second;
		if (!isSame && !(isBothWays && isOther)) continue;
		sums[0] += row.wins[isSame ? 0 : 1];
		sums[1] += row.wins[isSame ? 1 : 0];
		sums[2] += row.draws;
	}
	return sums;
}

// The cross table: the score of the row's player against the column's. Where each start is played
// from both sides, one pair fills two cells; else the row's player moves first.
function square({ players, table, standings, swaps_sides: isSwapped, schedule }) {
	const isBothWays = isSwapped || schedule === 'swiss';
	const order = standings.map((row) => row.player);
	const entrant = (i) => h('span.entrant', players[i]);
	const cell = (first, second) => {
		const [wins, losses, draws] = resultsOf(table, first, second, isBothWays);
		const nGames = wins + losses + draws;
		if (!nGames) return h('td.n.none', '·');
		const share = (wins + draws / 2) / nGames;
		const box = h(
			'td.n.heat',
			{
				title:
					`${players[first]} ${isBothWays ? '' : 'moving first '}against ` +
					`${players[second]}: ${wins} won, ${draws} drawn, ${losses} lost`,
			},
			percent(share),
		);
		box.style.setProperty('--share', share);
		return box;
	};
	return h(
		'table.square',
		h(
			'thead',
			h(
				'tr',
				h('th', isBothWays ? 'Player' : 'First \\ second'),
				order.map((i) => h('th.n', entrant(i))),
			),
		),
		h(
			'tbody',
			order.map((i) =>
				h(
					'tr',
					h('th', entrant(i)),
					order.map((j) => cell(i, j)),
				),
			),
		),
	);
}

function recentGame(game, record) {
	const failed = isFault(record.reason);
	const card = makeLiveCard(game, `#/history/${record.id}`, false);
	card.update({
		...record,
		isFault: failed,
		text: failed ? `${record.reason}: ${record.text}` : resultOf(record),
	});
	return card.element;
}

export async function tournamentView(place, { id }, signal) {
	const [first, server] = await Promise.all([
		get(`tournaments/${id}`, { signal }),
		getAsOwner('server', { signal }),
	]);
	const game = gameOf(first.game);
	const line = makeLine();
	const state = h('span.state');
	const progress = h('progress', { 'aria-label': 'Games played' });
	const count = h('span.soft.number');
	const fault = h('p.alarm');
	// They scroll on phones, also by keyboard.
	const [standings, pairs] = ['Standings', 'Cross table'].map((name) =>
		h('div.scroll', { role: 'group', 'aria-label': name, tabindex: 0 }),
	);
	const recent = h('div.gallery.small');
	const ask = (what) =>
		postAsOwner(`tournaments/${id}/${what}`, {})
			.then(({ tournament }) => update(tournament))
			.catch(complain);
	const stop = h('button', () => ask('stop'), 'Stop');
	const resume = h('button.primary', () => ask('resume'), 'Resume');
	let shownState;

	function update(now) {
		write(state, stateWords[now.state]);
		state.className = `state ${now.state}`;
		progress.max = now.n_total;
		progress.value = now.n_played;
		write(count, `${counted(now.n_played)} of ${counted(now.n_total)} games`);
		write(fault, now.error ?? '');
		stop.hidden = now.state !== 'running' || !server.can_change_tournaments;
		resume.hidden =
			!['stopped', 'failed'].includes(now.state) || !server.can_change_tournaments;
		if (shownState && shownState !== now.state)
			announce(`The tournament is ${stateWords[now.state]}.`);
		shownState = now.state;
		if (!now.standings) return;
		const isSwiss = now.schedule === 'swiss';
		show(
			standings,
			h(
				'table.standings',
				h(
					'thead',
					h(
						'tr',
						h('th.n', '#'),
						h('th', 'Player'),
						isSwiss ? ['Points', 'Buchholz'].map((name) => h('th.n', name)) : [],
						h('th', 'Score'),
						['Rating', 'Games', 'Won', 'Drawn', 'Lost'].map((name) => h('th.n', name)),
					),
				),
				h('tbody', now.standings.map(standing)),
			),
		);
		show(pairs, square(now));
		const known = now.recent.map((record) => record.id).join();
		if (recent.dataset.known !== known)
			show(
				recent,
				now.recent.map((record) => recentGame(game, record)),
			);
		recent.dataset.known = known;
	}

	update(first);
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h(
				'div',
				h('h1', `${game.name} tournament`),
				h(
					'p',
					`${first.players.length} players, ${counted(first.games)} games per pair, ` +
						`seed ${first.seed}`,
				),
			),
			h(
				'div.buttons',
				stop,
				resume,
				h('a.button.quiet', { href: `#/tournaments/${id}/report` }, 'Report'),
				['csv', 'json', 'markdown', 'html'].map((format) =>
					fileLink(
						`tournaments/${id}/export?format=${format}`,
						`turf-${id}.${format === 'markdown' ? 'md' : format}`,
						format === 'markdown' ? 'Markdown' : format.toUpperCase(),
					),
				),
			),
		),
		line.element,
		h('section.panel.progress-side', state, progress, count, fault),
		server.can_change_tournaments || first.state === 'done' ? undefined : ownerNote(),
		h('section.panel.stack', h('h2', 'Standings'), standings),
		h(
			'section.panel.stack',
			h('h2', 'Cross table'),
			h(
				'p.soft',
				`The score of the player in the row${
					first.swaps_sides || first.schedule === 'swiss' ? '.' : ', who moves first.'
				}`,
			),
			pairs,
		),
		h(
			'section.panel.stack',
			h('h2', 'Last games'),
			recent,
			h('a', { href: `#/tournaments/${id}/games` }, 'All recorded games'),
		),
	);
	place.classList.add('stack');
	follow(`tournaments/${id}/events`, { tournament: update }, signal, line);
	return `${game.name} tournament`;
}
