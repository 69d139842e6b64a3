// Server-sent events that pick up where they left off. The browser reconnects by itself after a lost connection; when the server has
// refused (it is full, or just restarting) the browser gives up, so that is done here.

const RETRY_MS = 1000;

// handlers: an entry for each kind of event, called with its data; onstate(isConnected) when the line goes or comes back.
export function follow(path, handlers, signal, onstate) {
  let source;
  let last;
  let timer;

  function open() {
    const query = last ? `${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(last)}` : '';
    source = new EventSource(`/api/${path}${query}`);
    source.onopen = () => onstate?.(true);
    source.onerror = () => {
      if (signal.aborted) return;
      onstate?.(false);
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        handle(JSON.parse(event.data));
      });
    }
  }

  open();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source.close();
  });
}
