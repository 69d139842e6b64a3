// Everything the page asks, of one of two back ends: turf serve over HTTP, or in the page in one
// file an engine in a worker (src/wasm/page/backend.js). Every failure becomes an Error with a
// readable message.
import { pause } from './dom.js';
import { owner } from './keep.js';

const RETRY_MS = 500;
const MAX_RETRY_MS = 4000;

// A back end has
//   ask(method, path, {body, token, signal}): {ok, status, data}; a body is JSON, or a file
//   events(path): what EventSource is
//   file(path): the address of a file, for links and frames
const http = {
	async ask(method, path, { body, token, signal }) {
		const headers = {};
		const isFile = body instanceof Blob;
		if (body !== undefined)
			headers['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
		if (token) headers.Authorization = `Bearer ${token}`;
		let answer;
		try {
			answer = await fetch(`/api/${path}`, {
				method,
				headers,
				signal,
				body: body === undefined || isFile ? body : JSON.stringify(body),
			});
		} catch (error) {
			if (error.name === 'AbortError') throw error;
			throw failure(0, 'Cannot reach the server. Is turf serve still running?');
		}
		const { ok, status } = answer;
		return { ok, status, data: await answer.json().catch(() => ({})) };
	},
	events: (path) => new EventSource(`/api/${path}`),
	file: async (path) => `/api/${path}`,
};

let backend = http;
export const useBackend = (other) => (backend = other);
// Is everything in this page, without a server?
export const isInOneFile = () => backend !== http;
// The bots that were put into this page; undefined at a server.
export const botsHere = () => backend.bots;

export const openEvents = (path) => backend.events(path);
export const fileAddress = (path) => backend.file(path);

function failure(status, message = 'The server reported an error.') {
	return Object.assign(new Error(message.charAt(0).toUpperCase() + message.slice(1)), { status });
}

async function ask(method, path, options = {}) {
	const { ok, status, data } = await backend.ask(method, path, options);
	if (!ok) throw failure(status, data.message);
	return data;
}

export const get = (path, options) => ask('GET', path, options);
export const post = (path, body, options) => ask('POST', path, { ...options, body });
export const put = (path, body, options) => ask('PUT', path, { ...options, body });

// Requests in the owner's name, if this browser has the owner's token.
export const getAsOwner = (path, options) => get(path, { ...options, token: owner() });
export const postAsOwner = (path, body) => post(path, body, { token: owner() });

// No connection, or a server that is full, restarting or in trouble: the next attempt may succeed.
const mayPass = ({ status }) => status === 0 || status === 429 || status >= 500;

// Repeats a request until it is answered or refused, or isPast(). onwait(true, error) when it has
// to wait, onwait(false) when that is over.
export async function persist(request, { isPast = () => false, onwait = () => {} } = {}) {
	for (let ms = RETRY_MS; ; ms = Math.min(MAX_RETRY_MS, 2 * ms)) {
		try {
			const answer = await request();
			onwait(false);
			return answer;
		} catch (error) {
			if (!mayPass(error) || isPast()) {
				onwait(false);
				throw error;
			}
			onwait(true, error);
			const online = new Promise((done) => addEventListener('online', done, { once: true }));
			await Promise.race([pause(ms), online]);
		}
	}
}

let catalogue;
// The games with their starts and players, fetched once.
export function games() {
	catalogue ??= get('games').then(
		({ games: all }) => new Map(all.map((game) => [game.name, game])),
	);
	catalogue.catch(() => (catalogue = undefined));
	return catalogue;
}

// Somebody may have come or gone: fetch them again.
export const forgetGames = () => (catalogue = undefined);

// Changes the bots of this page, which are players from then on.
export async function keepBots(bots) {
	await backend.bots.keep(bots);
	forgetGames();
}
