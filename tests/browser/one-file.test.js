// The page in one file, from file:// and with the network off.
//     FILE=../../build/turf.html node --test one-file.test.js
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  FILE,
  idOf,
  launch,
  openPage,
  playMove,
  playToTheEnd,
  setUp,
  shoot,
  skip,
} from './harness.js';

const base = pathToFileURL(FILE).href;
const why = skip || (!existsSync(FILE) && `there is no ${FILE}; './do page' makes it`);

describe('the page in one file', { skip: why, concurrency: 2 }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  // Without a network; any request but for the file itself fails the test.
  async function open(t, options) {
    const page = await openPage(t, browser, options);
    await page.context().setOffline(true);
    page.on('request', (request) => {
      if (!/^(file|blob|data):/.test(request.url())) page.faults.push(request.url());
    });
    return page;
  }

  test('has at most 700 KB', () => assert.ok(statSync(FILE).size <= 700_000));

  for (const [game, hand, options] of [
    ['war-of-life', 'mouse', {}],
    ['amoeba-wars', 'mouse', { start: '6x6' }],
    ['squirrel-war', 'mouse', {}],
    ['squirrel-war', 'keys', {}],
    ['war-of-life', 'keys', {}],
  ])
    test(`${game} is played to the end by ${hand}`, async (t) => {
      const page = await open(t);
      await setUp(page, base, game, { seats: ['me', 'level-2'], ...options });
      await playToTheEnd(page, hand);
      await page.getByRole('link', { name: 'Replay' }).click();
      await page.locator('.replay .board').waitFor();
      await shoot(page, `one-file-${game}`);
    });

  test('two players of AI Battleground play to the end', async (t) => {
    const page = await open(t);
    await setUp(page, base, 'ai-battleground', {
      seats: ['settler', 'level-3'],
      length: '50',
      pace: '0',
    });
    await page.locator('.banner:not([hidden])').waitFor({ timeout: 90000 });
  });

  test('a game goes on after the page was loaded again', async (t) => {
    const page = await open(t);
    await setUp(page, base, 'squirrel-war', { seats: ['me', 'level-1'] });
    const id = idOf(page);
    await playMove(page);
    await page.locator('.board:not(.busy) .cell.open').first().waitFor();
    await page.waitForTimeout(600); // the database is saved
    await page.reload();
    await page.locator('.moves li').nth(1).waitFor();
    assert.equal(idOf(page), id);
    assert.equal(await page.locator('.moves li').count(), 2);
  });

  test('a tournament of five players ends with a table and ratings', async (t) => {
    const page = await open(t);
    await page.goto(`${base}#/tournaments/new`);
    await page.getByRole('combobox', { name: 'Game' }).selectOption('war-of-life');
    await page.getByRole('spinbutton', { name: 'Games per pair' }).fill('4');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.state.done').waitFor({ timeout: 60000 });
    const rows = page.locator('.standings tbody tr');
    assert.ok((await rows.count()) >= 5);
    await shoot(page, 'one-file-tournament');
    await page.getByRole('link', { name: 'Report' }).click();
    const report = page.frameLocator('iframe.report');
    await report.getByRole('heading', { name: 'Ratings' }).waitFor();
    await page.getByRole('link', { name: 'Back to the tournament' }).click();
    await page.getByRole('link', { name: 'All recorded games' }).click();
    await page.locator('table.history tbody tr').first().waitFor();
  });

  // Plays the text as a bot; returns its panel.
  async function playBot(page, text, { game = 'squirrel-war', time = '1000' } = {}) {
    await page.goto(`${base}#/bots`);
    if (text) await page.getByRole('textbox', { name: 'Its text' }).fill(text);
    await page.getByRole('combobox', { name: 'Game' }).selectOption(game);
    await page.getByRole('combobox', { name: 'Time gained a turn' }).selectOption(time);
    await page.getByRole('button', { name: 'Play' }).click();
    return page.getByRole('region', { name: 'A game' });
  }

  for (const game of ['squirrel-war', 'amoeba-wars', 'ai-battleground'])
    test(`the template of a bot plays ${game} to the end`, async (t) => {
      const page = await open(t);
      const panel = await playBot(page, undefined, { game });
      await panel.getByRole('link', { name: 'Replay' }).waitFor({ timeout: 90000 });
      assert.equal(await panel.locator('.alarm').count(), 0, await panel.textContent());
      await shoot(page, `one-file-bots-${game}`);
      await panel.getByRole('link', { name: 'Replay' }).click();
      await page.locator('.replay .board, .replay canvas').first().waitFor();
    });

  for (const [what, text, reason] of [
    ['throws', 'function answer() {\n  return nonsense;\n}', /nonsense is not defined \(line 2\)/],
    ['has a mistake', 'function answer( {', /SyntaxError/],
    ['has no answer()', 'let a = 1;', /defines no function answer/],
    ['answers nonsense', "function answer() { return { move: 'Z99' }; }", /Z99/],
    ['hangs', 'function answer() { for (;;); }', /time/],
  ])
    test(`a bot that ${what} forfeits with the reason`, async (t) => {
      const page = await open(t);
      const panel = await playBot(page, text, { time: '200' });
      await panel.getByRole('link', { name: 'Replay' }).waitFor();
      assert.match(await panel.locator('.alarm').textContent(), reason);
      await shoot(page, `one-file-bot-${what.replace(/\W+/g, '-')}`);
    });

  test('a bot that hangs can be stopped, is kept, and joins a tournament', async (t) => {
    const page = await open(t);
    const text = 'function answer() { for (;;); }';
    const panel = await playBot(page, text, { time: '5000' });
    await page.getByRole('button', { name: 'Stop the bot' }).click();
    await panel.getByRole('link', { name: 'Replay' }).waitFor();
    assert.match(await panel.locator('.alarm').textContent(), /it was stopped/);
    await page.reload();
    assert.equal(await page.getByRole('textbox', { name: 'Its text' }).inputValue(), text);
    await page.goto(`${base}#/tournaments/new`);
    await page.getByRole('combobox', { name: 'Player' }).selectOption('mine');
  });

  test('a bot is opened as a file; one without a name is refused with a sentence', async (t) => {
    const page = await open(t);
    await page.goto(`${base}#/bots`);
    const buffer = Buffer.from('const answer = ({ moves }) => ({ move: moves[0] });');
    const opened = { name: 'My Bot.js', mimeType: 'text/javascript', buffer };
    await page.getByLabel('Open a file').setInputFiles(opened);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await page.waitForFunction(() => document.querySelector('textarea').value.includes('moves[0]'));
    assert.equal(await name.inputValue(), 'my-bot');
    await name.fill('2 bots');
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('Give the bot a name of small letters').waitFor();
  });

  test('a link is a game; one cut short says so', async (t) => {
    const page = await open(t);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text) => (globalThis.copied = text) },
      });
    });
    await playBot(page, undefined);
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Copy game link' }).click();
    await page.waitForFunction(() => globalThis.copied);
    const link = await page.evaluate(() => globalThis.copied);
    const moves = await page.locator('.moves li').allTextContents();
    const other = await open(t);
    await other.goto(link);
    await other.waitForURL(/#\/history\//);
    await other
      .locator('.moves li')
      .nth(moves.length - 1)
      .waitFor();
    assert.deepEqual(await other.locator('.moves li').allTextContents(), moves);
    await shoot(other, 'one-file-link');
    await other.goto(link.slice(0, -9));
    await other.getByText('This link is damaged or cut short').waitFor();
  });

  test('a file cut short says so', async (t) => {
    const page = await open(t, { allows: /./ });
    const cut = join(mkdtempSync(join(tmpdir(), 'turf-cut-')), 'turf.html');
    const whole = readFileSync(FILE, 'utf8');
    writeFileSync(cut, whole.replace(/(id="page">\d+ .{3000}).{5000}/, '$1'));
    await page.goto(pathToFileURL(cut).href);
    await page.getByText('This file is damaged').waitFor();
  });

  test('a file with a damaged engine says so', async (t) => {
    const page = await open(t, { allows: /./ });
    const cut = join(mkdtempSync(join(tmpdir(), 'turf-cut-')), 'turf.html');
    const whole = readFileSync(FILE, 'utf8');
    writeFileSync(cut, whole.replace(/(id="engine">\d+ .{90000}).{5000}/, '$1'));
    await page.goto(pathToFileURL(cut).href);
    await page.getByText('The engine could not be started').first().waitFor();
    await page.getByText('Get the file again, whole').first().waitFor();
  });

  test('with a full storage it plays, and says that nothing more is kept', async (t) => {
    const page = await open(t);
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await setUp(page, base, 'squirrel-war', { seats: ['me', 'level-1'] });
    await playMove(page);
    await page.getByText('The browser’s storage is full').first().waitFor();
    await playMove(page);
  });

  test('games that cannot be read are put aside, with a sentence', async (t) => {
    const page = await open(t);
    await page.goto(base);
    await page.locator('.poster').first().waitFor();
    const table = (mode) =>
      new Promise((done) => {
        indexedDB.open('turf', 1).onsuccess = ({ target }) =>
          done(target.result.transaction('kept', mode).objectStore('kept'));
      });
    await page.evaluate(`(${table})('readwrite').then((kept) => new Promise((done) => {
      kept.put(new Uint8Array(8192).fill(7), 'database').onsuccess = () => done();
    }))`);
    await page.reload();
    await page.getByText('The games kept in this browser cannot be read').first().waitFor();
    await setUp(page, base, 'squirrel-war', { seats: ['me', 'level-1'] });
    await playMove(page);
    const keys = await page.evaluate(`(${table})('readonly').then((kept) => new Promise((done) => {
      kept.getAllKeys().onsuccess = ({ target }) => done(target.result);
    }))`);
    assert.ok(
      keys.some((key) => key.startsWith('damaged ')),
      keys.join(),
    );
  });

  test('a second tab says that it keeps nothing, and plays', async (t) => {
    const page = await open(t);
    await page.goto(base);
    await page.locator('.poster').first().waitFor();
    const other = await page.context().newPage();
    await other.goto(base);
    await other.getByText('turf is open in another tab').first().waitFor();
    await setUp(other, base, 'squirrel-war', { seats: ['me', 'level-1'] });
    await playMove(other);
  });

  test('without storage it plays, and says that nothing is kept', async (t) => {
    const page = await open(t);
    await page.addInitScript(() => {
      indexedDB.open = () => {
        throw new DOMException('forbidden', 'SecurityError');
      };
    });
    await setUp(page, base, 'squirrel-war', { seats: ['me', 'level-1'] });
    await page.getByText('games are lost when it is closed').first().waitFor();
    await playMove(page);
  });
});
