// Nodes a second of the engine as WebAssembly, under node and in chromium, beside the native
// program without the x86 kernels: they take turns, and the best of each counts. All rates are by
// processor time, so that other programs disturb little.
//     meson setup build-plain -Dtests=false -Dx86_kernels=false
//     ninja -C build-plain bench/turf-bench
//     node tests/wasm/speed.mjs [TURNS]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startModule } from '../../src/wasm/page/module.js';
import { compile, folder } from './house.mjs';

const BENCH = process.env.BENCH ?? 'build-plain/bench/turf-bench';
const nTurns = Number(process.argv[2] ?? 3);

const native = () => JSON.parse(execFileSync(BENCH, ['search', '--json', '--quiet']));

// What src/wasm/bench.c measures.
async function underNode() {
  let text = '';
  const bench = await startModule(await compile('bench'), {
    hooks: {},
    log: (more) => (text += more),
  });
  const { now } = performance;
  performance.now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  bench.exports.rates();
  performance.now = now;
  return JSON.parse(text);
}

async function makeChromium() {
  const { launch, skip } = await import('../browser/harness.js');
  if (skip) return console.error(`without chromium: ${skip}`);
  const browser = await launch();
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // Seconds that the page's process has worked, and that have passed.
  const clocks = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const by = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    return [by.ThreadTime ?? by.ProcessTime, by.Timestamp];
  };
  const source = readFileSync(new URL('../../src/wasm/page/module.js', import.meta.url), 'utf8');
  const packed = readFileSync(`${folder}/bench.wasm`).toString('base64');
  const work = () =>
    page.evaluate(
      async ([module, bytes]) => {
        const address = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }));
        const { startModule: start } = await import(address);
        const compiled = await WebAssembly.compile(
          Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)),
        );
        let text = '';
        const bench = await start(compiled, { hooks: {}, log: (more) => (text += more) });
        bench.exports.rates();
        return JSON.parse(text);
      },
      [source, packed],
    );
  // A page has no clock of the processor: its rates are scaled by what it got of one.
  async function run() {
    const before = await clocks();
    const rates = await work();
    const after = await clocks();
    const share = (after[0] - before[0]) / (after[1] - before[1]);
    return rates.map((each) => ({ ...each, rate: each.rate / share }));
  }
  return { run, end: () => browser.close() };
}

const chromium = await makeChromium();
const programs = { native, node: underNode, ...(chromium && { chromium: chromium.run }) };
const best = new Map(); // what -> {native, node, chromium}
for (let turn = 0; turn < nTurns; turn++)
  for (const [name, run] of Object.entries(programs))
    for (const { what, how, rate } of await run()) {
      const key = `${what}, ${how}`;
      const rates = best.get(key) ?? {};
      rates[name] = Math.max(rates[name] ?? 0, rate);
      best.set(key, rates);
    }
await chromium?.end();

const names = Object.keys(programs);
const width = Math.max(...[...best.keys()].map((key) => key.length));
console.log(' '.repeat(width), ...names.map((name) => name.padStart(18)));
for (const [key, rates] of best) {
  const cells = names.map((name) => {
    const share = Math.round((100 * rates[name]) / rates.native);
    return `${Math.round(rates[name]).toLocaleString('en')} ${`${share} %`.padStart(6)}`;
  });
  console.log(key.padEnd(width), ...cells.map((cell) => cell.padStart(18)));
}
