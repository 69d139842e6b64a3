// Practising: a game of one's own against a bot of the league.
import { forgetGames, games } from './api.js';
import { complain } from './announce.js';
import { keep, kept } from './keep.js';
import { go } from './router.js';

// Opens the page that sets up a game, with this team's bot as the opponent.
export async function practise(game, team) {
	const player = `league/${team}`;
	forgetGames();
	try {
		const facts = (await games()).get(game);
		if (!facts?.players.some(({ id }) => id === player))
			throw new Error(`${team} cannot be practised against right now.`);
		const before = kept(`turf-setup-${game}`);
		keep(`turf-setup-${game}`, { clock: '', ...before, seats: [['me'], [player]] });
		go(`/play/${game}`);
	} catch (error) {
		complain(error);
	}
}
