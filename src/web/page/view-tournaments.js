// All tournaments of this server.
import { get, getAsOwner } from './api.js';
import { h, show } from './dom.js';
import { follow, makeLine } from './stream.js';
import { tournamentLine } from './cards.js';
import { ownerNote } from './widgets.js';

export async function tournamentsView(place, _, signal) {
	const [{ tournaments }, server] = await Promise.all([
		get('tournaments', { signal }),
		getAsOwner('server', { signal }),
	]);
	const list = h('div.stack');
	const line = makeLine();
	const draw = (all) =>
		show(list, all.length ? all.map(tournamentLine) : h('p.panel.soft', 'No tournaments yet.'));
	draw(tournaments);
	show(
		place,
		h(
			'div.head',
			h(
				'div',
				h('h1', 'Tournaments'),
				h('p', 'Every player meets every other, on both sides.'),
			),
			server.can_change_tournaments
				? h('a.button.primary', { href: '#/tournaments/new' }, 'New tournament')
				: undefined,
		),
		server.can_change_tournaments ? undefined : ownerNote(),
		line.element,
		list,
	);
	follow('live', { tournaments: ({ tournaments: all }) => draw(all) }, signal, line);
	return 'Tournaments';
}
