// The league: its table, what is being played, the games worth seeing, and the owner's panel.
import { announce } from './announce.js';
import { counted } from './cards.js';
import { h, segments, show, write } from './dom.js';
import { gameOf } from './games.js';
import { followLeague, linkOf, openLeague } from './league-access.js';
import { makeBracket, openBracket } from './league-bracket.js';
import { gameLine } from './league-games.js';
import { makeOwnerPanel } from './league-owner.js';
import { practise } from './league-practise.js';
import { makeLeagueTable } from './league-table.js';
import { linkTo } from './router.js';
import { makeLine } from './stream.js';
import { copy } from './widgets.js';

const KINDS = [
	['latest', 'Newest'],
	['closest', 'Closest'],
	['upsets', 'Upsets'],
];

export function stateOf(league) {
	const { error, is_playing: isPlaying, is_frozen: isFrozen } = league;
	if (error) return ['failed', 'failed'];
	if (isPlaying) return ['running', 'playing'];
	if (league.is_played_elsewhere) return ['running', 'being played elsewhere'];
	return isFrozen ? ['stopped', 'frozen'] : ['stopped', 'resting'];
}

const plural = (n, word) => `${counted(n)} ${word}${n === 1 ? '' : 's'}`;

// A pairing that is being played, with a mark for each of its games.
const pairing = (game, { teams, n_games: nGames, n_played: nPlayed }) =>
	h(
		'li',
		{ class: `pairing ${game.css}` },
		h('span', teams[0], h('span.soft', ' v '), teams[1]),
		h(
			'span.pips',
			{ role: 'img', 'aria-label': `${nPlayed} of ${plural(nGames, 'game')} played` },
			Array.from({ length: Math.min(nGames, 12) }, (_, i) =>
				h('i', { class: i < (nPlayed * Math.min(nGames, 12)) / nGames ? 'done' : '' }),
			),
		),
	);

// Games by kind, in a list that is drawn anew only when others are in it.
function makeGames(game) {
	const list = h('ul.plain.league-games');
	const none = h('p.soft', 'None yet.');
	let league;
	let kind = KINDS[0][0];
	const draw = () => {
		const games = league[kind] ?? [];
		none.hidden = games.length > 0;
		const key = kind + games.map(({ id }) => id).join();
		if (list.dataset.key === key) return;
		list.dataset.key = key;
		show(
			list,
			games.map((each) => gameLine(game, each)),
		);
	};
	const choice = segments('Which games', KINDS, (chosen) => ((kind = chosen), league && draw()));
	return {
		element: h('section.panel.stack', h('h2', 'Games to see'), choice, list, none),
		update(now) {
			league = now;
			draw();
		},
	};
}

function makeFinal() {
	const bracket = makeBracket();
	const words = h('p.soft');
	const element = h('section.panel.stack', h('h2', 'The final'), words, bracket.element);
	return {
		element,
		update({ final }) {
			element.hidden = !final;
			if (!final) return;
			const { champion, n_played: nPlayed, n_games: nGames } = final;
			write(
				words,
				champion
					? `${champion} wins the final.`
					: `${counted(nPlayed)} of ${plural(nGames, 'game')} played.`,
			);
			bracket.element.hidden = !final.bracket;
			if (final.bracket) bracket.update(openBracket(final.bracket));
		},
	};
}

function ruleWords({ rules }) {
	const words = rules.start ? [`Starts: ${rules.start}.`] : [];
	if (rules.time_ms) words.push(`Each side has ${rules.time_ms / 1000} s for a game.`);
	if (rules.move_cap_ms) words.push(`A bot has ${rules.move_cap_ms / 1000} s for a move.`);
	return words.join(' ');
}

const embedCode = () =>
	`<iframe src="${location.origin}/embed" title="League" width="480" height="600"></iframe>`;

export async function leagueView(place, _, signal) {
	const me = await openLeague(signal);
	const { league: first, isOwner, team } = me;
	const game = gameOf(first.game);
	const line = makeLine();
	const table = makeLeagueTable({ own: team, onpractise: (name) => practise(game.id, name) });
	const [state, counts, fault] = [h('span.state'), h('span.soft.number'), h('p.alarm')];
	const [games, final] = [makeGames(game), makeFinal()];
	const now = h('ul.plain.stack.nows');
	const nowBox = h('section.panel.stack', h('h2', 'Being played'), now);
	const panel = isOwner ? makeOwnerPanel(me, () => refresh()) : undefined;
	let before;

	function update(league) {
		const [kind, words] = stateOf(league);
		write(state, words);
		state.className = `state ${kind}`;
		write(counts, `${plural(league.round, 'round')}, ${plural(league.n_games, 'game')}`);
		write(fault, league.error ?? '');
		fault.hidden = !league.error;
		table.update(league);
		games.update(league);
		final.update(league);
		nowBox.hidden = !league.now.length;
		show(
			now,
			league.now.map((each) => pairing(game, each)),
		);
		panel?.update(league);
		const leader = league.table.find(({ rank }) => rank === 1)?.team;
		if (before && leader && leader !== before) announce(`${leader} leads the league.`);
		before = leader;
	}

	async function refresh() {
		const { league } = await openLeague(signal);
		if (!signal.aborted) update(league);
	}

	update(first);
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h('div', h('h1', `${first.title || game.name} league`), h('p', ruleWords(first))),
			h(
				'div.buttons',
				team && h('a.button.primary', { href: '#/league/submit' }, 'Hand in a bot'),
				team && h('a.button', { href: linkOf(team) }, 'My bot’s page'),
				h('a.button.quiet', { href: '#/league/screen' }, 'Big screen'),
				h('button.quiet', () => copy(embedCode(), 'Code for another page'), 'Embed'),
				h('button.quiet', () => copy(linkTo('/league'), 'Link'), 'Copy link'),
			),
		),
		line.element,
		h('section.panel.progress-side', state, counts, fault),
		panel?.element,
		h(
			'div.league',
			h(
				'div.stack',
				final.element,
				h('section.panel.stack', h('h2', 'Table'), table.element),
			),
			h('div.stack', nowBox, games.element),
		),
	);
	place.classList.add('stack');
	followLeague(me, update, signal, line);
	return `${game.name} league`;
}
