// Addresses are fragments, such as #/history/ID/12. Browsers never send those, so a seat's token
// stays here.
// A view is async (place, parameters, signal): it fills `place`, returns a title, and stops what it
// started when `signal` is aborted.
import { h, show } from './dom.js';

export const go = (path) => (location.hash = path);

// Changes the address without leaving the view, for links to the current position.
export const readdress = (path) => history.replaceState(null, '', `#${path}`);

export const linkTo = (path) => `${location.href.replace(/[?#].*/, '')}#${path}`;

let carried;

// A position handed to another view ("play on from here"): too long for an address.
export function carry(game, position, path) {
	carried = { game, position };
	go(path);
}

export function takeCarried(game) {
	const position = carried?.game === game ? carried.position : undefined;
	carried = undefined;
	return position;
}

function match(pattern, parts) {
	const wanted = pattern.split('/');
	if (wanted.length !== parts.length) return undefined;
	const parameters = {};
	for (let i = 0; i < wanted.length; i++) {
		if (wanted[i].startsWith(':')) parameters[wanted[i].slice(1)] = parts[i];
		else if (wanted[i] !== parts[i]) return undefined;
	}
	return parameters;
}

const noSuchPage = () => Promise.reject(new Error('Page not found.'));

export function startRouter(place, routes) {
	let controller = new AbortController();

	async function open(isFirst) {
		controller.abort();
		controller = new AbortController();
		const { signal } = controller;
		const parts = location.hash
			.replace(/^#\/?/, '')
			.replace(/^sitting\//, 'game/') // links of turf 0.1
			.replace(/^owner=/, 'owner/')
			.split('/');
		for (const link of document.querySelectorAll('.top nav a')) {
			const section = link.hash.slice(2);
			if (section === (SECTIONS[parts[0]] ?? parts[0]))
				link.setAttribute('aria-current', 'page');
			else link.removeAttribute('aria-current');
		}
		const [pattern, view] = Object.entries(routes).find(([each]) => match(each, parts)) ?? [
			'',
			noSuchPage,
		];
		// A fresh element for each view: an old one still waiting for a response writes to a
		// detached one.
		const stage = h('div.view');
		try {
			const filled = view(stage, match(pattern, parts) ?? {}, signal);
			show(place, stage);
			const title = await filled;
			if (signal.aborted) return;
			// Only when it is visible.
			requestAnimationFrame(() => setTimeout(() => performance.mark('ready')));
			document.title = title ? `${title} · turf` : 'turf';
			if (!isFirst && !place.contains(document.activeElement))
				place.focus({ preventScroll: true });
		} catch (error) {
			if (signal.aborted) return;
			document.title = 'Something went wrong · turf';
			show(
				stage,
				h(
					'section.panel.stack',
					h('h1', 'Something went wrong'),
					h('p', error.message),
					h(
						'div.buttons',
						h('button.primary', () => open(false), 'Try again'),
						h('a.button', { href: '#/' }, 'Home'),
					),
				),
			);
		}
	}

	// The view being left may have changed the address again.
	addEventListener('hashchange', ({ newURL }) => {
		history.replaceState(null, '', newURL);
		open(false);
		scrollTo(0, 0);
	});
	open(true);
}

// The navigation section of paths whose name does not say.
const SECTIONS = {
	'': 'play',
	game: 'play',
	lesson: 'play',
	analyse: 'history',
	learn: 'history',
	import: 'history',
};
