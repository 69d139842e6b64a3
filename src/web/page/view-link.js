// A whole game in an address, for the page in one file. Who opens it gets the game into the
// history: the engine plays its moves again, and checks them.
import { get, post } from './api.js';
import { h, show } from './dom.js';
import { linkTo } from './router.js';

async function through(bytes, stream) {
	return new Uint8Array(
		await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer(),
	);
}

// The address of a game of the history.
export async function gameLink(id) {
	const { game, ...line } = await get(`history/${id}/export`);
	const bytes = new TextEncoder().encode(JSON.stringify({ ...line, times: undefined }));
	const packed = await through(bytes, new CompressionStream('deflate-raw'));
	const text = btoa(String.fromCharCode(...packed));
	return linkTo(`/link/${game}/${text.replaceAll('+', '-').replaceAll('/', '_')}`);
}

async function read(text) {
	try {
		const packed = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
		const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
		const plain = await through(bytes, new DecompressionStream('deflate-raw'));
		return JSON.parse(new TextDecoder().decode(plain));
	} catch {
		throw new Error('This link is damaged or cut short. Copy it again, whole.');
	}
}

export async function linkView(place, { game, text }, signal) {
	show(place, h('p.panel', 'Reading the game…'));
	const { id } = await post('history', { ...(await read(text)), game });
	// In place of the link: the way back does not read it again.
	if (!signal.aborted) location.replace(`#/history/${id}`);
	return '';
}
