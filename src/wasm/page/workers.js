// The workers beside the house: one that thinks for players, one for each bot in a live game, and
// some that play the games of tournaments. A bot that does not answer in time loses: its worker is
// ended, and the job is done again by a worker that is told so.
const MAX_PLAYERS = 4;
const GRACE_MS = 300; // beyond a bot's time, for the way to it and back

// A worker for an engine. handlers: what it sends on its own account.
export function makeWorker(worker, handlers = {}) {
  const waiting = new Map();
  let n = 0;
  worker.onmessage = ({ data }) => {
    if (data.n === undefined) {
      const kind = Object.keys(data).find((key) => handlers[key]);
      if (kind) handlers[kind](data);
      return;
    }
    const { done, failed } = waiting.get(data.n);
    waiting.delete(data.n);
    if (data.error === undefined) done(data.result);
    else failed(new Error(data.error));
  };
  worker.onerror = (event) => {
    for (const { failed } of waiting.values()) failed(new Error(event.message));
    waiting.clear();
  };
  return {
    ask: (task, words) =>
      new Promise((done, failed) => {
        waiting.set(++n, { done, failed });
        worker.postMessage({ n, task, isHouse: Boolean(handlers.job), ...words });
      }),
    end() {
      worker.terminate();
      for (const { failed } of waiting.values()) failed(new Error('ended'));
      waiting.clear();
    },
  };
}

export function makeWorkers({ script, compiled, bots }) {
  // One that does jobs, one at a time, and is made anew when a bot hangs.
  function makeHand() {
    let worker;
    let timer;
    let hung;
    let last = Promise.resolve();

    function engage() {
      if (worker) return worker;
      worker = makeWorker(new Worker(script), {
        asking({ asking, leftMs }) {
          const ms = (leftMs || 10000) + GRACE_MS;
          timer = setTimeout(() => {
            hung = asking;
            fire();
          }, ms);
        },
        answered: () => clearTimeout(timer),
      });
      worker.ask('start', { compiled, bots: bots() }).catch(() => {});
      return worker;
    }

    function fire() {
      clearTimeout(timer);
      worker?.end();
      worker = undefined;
    }

    async function doNow(job) {
      for (;;) {
        const knownToHang = hung;
        hung = undefined;
        try {
          return await engage().ask('doJob', { job, hung: knownToHang });
        } catch (error) {
          if (!hung) return JSON.stringify({ error: error.message });
        }
      }
    }
    return {
      do(job) {
        const mine = last.then(() => doNow(job));
        last = mine;
        return mine;
      },
      ask: (task, words) => engage().ask(task, words),
      learn: () => worker?.ask('bots', { bots: bots() }),
      fire,
    };
  }

  const nPlayers = Math.max(1, Math.min(MAX_PLAYERS, (navigator.hardwareConcurrency ?? 2) - 1));
  const thinker = makeHand(); // of levels and strategies in live games
  const adviser = makeHand(); // of hints and of the test grid
  const players = Array.from({ length: nPlayers }, makeHand);
  const seats = new Map(); // of bots in live games, by key
  const busy = new Map(players.map((player) => [player, 0]));

  async function play(job) {
    const player = players.reduce((a, b) => (busy.get(b) < busy.get(a) ? b : a));
    busy.set(player, busy.get(player) + 1);
    try {
      return await player.do(job);
    } finally {
      busy.set(player, busy.get(player) - 1);
    }
  }

  const stopped = new Set(); // keys of bots that a person stopped

  async function think(job) {
    if (!job.script) return thinker.do(job);
    if (!seats.has(job.key)) seats.set(job.key, makeHand());
    const answer = !stopped.has(job.key) && (await seats.get(job.key).do(job));
    if (!stopped.has(job.key)) return answer;
    return JSON.stringify({ forfeit: 'timeout', text: 'it was stopped' });
  }

  // The keys of a live game's seats are its id and the side (choices.c).
  function stop(id) {
    for (const key of [`${id}-0`, `${id}-1`]) {
      stopped.add(key);
      seats.get(key)?.fire();
    }
  }

  function leave(job) {
    if (!job.script) return thinker.do(job);
    seats.get(job.key)?.fire();
    seats.delete(job.key);
    stopped.delete(job.key);
    return '{}';
  }

  const KINDS = { think, leave, play };
  return {
    nPlayers,
    doJob: (job) => KINDS[job.kind](job),
    thinker: () => adviser,
    stop,
    learn() {
      for (const hand of [thinker, adviser, ...players, ...seats.values()]) hand.learn();
    },
  };
}
