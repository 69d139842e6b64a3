// The report of a tournament: the charts that turf report writes, in a frame of its own.
import { fileAddress, get } from './api.js';
import { h, show } from './dom.js';
import { gameOf } from './games.js';

export async function reportView(place, { id }, signal) {
	const { game, players } = await get(`tournaments/${id}`, { signal });
	const title = `Report of tournament ${id}`;
	// The report has no scripts, and may run none. As high as what it shows, so that there is one
	// scroll bar.
	const frame = h('iframe.report', {
		title,
		sandbox: 'allow-same-origin',
		src: await fileAddress(`tournaments/${id}/export?format=html&inline=1`),
	});
	const fit = () => {
		const inside = frame.contentDocument?.documentElement;
		if (inside) frame.style.height = `${inside.getBoundingClientRect().height + 8}px`;
	};
	frame.addEventListener('load', () => {
		if (!frame.contentDocument) return frame.classList.add('tall'); // of no origin
		fit();
		const observer = new ResizeObserver(fit);
		observer.observe(frame.contentDocument.documentElement);
		signal.addEventListener('abort', () => observer.disconnect());
	});
	show(
		place,
		h(
			'div.head',
			h('div', h('h1', title), h('p', `${gameOf(game).name}, ${players.length} players`)),
			h('a.button', { href: `#/tournaments/${id}` }, 'Back to the tournament'),
		),
		frame,
	);
	return title;
}
