// Making a sitting and going there. What was asked for is kept, for the next one.
import { post } from './api.js';
import { keep, kept, keepSeats } from './keep.js';
import { go } from './router.js';

const ASKED = 'turf-asked-';

// values: for each seat 'me', 'here', 'link', or anything for a player: which tokens stay in this browser, and which are for a link.
export async function beginSitting(body, values) {
	const { sitting, tokens } = await post('sittings', body);
	const of = (...wanted) => values.map((value, side) => (wanted.includes(value) ? tokens[side] : null));
	if (tokens.some(Boolean)) keepSeats(sitting.id, { tokens: of('me', 'here'), invite: of('link') });
	const { seed, start, delay_ms: pace, ...rest } = body;
	keep(ASKED + body.game, typeof start === 'string' ? { ...rest, start } : rest);
	go(`/sitting/${sitting.id}`);
}

// The same game again, against another player.
export function beginAgainst(game, mySide, name, player) {
	const seats = [0, 1].map((side) => (side !== mySide ? { kind: 'player', player } : name ? { kind: 'person', name } : { kind: 'person' }));
	return beginSitting({ ...kept(ASKED + game), game, seats }, seats.map((seat) => (seat.kind === 'person' ? 'me' : '')));
}
