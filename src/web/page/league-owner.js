// The owner's panel: teams and their links, playing, freezing, the final, the grades.
import { games, post } from './api.js';
import { complain, note } from './announce.js';
import { h, row, select, show, write } from './dom.js';
import { gameOf } from './games.js';
import { pathOf } from './league-access.js';
import { linkTo } from './router.js';
import { linkField, saveFile } from './widgets.js';

const SCHEDULES = [
	['knock-out', 'Knock-out'],
	['swiss', 'Swiss'],
	['round-robin', 'Every pair'],
];

const AUDIENCES = [
	['games', 'The table and the games'],
	['table', 'The table'],
	['nothing', 'Nothing'],
];

async function saveGrades(token) {
	const answer = await fetch('/api/league/table?format=csv', {
		headers: { Authorization: `Bearer ${token}` },
	});
	if (!answer.ok) throw new Error('The grades could not be fetched.');
	const address = URL.createObjectURL(await answer.blob());
	saveFile(address, 'grades.csv');
	URL.revokeObjectURL(address);
}

// Built-in players as a team's bot, or none: the team hands in its own.
async function offerPlayers(game, place) {
	const facts = (await games()).get(game);
	for (const { id, kind, level } of facts?.players ?? [])
		if (kind === 'strategy' || kind === 'level')
			place.append(
				h(
					'option',
					{ value: level ? `level=${level}` : id },
					level ? `Level ${level}` : id,
				),
			);
}

// onchange(): something was changed.
export function makeOwnerPanel({ league: first, token }, onchange) {
	const game = gameOf(first.game);
	let league = first;
	const ask = async (path, body, words) => {
		try {
			const answer = await post(path, body, { token });
			if (words) note(words);
			onchange();
			return answer;
		} catch (error) {
			complain(error);
			return undefined;
		}
	};
	const play = h('button.primary', () => ask('league/play', {}), 'Play');
	const stop = h('button', () => ask('league/stop', {}), 'Stop');
	const freeze = h('button', () => ask('league/freeze', { is_frozen: !league.is_frozen }));
	const grades = h('button', () => saveGrades(token).catch(complain), 'Grades (CSV)');
	const links = h('div.stack');

	const name = h('input', { required: true, autocomplete: 'off', placeholder: 'anna' });
	const player = select([['', 'They hand in a bot']]);
	offerPlayers(game.id, player).catch(complain);

	// A link takes the place of the one before.
	async function invite(team) {
		const answer = await ask(pathOf(team, '/invite'), {});
		if (!answer) return;
		const link = linkTo(`/league/join/${answer.token}`);
		show(links, linkField(`The link of ${team}, for the team alone`, link, true));
	}

	async function add(event) {
		event.preventDefault();
		const team = name.value.trim();
		const answer = await ask(
			'league/teams',
			{ name: team, player: player.value || null },
			`${team} is in the league.`,
		);
		if (!answer) return;
		name.value = '';
		if (!player.value) invite(team);
	}

	const team = select([]);
	const retire = () =>
		confirm(`Retire ${team.value}? Its games stay, and it plays no more.`) &&
		ask(pathOf(team.value, '/retire'), {}, `${team.value} is retired.`);

	const audience = select(AUDIENCES, {
		onchange: () => ask('league/audience', { audience: audience.value }),
	});
	const schedule = select(SCHEDULES);
	const best = h('input', { type: 'number', min: 2, max: 64, value: 8 });
	const count = h('input', { type: 'number', min: 2, max: 100, step: 2, value: 4 });
	function startFinal(event) {
		event.preventDefault();
		if (!confirm(`Play the final of the best ${best.value} now?`)) return;
		ask(
			'league/final',
			{ schedule: schedule.value, best: Number(best.value), games: Number(count.value) },
			'The final begins.',
		);
	}

	return {
		element: h(
			'details.panel.owner-panel',
			{ open: true },
			h('summary', 'Run the league'),
			h(
				'div.stack',
				h('div.buttons', play, stop, freeze, grades),
				h(
					'div.tools',
					h(
						'form.with-button',
						{ onsubmit: add },
						row('New team', name),
						row('Its bot', player),
						h('button', { type: 'submit' }, 'Add'),
					),
					h(
						'div.with-button',
						row('Team', team),
						h('button', () => invite(team.value), 'Invite'),
						h('button.danger', retire, 'Retire'),
					),
					h('div.with-button', row('Visitors see', audience)),
					h(
						'form.with-button',
						{ onsubmit: startFinal },
						row('Final', schedule),
						row('Best', best),
						row('Games a pair', count),
						h('button', { type: 'submit' }, 'Play the final'),
					),
				),
				links,
			),
		),
		update(now) {
			league = now;
			play.hidden = now.is_playing;
			play.disabled = !now.can_play;
			stop.hidden = !now.is_playing;
			if (audience !== document.activeElement) audience.value = now.audience;
			write(freeze, now.is_frozen ? 'Thaw' : 'Freeze');
			const teams = now.table
				.filter(({ status }) => status !== 'retired')
				.map((each) => each.team);
			if (team.dataset.teams === teams.join()) return;
			const chosen = team.value;
			team.dataset.teams = teams.join();
			show(
				team,
				teams.sort().map((each) => h('option', each)),
			);
			if (teams.includes(chosen)) team.value = chosen;
		},
	};
}
