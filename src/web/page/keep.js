// Local storage: this browser's seats, its person's name, and the owner's token. Where storage is
// denied, they last until the page is left.

const memory = new Map();

export function kept(key) {
	try {
		return JSON.parse(localStorage.getItem(key)) ?? memory.get(key);
	} catch {
		return memory.get(key);
	}
}

export function keep(key, value) {
	memory.set(key, value);
	try {
		localStorage.setItem(key, JSON.stringify(value));
	} catch {
		// In memory only.
	}
}

const SEATS = 'turf-seats';
const MAX_GAMES = 60;

// {tokens: [t0, t1], invite: [t0, t1]}: the sides played here, and those whose link is still to be
// sent. A seat is dropped only for newer ones, never because a server does not know the game:
// another server may run at this address for a while.
export const seatsOf = (live) =>
	kept(SEATS)?.[live] ?? { tokens: [null, null], invite: [null, null] };

export function keepSeats(live, seats) {
	const entries = Object.entries({ ...kept(SEATS), [live]: seats });
	keep(SEATS, Object.fromEntries(entries.slice(-MAX_GAMES)));
}

export const gamesHere = () => Object.keys(kept(SEATS) ?? {});

export const myName = () => kept('turf-name') ?? '';
export const keepName = (name) => keep('turf-name', name);

// The owner's token, sent only with requests that need it.
export const owner = () => kept('turf-owner');
export const keepOwner = (token) => keep('turf-owner', token);
