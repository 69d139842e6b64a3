// The league as this browser may see it: as a visitor, as the owner of the server, or as a team,
// whose token came with its link. A browser may be both of the latter.
import { get } from './api.js';
import { keep, kept, owner } from './keep.js';
import { follow } from './stream.js';

const TEAM = 'turf.team';
const POLL_MS = 2000;

export const teamToken = () => kept(TEAM);
export const keepTeamToken = (token) => keep(TEAM, token);

export const pathOf = (team, more = '') => `league/teams/${encodeURIComponent(team)}${more}`;
export const linkOf = (team) => `#/league/team/${encodeURIComponent(team)}`;

// A token of another server, or of a league that was begun anew, makes nobody of us.
const askAs = (token, signal) =>
	get('league', { token, signal }).catch((error) => {
		if (!token || ![401, 403].includes(error.status)) throw error;
		return undefined;
	});

// {league, isOwner, team, tokenFor(team)}: tokenFor gives the token for requests about a team.
export async function openLeague(signal) {
	const tokens = [owner(), teamToken()];
	const answers = await Promise.all(
		tokens.map((token) => (token ? askAs(token, signal) : undefined)),
	);
	const isOwner = answers[0]?.you.role === 'owner';
	const team = answers[1]?.you.team ?? null;
	const league =
		(isOwner && answers[0]) || (team && answers[1]) || (await askAs(undefined, signal));
	const token = (isOwner && tokens[0]) || (team && tokens[1]) || undefined;
	return {
		league,
		isOwner,
		team,
		token,
		tokenFor: (name) => (name === team ? tokens[1] : isOwner ? tokens[0] : undefined),
	};
}

// Calls update(league) whenever it has changed. Streams carry no token, so those who may see more
// than visitors ask again and again.
export function followLeague({ league, token }, update, signal, line) {
	const ask = () =>
		get('league', { token, signal }).then(
			(now) => (line?.wait('events'), update(now)),
			(error) => signal.aborted || line?.wait('events', error.message),
		);
	if (!token || league.audience === 'games')
		return follow('league/events', { league: update }, signal, line, ask);
	const timer = setInterval(ask, POLL_MS);
	return signal.addEventListener('abort', () => clearInterval(timer));
}
