// How long the page in one file takes to the first move, on a fresh profile from file://: somebody
// opens it at a game, starts at once, and moves at once. Milliseconds from the navigation on.
//     node tests/browser/first-move.mjs GAME TIMES FILE...      files take turns
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './harness.js';

const [game = 'squirrel-war', times = '5', ...named] = process.argv.slice(2);
const files = named.length ? named : ['build/turf.html'];

// Runs in the page, before its scripts.
function hurry() {
  const marks = (globalThis.marks = {});
  const at = (name) => (marks[name] ??= Math.round(performance.now()));
  const look = () => {
    const start = [...document.querySelectorAll('button.primary')].find(
      (button) => button.textContent === 'Start' && !button.disabled,
    );
    const cell = document.querySelector('.board:not(.busy) .cell.open');
    if (document.querySelector('.moves li')) return at('moved');
    if (cell && !marks.board) {
      at('board');
      cell.click();
    } else if (start && !marks.start) {
      at('start');
      start.click();
    }
    return undefined;
  };
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
  });
}

async function measure(file) {
  const browser = await launch(); // a fresh one: nothing is compiled or kept
  const page = await browser.newPage();
  await page.addInitScript(hurry);
  await page.goto(`${pathToFileURL(resolve(file)).href}#/play/${game}`);
  await page.waitForFunction(() => globalThis.marks.moved, undefined, { timeout: 30000 });
  const marks = await page.evaluate(() => globalThis.marks);
  // On a busy machine the processor time of the page, all threads, says more.
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  marks.cpu = Math.round(1000 * Math.max(...renderers.map(({ cpuTime }) => cpuTime)));
  await browser.close();
  return marks;
}

const all = files.map(() => []);
for (let n = 0; n < Number(times); n++)
  for (const [i, file] of files.entries()) {
    const marks = await measure(file);
    console.log(file, JSON.stringify(marks));
    all[i].push(marks);
  }
for (const [i, file] of files.entries()) {
  const [moved, cpu] = ['moved', 'cpu'].map((key) =>
    all[i].map((marks) => marks[key]).sort((a, b) => a - b),
  );
  const middle = moved.length >> 1;
  console.log(
    `${file}: median ${moved[middle]} ms, least ${moved[0]} ms; ` +
      `processor time: median ${cpu[middle]} ms, least ${cpu[0]} ms`,
  );
}
