// Puzzles: the one of the day, and as many others as one likes. The score stays in this browser.
import { get, persist } from './api.js';
import { complain } from './announce.js';
import { percent } from './analyst.js';
import { h, show, write } from './dom.js';
import { allGames, gameOf } from './games.js';
import { keep, kept } from './keep.js';
import { LESSONS } from './lessons.js';
import { go } from './router.js';
import { makeTask } from './task.js';

const STORE = 'turf-puzzles';
// The puzzle of a day has the day as its seed, 20261231; others have these.
const FREE_SEED = 1;
const today = () => {
	const now = new Date();
	return 10000 * now.getFullYear() + 100 * (now.getMonth() + 1) + now.getDate();
};
const dateOf = (seed) =>
	new Date(Math.floor(seed / 10000), (Math.floor(seed / 100) % 100) - 1, seed % 100);

const scores = () => ({ solved: 0, tried: 0, streak: 0, next: 0, days: {}, ...kept(STORE) });
export const playable = () => allGames().filter((game) => !game.isSimultaneous);

// A seed: the puzzle of that day; without one, the next of the others.
export async function puzzlesView(place, { game: wanted, day }, signal) {
	const game = gameOf(wanted ?? playable()[today() % playable().length]?.id);
	if (game.isSimultaneous) throw new Error(`There are no puzzles of ${game.name}.`);
	const isDaily = day === 'today' || wanted === undefined;
	let puzzle;
	let isCounted; // a puzzle counts once: by the first try
	const head = h('p.soft');
	const ask = h('p.choice.large', 'A puzzle is being made…');
	const grade = h('p.soft');
	const tally = h('p');
	const next = h('button.primary', () => open(false), 'Another');
	const solve = h('button', () => reveal(), 'Show the move');
	const explore = h('p.soft');
	const task = makeTask({ game, signal, onright: finish, ontry: count });

	function showScore() {
		const { solved, tried, streak } = scores();
		write(
			tally,
			tried
				? `${solved} of ${tried} solved at the first try` +
						(streak > 1 ? `, the last ${streak} in a row.` : '.')
				: 'Your score will be kept in this browser.',
		);
	}

	function count(isRight) {
		if (isCounted) return;
		isCounted = true;
		const score = scores();
		score.tried++;
		score.solved += Number(isRight);
		score.streak = isRight ? score.streak + 1 : 0;
		if (puzzle.isDaily) score.days = { [`${game.id}-${puzzle.seed}`]: isRight };
		keep(STORE, score);
		showScore();
	}

	function judge(move) {
		const isRight = JSON.stringify(move) === JSON.stringify(puzzle.solution.move);
		return { isRight, words: isRight ? 'Yes, that is the move.' : 'No. Try again.' };
	}

	// What the move is worth beside the second best.
	function finish() {
		solve.disabled = true;
		const own = (chance) => (puzzle.side ? 1 - chance : chance);
		const { solution, second } = puzzle;
		const line = solution.line.map(({ text }) => text).join(', ');
		write(
			explore,
			`${line}. It wins ${percent(own(solution.chance))}; ` +
				`the second best, ${second.text}, ${percent(own(second.chance))}.`,
		);
	}

	function reveal() {
		count(false);
		finish();
		task.reveal(puzzle.solution).catch((error) => signal.aborted || complain(error));
	}

	async function open(daily) {
		const score = scores();
		const [seed, number] = daily ? [today(), 0] : [FREE_SEED, score.next];
		if (!daily) keep(STORE, { ...score, next: score.next + 1 });
		next.disabled = true;
		solve.disabled = true;
		write(explore, '');
		try {
			puzzle = await persist(
				() => get(`puzzles/${game.id}?seed=${seed}&number=${number}`, { signal }),
				{ isPast: () => signal.aborted },
			);
			puzzle.isDaily = daily;
			isCounted = daily && `${game.id}-${seed}` in score.days;
			write(
				head,
				daily
					? dateOf(seed).toLocaleDateString('en', { dateStyle: 'long' })
					: `Number ${number + 1}`,
			);
			write(ask, puzzle.task);
			write(
				grade,
				`${'●'.repeat(puzzle.grade - 1)}${'○'.repeat(6 - puzzle.grade)} ` +
					`Look ${puzzle.grade} moves ahead.`,
			);
			await task.ask({ position: puzzle.position, judge, flipped: puzzle.side === 1 });
			solve.disabled = false;
		} finally {
			next.disabled = false;
		}
	}

	showScore();
	show(
		place,
		h(
			'div.head',
			h('h1', isDaily ? 'Puzzle of the day' : 'Puzzles'),
			h(
				'nav.buttons.tabs',
				{ 'aria-label': 'Games' },
				playable().map((each) =>
					h(
						'a.button.quiet',
						{
							href: `#/puzzles/${each.id}${isDaily ? '/today' : ''}`,
							'aria-current': each === game && 'page',
						},
						each.name,
					),
				),
			),
		),
		h(
			'div',
			{ class: `table task ${game.css}` },
			task.element,
			h(
				'aside.stack',
				h(
					'section.panel.stack',
					head,
					ask,
					grade,
					task.words,
					explore,
					h('div.buttons', next, solve),
				),
				h(
					'section.panel.stack',
					h('h2', 'Your score'),
					tally,
					h(
						'div.buttons',
						!isDaily &&
							h('button', () => go(`/puzzles/${game.id}/today`), 'Puzzle of the day'),
						LESSONS[game.id] &&
							h('a.button', { href: `#/lesson/${game.id}` }, 'First lesson'),
						h('a.button', { href: `#/play/${game.id}` }, `Play ${game.name}`),
					),
				),
			),
		),
	);
	await open(isDaily);
	return 'Puzzles';
}
