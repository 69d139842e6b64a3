// The test grid. AI Battleground as in the original: left click for player 1, right click for
// player 2, middle click to undo, Enter for the next state. The other games: set up, play, and
// crank. From any position: play on, ask for the best move, copy it.
import { games } from './api.js';
import { complain } from './announce.js';
import { makePicks } from './arena-seat.js';
import { makeBoard } from './boards.js';
import { h, segments, select, show, write } from './dom.js';
import { makeForesight } from './foresight.js';
import { gameOf, allGames, sizeOf, standing, told } from './games.js';
import { cleared, makeBrush, paint, stamp } from './grid-brush.js';
import { makeGridState } from './grid-state.js';
import { makePatterns, placeAt } from './patterns.js';
import { makeAdvisor } from './advisor.js';
import { makeStartPicker } from './start-picker.js';
import { carry, takeCarried } from './router.js';
import { copy } from './widgets.js';

const HELP = [
	['Click', 'a move'],
	['J K', 'back and forward'],
];

const BOTH = [0, 1];
const SPEEDS = [
	[1000, '1 a second'],
	[400, '2½ a second'],
	[200, '5 a second'],
	[100, '10 a second'],
	[40, '25 a second'],
]; // ms a step

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
	const brush = makeBrush(
		game,
		(changes) => tries(state.edit((position) => ({ ...position, ...changes }))),
		() => patterns?.putBack(),
	);
	const patternPlace = h('div');
	let patterns;
	const advisor = makeAdvisor({
		facts,
		ask: (player) => state.choose(player),
		onpoint: (cells) => board.point(cells, isSimultaneous ? '' : 'move'),
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
	const speed = select(SPEEDS, { 'aria-label': 'Speed' });
	speed.value = 200;
	const run = h('button', () => toggleRun(), 'Run', h('kbd', { 'aria-hidden': 'true' }, 'R'));
	const clear = h(
		'button',
		() => tries(state.edit((position) => cleared(game, position))),
		'Clear',
	);
	const tools = h(
		'section.panel.stack',
		{ hidden: true },
		h('h2', 'Brush'),
		h('p.soft.small', 'Click or drag. On what the brush paints, it erases.'),
		brush.element,
		h('div.buttons', clear),
	);
	const foresight = makeForesight(id, (effect, scores) => {
		[omens, then] = [effect, scores];
		draw(state.now(), false);
	});
	let omens;
	let then;
	let runner;
	let mode = 'play';
	let board;
	let screen;
	let size;
	let tapSide = 0;
	let said;

	function build(view) {
		const options = { game, position: view.position, label: `${game.name} test grid` };
		if (mode === 'edit') Object.assign(options, { onstroke: stroke, onhover: aim });
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
				button === 1 ? state.back() : stroke([[row, col]], button, true);
		else options.onmove = (move) => tries(state.step(move));
		board = makeBoard(options);
		screen = game.makeScreen?.(game, board);
		show(middle, (screen ?? board).element, status);
	}

	// A shelf with what fits on the board.
	function stock(view) {
		if (!facts.has_step) return;
		patterns = makePatterns({
			...sizeOf(view.position),
			onchoose: (isHeld) => isHeld && mode !== 'edit' && modes.choose('edit'),
		});
		show(patternPlace, patterns.element);
	}

	const spots = (cell) =>
		placeAt(patterns.chosen(), cell, {
			...sizeOf(state.now().position),
			wraps: Boolean(game.wraps),
		});

	// A stroke of the brush, or the pattern in the hand where it began. The board shows it at once;
	// the server is asked when it is done.
	function stroke(cells, button, isDone) {
		const [sign, nuts] = [brush.of(button), brush.nuts()];
		const change = (position) =>
			patterns?.chosen()
				? stamp(game, position, spots(cells[0]), sign)
				: paint(game, position, cells, sign, nuts);
		if (isDone) tries(state.edit(change));
		else board.show({ ...state.now(), position: change(state.now().position) });
	}

	// Where the pattern in the hand would go.
	function aim(row, col) {
		if (patterns?.chosen()) board.point(row === undefined ? [] : spots([row, col]));
	}

	function pickCell(row, col, button) {
		if (mode === 'edit')
			return button === 1 ? state.back() : stroke([[row, col]], button, true);
		const reason =
			button === 1
				? void picks.undo(BOTH, row, col)
				: picks.toggle(button === 2 ? 1 : tapSide, row, col);
		say(reason ?? said, Boolean(reason));
		if (reason) board.refuse?.(row, col);
		else foresee();
		return draw(state.now(), false);
	}

	function say(text, isRefusal = false) {
		write(status, text);
		status.classList.toggle('alarm', isRefusal);
	}

	const chosenCells = () =>
		Object.fromEntries(game.sides.map(({ key }, side) => [key, picks.of(side)]));

	function foresee() {
		[omens, then] = [undefined, undefined];
		if (isSimultaneous && facts.has_step && mode === 'play' && !runner && !state.now().over)
			foresight.of(state.now().position, chosenCells());
		else foresight.drop();
	}

	// Steps by itself, until the game is over or something else is done.
	function toggleRun(isWanted = !runner) {
		clearInterval(runner);
		runner = undefined;
		let isBusy = false;
		if (isWanted)
			runner = setInterval(async () => {
				if (isBusy) return;
				isBusy = true;
				await step();
				isBusy = false;
			}, Number(speed.value));
		run.firstChild.data = runner ? 'Pause' : 'Run';
	}
	speed.addEventListener('change', () => runner && toggleRun(true));

	function takePicks({ move }) {
		picks.begin(state.now());
		for (const side of [0, 1])
			for (const cell of move[game.sides[side].key] ?? []) picks.toggle(side, ...cell);
		foresee();
		draw(state.now(), false);
	}

	function onkey(event, row, col) {
		if (event.key === '1' || event.key === ' ') pickCell(row, col, 0);
		else if (event.key === '2') pickCell(row, col, 2);
		else if (event.key === 'Backspace')
			picks.undo(BOTH) ? (foresee(), draw(state.now(), false)) : state.back();
		else return false;
		return true;
	}

	const step = () =>
		state.step(isSimultaneous ? chosenCells() : undefined).catch((error) => {
			toggleRun(false);
			complain(error);
		});

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
				reach: mode === 'play' && !runner ? picks.reachOf(BOTH) : undefined,
				omens: mode === 'play' ? omens : undefined,
				animate,
				within: runner ? Number(speed.value) : undefined,
			});
			screen?.update({
				names: game.sides.map((side) => side.name),
				scores: state.scores(),
				then: mode === 'play' ? then : undefined,
				iteration: view.position.iteration,
				nIterations: view.position.config?.maxGameIterations,
				extras,
			});
		} else {
			board.show(view, {
				moves: mode === 'play' ? view.moves : [],
				last: view.last,
				animate,
				within: runner ? Number(speed.value) : undefined,
			});
		}
	}

	function changed(view, kind) {
		const area = `${view.position.board.length} ${view.position.board[0].length}`;
		if (size !== area) stock(view);
		if (size !== area || kind === 'mode') build(view);
		size = area;
		if (isSimultaneous) picks.begin(view);
		const turn = view.over
			? `The game is over: ${view.over.text}.`
			: isSimultaneous
				? ''
				: `${game.sides[view.mover].name} to move.`;
		said = `${view.last ? told(game, view.last) : ''} ${standing(game, view.scores)}. ${turn}`;
		say(said);
		if (runner && (kind !== 'step' || view.over)) toggleRun(false);
		foresee();
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
			else if (facts.can_pass && key === 'r') toggleRun();
			else if (key === 'j') state.back();
			else if (key === 'k') state.forth();
			else return;
			event.preventDefault();
		},
		{ signal },
	);

	signal.addEventListener('abort', () => clearInterval(runner));
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
					facts.can_pass && h('div.buttons', run, h('div.narrow', speed)),
					taps,
					h(
						'details',
						h('summary', 'Mouse and keys'),
						h(
							'dl.keys',
							(game.help ?? HELP).map(([key, words]) => [
								h('dt', h('kbd', key)),
								h('dd', words),
							]),
						),
					),
				),
				tools,
				facts.has_step && patternPlace,
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
