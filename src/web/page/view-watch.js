// Live games and tournaments, with miniature boards that update.
import { get } from './api.js';
import { h, show } from './dom.js';
import { gameOf, isFault } from './games.js';
import { makeLiveCard, tournamentLine } from './cards.js';
import { follow, makeLine } from './stream.js';

const MOVING_MS = 60000;

const isMoving = ({ over, n_moves: nMoves, updated_at: at }) =>
	!over && nMoves > 0 && Date.now() - Date.parse(at) < MOVING_MS;

// Moving games come first, then those that wait, then those that are over. Moving games keep their
// places among each other, or the list would never be at rest.
function inOrder(cards) {
	const rank = ({ summary }) => {
		if (summary.over) return 2;
		return isMoving(summary) ? 0 : 1;
	};
	return [...cards.values()].sort(
		(one, other) => rank(one) - rank(other) || other.since - one.since,
	);
}

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
			const { over, id } = summary;
			const card = cards.get(id) ?? makeLiveCard(gameOf(summary.game), `#/game/${id}`);
			if (!card.summary || !isMoving(card.summary))
				card.since = Date.parse(summary.updated_at);
			card.summary = summary;
			cards.set(id, card);
			card.update({
				...summary,
				players: summary.seats.map((seat) => seat.name),
				text: over ? over.text : `move ${summary.n_moves + 1}`,
				isFault: over && isFault(over.reason),
			});
			card.element.classList.toggle('over', Boolean(over));
		}
		// An element that is put where it already is would lose the focus.
		inOrder(cards).forEach(({ element }, i) => {
			if (gallery.children[i] !== element) gallery.insertBefore(element, gallery.children[i]);
		});
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
