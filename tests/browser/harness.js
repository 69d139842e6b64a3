// Shared by the browser tests: a server on a free port, one chromium, pages that must not log
// errors, and functions that play moves. Without chromium, playwright-core or turf, all tests are
// skipped with the reason.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
export const TURF = resolve(process.env.TURF ?? join(HERE, '../../build/turf'));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
// PAGE=src/web/page tests the files of that folder instead of the embedded ones.
const PAGE = process.env.PAGE ? ['--page', resolve(process.env.PAGE)] : [];
export const FILE = resolve(process.env.FILE ?? join(HERE, '../../build/turf.html'));
const SHOTS = process.env.SHOTS ?? join(HERE, 'shots');
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const playwright = await import('playwright-core').catch(() => undefined);

function missing() {
  if (!playwright) return 'playwright-core is not installed (npm install in tests/browser)';
  if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM}`;
  if (!existsSync(TURF)) return `there is no ${TURF}`;
  return false;
}
export const skip = missing();

// A server with its own database. It can be killed and restarted on the same port, as after a power
// cut.
export class Server {
  folder = mkdtempSync(join(tmpdir(), 'turf-browser-'));
  port = 0;

  constructor(page = PAGE) {
    this.page = page;
  }

  async start() {
    this.child = spawn(
      TURF,
      ['serve', '--port', String(this.port), '--db', join(this.folder, 'games.db'), ...this.page],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.ended = new Promise((done) => this.child.once('exit', done));
    this.base = await new Promise((found, failed) => {
      let said = '';
      const listen = (chunk) => {
        said += chunk;
        const address = said.match(/http:\/\/[\d.]+:(\d+)\//);
        if (!address) return;
        this.port = Number(address[1]);
        found(address[0]);
      };
      this.child.stdout.on('data', listen);
      this.child.stderr.on('data', listen);
      this.child.once('exit', () => failed(new Error(`turf serve ended: ${said}`)));
    });
    this.owner = readFileSync(join(this.folder, 'games.db.owner'), 'utf8').trim();
    return this;
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.ended;
  }

  async stop() {
    await this.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  // Asks in the owner's name.
  async ask(path, body) {
    const headers = { Authorization: `Bearer ${this.owner}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const options =
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${this.base}api/${path}`, options);
    const data = await answer.json();
    assert.ok(answer.ok, `${path}: ${data.message}`);
    return data;
  }

  // Another person acts with the token of a seat.
  async act(id, what, token, body, method = 'POST') {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const answer = await fetch(`${this.base}api/live-games/${id}/${what}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${what}: ${answer.status}`);
  }

  // Another person takes a seat.
  sit = (id, token) => this.act(id, 'seat', token, {}, 'PUT');
}

// The page in one file in place of a server, with what tests use of one. Each page has its own
// engine, so a test has one page: what it asks goes there, and each openPage returns it, unless it
// is to be another browser.
export class OneFile {
  base = pathToFileURL(FILE).href;
  owner = 'owner';

  async start() {
    this.real = await launch();
    // In place of a browser, for openPage.
    this.browser = {
      newContext: async ({ isAnother, ...options }) => {
        const page = isAnother || !this.#isOpen() ? await this.#open(options) : this.page;
        await page.setViewportSize(options.viewport);
        await page.emulateMedia(options);
        if (!isAnother) this.page = page;
        return { newPage: async () => page, close: () => page.context().close() };
      },
    };
    return this;
  }

  stop = () => this.real.close();
  #isOpen = () => this.page && !this.page.isClosed();

  // Without a network: a request for anything but the file fails the test.
  async #open(options) {
    const context = await this.real.newContext(options);
    await context.setOffline(true);
    const page = await context.newPage();
    page.on('request', (request) => {
      if (!/^(file|blob|data):/.test(request.url())) page.faults?.push(request.url());
    });
    return page;
  }

  async #request(method, path, body, token) {
    if (!this.#isOpen()) this.page = await this.#open({ hasTouch: true });
    if (this.page.url() === 'about:blank') await this.page.goto(this.base);
    await this.page.waitForFunction(() => globalThis.turf?.ask);
    const answer = await this.page.evaluate(
      ([how, where, more]) => globalThis.turf.ask(how, where, more),
      [method, path, { body, token }],
    );
    assert.ok(answer.ok, `${path}: ${answer.data.message}`);
    return answer.data;
  }

  ask = (path, body) => this.#request(body === undefined ? 'GET' : 'POST', path, body);
  act = (id, what, token, body, method = 'POST') =>
    this.#request(method, `live-games/${id}/${what}`, body, token);
  sit = (id, token) => this.act(id, 'seat', token, {}, 'PUT');
}

// Why a test is not run, for those that are about one of the two only.
export const atServer = (stage, why) => stage.skip || (stage.isOneFile && `needs a server: ${why}`);

export const launch = () =>
  playwright.chromium.launch({ executablePath: CHROMIUM, args: SWITCHES });

// A page with its own storage. Errors in its console fail the test, except those that `allows`
// expects.
export async function openPage(t, browser, { allows, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.faults = [];
  const fault = (text) => allows?.test(text) || page.faults.push(text);
  page.on('console', (message) => message.type() === 'error' && fault(message.text()));
  page.on('pageerror', (error) => fault(String(error)));
  t.after(async () => {
    await context.close();
    assert.deepEqual(page.faults, [], 'the console has no errors');
  });
  return page;
}

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export async function shoot(page, name) {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

// Sets up a game on the page. Seats are values of the two pickers: 'me', 'here', 'link' or a
// player.
export async function setUp(
  page,
  base,
  game,
  { seats = ['me', 'random'], start, length, clock, pace } = {},
) {
  await page.goto(`${base}#/play/${game}`);
  const pickers = page.locator('.seat select:has(optgroup)');
  for (const side of [0, 1]) await pickers.nth(side).selectOption(seats[side]);
  if (start) await page.getByRole('combobox', { name: 'Start' }).selectOption(start);
  if (length) await page.getByRole('combobox', { name: 'Length' }).selectOption(length);
  if (clock) await page.getByRole('combobox', { name: 'Clock' }).selectOption(clock);
  if (pace) await page.getByRole('slider', { name: 'Time between moves' }).fill(pace);
  await page.getByRole('button', { name: /^(Start|Watch)$/ }).click();
  await page.waitForURL(/#\/game\//);
  await page.locator('.table').waitFor();
}

