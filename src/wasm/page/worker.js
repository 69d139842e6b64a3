// A worker with an engine of its own. One is the house: it keeps the games and the database, and
// answers the page like turf serve. The others do its jobs: they choose moves and play games.
//
// Messages come with a number n, and their answers go back with it. The house sends on its own
// account: {job}, work for another worker; {events}, of a stream; {save}, the database.
import { startModule } from './module.js';
import { makeScripts } from './scripts.js';

const TICK_MS = 50;
const SAVE_AFTER_MS = 150;

const scripts = makeScripts((news) => postMessage(news));
let engine;

// ---- the house -------------------------------------------------------------------------------

const streams = new Set();
let changes;
let changedAt;

function readStreams() {
  for (const number of streams) {
    const text = engine.text(engine.exports.read(number));
    if (text === undefined) {
      engine.exports.hang_up(number);
      streams.delete(number);
      postMessage({ ended: number });
    } else if (text) postMessage({ events: number, text });
  }
}

function saveIfChanged() {
  const now = engine.exports.changes();
  if (now !== changes) {
    changes = now;
    changedAt ??= performance.now();
  }
  if (changedAt === undefined || performance.now() - changedAt < SAVE_AFTER_MS) return;
  changedAt = undefined;
  const save = engine.database();
  if (save) postMessage({ save }, [save.buffer]);
}

function work() {
  engine.exports.tick();
  engine.exports.work();
  for (let job; (job = engine.take('take_job'));) postMessage({ job: JSON.parse(job) });
  readStreams();
  saveIfChanged();
}

// ---- messages --------------------------------------------------------------------------------

let loading; // an engine that nothing was asked of yet

const tasks = {
  async load({ compiled }) {
    loading = startModule(compiled, { hooks: scripts.hooks, log: () => {} });
    await loading;
  },
  // After a database that cannot be read, again, with a new engine.
  async start({ compiled, database, bots, isHouse, nWorkers }) {
    if (!loading) await tasks.load({ compiled });
    engine = await loading;
    loading = undefined;
    scripts.learn(bots);
    engine.open(database);
    if (!isHouse) return undefined;
    changes = engine.exports.changes();
    engine.exports.set_workers(nWorkers);
    if (bots.length) allow(bots);
    setInterval(work, TICK_MS);
    return undefined;
  },
  bots({ bots, isHouse }) {
    scripts.learn(bots);
    if (isHouse) allow(bots);
  },
  ask: ({ method, path, token, body }) => engine.ask(method, path, token, body),
  listen({ path }) {
    const number = engine.call('listen', path);
    if (number >= 0) streams.add(number);
    return number;
  },
  hangUp({ number }) {
    if (streams.delete(number)) engine.exports.hang_up(number);
  },
  jobDone({ job, answer }) {
    engine.call('job_done', job, answer);
  },
  doJob({ job, hung }) {
    scripts.expect(hung);
    return engine.take('do_job', JSON.stringify(job));
  },
};

function allow(bots) {
  const list = bots.map(({ name }) => `${name}=bot:${name}`).join('\n');
  if (!engine.call('allow', list)) throw new Error(engine.text(engine.exports.failure()));
}

async function answer({ n, task, isHouse, ...words }) {
  try {
    postMessage({ n, result: await tasks[task]({ ...words, isHouse }) });
  } catch (error) {
    postMessage({ n, error: error.message });
  }
  if (isHouse && engine) work();
}

// One after the other: what comes while the engine is loaded waits for it.
let last = Promise.resolve();
onmessage = ({ data }) => (last = last.then(() => answer(data)));
