// A first lesson: five positions, each with one thing to do, and then a game against level 1.
import { games } from './api.js';
import { complain } from './announce.js';
import { beginGame } from './begin.js';
import { makeBoard } from './boards.js';
import { h, show, write } from './dom.js';
import { gameOf } from './games.js';
import { myName } from './keep.js';
import { LESSONS } from './lessons.js';
import { makeTask } from './task.js';

const PRAISE = ['Yes.', 'Right.', 'That is it.', 'Exactly.', 'Well done.'];

// The rules, and a picture of each position with what it shows.
function rulesWithPictures(game, lesson) {
	const picture = ({ position, words }) => {
		const board = makeBoard({ game, position, label: words, isPicture: true });
		board.show({ position });
		board.element.inert = true;
		return h('figure', board.element, h('figcaption.soft.small', words));
	};
	const details = h(
		'details.panel',
		h('summary', `Rules of ${game.name}, with pictures`),
		h(
			'ul.rules.soft',
			game.rules.map((rule) => h('li', rule)),
		),
	);
	details.addEventListener(
		'toggle',
		() => details.append(h('div.figures', lesson.map(picture))),
		{ once: true },
	);
	return details;
}

export async function lessonView(place, { game: id }, signal) {
	const game = gameOf(id);
	const facts = (await games()).get(id);
	const lesson = LESSONS[id];
	if (!facts || !lesson) throw new Error(`There is no lesson for ${game.name}.`);
	const level = facts.players.find((player) => player.kind === 'level');
	let at = 0;
	const counter = h('p.soft');
	const ask = h('p.choice.large');
	const next = h('button.primary', () => go(at + 1), 'Next');
	const back = h('button', () => go(at - 1), 'Back');
	const buttons = h('div.buttons');
	const tries = (promise) => promise.catch((error) => signal.aborted || complain(error));
	const task = makeTask({ game, signal, onright: () => (next.disabled = false) });

	const judge = (move, before, after) => {
		const isRight = lesson[at].is(before, after, after.move);
		return { isRight, words: isRight ? PRAISE[at] : 'Not quite. Try again.' };
	};

	const begin = () => {
		const name = myName();
		const seats = [
			{ kind: 'person', ...(name ? { name } : {}) },
			{ kind: 'player', player: level.id },
		];
		return beginGame({ game: id, start: facts.starts[0].name, seats, is_listed: false }, [
			'me',
			'',
		]);
	};

	function finish() {
		write(counter, 'The lesson is over.');
		write(ask, 'Now play a game against level 1.');
		task.say('');
		task.commit.hidden = true;
		show(
			buttons,
			h('button.primary', () => tries(begin()), 'Play level 1'),
			back,
			h('a.button', { href: `#/play/${id}` }, 'Other opponents'),
		);
	}

	function go(to) {
		at = to;
		if (at === lesson.length) return finish();
		write(counter, `${at + 1} of ${lesson.length}`);
		write(ask, lesson[at].words);
		next.disabled = true;
		back.disabled = at === 0;
		task.commit.hidden = !game.isSimultaneous;
		show(buttons, task.commit, next, back);
		return tries(task.ask({ position: lesson[at].position, judge }));
	}

	show(
		place,
		h(
			'div',
			{ class: `head ${game.css}` },
			h('div', h('h1', `${game.name}: first lesson`), h('p', game.tagline)),
		),
		h(
			'div',
			{ class: `table task ${game.css}` },
			task.element,
			h(
				'aside.stack',
				h('section.panel.stack', counter, ask, task.words, buttons),
				rulesWithPictures(game, lesson),
			),
		),
	);
	await go(0);
	return `Lesson: ${game.name}`;
}
