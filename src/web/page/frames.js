// The positions of a recorded game, fetched in pages and cached.
import { get } from './api.js';

const PAGE_FRAMES = 100;

export function makeFrames(path, nFrames, signal, token) {
	const frames = new Array(nFrames);
	const asked = new Map();

	// The server sends fewer frames than requested if they are large.
	async function fetchFrom(from, end) {
		while (from < end) {
			const { frames: some } = await get(`${path}/frames?from=${from}&n=${end - from}`, {
				signal,
				token,
			});
			if (!some.length) throw new Error('The record of this game is incomplete.');
			some.forEach((frame, i) => (frames[from + i] = frame));
			from += some.length;
		}
	}

	function fetchPage(ply) {
		const from = Math.floor(ply / PAGE_FRAMES) * PAGE_FRAMES;
		if (from >= nFrames) return Promise.resolve();
		if (!asked.has(from))
			asked.set(
				from,
				fetchFrom(from, Math.min(nFrames, from + PAGE_FRAMES)).catch(
					(error) => (asked.delete(from), Promise.reject(error)),
				),
			);
		return asked.get(from);
	}

	return async (ply) => {
		if (!frames[ply]) await fetchPage(ply);
		fetchPage(ply + PAGE_FRAMES / 2).catch(() => {});
		return frames[ply];
	};
}
