// Live games and tournaments, with miniature boards that update.
import { get } from './api.js';
import { h, show } from './dom.js';
import { gameOf, isFault } from './games.js';
import { makeLiveCard, tournamentLine } from './cards.js';
import { follow, makeLine } from './stream.js';

export async function watchView(place, _, signal) {
	const cards = new Map();
	const gallery = h('div.gallery');
	const empty = h(
		'p.panel.soft',
		'No games right now. ',
		h('a', { href: '#/play' }, 'Start one'),
		', or let two players play each other; it will appear here.',
	);
	const tournaments = h('div.stack');
	const line = makeLine();

	function take({ live_games: summaries, gone = [] }) {
		for (const id of gone) {
			cards.get(id)?.element.remove();
			cards.delete(id);
		}
		for (const summary of summaries) {
			if (!cards.has(summary.id)) {
				cards.set(summary.id, makeLiveCard(gameOf(summary.game), `#/game/${summary.id}`));
				gallery.prepend(cards.get(summary.id).element);
			}
			const { over } = summary;
			const card = cards.get(summary.id);
			card.update({
				...summary,
				players: summary.seats.map((seat) => seat.name),
				text: over ? over.text : `move ${summary.n_moves + 1}`,
				isFault: over && isFault(over.reason),
			});
			card.element.classList.toggle('over', Boolean(over));
		}
		empty.hidden = cards.size > 0;
	}

	show(
		place,
		h(
			'div.head',
			h(
				'div',
				h('h1', 'Now playing'),
				h('p', 'Live games on this server. Open one to watch it.'),
			),
		),
		line.element,
		empty,
		gallery,
		h('section.stack.more', h('h2', 'Tournaments'), tournaments),
	);
	const list = ({ tournaments: all }) =>
		show(
			tournaments,
			all.length
				? all.slice(0, 8).map(tournamentLine)
				: h(
						'p.soft',
						'None yet. ',
						h('a', { href: '#/tournaments/new' }, 'Start one'),
						'.',
					),
		);
	follow('live', { live_games: take, tournaments: list }, signal, line);
	list(await get('tournaments', { signal }));
	return 'Watch';
}
