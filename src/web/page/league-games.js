// Games of the league as lines of a list; each leads to its replay.
import { h } from './dom.js';
import { isFault } from './games.js';
import { rounded } from './figures.js';

const SPANS = [
	[60, 'second'],
	[60, 'minute'],
	[24, 'hour'],
	[Infinity, 'day'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

export function ago(moment) {
	let n = (Date.parse(moment) - Date.now()) / 1000;
	for (const [most, unit] of SPANS) {
		if (Math.abs(n) < most) return relative.format(Math.round(n), unit);
		n /= most;
	}
	return '';
}

// By how much the winner was rated lower.
function upsetOf({ winner, ratings }) {
	if (winner === null || ratings?.some((each) => typeof each !== 'number')) return 0;
	return ratings[1 - winner] - ratings[winner];
}

export const forfeiterOf = ({ winner, teams }) => (winner === null ? '' : teams[1 - winner]);

// What is special about a game, in a few words.
export function remarkOf(game) {
	if (isFault(game.reason)) return `${forfeiterOf(game)} forfeits: ${game.reason}`;
	const upset = upsetOf(game);
	if (upset >= 50) return `upset by ${rounded(upset)}`;
	return game.winner === null ? game.outcome : '';
}

export const sideName = (game, { teams, winner }, side) =>
	h(
		'span',
		{ class: `name side${side + 1} ${winner === side ? 'winner' : ''}` },
		`${game.sides[side].glyph} ${teams[side]}`,
	);

export function gameLine(game, record) {
	const remark = remarkOf(record);
	return h(
		'li',
		h(
			'a',
			{ class: `league-game ${game.css}`, href: `#/history/${record.id}` },
			h('span.pair', sideName(game, record, 0), ' ', sideName(game, record, 1)),
			h('span.number', record.scores?.join(' – ') ?? ''),
			h('span.soft.small', ago(record.finished_at)),
			remark &&
				h('span.small.remark', { class: isFault(record.reason) ? 'alarm' : '' }, remark),
		),
	);
}
