// Requests to the server. Every failure becomes an Error with a readable message.

import { owner } from './keep.js';

function failure(status, message = 'The server reported an error.') {
	return Object.assign(new Error(message.charAt(0).toUpperCase() + message.slice(1)), { status });
}

async function ask(method, path, { body, token, signal } = {}) {
	const headers = {};
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	if (token) headers.Authorization = `Bearer ${token}`;
	let answer;
	try {
		answer = await fetch(`/api/${path}`, {
			method,
			headers,
			signal,
			body: body === undefined ? undefined : JSON.stringify(body),
		});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw failure(0, 'Cannot reach the server. Is turf serve still running?');
	}
	const data = await answer.json().catch(() => ({}));
	if (!answer.ok) throw failure(answer.status, data.message);
	return data;
}

export const get = (path, options) => ask('GET', path, options);
export const post = (path, body, options) => ask('POST', path, { ...options, body });
export const put = (path, body, options) => ask('PUT', path, { ...options, body });

// Requests in the owner's name, if this browser has the owner's token.
export const getAsOwner = (path, options) => get(path, { ...options, token: owner() });
export const postAsOwner = (path, body) => post(path, body, { token: owner() });

let catalogue;
// The games with their starts and players, fetched once.
export function games() {
	catalogue ??= get('games').then(
		({ games: all }) => new Map(all.map((game) => [game.name, game])),
	);
	catalogue.catch(() => (catalogue = undefined));
	return catalogue;
}
