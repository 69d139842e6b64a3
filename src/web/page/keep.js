// What this browser keeps: the seats it holds, the name of its person. Where storage is refused, it is kept until the page is left.

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
		// Kept in memory alone.
	}
}

const SEATS = 'turf-seats';
const MOST_SITTINGS = 60;

// {tokens: [t0, t1], invite: [t0, t1]}: the sides played from here, and those whose link is still to be given away. Only newer ones push a
// seat out: a server that does not know the game may be another one, at the same address for a while.
export const seatsOf = (live) =>
	kept(SEATS)?.[live] ?? { tokens: [null, null], invite: [null, null] };

export function keepSeats(live, seats) {
	const entries = Object.entries({ ...kept(SEATS), [live]: seats });
	keep(SEATS, Object.fromEntries(entries.slice(-MOST_SITTINGS)));
}

export const gamesHere = () => Object.keys(kept(SEATS) ?? {});

export const myName = () => kept('turf-name') ?? '';
export const keepName = (name) => keep('turf-name', name);
