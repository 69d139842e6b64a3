// The table of a game: the board, its players and its moves. It can be flipped.
import { makeBoard } from './boards.js';
import { h, pause, show, write } from './dom.js';
import { howTo } from './widgets.js';
import { makeMoveList } from './move-list.js';
import { makePicks } from './arena-seat.js';
import { makeForesight } from './foresight.js';
import { namesOf } from './games.js';
import { clockText, makePlayerCards, timeLeft } from './player-cards.js';
import { chooserOf } from './live-game.js';

// How long a move stays visible before another player's next one is drawn; less if many wait.
const SEEN_MS = 320;
// With more moves than this waiting they are not animated; with many more, only the last is drawn.
const MAX_ANIMATED = 3;
const MAX_WAITING = 12;

const countOf = (board, key) => board.reduce((sum, row) => sum + row.split(key).length - 1, 0);

// mine(): the sides played here. onmove(move, side). wire: asks the server for legal moves and the
// last one (live-game.js).
export function makeTable({ game, live: first, mine, onmove, wire }) {
	let live = first; // the state drawn; later events are queued
	const waiting = [];
	let drawing;
	let seenFrom = -Infinity;
	let last;
	let trail = [];
	let lastAt = 0;
	let drawnAt;
	let begunAt;
	let foreseenBy;
	let isFlipped = false;
	const { isSimultaneous } = game;
	const cards = makePlayerCards(game);
	const list = makeMoveList({ game, ongo: review });
	// Looking back: the position after this many moves is shown, while the game goes on.
	let reviewed;
	const reviewBack = h('button.round.quiet', { 'aria-label': 'Earlier move' }, '‹');
	const reviewOn = h('button.round.quiet', { 'aria-label': 'Later move' }, '›');
	const reviewEnd = h('button', () => review(live.n_moves), 'Now');
	reviewBack.addEventListener('click', () => review((reviewed ?? live.n_moves) - 1));
	reviewOn.addEventListener('click', () => review((reviewed ?? live.n_moves) + 1));
	const middle = h('div.middle');
	const picks = isSimultaneous && makePicks((side) => mine()[side] && !mine()[1 - side]);
	const commitButton = h('button.primary', commit, 'Commit');
	const refused = h('span.alarm', { role: 'status' });
	const arenaBar = h(
		'section.panel.stack.commit',
		{ hidden: true },
		h('div.buttons', commitButton, refused),
		h(
			'p.soft.small',
			'Click or Space chooses a cell, middle click or Backspace undoes, Enter commits.',
		),
	);
	let board;
	let screen;
	let omens; // what the step would do with the cells chosen, and the scores after it
	let then;
	const foresight = makeForesight(game.id, (effect, scores) => {
		[omens, then] = [effect, scores];
		draw([], false);
		drawScreen();
	});

	const chooser = () => chooserOf(live, mine());
	const canChoose = () => chooser() !== undefined;
	// The side whose cells are visible: with two people at one screen, that of the person choosing;
	// otherwise one's own while waiting for the other side.
	const seen = () => chooser() ?? mine().indexOf(true);
	const holdsBoth = () => mine().every(Boolean);
	const sideNames = () =>
		holdsBoth()
			? live.seats.map(({ name }, side) => name || game.sides[side].name)
			: namesOf(live.seats, mine());
	function foresee() {
		const side = chooser();
		[omens, then] = [undefined, undefined];
		if (side === undefined || !game.hasStep) return foresight.drop();
		return foresight.of(live.position, { [game.sides[side].key]: picks.of(side) });
	}

	function build() {
		const options = {
			game,
			position: live.position,
			label: `${game.name} board`,
			flipped: isFlipped,
			onmove: (move) => send(move, live.mover),
			onforesee: (...what) => cards.foresee(live, ...what),
		};
		if (isSimultaneous && mine().some(Boolean))
			Object.assign(options, {
				onpick: pickCell,
				onkey,
				tell: (row, col) => (picks.has(seen(), row, col) ? ', chosen' : ''),
			});
		board = makeBoard(options);
		screen = game.makeScreen?.(game, board);
		// The person's own side is at the bottom.
		const bottom = Number(isFlipped !== (mine()[1] && !mine()[0]));
		show(
			middle,
			screen
				? screen.element
				: [cards.elements[1 - bottom], board.element, cards.elements[bottom]],
		);
	}

	function showReviewState() {
		const isBack = reviewed !== undefined;
		reviewBack.disabled = (reviewed ?? live.n_moves) === 0;
		reviewOn.disabled = !isBack;
		reviewEnd.disabled = !isBack;
		reviewEnd.classList.toggle('primary', isBack);
		middle.classList.toggle('reviewing', isBack);
		list.at(reviewed ?? live.n_moves);
	}

	// Shows the position after `ply` moves; after the last one the game itself is shown again.
	async function review(ply) {
		if (ply < 0) return;
		reviewed = ply < live.n_moves ? ply : undefined;
		showReviewState();
		if (reviewed === undefined) return void update(waiting.at(-1)?.now ?? live);
		const frame = await wire.frame(ply).catch(() => undefined);
		if (!frame || reviewed !== ply) return;
		board.show(frame, { last: frame.move ?? undefined });
		cards.score(frame);
		drawScreen(frame.position);
	}

	function pickCell(row, col, button) {
		if (reviewed !== undefined || !canChoose() || board.element.classList.contains('busy'))
			return;
		const reason =
			button === 1
				? void picks.undo([chooser()], row, col)
				: picks.toggle(chooser(), row, col);
		write(refused, reason ?? '');
		if (reason) board.refuse?.(row, col);
		else foresee();
		draw([], false);
		drawScreen();
	}

	// Chooses these cells instead of those chosen so far.
	function take(cells) {
		const side = chooser();
		picks.clear(side);
		for (const cell of cells) picks.toggle(side, ...cell);
		foresee();
		draw([], false);
		drawScreen();
	}

	function onkey(event, row, col) {
		if (event.key === 'Enter') commit();
		else if (event.key === ' ') pickCell(row, col, 0);
		else if (event.key === 'Backspace') pickCell(-1, -1, 1);
		else return false;
		return true;
	}

	function commit() {
		if (!canChoose()) return;
		write(refused, '');
		send(picks.of(chooser()), chooser());
	}

	// Nothing more can be picked until the server has answered.
	function send(move, side) {
		if (board.element.classList.contains('busy')) return;
		board.element.classList.add('busy');
		onmove(move, side);
	}

	function draw(moves, animate) {
		if (reviewed !== undefined) return undefined;
		if (!isSimultaneous)
			return board.show(live, {
				moves,
				last,
				trail,
				animate,
				onstep: () => cards.score(live),
			});
		const side = seen();
		arenaBar.hidden = live.over || !mine().some(Boolean);
		commitButton.disabled = !canChoose();
		const n = picks.of(side).length;
		const what = `${n} cell${n === 1 ? '' : 's'}`;
		write(
			commitButton,
			!canChoose()
				? 'Waiting for the other side'
				: mine()[1 - side]
					? `${sideNames()[side]}: commit ${what}`
					: `Commit ${what}`,
		);
		return board.show(live, {
			picks: picks.shown(live.over ? [] : [side]),
			reach: canChoose() ? picks.reachOf([side]) : undefined,
			omens: canChoose() ? omens : undefined,
			animate,
		});
	}

	function drawScreen(position = live.position) {
		if (!screen || (reviewed !== undefined && position === live.position)) return;
		const { config, cells, iteration } = position;
		const start = game.sides.map(({ key }) => countOf(live.start.board, key));
		const clock = (side) => (live.clock ? ` · ${clockText(timeLeft(live, side))}` : '');
		const extra = (side) => {
			if (live.pending?.[side] && !live.over) return `ready${clock(side)}`;
			const stock =
				chooser() === side
					? `${picks.left(side)} of ${cells[side]} to place`
					: `${cells[side]} in stock`;
			return stock + clock(side);
		};
		screen.update({
			names: sideNames(),
			then: canChoose() && reviewed === undefined ? then : undefined,
			scores: [start, ...live.moves.slice(0, reviewed).map((move) => move.scores)],
			iteration,
			nIterations: config.maxGameIterations,
			extras: [extra(0), extra(1)],
		});
	}

	// State besides the game itself: the move that led here and the legal moves. A snapshot lists
	// moves without their effects.
	async function askFor(now) {
		const isPast = () => waiting.length > 0;
		const [before, legal] = await Promise.all([
			now.n_moves &&
				lastAt !== now.n_moves &&
				wire.frame(now.n_moves, isPast).catch(() => undefined),
			canChoose() && wire.legalMoves(now, isPast).catch(() => undefined),
		]);
		return {
			before: before?.move ?? undefined,
			legal: legal?.n_moves === now.n_moves ? legal : undefined,
		};
	}

	async function drawNext({ now, made }) {
		const wait = seenFrom + SEEN_MS / Math.max(1, waiting.length - 1) - performance.now();
		if (made && !isSimultaneous && !mine()[made.side] && wait > 0) await pause(wait);
		live = now;
		if (made) {
			trail =
				last?.side === made.side && lastAt === now.n_moves - 1 ? [...trail, made] : [made];
			[last, lastAt] = [made, now.n_moves];
		}
		cards.update(now, mine());
		list.update(now.moves);
		if (reviewed >= now.n_moves) reviewed = undefined;
		showReviewState();
		const { before, legal } = await askFor(now);
		if (lastAt !== now.n_moves) [last, lastAt, trail] = [before, now.n_moves, []];
		if (isSimultaneous && legal && begunAt !== now.n_moves) {
			picks.begin(legal);
			write(refused, '');
			begunAt = now.n_moves;
			foreseenBy = undefined;
		}
		// Another person at this screen must not see what the first one's cells would do.
		if (isSimultaneous && foreseenBy !== (chooser() ?? null)) {
			foreseenBy = chooser() ?? null;
			foresee();
		}
		const isNext = drawnAt !== undefined && now.n_moves === drawnAt + 1;
		drawnAt = now.n_moves;
		seenFrom = performance.now();
		board.element.classList.remove('busy');
		await draw(legal?.moves ?? [], isNext && waiting.length < MAX_ANIMATED);
		drawScreen();
	}

	async function drawAll() {
		try {
			while (waiting.length) {
				if (waiting.length > MAX_WAITING) waiting.splice(0, waiting.length - 1);
				await drawNext(waiting.shift());
			}
		} finally {
			drawing = undefined;
		}
	}

	// A player may reply instantly, with three moves at once; they are drawn one after the other.
	// Resolves when everything has been drawn.
	function update(now, kind, data) {
		// An undone commit also clears the chosen cells: the other person at the screen must not
		// see them.
		if (kind === 'undo') begunAt = undefined;
		waiting.push({
			now: { ...now, moves: [...now.moves] },
			made: kind === 'move' ? data : undefined,
		});
		drawing ??= drawAll();
		return drawing;
	}

	build();
	return {
		update,
		tick() {
			cards.tick(live);
			if (live.clock && !live.over) drawScreen();
		},
		// Marks cells on the board until something else is drawn.
		point: (cells) => board.point(cells, 'move'),
		take,
		play: (move) => send(move, live.mover),
		// One move back or on.
		turn: (by) => review((reviewed ?? live.n_moves) + by),
		flip() {
			isFlipped = !isFlipped;
			reviewed = undefined;
			build();
			update(waiting.at(-1)?.now ?? live);
		},
		lay: ({ banner, actions, links, offers }) =>
			h(
				'div',
				{ class: `table ${game.css}` },
				middle,
				h(
					'aside.stack',
					arenaBar,
					h(
						'div.record',
						actions,
						offers,
						banner,
						h(
							'section.panel.stack',
							h(
								'div.moves-head',
								h('h2', 'Moves'),
								h('div.buttons', reviewBack, reviewOn, reviewEnd),
							),
							list.element,
						),
					),
					links,
					howTo(game, live.position),
				),
			),
	};
}
