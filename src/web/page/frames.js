// The positions of a recorded game, fetched in pages and cached.
import { get } from './api.js';

const STRETCH = 100;

export function makeFrames(path, nFrames, signal) {
	const frames = new Array(nFrames);
	const asked = new Map();

	// The server sends fewer frames than requested if they are large.
	async function fetchFrom(from, end) {
		while (from < end) {
			const { frames: some } = await get(`${path}/frames?from=${from}&n=${end - from}`, {
				signal,
			});
			if (!some.length) throw new Error('The record of this game is incomplete.');
			some.forEach((frame, i) => (frames[from + i] = frame));
			from += some.length;
		}
	}

	function stretch(ply) {
		const from = Math.floor(ply / STRETCH) * STRETCH;
		if (from >= nFrames) return Promise.resolve();
		if (!asked.has(from))
			asked.set(
				from,
				fetchFrom(from, Math.min(nFrames, from + STRETCH)).catch(
					(error) => (asked.delete(from), Promise.reject(error)),
				),
			);
		return asked.get(from);
	}

	return async (ply) => {
		if (!frames[ply]) await stretch(ply);
		stretch(ply + STRETCH / 2).catch(() => {});
		return frames[ply];
	};
}
