// A team's rating, round by round: a curve for each version, its interval as a band around it.
import { h, s, show } from './dom.js';
import { rounded } from './figures.js';

const HEIGHT = 260;
const EDGES = { left: 52, right: 14, top: 22, bottom: 30 };
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const MAX_DOTS = 40;

const path = (points) =>
	points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

function ticksOf(from, to, most) {
	const step = STEPS.find((each) => (to - from) / each <= most) ?? to - from;
	const ticks = [];
	for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
	return ticks;
}

// Consecutive rounds with the same version.
function runsOf(history) {
	const runs = [];
	for (const each of history) {
		if (runs.at(-1)?.[0].version === each.version) runs.at(-1).push(each);
		else runs.push([each]);
	}
	return runs;
}

function draw(history, width) {
	const inner = {
		width: width - EDGES.left - EDGES.right,
		height: HEIGHT - EDGES.top - EDGES.bottom,
	};
	const values = history.flatMap(({ rating, low, high }) => [
		rating,
		low ?? rating,
		high ?? rating,
	]);
	// A wide interval of the first games must not flatten the rest.
	const ratings = history.map(({ rating }) => rating);
	const room = Math.max(120, 1.2 * (Math.max(...ratings) - Math.min(...ratings)));
	const from = Math.max(Math.min(...values), Math.min(...ratings) - room);
	const to = Math.min(Math.max(...values), Math.max(...ratings) + room);
	const [start, end] = [history[0].round, history.at(-1).round];
	const x = (round) =>
		EDGES.left + (end > start ? (round - start) / (end - start) : 0.5) * inner.width;
	const y = (value) =>
		EDGES.top +
		(1 - (Math.min(to, Math.max(from, value)) - from) / (to - from || 1)) * inner.height;
	const runs = runsOf(history);
	const wholeRounds = ticksOf(start, end, Math.max(2, inner.width / 46)).filter(Number.isInteger);
	return s(
		'svg',
		{ viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, 'aria-hidden': 'true' },
		ticksOf(from, to, 5).map((value) => [
			s('path.grid-line', { d: `M${EDGES.left} ${y(value)}H${width - EDGES.right}` }),
			s(
				'text.tick',
				{ x: EDGES.left - 8, y: y(value) + 4, 'text-anchor': 'end' },
				rounded(value),
			),
		]),
		(wholeRounds.length ? wholeRounds : [start]).map((round) =>
			s('text.tick', { x: x(round), y: HEIGHT - 8, 'text-anchor': 'middle' }, String(round)),
		),
		runs.map((run, i) => [
			s('path', {
				class: `band ${i === runs.length - 1 ? 'last' : ''}`,
				d: `${path(run.map((each) => [x(each.round), y(each.high ?? to)]))}${path(
					run.map((each) => [x(each.round), y(each.low ?? from)]).reverse(),
				).replace('M', 'L')}Z`,
			}),
			s('path.curve', { d: path(run.map((each) => [x(each.round), y(each.rating)])) }),
			history.length <= MAX_DOTS &&
				run.map((each) => s('circle.dot', { cx: x(each.round), cy: y(each.rating), r: 3 })),
			runs.length > 1 && [
				i > 0 &&
					s('path.switch', {
						d: `M${x(run[0].round)} ${EDGES.top - 6}V${HEIGHT - EDGES.bottom}`,
					}),
				s('text.mark', { x: x(run[0].round) + 4, y: EDGES.top - 8 }, `v${run[0].version}`),
			],
		]),
	);
}

// history: [{round, version, rating, low, high}, ...]; rounds without a rating are left out.
export function makeRatingChart(signal) {
	const element = h('div.rating-chart', { role: 'img' });
	let history = [];
	const paint = () => {
		const width = Math.floor(element.clientWidth);
		if (history.length && width > EDGES.left + EDGES.right + 40)
			show(element, draw(history, width));
	};
	const watcher = new ResizeObserver(paint);
	watcher.observe(element);
	signal.addEventListener('abort', () => watcher.disconnect());
	return {
		element,
		update(all) {
			history = all.filter(({ rating }) => rating !== null);
			element.hidden = !history.length;
			if (!history.length) return;
			const last = history.at(-1);
			element.setAttribute(
				'aria-label',
				`Rating by round: ${rounded(history[0].rating)} in round ${history[0].round}, ` +
					`${rounded(last.rating)} in round ${last.round}.`,
			);
			paint();
		},
	};
}
