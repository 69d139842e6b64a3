// The back end of the page in one file: an engine in a worker answers what turf serve would, other
// workers think and play for it, and the browser's storage keeps its database and the bots.
//
// It has the interface of the back end in api.js: ask, events, file. The global `turf` is of the
// script that unpacked the page (pack.py).
import { complain } from '../../web/page/announce.js';
import { makeStorage } from './storage.js';
import { makeWorker, makeWorkers } from './workers.js';

const { turf } = globalThis;
const SAVED_LOCK = 'turf-database';

// Only one tab may save: two would overwrite each other's games. False: another one does.
function mayKeep() {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((done) => {
    navigator.locks.request(SAVED_LOCK, { ifAvailable: true }, (lock) => {
      done(Boolean(lock));
      return lock && new Promise(() => {}); // until the tab is closed
    });
  });
}

// Requests that are only about what they bring along: any worker can answer them.
const isThought = (method, path) => method === 'POST' && /^(choose|evaluate)$/.test(path);

export function makeBackend() {
  const storage = makeStorage();
  const streams = new Map();
  let bots = [];
  let hasComplained = false;

  function failed(error) {
    if (!hasComplained) complain(error);
    hasComplained = true;
  }

  async function start() {
    let workers;
    const house = makeWorker(turf.house, {
      job: async ({ job }) => {
        const answer = await workers.doJob(job);
        house.ask('jobDone', { job: job.job, answer });
      },
      events: ({ events, text: more }) => streams.get(events)?.take(more),
      ended: ({ ended }) => streams.get(ended)?.end(),
      save: ({ save }) => isKeeper && storage.write({ database: save }).catch(failed),
    });
    const loaded = turf.engine.then((compiled) => house.ask('load', { compiled }));
    const [compiled, isKeeper, kept] = await Promise.all([
      turf.engine,
      mayKeep(),
      storage.read().catch((error) => (failed(error), {})),
      loaded,
    ]);
    bots = kept.bots ?? [];
    workers = makeWorkers({ script: turf.script, compiled, bots: () => bots });
    const open = (database) =>
      house.ask('start', {
        compiled,
        database,
        bots,
        isHouse: true,
        nWorkers: workers.nPlayers,
      });
    try {
      await open(kept.database);
    } catch (error) {
      // The bytes stay in the storage under another name, and the page begins anew.
      await storage.write({ [`damaged ${Date.now()}`]: kept.database }).catch(() => {});
      failed(
        new Error(
          `The games kept in this browser cannot be read: ${error.message}. ` +
            'They were put aside, and an empty history was begun.',
        ),
      );
      await open();
    }
    if (!isKeeper)
      failed(
        new Error('turf is open in another tab, which keeps the games. Those here are not kept.'),
      );
    return { house, workers, isKeeper };
  }

  const started = start();
  started.catch((error) =>
    failed(
      new Error(`The engine could not be started: ${error.message}. Get the file again, whole.`),
    ),
  );

  async function ask(method, path, { body, token, signal } = {}) {
    const { house, workers } = await started;
    signal?.throwIfAborted();
    const worker = isThought(method, path) ? workers.thinker() : house;
    const { status, text: answer } = await worker.ask('ask', {
      method,
      path: `/api/${path}`,
      token: token ?? 'owner',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    signal?.throwIfAborted();
    return { ok: status < 300, status, data: JSON.parse(answer) };
  }

  // What EventSource is for the server.
  function events(path) {
    const listeners = new Map();
    let number;
    let rest = '';
    const source = {
      CLOSED: 2,
      readyState: 0,
      addEventListener: (kind, handle) => listeners.set(kind, handle),
      async close() {
        source.readyState = source.CLOSED;
        if (number === undefined) return;
        streams.delete(number);
        (await started).house.ask('hangUp', { number });
      },
      take(more) {
        rest += more;
        const blocks = rest.split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) dispatch(block);
      },
      end() {
        source.readyState = source.CLOSED;
        source.onerror?.();
      },
    };

    function dispatch(block) {
      const event = {};
      for (const line of block.split('\n')) {
        const at = line.indexOf(': ');
        event[line.slice(0, at)] = line.slice(at + 2);
      }
      if (source.readyState === source.CLOSED || !event.event) return;
      listeners.get(event.event)?.({ data: event.data, lastEventId: event.id });
    }

    started
      .then(({ house }) => house.ask('listen', { path: `/api/${path}` }))
      .then((given) => {
        if (given < 0 || source.readyState === source.CLOSED) return source.end();
        number = given;
        streams.set(number, source);
        source.readyState = 1;
        return source.onopen?.();
      })
      .catch(() => source.end());
    return source;
  }

  // A file that the server would send, as an address.
  async function file(path) {
    const { house } = await started;
    const {
      status,
      type,
      text: content,
    } = await house.ask('ask', {
      method: 'GET',
      path: `/api/${path}`,
      token: 'owner',
    });
    if (status >= 300) throw new Error(JSON.parse(content).message);
    return URL.createObjectURL(new Blob([content], { type }));
  }

  return {
    isHere: true,
    ask,
    events,
    file,
    bots: {
      all: async () => (await started, bots),
      // The bot that plays a live game loses it.
      stop: async (id) => (await started).workers.stop(id),
      async keep(changed) {
        const { house, workers, isKeeper } = await started;
        const before = bots;
        bots = changed;
        try {
          await house.ask('bots', { bots, isHouse: true });
        } catch (error) {
          bots = before;
          throw error;
        }
        workers.learn();
        if (isKeeper) await storage.write({ bots }).catch(failed);
      },
    },
  };
}
