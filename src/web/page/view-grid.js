// The test grid. AI Battleground as in the original: left click for player 1, right click for
// player 2, middle click to undo, Enter for the next state. The other games: set up, play, and
// crank. From any position: play on, ask for the best move, copy it.
import { games } from './api.js';
import { complain } from './announce.js';
import { makePicks } from './arena-seat.js';
import { makeBoard } from './boards.js';
import { h, segments, show, write } from './dom.js';
import { gameOf, allGames, standing, told } from './games.js';
import { makeBrush, paint } from './grid-brush.js';
import { makeGridState } from './grid-state.js';
import { makeAdvisor } from './advisor.js';
import { makeStartPicker } from './start-picker.js';
import { carry, takeCarried } from './router.js';
import { copy } from './widgets.js';

const HELP = [
	['Click', 'a move'],
	['J K', 'back and forward'],
];

const BOTH = [0, 1];

export async function gridView(place, { game: wanted }, signal) {
	const known = allGames();
	const id = wanted ?? (known.find((each) => each.isSimultaneous) ?? known[0])?.id;
	const game = gameOf(id);
	const facts = (await games()).get(id);
	if (!facts) throw new Error(`No game is called ${id}.`);
	if (signal.aborted) return '';
	const given = takeCarried(id);
	const { isSimultaneous } = game;
	const picks = makePicks();
	const state = makeGridState(id, changed);
	const tries = (promise) => promise.catch(complain);
	const middle = h('div.middle');
	const status = h('p.choice', { role: 'status' });
	const start = makeStartPicker({ facts, position: given });
	const brush = makeBrush(game, (changes) =>
		tries(state.edit((position) => ({ ...position, ...changes }))),
	);
	const advisor = makeAdvisor({
		facts,
		ask: (player) => state.choose(player),
		onpoint: (cells) => board.point(cells),
		ontake: (move) => (isSimultaneous ? takePicks(move) : tries(state.step(move.move))),
	});
	const back = h('button', () => state.back(), 'Back');
	const modes = segments(
		'Mode',
		[
			['play', isSimultaneous ? 'Choose cells' : 'Play moves'],
			['edit', 'Edit board'],
		],
		setMode,
	);
	const next =
		facts.can_pass &&
		h(
			'button.primary',
			() => step(),
			isSimultaneous ? 'Next state' : game.stepName,
			h('kbd', { 'aria-hidden': 'true' }, isSimultaneous ? 'Enter' : 'C'),
		);
	const taps =
		isSimultaneous &&
		segments(
			'A tap chooses for',
			[
				[0, 'Tap for 1'],
				[1, 'Tap for 2'],
			],
			(side) => (tapSide = side),
		);
	const tools = h('section.panel.stack', { hidden: true }, h('h2', 'Brush'), brush.element);
	let mode = 'play';
	let board;
	let screen;
	let size;
	let tapSide = 0;
	let said;

	function build(view) {
		const options = { game, position: view.position, label: `${game.name} test grid` };
		if (isSimultaneous)
			Object.assign(options, {
				onpick: pickCell,
				onkey,
				tell: (row, col) =>
					[0, 1]
						.filter((side) => picks.has(side, row, col))
						.map((side) => `, chosen by player ${side + 1}`)
						.join(''),
			});
		else if (mode === 'edit')
			options.onpick = (row, col, button) =>
				button === 1 ? state.back() : edit(row, col, button);
		else options.onmove = (move) => tries(state.step(move));
		board = makeBoard(options);
		screen = game.makeScreen?.(game, board);
		show(middle, (screen ?? board).element, status);
	}

	function edit(row, col, button) {
		const [sign, nuts] = [brush.of(button), brush.nuts()];
		return tries(state.edit((position) => paint(game, position, row, col, sign, nuts)));
	}

	function pickCell(row, col, button) {
		if (mode === 'edit') return button === 1 ? state.back() : edit(row, col, button);
		write(
			status,
			(button === 1
				? void picks.undo(BOTH, row, col)
				: picks.toggle(button === 2 ? 1 : tapSide, row, col)) ?? said,
		);
		return draw(state.now(), false);
	}

	function takePicks({ move }) {
		picks.begin(state.now());
		for (const side of [0, 1])
			for (const cell of move[game.sides[side].key] ?? []) picks.toggle(side, ...cell);
		draw(state.now(), false);
	}

	function onkey(event, row, col) {
		if (event.key === '1' || event.key === ' ') pickCell(row, col, 0);
		else if (event.key === '2') pickCell(row, col, 2);
		else if (event.key === 'Backspace')
			picks.undo(BOTH) ? draw(state.now(), false) : state.back();
		else return false;
		return true;
	}

	const step = () =>
		tries(
			state.step(
				isSimultaneous
					? Object.fromEntries(game.sides.map(({ key }, side) => [key, picks.of(side)]))
					: undefined,
			),
		);

	function setMode(name) {
		mode = name;
		tools.hidden = name !== 'edit';
		changed(state.now(), 'mode');
	}

	function draw(view, animate) {
		if (isSimultaneous) {
			const extras = [0, 1].map(
				(side) => `${picks.left(side)} of ${picks.budget(side)} to place`,
			);
			board.show(view, {
				picks: picks.shown(BOTH),
				reach: mode === 'play' ? picks.reachOf(BOTH) : undefined,
				animate,
			});
			screen?.update({
				names: game.sides.map((side) => side.name),
				scores: state.scores(),
				iteration: view.position.iteration,
				nIterations: view.position.config?.maxGameIterations,
				extras,
			});
		} else {
			board.show(view, {
				moves: mode === 'play' ? view.moves : [],
				last: view.last,
				animate,
			});
		}
	}

	function changed(view, kind) {
		const wanted = `${view.position.board.length} ${view.position.board[0].length} ${mode}`;
		if (size !== wanted) build(view);
		size = wanted;
		if (isSimultaneous) picks.begin(view);
		const turn = view.over
			? `The game is over: ${view.over.text}.`
			: isSimultaneous
				? ''
				: `${game.sides[view.mover].name} to move.`;
		said = `${view.last ? told(game, view.last) : ''} ${standing(game, view.scores)}. ${turn}`;
		write(status, said);
		back.disabled = !state.canGoBack();
		brush.show(view.position);
		advisor.clear();
		draw(view, kind === 'step');
	}

	addEventListener(
		'keydown',
		(event) => {
			if (
				!state.now() ||
				event.target.matches?.('input, textarea, select') ||
				event.ctrlKey ||
				event.metaKey ||
				event.altKey
			)
				return;
			const key = event.key.toLowerCase();
			if (isSimultaneous && key === 'enter' && !event.target.matches?.('button, a')) step();
			else if (facts.can_pass && !isSimultaneous && key === 'c') step();
			else if (key === 'j') state.back();
			else if (key === 'k') state.forth();
			else return;
			event.preventDefault();
		},
		{ signal },
	);

	const tabs = allGames().map((each) =>
		h(
			'a.button.quiet',
			{ href: `#/grid/${each.id}`, 'aria-current': each === game && 'page' },
			each.name,
		),
	);
	show(
		place,
		h('div.head', h('h1', 'Test grid'), h('nav.buttons.tabs', { 'aria-label': 'Games' }, tabs)),
		h(
			'div',
			{ class: `table ${game.css}` },
			middle,
			h(
				'aside.stack',
				h(
					'section.panel.stack',
					modes,
					h('div.buttons', next, back),
					taps,
					h(
						'dl.keys',
						(game.help ?? HELP).map(([key, words]) => [
							h('dt', h('kbd', key)),
							h('dd', words),
						]),
					),
				),
				tools,
				advisor.element,
				h(
					'section.panel.stack',
					h('h2', 'Position'),
					start.element,
					h(
						'div.buttons',
						h('button', () => tries(state.begin(start.value)), 'Set up'),
						h(
							'button',
							() => copy(JSON.stringify(state.now().position), 'Position'),
							'Copy JSON',
						),
						h(
							'button',
							() => carry(id, state.now().position, `/play/${id}`),
							'Play on from here',
						),
					),
				),
			),
		),
	);
	await state.begin(start.value);
	return `Test grid: ${game.name}`;
}
