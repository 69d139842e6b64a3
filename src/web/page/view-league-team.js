// A team's page: its rating over the rounds, its versions, its results by opponent and by side, and
// every game. The team itself, and the owner, also see what the bot wrote and how long it took.
// Printed, it is a sheet to hand out.
import { get, put } from './api.js';
import { complain } from './announce.js';
import { counted } from './cards.js';
import { h, segments, show, write } from './dom.js';
import { percent, rounded } from './figures.js';
import { gameOf, isFault } from './games.js';
import { followLeague, linkOf, openLeague, pathOf } from './league-access.js';
import { makeRatingChart } from './league-chart.js';
import { ago, remarkOf, sideName } from './league-games.js';
import { practise } from './league-practise.js';
import { makeRatingBar, ratingText, scaleOf } from './league-table.js';
import { submissionLine } from './league-submission.js';
import { makeLine } from './stream.js';

const KINDS = [
	['newest', 'Newest'],
	['lost', 'Lost'],
	['closest', 'Closest'],
	['upsets', 'Upsets'],
	['forfeits', 'Forfeits'],
];
const N_GAMES = 20;
const WAIT_MS = 3000; // between two looks at the team, while the league is played

const STATUS = {
	plays: 'plays',
	waits: 'waits for its first game',
	rests: 'rests after forfeits, until there is a new version',
	unrated: 'has no rating, since it lost every game',
	retired: 'is retired',
};

const results = ({ won, drawn, lost }) => `${won} won, ${drawn} drawn, ${lost} lost`;
const shareOf = ({ games, won, drawn }) => (games ? (won + drawn / 2) / games : undefined);
const faultWords = (forfeits) =>
	Object.entries(forfeits ?? {})
		.map(([kind, n]) => `${n} ${kind}`)
		.join(', ');
const scroll = (label, ...parts) =>
	h('div.scroll', { role: 'group', 'aria-label': label, tabindex: 0 }, parts);
const headRow = (...names) =>
	h(
		'thead',
		h(
			'tr',
			names.map((name) => (name.startsWith('#') ? h('th.n', name.slice(1)) : h('th', name))),
		),
	);

function versionRow(version, scale) {
	const bar = makeRatingBar();
	bar.update(version, scale);
	const [rating, plus] = ratingText(version);
	return h(
		'tr',
		h(
			'th',
			{ scope: 'row' },
			`v${version.version}`,
			version.is_playing && h('span.mine', 'plays'),
		),
		h(
			'td.of-rating',
			h('div.rated', bar.element, h('span', rating, h('span.soft.plus', plus))),
		),
		[version.games, version.won, version.drawn, version.lost].map((n) => h('td.n', counted(n))),
		h('td', { class: 'alarm' }, faultWords(version.forfeits)),
		h('td.soft', version.language ?? ''),
		h(
			'td.soft',
			new Date(version.created_at).toLocaleString('en', {
				dateStyle: 'medium',
				timeStyle: 'short',
			}),
		),
	);
}

function shareCell(part, words) {
	const share = shareOf(part);
	if (share === undefined) return h('td.n.none', '·');
	const cell = h('td.n.heat', { title: `${words}: ${results(part)}` }, percent(share));
	cell.style.setProperty('--share', share);
	return cell;
}

const opponentRow = (each) =>
	h(
		'tr',
		h('th', { scope: 'row' }, h('a.entrant', { href: linkOf(each.team) }, each.team)),
		shareCell(each, 'All games'),
		shareCell(each.as_first, 'Moving first'),
		shareCell(each.as_second, 'Moving second'),
		[each.games, each.won, each.drawn, each.lost].map((n) => h('td.n', counted(n))),
	);

