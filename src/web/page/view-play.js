// The start page: a poster for each game, and this browser's unfinished games.
import { get, post } from './api.js';
import { h, show } from './dom.js';
import { allGames, gameOf, namesOf } from './games.js';
import { gamesHere, seatsOf } from './keep.js';
import { makeBoard } from './boards.js';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

function poster(game) {
	const picture = h('div.picture');
	const draw = (position) => {
		const board = makeBoard({ game, position, label: game.name, isPicture: true });
		board.show({ position });
		board.element.inert = true;
		show(picture, board.element);
	};
	if (game.poster) draw(game.poster);
	else
		post('start', { game: game.id }).then(
			(view) => draw(view.position),
			() => {},
		);
	return h(
		'a',
		{ class: `poster ${game.css}`, href: `#/play/${game.id}` },
		picture,
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
							namesOf(live.seats, seatsOf(live.id).tokens).join(' – '),
					),
				),
			),
		),
	);
}

// The page in one file, where the server has it.
async function offerFile(place, signal) {
	const { has_one_file: isThere } = await get('server', { signal });
	if (isThere && !signal.aborted)
		show(
			place,
			'Without a server: ',
			h('a', { href: '/turf.html', download: 'turf.html' }, 'download turf'),
			', engine and all, as one file that any browser opens.',
		);
}

export async function playView(place, _, signal) {
	const open = h('section.stack.left-open');
	const file = h('p.soft.one-file');
	show(
		place,
		h(
			'div.hero',
			h('h1', `${NUMBERS[allGames().length] ?? 'Many'} wars over the same patch of ground.`),
			h('p.soft', 'Pick one. Play a friend, a level or a bot, or watch two of them play.'),
		),
		h('section.posters', { 'aria-label': 'The games' }, allGames().map(poster)),
		open,
		file,
	);
	offerFile(file, signal).catch(() => {});
	leftOpen(open, signal).catch(() => {});
	return 'Play';
}
