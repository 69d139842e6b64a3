// A whole game in an address, for the page in one file: the start, the moves and the players. Who
// opens it gets the game into the history: the engine plays its moves again, and checks them.
import { post } from './api.js';
import { h, show } from './dom.js';
import { linkTo } from './router.js';

const MAX_LETTERS = 40;

async function through(bytes, stream) {
	return new Uint8Array(
		await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer(),
	);
}

// The address of a record of /api/history.
export async function gameLink({ game, start, moves, players, winner }) {
	const plain = { start, moves: moves.map(({ side, move }) => [side, move]), players, winner };
	const bytes = new TextEncoder().encode(JSON.stringify(plain));
	const packed = await through(bytes, new CompressionStream('deflate-raw'));
	const text = btoa(String.fromCharCode(...packed));
	return linkTo(`/link/${game}/${text.replaceAll('+', '-').replaceAll('/', '_')}`);
}

async function read(text) {
	try {
		const packed = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
		const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
		const plain = await through(bytes, new DecompressionStream('deflate-raw'));
		const { start, moves, players, winner } = JSON.parse(new TextDecoder().decode(plain));
		return { start, moves: [...moves], players: [...players], winner };
	} catch {
		throw new Error('This link is damaged or cut short. Copy it again, whole.');
	}
}

// Plays the moves; returns the address of the game.
async function replay(game, { start, moves, players, winner }) {
	const seats = players.map((name) => ({
		kind: 'person',
		name: [...String(name ?? '')].slice(0, MAX_LETTERS).join(''),
	}));
	const made = await post('live-games', { game, start, seats, is_listed: false });
	const { id } = made.live_game;
	let over;
	for (const [n, [side, move]] of moves.entries())
		({ over } = await post(
			`live-games/${id}/moves`,
			{ move, n_moves: n },
			{ token: made.tokens[side] },
		));
	// It did not end by the rules.
	if (!over && (winner === 0 || winner === 1)) {
		await post(`live-games/${id}/resign`, {}, { token: made.tokens[1 - winner] });
		over = true;
	}
	return over ? `/history/s-${id}` : `/game/${id}`;
}

export async function linkView(place, { game, text }, signal) {
	show(place, h('p.panel', 'Reading the game…'));
	const path = await replay(game, await read(text));
	// In place of the link: the way back does not read it again.
	if (!signal.aborted) location.replace(`#${path}`);
	return '';
}