// Every game, by kind, with older ones on demand; log(id) shows what the bot wrote in it.
function makeGames(game, team, token, signal, log) {
	const body = h('tbody');
	const none = h('p.soft', { hidden: true }, 'None.');
	const more = h('button', () => load(next), 'Older games');
	let kind = 'newest';
	let next;
	let nAsked = 0;
	const line = (record) => {
		const side = record.teams.indexOf(team);
		const isWon = record.winner === side;
		const remark = remarkOf(record);
		const word = record.winner === null ? 'drawn' : isWon ? 'won' : 'lost';
		return h(
			'tr',
			{ class: game.css },
			h('td', h('a', { href: `#/history/${record.id}` }, word)),
			h('td', sideName(game, record, 0), ' ', sideName(game, record, 1)),
			h('td.n', record.scores?.join(' – ') ?? ''),
			h('td', { class: isFault(record.reason) ? 'alarm small' : 'soft small' }, remark),
			h('td.n.soft', record.n_moves),
			h('td.n.soft', record.is_final ? 'final' : record.round),
			h('td.soft', ago(record.finished_at)),
			log &&
				h(
					'td.log',
					h(
						'button.small',
						{
							onclick: () => log(record.id),
							'aria-label': `stderr of game ${record.id}`,
						},
						'stderr',
					),
				),
		);
	};
	async function load(before) {
		const asked = ++nAsked;
		const query = new URLSearchParams({ team, kind, limit: N_GAMES });
		if (before) query.set('before', before);
		try {
			const found = await get(`league/games?${query}`, { signal, token });
			if (asked !== nAsked) return;
			if (!before) body.replaceChildren();
			body.append(...found.games.map(line));
			next = found.next;
			more.hidden = !next;
			none.hidden = body.children.length > 0;
		} catch (error) {
			if (!signal.aborted) complain(error);
		}
	}
	const choice = segments('Which games', KINDS, (chosen) => ((kind = chosen), load()));
	return {
		load,
		isAtStart: () => kind === 'newest' && body.children.length <= N_GAMES,
		element: h(
			'section.panel.stack.team-games',
			h('h2', 'Games'),
			choice,
			scroll(
				'Games',
				h(
					'table.games-of',
					headRow(
						'Result',
						'Players',
						'#Score',
						'Remark',
						'#Moves',
						'#Round',
						'When',
						...(log ? ['Wrote'] : []),
					),
					body,
				),
			),
			none,
			h('div.buttons', more),
		),
	};
}

// What the bot wrote in a game, in a box over the page.
async function showLog(team, id, token, signal) {
	try {
		const { text } = await get(pathOf(team, `/games/${id}/log`), { token, signal });
		const box = h(
			'dialog.log-box',
			{ 'aria-label': `What the bot wrote in game ${id}` },
			h(
				'div.moves-head',
				h('h2', 'What the bot wrote'),
				h('button', () => box.close(), 'Close'),
			),
			h('pre', { tabindex: 0 }, text || 'Nothing.'),
			h('a', { href: `#/history/${id}` }, 'The replay of this game'),
		);
		box.addEventListener('close', () => box.remove());
		signal.addEventListener('abort', () => box.remove());
		document.body.append(box);
		box.showModal();
	} catch (error) {
		if (!signal.aborted) complain(error);
	}
}

function lastWords({ last_words: all }, team) {
	if (!all?.length) return undefined;
	return h(
		'section.panel.stack.last-words',
		h('h2', 'Why it forfeited'),
		h(
			'p.soft',
			`What ${team} wrote last before each forfeit. Only the team and the organiser see it.`,
		),
		all.map(({ game, reason, text }, i) =>
			h(
				'details',
				{ open: i === 0 },
				h('summary', `${reason}, `, h('a', { href: `#/history/${game}` }, `game ${game}`)),
				h('pre', { tabindex: 0 }, text || 'It wrote nothing.'),
			),
		),
	);
}

function figuresOf(row, about) {
	const facts = [];
	if (row?.rank) facts.push(['Rank', row.rank]);
	if (row && row.rating !== null) facts.push(['Rating', ratingText(row).join('')]);
	if (row) facts.push(['Games', `${counted(row.games)}: ${results(row)}`]);
	if (row?.forfeited) facts.push(['Forfeits', row.forfeited]);
	if (about.times?.mean_ms)
		facts.push([
			'A move takes',
			`${about.times.mean_ms.toFixed(1)} ms, at most ${rounded(about.times.max_ms)} ms`,
		]);
	return h(
		'dl.facts',
		facts.map(([name, words]) => h('div', h('dt', name), h('dd', String(words)))),
	);
}

