// The big screen, for a projector: it goes from game to game by itself, shows the board large, the
// names, the points and their share over time, the bracket or the table, and who plays next. What
// came of a game is not to be seen before its replay has ended, also not in the bracket.
//
// F: full screen. Space: pause. Right and left: the next game, this one again. R: all over again.
import { get, persist } from './api.js';
import { announce } from './announce.js';
import { makeBoard } from './boards.js';
import { clamp, h, pause, show, write } from './dom.js';
import { rounded } from './figures.js';
import { makeFrames } from './frames.js';
import { gameOf, isFault } from './games.js';
import { makeDominationChart } from './graph.js';
import { followLeague, openLeague } from './league-access.js';
import { makeBracket, meets, pointsOf, pointsText, seenBracket } from './league-bracket.js';
import { forfeiterOf } from './league-games.js';
import { inOrder, makeShow } from './league-show.js';
import { go } from './router.js';
import { makeLine } from './stream.js';

const GAME_MS = 40000; // about as long as one game is shown
const [MIN_MOVE_MS, MAX_MOVE_MS] = [45, 900];
const BEGIN_MS = 3500; // the two names, before the first move
const END_MS = 6000; // the result, before the next game
const IDLE_MS = 2500; // until the cursor is hidden
const LOOK_MS = 1000;
const N_PLACES = 8;

// Waits that can be cut short, and that a pause holds up.
function makeWaits(signal) {
	let wake = () => {};
	let isPaused = false;
	let isCut = false;
	signal.addEventListener('abort', () => wake());
	return {
		cut: () => ((isCut = true), wake()),
		isCut: () => isCut,
		begin: () => (isCut = false),
		toggle: () => ((isPaused = !isPaused), wake(), isPaused),
		async wait(ms) {
			const until = performance.now() + ms;
			for (;;) {
				const left = isPaused ? Infinity : until - performance.now();
				if (isCut || signal.aborted || left <= 0) return;
				await Promise.race([
					new Promise((done) => (wake = done)),
					left < Infinity ? pause(left) : new Promise(() => {}),
				]);
			}
		},
	};
}