export const idOf = (page) => page.url().match(/game\/([^/]+)/)[1];

export const isOver = (page) => page.locator('.banner:not([hidden])').isVisible();

// Waits until there is something to pick or the game is over; returns which.
export async function myTurn(page) {
  await page.locator('.board:not(.busy) .cell.open, .banner:not([hidden])').first().waitFor();
  return !(await isOver(page));
}

const placeOf = async (cell) => [
  Number(await cell.getAttribute('data-row')),
  Number(await cell.getAttribute('data-col')),
];

// Picks a cell with the arrow keys and Enter, from the current focus.
async function takeByKeys(page, cell) {
  const [row, col] = await placeOf(cell);
  const focused = page.locator('.grid .cell[tabindex="0"]');
  await focused.focus();
  const [fromRow, fromCol] = await placeOf(focused);
  const press = async (key, n) => {
    for (let i = 0; i < n; i++) await page.keyboard.press(key);
  };
  await press(row < fromRow ? 'ArrowUp' : 'ArrowDown', Math.abs(row - fromRow));
  await press(col < fromCol ? 'ArrowLeft' : 'ArrowRight', Math.abs(col - fromCol));
  await page.keyboard.press('Enter');
}

const HANDS = { mouse: (page, cell) => cell.click(), keys: takeByKeys };

// Chooses a move: the first open cell, and where a move is two cells its first target.
export async function takeMove(page, hand = 'mouse') {
  const take = HANDS[hand];
  await take(page, page.locator('.board:not(.busy) .cell.open').first());
  const target = page.locator('.cell.open[aria-label*="move here"]').first();
  if (await page.locator('.board.life, .board.choosing').count()) {
    await target.waitFor();
    await take(page, target);
  }
}

// Plays one move. The number of moves tells when it was accepted.
export async function playMove(page, hand) {
  const before = await page.locator('.moves li').count();
  await takeMove(page, hand);
  await page.waitForFunction(
    (n) =>
      document.querySelectorAll('.moves li').length > n && !document.querySelector('.board.busy'),
    before,
  );
}

export async function playToTheEnd(page, hand) {
  for (let n = 0; n < 400; n++) {
    if (!(await myTurn(page))) return;
    await playMove(page, hand);
  }
  assert.fail('the game did not end');
}