export async function teamView(place, { name: written }, signal) {
	const team = decodeURIComponent(written);
	const me = await openLeague(signal);
	const token = me.tokenFor(team);
	const isOwn = me.team === team;
	const ask = () => get(pathOf(team), { token, signal });
	const about = await ask();
	const game = gameOf(me.league.game);
	const line = makeLine();
	const chart = makeRatingChart(signal);
	const [status, figures, versions, opponents, words, handed] = [
		'p',
		'div',
		'tbody',
		'tbody',
		'div',
		'ul.plain.stack',
	].map((sign) => h(sign));
	const hasLog = token && ((id) => showLog(team, id, token, signal));
	const games = makeGames(game, team, token, signal, hasLog);
	const practice = h('input', {
		type: 'checkbox',
		onchange: () =>
			put(pathOf(team), { allows_practice: practice.checked }, { token }).catch((error) => {
				practice.checked = !practice.checked;
				complain(error);
			}),
	});
	const practiseButton = h('button', () => practise(game.id, team), 'Practise against it');
	const chartBox = h('section.panel.stack', h('h2', 'Rating by round'), chart.element);
	let nGames;

	function draw(now, league) {
		const row = league.table.find((each) => each.team === team);
		const does = now.versions.length ? (STATUS[now.status] ?? now.status) : 'has no bot yet';
		write(status, `${game.name} league · ${does}`);
		show(figures, figuresOf(row, now));
		chartBox.hidden = !now.history.some(({ rating }) => rating !== null);
		chart.update(now.history);
		const scale = scaleOf(now.versions);
		show(
			versions,
			[...now.versions].reverse().map((each) => versionRow(each, scale)),
		);
		show(opponents, now.opponents.map(opponentRow));
		show(words, token && lastWords(now, team));
		show(handed, (now.submissions ?? []).map(submissionLine));
		if (practice !== document.activeElement) practice.checked = now.allows_practice;
		practiseButton.hidden = !now.allows_practice;
	}

	// Looks again when games were played, but not at every one of them.
	let timer;
	function update(league) {
		if (league.n_games === nGames || timer) return;
		nGames = league.n_games;
		timer = setTimeout(async () => {
			timer = undefined;
			try {
				draw(await ask(), league);
				if (games.isAtStart()) games.load();
			} catch (error) {
				if (!signal.aborted) line.wait('team', error.message);
				return;
			}
			line.wait('team');
		}, WAIT_MS);
	}
	nGames = me.league.n_games;
	signal.addEventListener('abort', () => clearTimeout(timer));

	draw(about, me.league);
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h('div', h('h1', team), status),
			h(
				'div.buttons',
				isOwn &&
					h('a.button.primary', { href: '#/league/submit' }, 'Hand in a new version'),
				practiseButton,
				h('button.quiet', () => print(), 'Print'),
				h('a.button.quiet', { href: '#/league' }, 'The league'),
			),
		),
		line.element,
		h(
			'section.panel.stack',
			figures,
			token && h('label.check-row', practice, 'Anybody may practise against this bot'),
		),
		chartBox,
		h(
			'section.panel.stack',
			h('h2', 'Versions'),
			scroll(
				'Versions',
				h(
					'table.league-table',
					headRow(
						'Version',
						'Rating, 95 % interval',
						'#Games',
						'#Won',
						'#Drawn',
						'#Lost',
						'Forfeits',
						'Language',
						'Since',
					),
					versions,
				),
			),
		),
		h(
			'section.panel.stack',
			h('h2', 'By opponent and by side'),
			scroll(
				'By opponent',
				h(
					'table.square.opponents',
					headRow(
						'Opponent',
						'#Score',
						'#Moving first',
						'#Moving second',
						'#Games',
						'#Won',
						'#Drawn',
						'#Lost',
					),
					opponents,
				),
			),
		),
		games.element,
		words,
		token && h('section.panel.stack.handed', h('h2', 'Handed in'), handed),
	);
	place.classList.add('stack', 'team-page');
	await games.load();
	followLeague(me, update, signal, line);
	return team;
}
