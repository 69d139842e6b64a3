// Server-sent events that pick up where they left off. The browser reconnects by itself after a lost connection; when the server has
// refused (it is full, or just restarting) the browser gives up, so that is done here.
import { h } from './dom.js';

const RETRY_MS = 1000;
const BACKGROUND_MS = 20000;

// The words for a lost connection, to be put on the page and given to `follow`.
export const makeLine = () =>
	h('p.line', { role: 'status', hidden: true }, 'The connection is lost. Trying again …');

// handlers: an entry for each kind of event, called with its data; line: shown while there is no connection.
export function follow(path, handlers, signal, line) {
	let source;
	const connected = (isSo) => line && (line.hidden = isSo);
	let last;
	let timer;

	function open() {
		source = new EventSource(`/api/${path}${last ? `?after=${encodeURIComponent(last)}` : ''}`);
		source.onopen = () => connected(true);
		source.onerror = () => {
			if (signal.aborted) return;
			connected(false);
			if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
		};
		for (const [kind, handle] of Object.entries(handlers)) {
			source.addEventListener(kind, (event) => {
				if (event.lastEventId) last = event.lastEventId;
				handle(JSON.parse(event.data));
			});
		}
	}

	// Browsers allow a server six lines for all tabs together, so a tab in the background lets its line go after a while.
	document.addEventListener(
		'visibilitychange',
		() => {
			clearTimeout(timer);
			if (document.hidden) timer = setTimeout(() => source.close(), BACKGROUND_MS);
			else if (source.readyState === EventSource.CLOSED) open();
		},
		{ signal },
	);
	open();
	signal.addEventListener('abort', () => {
		clearTimeout(timer);
		source.close();
	});
}
