// Server-sent events that resume where they left off. Browsers reconnect after a lost connection,
// but give up when the server refuses (it is full or restarting); that case is retried here.
import { openEvents } from './api.js';
import { h, write } from './dom.js';

const RETRY_MS = 1000;
const BACKGROUND_MS = 20000;
const POLL_MS = 5000;

const LOST = 'Connection lost. Reconnecting…';

// The message for a lost connection: put line.element on the page and pass the line to `follow`.
// wait(who, words) shows the words while `who` waits for the server; without words it does not.
export function makeLine() {
	const waiting = new Map();
	const element = h('p.line', { role: 'status', hidden: true });
	return {
		element,
		wait(who, words) {
			if (words) waiting.set(who, words);
			else waiting.delete(who);
			element.hidden = waiting.size === 0;
			const text = [...waiting.values()].find((each) => each !== LOST) ?? LOST;
			if (waiting.size) write(element, text);
		},
	};
}

// handlers: one entry per kind of event, called with its data; line: shown while disconnected;
// poll: called every few seconds instead, while the tab is in the background.
export function follow(path, handlers, signal, line, poll) {
	let source;
	const connected = (isSo) => line?.wait('events', isSo ? undefined : LOST);
	let last;
	let timer;

	function open() {
		source = openEvents(`${path}${last ? `?after=${encodeURIComponent(last)}` : ''}`);
		source.onopen = () => connected(true);
		source.onerror = () => {
			if (signal.aborted) return;
			connected(false);
			if (source.readyState === source.CLOSED) timer = setTimeout(open, RETRY_MS);
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
	function rest() {
		source.close();
		if (poll) timer = setInterval(poll, POLL_MS);
	}
	document.addEventListener(
		'visibilitychange',
		() => {
			clearTimeout(timer); // or the interval: they share their numbers
			if (document.hidden) timer = setTimeout(rest, BACKGROUND_MS);
			else if (source.readyState === source.CLOSED) open();
		},
		{ signal },
	);
	open();
	signal.addEventListener('abort', () => {
		clearTimeout(timer);
		source.close();
	});
	return {
		// The events up to this one are known from elsewhere.
		skipTo: (event) => (last = event),
	};
}