// A side: its name and its points, as large as they fit.
function makeSide(game, side) {
	const name = h('span.who');
	const points = h('span.points');
	const match = h('strong');
	const matchBox = h('span.match-points', h('small', 'match'), match);
	const element = h(
		'div',
		{ class: `screen-side side${side + 1}` },
		h('span.glyph', { 'aria-hidden': 'true' }, game.sides[side].glyph),
		name,
		matchBox,
		points,
	);
	return {
		element,
		update(words, score, won) {
			write(name, words);
			name.style.setProperty('--letters', Math.max(8, [...words].length));
			write(points, score);
			write(match, won);
			matchBox.hidden = won === '';
		},
	};
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function makeStandings() {
	const element = h('ol.plain.screen-table');
	return {
		element,
		// rows: [[place, name, figure], ...]
		update: (rows, isNow) =>
			show(
				element,
				rows.map(([place, name, figure]) =>
					h(
						'li',
						{ class: isNow(name) ? 'now' : '' },
						h('span.soft.number', place),
						h('span.entry-name', name),
						h('span.number', figure),
					),
				),
			),
	};
}

// The standings of a final that has no bracket, as far as its games have been seen.
function pointsSoFar(games, seen) {
	const points = new Map(games.flatMap(({ teams }) => teams.map((team) => [team, 0])));
	for (const { id, teams, winner } of games)
		if (seen.has(id))
			teams.forEach((team, side) => {
				const gain = winner === null ? 0.5 : Number(winner === side);
				points.set(team, points.get(team) + gain);
			});
	return [...points]
		.sort((one, other) => other[1] - one[1])
		.map(([team, n], i) => [i + 1, team, pointsText(n)]);
}

function resultWords(record) {
	const { winner, teams, scores, reason, outcome } = record;
	if (winner === null) return ['Draw', outcome === 'draw' ? scores.join(' – ') : outcome];
	if (isFault(reason))
		return [`${teams[winner]} wins`, `${forfeiterOf(record)} forfeits: ${reason}`];
	return [`${teams[winner]} wins`, scores.join(' – ')];
}

async function finalGames(token, signal) {
	const all = [];
	for (let next; ;) {
		const more = next ? `&before=${encodeURIComponent(next)}` : '';
		const found = await get(`league/games?kind=final&limit=100${more}`, { token, signal });
		all.push(...found.games);
		next = found.next;
		if (!next) return all.reverse();
	}
}

// Everything on the screen but the board and the order of things.
function makeStage(game) {
	const sides = [0, 1].map((side) => makeSide(game, side));
	const chart = makeDominationChart();
	const [title, stage, ply, next, verdict, because] = [
		'h1',
		'p',
		'span.number',
		'strong',
		'strong',
		'span',
	].map((sign) => h(sign));
	const boardPlace = h('div.screen-board');
	const result = h('div.screen-result', { hidden: true }, verdict, because);
	const bracketPlace = h('div.screen-bracket');
	const champion = h('div.screen-champion', { hidden: true });
	const nextLine = h('p.screen-next', h('span.soft', 'Next '), next);
	return {
		sides,
		chart,
		element: h(
			'div.screen-main',
			h('header.screen-top', title, stage),
			h('div.screen-field', boardPlace, result),
			h(
				'div.screen-beside',
				sides.map((side) => side.element),
				h('div.screen-share', chart.element, ply),
				bracketPlace,
				nextLine,
			),
			champion,
		),
		title: (words) => write(title, words),
		stage: (words) => write(stage, words),
		ply: (words) => write(ply, words),
		next(words) {
			write(next, words ?? '');
			nextLine.hidden = !words;
		},
		board(element, css) {
			boardPlace.className = `screen-board ${css}`;
			show(boardPlace, element);
		},
		result(record) {
			result.hidden = !record;
			if (!record) return;
			const [words, more] = resultWords(record);
			write(verdict, words);
			write(because, more);
			const side = record.winner === null ? '' : `side${record.winner + 1}`;
			result.className = `screen-result ${side}`;
			announce(`${words}. ${more}`);
		},
		table: (part) => part.parentNode === bracketPlace || show(bracketPlace, part),
		champion(name) {
			champion.hidden = !name;
			if (name) show(champion, h('span', 'The winner of the final'), h('strong', name));
		},
	};
}

export async function screenView(place, _, signal) {
	const root = document.documentElement;
	root.classList.add('on-screen');
	signal.addEventListener('abort', () => root.classList.remove('on-screen', 'idle'));
	const me = await openLeague(signal);
	let { league } = me;
	const { token } = me;
	const game = gameOf(league.game);
	const line = makeLine();
	const waits = makeWaits(signal);
	const programme = makeShow();
	const stage = makeStage(game);
	const standings = makeStandings();
	let current;
	let nKnown;
	const isNow = (pair) =>
		Boolean(current) && pair.names.every(Boolean) && meets(pair.names, current);
	const bracket = makeBracket({ isNow, nRounds: 3 });
	const patient = (request) =>
		persist(request, {
			isPast: () => signal.aborted,
			onwait: (isSo, error) => line.wait('screen', isSo ? error.message : undefined),
		});

	// Which games there are now.
	async function learn() {
		const { final, latest } = league;
		if (final) {
			if (nKnown === `${final.run} ${final.n_played}`) return;
			const games = await patient(() => finalGames(token, signal));
			nKnown = `${final.run} ${final.n_played}`;
			programme.take(inOrder(games, final.bracket), final.run);
		} else programme.take([...latest].reverse());
	}

	function drawTable() {
		const { final } = league;
		const names = current?.teams ?? [];
		if (final?.bracket) {
			bracket.update(seenBracket(final.bracket, programme.games(), programme.seen()));
			stage.table(bracket.element);
		} else {
			const rows = final
				? pointsSoFar(programme.games(), programme.seen())
				: league.table
						.filter(({ rank }) => rank)
						.map(({ rank, team, rating }) => [rank, team, rounded(rating)]);
			standings.update(rows.slice(0, N_PLACES), (name) => names.includes(name));
			stage.table(standings.element);
		}
	}

	// "semi-finals, game 2 of 4"
	function stageWords() {
		if (!current) return '';
		if (!league.final) return `Round ${current.round}`;
		const round = league.final.bracket?.rounds.find(({ pairs }) => pairs.some(isNow));
		const theirs = programme.games().filter((each) => meets(current.teams, each));
		const number = theirs.findIndex(({ id }) => id === current.id) + 1;
		const all = league.final.is_finished ? ` of ${theirs.length}` : '';
		return `${capital(round?.name ?? 'final')}, game ${number}${all}`;
	}

	function drawAround() {
		drawTable();
		stage.title(`${league.title || game.name} league`);
		stage.stage(stageWords());
		const next = programme.next(current);
		stage.next(next && next.id !== current?.id ? next.teams.join(' – ') : undefined);
	}

	function drawSides(record, scores) {
		const seen = programme.games().filter(({ id }) => programme.seen().has(id));
		const match = league.final ? pointsOf(record.teams, seen).map(pointsText) : ['', ''];
		stage.sides.forEach((side, i) => side.update(record.teams[i], scores[i], match[i]));
	}

	async function replay(record) {
		const whole = await patient(() => get(`history/${record.id}`, { token, signal }));
		const nFrames = whole.moves.length + 1;
		const frames = makeFrames(`history/${record.id}`, nFrames, signal, token);
		const board = makeBoard({ game, position: whole.start, label: `${game.name} replay` });
		board.element.inert = true;
		stage.board(board.element, game.css);
		stage.result();
		const ms = clamp(GAME_MS / nFrames, MIN_MOVE_MS, MAX_MOVE_MS);
		for (let ply = 0; ply < nFrames && !waits.isCut() && !signal.aborted; ply++) {
			const began = performance.now();
			const frame = await patient(() => frames(ply));
			if (signal.aborted) return;
			board.show(frame, { last: frame.move, animate: ply > 0, within: ms });
			drawSides(record, whole.scores_by_ply[ply]);
			stage.chart.draw(whole.scores_by_ply.slice(0, ply + 1), nFrames - 1);
			stage.ply(`move ${ply} of ${nFrames - 1}`);
			await waits.wait(ply ? ms - (performance.now() - began) : BEGIN_MS);
		}
		if (signal.aborted || isDropped) return;
		// Cut short, it ends with what came of it.
		const last = await patient(() => frames(nFrames - 1));
		board.show(last, { last: last.move });
		stage.chart.draw(whole.scores_by_ply, nFrames - 1);
		stage.ply(`move ${nFrames - 1} of ${nFrames - 1}`);
	}

	let again; // a game that is wanted once more
	let isDropped = false; // this one is left without its result

	async function play(record) {
		current = record;
		isDropped = false;
		waits.begin();
		programme.unsee(record);
		drawAround();
		await replay(record);
		if (signal.aborted || isDropped) return;
		programme.see(record);
		drawSides(record, record.scores);
		stage.result(record);
		drawAround();
		waits.begin();
		await waits.wait(END_MS);
	}

	async function run() {
		while (!signal.aborted) {
			await learn();
			const record = again ?? programme.next(current);
			again = undefined;
			const isOver = !record && league.final?.is_finished;
			if (isOver) stage.result();
			stage.champion(isOver ? league.final.champion : undefined);
			if (record) await play(record);
			else {
				drawAround();
				if (!current && !isOver) stage.stage('No games yet.');
				waits.begin();
				await waits.wait(LOOK_MS);
			}
		}
	}

	let idle;
	function stir() {
		root.classList.remove('idle');
		clearTimeout(idle);
		idle = setTimeout(() => root.classList.add('idle'), IDLE_MS);
	}
	const fill = () =>
		document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
	const hold = h('button', () => write(hold, waits.toggle() ? 'Go on' : 'Pause'), 'Pause');
	const drop = () => ((isDropped = true), waits.cut());
	const repeat = () => ((again = current), drop());
	const restart = () => (programme.restart(), (current = undefined), drop());
	const KEYS = {
		f: fill,
		' ': () => hold.click(),
		ArrowRight: () => waits.cut(),
		ArrowLeft: repeat,
		r: restart,
	};
	addEventListener(
		'keydown',
		(event) => {
			const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
			if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
			if (event.key === ' ' && event.target.matches?.('button, a')) return;
			event.preventDefault();
			act();
		},
		{ signal },
	);
	for (const kind of ['pointermove', 'pointerdown', 'focusin'])
		addEventListener(kind, stir, { signal });
	signal.addEventListener('abort', () => clearTimeout(idle));
	stir();
	navigator.wakeLock?.request('screen').then(
		(lock) => signal.addEventListener('abort', () => lock.release()),
		() => {},
	);

	show(
		place,
		line.element,
		h(
			'section',
			{ class: `screen ${game.css}`, 'aria-label': 'Big screen' },
			stage.element,
			h(
				'div.screen-keys.buttons',
				h('button', fill, 'Full screen', h('kbd', { 'aria-hidden': 'true' }, 'F')),
				hold,
				h('button', repeat, 'Again'),
				h('button', () => waits.cut(), 'Next'),
				h('button', () => go('/league'), 'Leave'),
			),
		),
	);
	await learn();
	drawAround();
	followLeague(
		me,
		(now) => {
			league = now;
			learn().then(drawAround, () => {});
		},
		signal,
		line,
	);
	run().catch((error) => signal.aborted || line.wait('screen', error.message));
	return 'Big screen';
}
