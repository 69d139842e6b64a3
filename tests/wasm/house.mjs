// The engine under node: a house with workers, all in this process, as worker.js has them in a page.
import { readFileSync } from 'node:fs';
import { startModule } from '../../src/wasm/page/module.js';

export const folder = process.env.TURF_WASM ?? 'build-page/wasm/src/wasm';
export const compile = (name) => WebAssembly.compile(readFileSync(`${folder}/${name}.wasm`));

// A bot here is a function that makes one.
function hooksFor(bots) {
  const running = [];
  return {
    has_script: (engine, at) => (bots[engine.text(at)] ? 1 : 0),
    start_script: (engine, at) => running.push(bots[engine.text(at)]()),
    stop_script() {},
    ask_script(engine, number, at) {
      try {
        const question = JSON.parse(engine.text(at));
        engine.call('script_answers', JSON.stringify(running[number - 1](question)));
      } catch (error) {
        engine.call('script_fails', String(error));
      }
    },
  };
}

export async function openHouse({ database, bots = {} } = {}) {
  const compiled = await compile('turf');
  const start = async (data) => {
    const engine = await startModule(compiled, { hooks: hooksFor(bots), log: console.error });
    engine.open(data);
    return engine;
  };
  const house = await start(database);
  const worker = await start();
  house.call(
    'allow',
    Object.keys(bots)
      .map((name) => `${name}=bot:${name}`)
      .join('\n'),
  );

  // Does what is to be done now; returns how many jobs that were.
  function work() {
    house.exports.tick();
    house.exports.work();
    let n = 0;
    for (let job; (job = house.take('take_job')); n++)
      house.call('job_done', JSON.parse(job).job, worker.take('do_job', job));
    return n;
  }

  // A request and its answer, as fetch would give it.
  function ask(method, path, body, token) {
    const { status, text } = house.ask(method, `/api/${path}`, token, JSON.stringify(body));
    return { status, data: JSON.parse(text) };
  }
  return { house, worker, work, ask };
}
