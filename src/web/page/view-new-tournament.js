// Sets up a tournament: the game, the players, the number of games.
import { games, getAsOwner, postAsOwner } from './api.js';
import { complain } from './announce.js';
import { h, row, select, show } from './dom.js';
import { allGames } from './games.js';
import { makePlayerPicker } from './player-picker.js';
import { makeStartPicker } from './start-picker.js';
import { go } from './router.js';
import { counted } from './cards.js';
import { ownerNote } from './widgets.js';

const nameOf = ({ player, options }) =>
	player +
	(options
		? `:${Object.entries(options)
				.map((pair) => pair.join('='))
				.join(',')}`
		: '');

export async function newTournamentView(place, _, signal) {
	const [all, server] = await Promise.all([games(), getAsOwner('server', { signal })]);
	if (signal.aborted) return '';
	if (!server.can_change_tournaments) {
		show(place, h('div.head', h('h1', 'New tournament')), ownerNote());
		return 'New tournament';
	}
	const field = h('ul.plain.chips', { 'aria-label': 'Players' });
	const game = select(
		allGames().map((each) => [each.id, each.name]),
		{ onchange: changeGame },
	);
	const count = h('input', { type: 'number', min: 1, max: 1000000, value: 100, oninput: total });
	const seed = h('input', { type: 'number', min: 0, value: 1 });
	const pickerPlace = h('div');
	const startPlace = h('div');
	const sum = h('p.soft');
	const begin = h('button.primary.large', { type: 'submit' }, 'Start');
	let players = [];
	let picker;
	let start;

	function total() {
		const n = players.length ** 2 * Number(count.value);
		sum.textContent =
			players.length < 2
				? 'A tournament needs at least two players.'
				: `${players.length} players, every ordered pair and each against itself: ` +
					`${counted(n)} games.`;
		begin.disabled = players.length < 2;
	}

	function draw() {
		show(
			field,
			players.map((player, i) =>
				h(
					'li',
					h(
						'span.chip',
						nameOf(player),
						h(
							'button',
							{
								'aria-label': `Remove ${nameOf(player)}`,
								onclick: () => (players.splice(i, 1), draw()),
							},
							'×',
						),
					),
				),
			),
		);
		total();
	}

	function add() {
		const player = picker.player();
		if (players.some((each) => nameOf(each) === nameOf(player)))
			return complain(new Error(`${nameOf(player)} is already in the tournament.`));
		players.push(player);
		return draw();
	}

	function changeGame() {
		const facts = all.get(game.value);
		picker = makePlayerPicker({ label: 'Player', players: facts.players });
		start = makeStartPicker({ facts });
		show(pickerPlace, picker.element);
		show(startPlace, start.element);
		players = facts.players
			.filter(
				(player) =>
					player.kind === 'strategy' &&
					!player.options.some((option) => option.name === 'time'),
			)
			.map((player) => ({ player: player.id }));
		draw();
	}

	async function submit(event) {
		event.preventDefault();
		begin.disabled = true;
		try {
			const { tournament } = await postAsOwner('tournaments', {
				game: game.value,
				players,
				games: Number(count.value),
				seed: Number(seed.value),
				...start.value(),
			});
			go(`/tournaments/${tournament.id}`);
		} catch (error) {
			complain(error);
			begin.disabled = false;
		}
	}

	changeGame();
	show(
		place,
		h('div.head', h('h1', 'New tournament')),
		h(
			'form.setup',
			{ onsubmit: submit },
			h(
				'fieldset.panel.stack',
				h('legend.unseen', 'Players'),
				row('Game', game),
				h('h2', 'Players'),
				field,
				pickerPlace,
				h('div.buttons', h('button', add, 'Add player')),
			),
			h(
				'fieldset.panel.stack',
				h('legend.unseen', 'The games'),
				row('Games per pair', count),
				row('Seed', seed),
				startPlace,
				sum,
				begin,
			),
		),
	);
	return 'New tournament';
}
