// What the big screen shows, and in which order: the games of the final from the first round to the
// last; while there is no final, the latest games, the oldest of them first. A game that was shown
// comes again only when there is nothing new.
import { keep, kept } from './keep.js';
import { meets } from './league-bracket.js';

const KEY = 'turf-screen';

// The games of a final as a spectator wants them: round by round, pair by pair.
export function inOrder(games, bracket) {
	const pairs = (bracket?.rounds ?? []).flatMap((round) => round.pairs);
	const at = (game) => pairs.findIndex(({ names }) => meets(names, game));
	return games
		.map((game, i) => [at(game), i, game])
		.sort((one, other) => one[0] - other[0] || one[1] - other[1])
		.map(([, , game]) => game);
}

export function makeShow() {
	let seen = new Set();
	let games = []; // in the order in which they are to be shown
	let run = null; // of the final

	const remember = () => run !== null && keep(KEY, { run, seen: [...seen] });

	return {
		seen: () => seen,
		games: () => games,
		// games: of the final, or the latest ones, the oldest first. A screen that was opened again
		// goes on with the final where it was.
		take(all, finalRun = null) {
			if (finalRun !== run) {
				const before = kept(KEY);
				run = finalRun;
				seen = new Set(run !== null && before?.run === run ? before.seen : []);
			}
			games = all;
		},
		// The game to be shown after `current`; undefined if a final has no more.
		next(current) {
			const fresh = games.find(({ id }) => !seen.has(id) && id !== current?.id);
			if (fresh || run !== null || !games.length) return fresh;
			const i = games.findIndex(({ id }) => id === current?.id);
			return games[(i + 1) % games.length];
		},
		see(game) {
			seen.add(game.id);
			remember();
		},
		unsee(game) {
			seen.delete(game.id);
			remember();
		},
		restart() {
			seen.clear();
			remember();
		},
	};
}
