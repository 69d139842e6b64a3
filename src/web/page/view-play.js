// The start page: a poster for each game, and this browser's unfinished games.
import { get } from './api.js';
import { h, show } from './dom.js';
import { GAMES, gameOf } from './games.js';
import { gamesHere } from './keep.js';
import { makeBoard } from './boards.js';

// The positions on the four posters.
const POSTERS = {
	'war-of-life': {
		position: {
			board: [
				'..b.....',
				'.bb...r.',
				'b..b.rr.',
				'.bb..r.r',
				'.b..r.r.',
				'..bb.rr.',
				'.b.b..r.',
				'..bb....',
			],
		},
	},
	'amoeba-wars': {
		position: {
			board: [
				'....XXXX',
				'...XX.XX',
				'..XX#XX.',
				'..#.O#..',
				'.OOO..X.',
				'OO.OO...',
				'OOO..OO.',
				'OO....O.',
			],
		},
	},
	'ai-battleground': {
		position: {
			board: [
				'.........2..',
				'..11....2.2.',
				'.1..1...22..',
				'.11.1.......',
				'...1....2...',
				'1.....22.2..',
				'11...2...2..',
				'.1.1..22....',
				'..11.....2..',
				'.1...1..2.2.',
				'..111....2..',
				'...1........',
			],
		},
	},
	'squirrel-war': {
		position: {
			values: [
				[20, 16, 1, 32, 30],
				[20, 12, 2, 11, 8],
				[28, 48, 9, 1, 1],
				[20, 12, 10, 6, 2],
				[25, 30, 23, 21, 10],
			],
			board: ['*OXX*', '*XXOX', 'XX*O*', '*XOO*', '***OO'],
		},
	},
};

function poster(game) {
	const board = makeBoard({
		game,
		position: POSTERS[game.id].position,
		label: game.name,
		isPicture: true,
	});
	board.show(POSTERS[game.id]);
	board.element.inert = true;
	return h(
		'a',
		{ class: `poster ${game.css}`, href: `#/play/${game.id}` },
		h('div.picture', board.element),
		h('div.words', h('h2', game.name), h('p', game.tagline)),
	);
}

// This browser's unfinished games.
async function leftOpen(place, signal) {
	const all = await Promise.all(
		gamesHere()
			.slice(-8)
			.map((id) => get(`live-games/${id}`, { signal }).catch(() => undefined)),
	);
	const open = all.filter((live) => live && !live.over);
	if (!open.length || signal.aborted) return;
	show(
		place,
		h('h2', 'Your unfinished games'),
		h(
			'ul.plain.chips',
			open.map((live) =>
				h(
					'li',
					h(
						'a.button',
						{ href: `#/game/${live.id}` },
						`${gameOf(live.game).name}: ` +
							live.seats.map((seat) => seat.name).join(' – '),
					),
				),
			),
		),
	);
}

export async function playView(place, _, signal) {
	const open = h('section.stack.left-open');
	show(
		place,
		h(
			'div.hero',
			h('h1', 'Four wars over the same patch of ground.'),
			h('p.soft', 'Pick one. Play a friend, a level or a bot, or watch two of them play.'),
		),
		h('section.posters', { 'aria-label': 'The games' }, GAMES.map(poster)),
		open,
	);
	leftOpen(open, signal).catch(() => {});
	return 'Play';
}
