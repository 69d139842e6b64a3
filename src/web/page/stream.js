// Server-sent events that resume where they left off. Browsers reconnect after a lost connection,
// but give up when the server refuses (it is full or restarting); that case is retried here.
import { h } from './dom.js';

const RETRY_MS = 1000;
const BACKGROUND_MS = 20000;

// The message for a lost connection: put it on the page and pass it to `follow`.
export const makeLine = () =>
	h('p.line', { role: 'status', hidden: true }, 'Connection lost. Reconnecting…');

// handlers: one entry per kind of event, called with its data; line: shown while disconnected.
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

	// Browsers allow six connections per server for all tabs together, so a background tab closes
	// its connection after a while.
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
