// Creates a live game and opens it.
import { post } from './api.js';
import { keepSeats, seatsOf } from './keep.js';
import { go } from './router.js';

// A start up to this length is a name or about as short as one.
const MAX_NAME_LENGTH = 100;

// values: for each seat 'me', 'here', 'link', or any other value for a player. Decides which tokens
// stay in this browser and which go into a link.
export async function beginGame(body, values) {
	const { live_game: live, tokens } = await post('live-games', body);
	const of = (...wanted) =>
		values.map((value, side) => (wanted.includes(value) ? tokens[side] : null));
	const { start, config } = body;
	if (tokens.some(Boolean))
		keepSeats(live.id, {
			tokens: of('me', 'here'),
			invite: of('link'),
			named: start.length < MAX_NAME_LENGTH ? { start, config } : undefined,
		});
	go(`/game/${live.id}`);
}

// The same game against another player. As in a rematch, a random start is drawn again.
export function beginAgainst(
	{ id, game, start, clock, is_listed, seats: [...seats] },
	mySide,
	player,
) {
	const { name } = seats[mySide];
	seats[mySide] = name ? { kind: 'person', name } : { kind: 'person' };
	seats[1 - mySide] = { kind: 'player', player };
	return beginGame(
		{
			game,
			is_listed,
			clock: clock && { initial_ms: clock.initial_ms, gain_ms: clock.gain_ms },
			...(seatsOf(id).named ?? { start }),
			seats,
		},
		seats.map((seat) => (seat.kind === 'person' ? 'me' : '')),
	);
}
