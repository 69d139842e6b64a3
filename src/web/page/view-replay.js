// A recorded game, step by step: J back and K forward, arrows, space to run, the slider and the
// graph to jump. Where Life takes a step after the move, it can also stop in between and show what
// each player chose.
import { get, isInOneFile } from './api.js';
import { announce, complain } from './announce.js';
import { makeBoard } from './boards.js';
import { clamp, h, select, show, write } from './dom.js';
import { makeFrames } from './frames.js';
import { gameOf, namesOf, resultOf, told } from './games.js';
import { seatsOf } from './keep.js';
import { nameTags } from './cards.js';
import { makeScoreGraph } from './graph.js';
import { makeMoveList } from './move-list.js';
import { carry, go, linkTo, readdress } from './router.js';
import { gameLink } from './view-link.js';
import { copy, fileLink } from './widgets.js';

const SPEEDS = [
	[1600, '½×'],
	[800, '1×'],
	[400, '2×'],
	[200, '4×'],
	[100, '8×'],
	[27, '30×'],
]; // ms a move

export async function replayView(place, { id, ply: wanted }, signal) {
	const record = await get(`history/${id}`, { signal });
	const game = gameOf(record.game);
	const names = namesOf(
		record.players.map((name) => ({ name })),
		seatsOf(id.replace(/^s-/, '')).tokens,
	);
	const nFrames = record.moves.length + 1;
	const frame = makeFrames(`history/${id}`, nFrames, signal);
	const board = makeBoard({ game, position: record.start, label: `${game.name} replay` });
	const screen = game.makeScreen?.(game, board);
	let ply = clamp(Number.parseInt(wanted, 10) || 0, 0, nFrames - 1);
	let isBetween = false;
	let runner;
	let shown;

	const graph = makeScoreGraph({ game, names, ongo: (to) => goTo(to) });
	const list = makeMoveList({ game, ongo: (to) => goTo(to) });
	const slider = h('input', {
		type: 'range',
		min: 0,
		max: nFrames - 1,
		value: ply,
		'aria-label': 'Move',
		oninput: () => goTo(Number(slider.value)),
	});
	const counter = h('output.number');
	const words = h('p.choice');
	const between = h(
		'button.quiet',
		{ 'aria-pressed': 'false', onclick: () => toggleBetween() },
		game.isSimultaneous ? 'Show choices' : game.betweenName,
	);
	const run = h('button.primary', () => toggleRun(), 'Run');
	const speed = select(SPEEDS, {
		'aria-label': 'Speed',
		onchange: () => runner && (toggleRun(), toggleRun()),
	});
	const step = (by, name, key) =>
		h(
			'button',
			{ onclick: () => move(by), 'aria-keyshortcuts': key },
			name,
			h('kbd', { 'aria-hidden': 'true' }, key),
		);

	const stopsBetween = () => between.getAttribute('aria-pressed') === 'true';

	async function draw(animate) {
		const mine = `${ply}${isBetween}`;
		shown = mine;
		try {
			const now = await frame(ply);
			const before = isBetween ? await frame(ply - 1) : undefined;
			if (shown !== mine || signal.aborted) return;
			if (isBetween) showBetween(before, now);
			else
				board.show(now, {
					last: now.move,
					animate,
					within: runner ? Number(speed.value) : undefined,
				});
			if (screen)
				screen.update({
					names,
					scores: record.scores_by_ply.slice(0, ply + (isBetween ? 0 : 1)),
					iteration: now.position.iteration - (isBetween ? 1 : 0),
					nIterations: now.position.config.maxGameIterations,
					extras: (before ?? now).position.cells.map((n) => `${n} in stock`),
				});
			write(
				words,
				(isBetween ? 'Before the step. ' : '') +
					(now.move ? told(game, now.move) : 'The start.'),
			);
			write(counter, `${ply} / ${nFrames - 1}`);
			slider.value = ply;
			slider.setAttribute('aria-valuetext', `move ${ply} of ${nFrames - 1}`);
			graph.at(ply);
			list.at(ply);
			clearTimeout(draw.timer);
			draw.timer = setTimeout(
				() => signal.aborted || readdress(`/history/${id}/${ply}`),
				120,
			);
			if (!runner) announce(words.textContent);
		} catch (error) {
			if (!signal.aborted) complain(error);
		}
	}

	// The board before the step, with each player's choice; in War of Life after the move and
	// before the crank.
	function showBetween(before, { move: made }) {
		if (game.isSimultaneous) board.show(before, { picks: made.effect.placed });
		else board.show({ position: { ...before.position, board: made.effect.between } }, {});
	}

	function goTo(to, animate = false) {
		ply = clamp(to, 0, nFrames - 1);
		isBetween = false;
		draw(animate);
	}

	function move(by) {
		if (!stopsBetween()) return goTo(ply + by, by > 0);
		if (by > 0 && isBetween) isBetween = false;
		else if (by > 0 && ply < nFrames - 1) [ply, isBetween] = [ply + 1, true];
		else if (by < 0 && isBetween) [ply, isBetween] = [ply - 1, false];
		else if (by < 0 && ply > 0) isBetween = true;
		return draw(by > 0 && !isBetween);
	}

	function toggleBetween() {
		between.setAttribute('aria-pressed', String(!stopsBetween()));
		if (isBetween) goTo(ply);
	}

	function toggleRun() {
		if (runner) {
			clearInterval(runner);
			runner = undefined;
		} else {
			if (ply === nFrames - 1) goTo(0);
			runner = setInterval(
				() => (ply >= nFrames - 1 && !isBetween ? toggleRun() : move(1)),
				Number(speed.value),
			);
		}
		write(run, runner ? 'Pause' : 'Run');
	}

	const KEYS = {
		j: () => move(-1),
		ArrowLeft: () => move(-1),
		k: () => move(1),
		ArrowRight: () => move(1),
		' ': toggleRun,
		Home: () => goTo(0),
		End: () => goTo(nFrames - 1),
	};
	addEventListener(
		'keydown',
		(event) => {
			const isTyping =
				event.target.matches?.('input:not([type="range"]), textarea, select') ||
				(event.key === ' ' && event.target.matches?.('button, a'));
			const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
			if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			act();
		},
		{ signal },
	);
	signal.addEventListener('abort', () => clearInterval(runner));

	const hasSteps = game.hasStep;
	const from = async (view) => {
		const { position } = await frame(ply);
		carry(game.id, position, `/${view}/${game.id}`);
	};
	speed.value = 800;
	list.update(record.moves);
	graph.draw(record.scores_by_ply);
	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h(
				'div',
				h('h1', game.name),
				h(
					'p',
					nameTags(game, record, seatsOf(id.replace(/^s-/, '')).tokens),
					` · ${record.over?.text ?? resultOf(record)}`,
				),
			),
		),
		h(
			'div',
			{ class: `table replay ${game.css}` },
			h('div.middle', (screen || board).element, h('div.scrubber', slider, graph.element)),
			h(
				'aside.stack',
				h(
					'section.panel.stack.transport',
					{ 'aria-label': 'Replay' },
					h('div.steps', step(-1, 'Back', 'J'), run, step(1, 'Next', 'K')),
					h(
						'div.along',
						h(
							'button.round.quiet',
							{ 'aria-label': 'First', onclick: () => goTo(0) },
							'«',
						),
						counter,
						h(
							'button.round.quiet',
							{ 'aria-label': 'Last', onclick: () => goTo(nFrames - 1) },
							'»',
						),
					),
					h('div.along', speed, hasSteps && between),
					words,
				),
				h('section.panel.stack', h('h2', 'Moves'), list.element),
				h(
					'section.panel.stack',
					h('h2', 'This position'),
					h(
						'div.buttons',
						isInOneFile() &&
							!game.isSimultaneous &&
							h(
								'button',
								async () => copy(await gameLink(id), 'Link to the whole game'),
								'Copy game link',
							),
						h(
							'button',
							() => copy(linkTo(`/history/${id}/${ply}`), 'Link to this position'),
							'Copy link',
						),
						h(
							'button',
							async () =>
								copy(JSON.stringify((await frame(ply)).position), 'Position'),
							'Copy JSON',
						),
						!game.isSimultaneous &&
							h('button', () => go(`/analyse/${id}/${ply}`), 'Analyse'),
						fileLink(`history/${id}/export`, `turf-${id}.jsonl`, 'Export game'),
						h('button', () => from('play'), 'Play on from here'),
						h('button', () => from('grid'), 'Open in test grid'),
					),
				),
			),
		),
	);
	await draw(false);
	return `${game.name}: ${names.join(' – ')}`;
}
