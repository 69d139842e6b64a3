// A team's link: keeps its token, removes it from the address, and shows the team's page.
import { h, show } from './dom.js';
import { keepTeamToken, openLeague } from './league-access.js';
import { readdress } from './router.js';
import { teamView } from './view-league-team.js';

export async function joinView(place, { token }, signal) {
	keepTeamToken(token);
	readdress('/league');
	const { team } = await openLeague(signal);
	if (signal.aborted) return '';
	if (team) {
		readdress(`/league/team/${encodeURIComponent(team)}`);
		return teamView(place, { name: encodeURIComponent(team) }, signal);
	}
	show(
		place,
		h(
			'section.panel.stack',
			h('h1', 'This link is no longer good'),
			h(
				'p',
				'No team of this league has it. The organiser may have made a newer link for ' +
					'your team, which takes the place of the old one: ask for it.',
			),
			h('div.buttons', h('a.button.primary', { href: '#/league' }, 'The league')),
		),
	);
	return 'League';
}
