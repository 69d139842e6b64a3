// Sets up a game: players, start and clock, with a preview of the board.
import { games, isInOneFile, post } from './api.js';
import { complain } from './announce.js';
import { makeBoard } from './boards.js';
import { h, row, select, show } from './dom.js';
import { gameOf } from './games.js';
import { beginGame } from './begin.js';
import { howTo, nameRow } from './widgets.js';
import { keep, kept, keepName, myName } from './keep.js';
import { LESSONS } from './lessons.js';
import { makePlayerPicker } from './player-picker.js';
import { makeStartPicker } from './start-picker.js';
import { takeCarried } from './router.js';

const PEOPLE = [
	['me', 'You'],
	['link', 'A friend, by link'],
	['here', 'A friend at this screen'],
];
const CLOCKS = [
	[1, 1],
	[5, 3],
	[15, 10],
]; // minutes, and seconds gained a turn
const USUAL = ['settler', 'minimax', 'random'];

function seatOf(picker, name) {
	const player = picker.player();
	if (player) return { kind: 'player', ...player };
	return picker.value() === 'me' && name ? { kind: 'person', name } : { kind: 'person' };
}

export async function setupView(place, { game: id }, signal) {
	const game = gameOf(id);
	const facts = (await games()).get(id);
	if (!facts) throw new Error(`No game is called ${id}.`);
	if (signal.aborted) return '';
	const levels = facts.players.filter((player) => player.kind === 'level');
	const usual =
		levels[levels.length >> 2]?.id ??
		USUAL.find((name) => facts.players.some((player) => player.id === name));
	let refresh;
	const before = kept(`turf-setup-${id}`);
	const pickers = game.sides.map((side, i) =>
		makePlayerPicker({
			label: `${side.name}${i === 0 && !facts.is_simultaneous ? ' · moves first' : ''}`,
			players: facts.players,
			people: PEOPLE.filter(([value]) => value !== 'link' || !isInOneFile()),
			selected: i === 0 ? 'me' : usual,
			onchange: () => refresh?.(),
		}),
	);
	const start = makeStartPicker({
		facts,
		position: takeCarried(id),
		before,
		onchange: () => deal(),
	});
	const name = nameRow({ value: myName() });
	const clock = select([
		['', 'No clock'],
		...CLOCKS.map(([minutes, gain], i) => [i, `${minutes} min + ${gain} s a turn`]),
	]);
	const isListed = h('input', { type: 'checkbox', checked: true });
	const pace = h('input', { type: 'range', min: 0, max: 2000, step: 100, value: 500 });
	const paceRow = row('Time between moves', pace);
	const begin = h('button.primary.large', { type: 'submit' }, 'Start');
	const preview = h('div.preview');
	let dealt;
	let nAsked = 0;

	// Fetches the start to preview it, and remembers its seed.
	async function ask() {
		const wanted = start.value();
		const asked = ++nAsked;
		const view = await post('start', { game: id, ...wanted }, { signal });
		if (asked !== nAsked) return { ...wanted, seed: view.seed };
		const board = makeBoard({ game, position: view.position, label: 'The start' });
		board.element.inert = true;
		show(preview, board.element);
		board.show(view);
		return { ...wanted, seed: view.seed };
	}

	function deal() {
		dealt = ask();
		return dealt.catch((error) => signal.aborted || complain(error));
	}

	refresh = () => {
		const hasPerson = pickers.some((picker) => !picker.player());
		name.hidden = !pickers.some((picker) => picker.value() === 'me');
		paceRow.hidden = hasPerson;
		begin.textContent = hasPerson ? 'Start' : 'Watch';
	};

	async function submit(event) {
		event.preventDefault();
		begin.disabled = true;
		try {
			keepName(name.control.value.trim());
			const body = {
				game: id,
				...(await dealt),
				seats: pickers.map((picker) => seatOf(picker, myName())),
				clock:
					clock.value === ''
						? null
						: {
								initial_ms: 60000 * CLOCKS[clock.value][0],
								gain_ms: 1000 * CLOCKS[clock.value][1],
							},
				is_listed: isListed.checked,
			};
			if (!paceRow.hidden) body.delay_ms = Number(pace.value);
			keep(`turf-setup-${id}`, {
				...start.choice(),
				seats: seatsChosen(),
				clock: clock.value,
			});
			await beginGame(
				body,
				pickers.map((picker) => picker.value()),
			);
		} catch (error) {
			complain(error);
			begin.disabled = false;
		}
	}

	const seatsChosen = () => pickers.map((picker) => [picker.value(), picker.player()?.options]);

	function swap() {
		const [first, second] = seatsChosen();
		pickers[0].choose(...second);
		pickers[1].choose(...first);
	}

	if (before) {
		before.seats.forEach(
			(seat, side) => pickers[side].has(seat[0]) && pickers[side].choose(...seat),
		);
		clock.value = before.clock;
	}
	refresh();
	show(
		place,
		h('div', { class: `head ${game.css}` }, h('div', h('h1', game.name), h('p', game.rule))),
		h(
			'form',
			{ class: `setup ${game.css}`, onsubmit: submit },
			h(
				'div.stack',
				h(
					'fieldset.panel.seats',
					h('legend.unseen', 'Players'),
					h('div.seat.side1', pickers[0].element),
					h('button.round.quiet', { 'aria-label': 'Swap sides', onclick: swap }, '⇄'),
					h('div.seat.side2', pickers[1].element),
				),
				h(
					'fieldset.panel.stack',
					h('legend.unseen', 'The game'),
					start.element,
					h('div.two', row('Clock', clock), name, paceRow),
					h(
						'div.two',
						h('label.check-row', isListed, 'List it among the live games'),
						begin,
					),
					isInOneFile() &&
						h(
							'p.soft.small',
							'To play a friend by link, or a bot of another language, start ',
							h('code', 'turf serve'),
							'.',
						),
				),
			),
			h(
				'section.stack',
				{ 'aria-label': 'The start' },
				preview,
				facts.starts[0]?.name === 'random' &&
					h('div.buttons', h('button.quiet', deal, 'Draw again')),
				h(
					'div.buttons',
					LESSONS[id] && h('a.button', { href: `#/lesson/${id}` }, 'First lesson'),
					!game.isSimultaneous && h('a.button', { href: `#/puzzles/${id}` }, 'Puzzles'),
				),
				howTo(game),
			),
		),
	);
	await deal();
	return game.name;
}
