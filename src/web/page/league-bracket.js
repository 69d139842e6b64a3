// The bracket of a knock-out final, a column for each round. The big screen shows in it only what
// it has shown of the games.
import { h, show } from './dom.js';

// Points as people write them: 2½.
export const pointsText = (n) => {
	const whole = Math.floor(n);
	if (n === whole) return String(n);
	return `${whole || ''}½`;
};

const isOf = (name, game, side) =>
	name === game.teams[side] || name === `${game.teams[side]} v${game.versions?.[side]}`;

// Is this a game of these two?
export const meets = (names, game) =>
	(isOf(names[0], game, 0) && isOf(names[1], game, 1)) ||
	(isOf(names[0], game, 1) && isOf(names[1], game, 0));

// Points of each of two in these games.
export function pointsOf(names, games) {
	const points = [0, 0];
	for (const game of games.filter((each) => meets(names, each))) {
		const first = isOf(names[0], game, 0) ? 0 : 1;
		if (game.winner === null) points.forEach((_, i) => (points[i] += 0.5));
		else points[game.winner === 0 ? first : 1 - first] += 1;
	}
	return points;
}

// The bracket as the server tells it.
export const openBracket = ({ rounds }) =>
	rounds.map(({ name, pairs }) => ({
		name,
		pairs: pairs.map((pair) => ({
			...pair,
			isBegun: pair.winner !== null || pair.points.some((n) => n > 0),
		})),
	}));

// The bracket as far as `seen` of all these games tell: a winner is known, and in the next round,
// when every game of the pair has been seen.
export function seenBracket({ rounds }, games, seen) {
	const told = [];
	rounds.forEach(({ name, pairs }, r) => {
		const before = told[r - 1]?.pairs;
		told.push({
			name,
			pairs: pairs.map((pair, i) => {
				const names = before
					? [before[2 * i]?.winner ?? null, before[2 * i + 1]?.winner ?? null]
					: pair.names;
				const isBye = names[1] === false;
				const theirs = games.filter((game) => meets(pair.names, game));
				const known = theirs.filter((game) => seen.has(game.id));
				const isTold = known.length > 0 && known.length === theirs.length;
				return {
					names,
					points: pointsOf(pair.names, known),
					isBegun: known.length > 0,
					winner: isTold || isBye ? pair.winner : null,
				};
			}),
		});
	});
	return told;
}

// isNow(pair): whether it is the pair to be seen.
export function makeBracket({ isNow = () => false, nRounds = Infinity } = {}) {
	const element = h('div.bracket', { role: 'group', 'aria-label': 'Bracket', tabindex: 0 });
	const nameWords = (name) => {
		if (name === false) return 'bye';
		return name ?? '…';
	};
	const line = (pair, side) =>
		h(
			'div',
			{
				class:
					pair.winner === null || pair.names[side] === null
						? 'entry'
						: `entry ${pair.winner === pair.names[side] ? 'won' : 'out'}`,
			},
			h('span', nameWords(pair.names[side])),
			h('span.number', pair.isBegun ? pointsText(pair.points[side]) : ''),
		);
	return {
		element,
		update(rounds) {
			const now = rounds.findIndex(({ pairs }) => pairs.some(isNow));
			const last = Math.max(0, rounds.length - nRounds);
			const shown = rounds.slice(now < 0 ? last : Math.min(now, last)).slice(0, nRounds);
			element.style.setProperty('--lines', 2 * Math.max(...shown.map((r) => r.pairs.length)));
			show(
				element,
				shown.map(({ name, pairs }) =>
					h(
						'div.round-of',
						h('p.round-name', name),
						h(
							'div.pairs',
							pairs.map((pair) =>
								h(
									'div',
									{ class: `match ${isNow(pair) ? 'now' : ''}` },
									line(pair, 0),
									line(pair, 1),
								),
							),
						),
					),
				),
			);
		},
	};
}
