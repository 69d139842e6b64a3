// Games as files: out of the history, and back into it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atServer, openPage, Server, setUp, shoot } from './harness.js';

// The name and the text of the file that `act` makes the page save.
async function saved(page, act) {
  const coming = page.waitForEvent('download');
  await act();
  const file = await coming;
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

// Plays a game and resigns it; its replay is open then.
async function resigned(page, stage, game) {
  await setUp(page, stage.server.base, game, { seats: ['me', 'here'] });
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await page.getByRole('link', { name: 'Replay' }).click();
  await page.waitForURL(/#\/history\//);
}

const listed = (page) => page.locator('table.history tbody tr');

export function fileTests(stage) {
  test('a game is exported, and imported as it was', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await resigned(page, stage, 'squirrel-war');
    const id = page.url().match(/history\/([^/]+)/)[1];
    const button = page.getByText('Export game');
    const [name, text] = await saved(page, () => button.click());
    assert.match(name, /\.jsonl$/);
    assert.equal(JSON.parse(text).forfeit, 'resigned');

    const other = await openPage(t, stage.browser, { isAnother: true });
    await other.goto(`${stage.server.base}#/import`);
    const buffer = Buffer.from(text);
    await other
      .getByLabel('Or open a file')
      .setInputFiles({ name, mimeType: 'application/x-ndjson', buffer });
    await other.getByText(/^1 game imported\.$/).waitFor();
    await other.getByRole('link', { name: /SquirrelWar/ }).click();
    await other.locator('.replay .board').waitFor();
    assert.notEqual(other.url().match(/history\/([^/]+)/)[1], id);
    await other.getByRole('button', { name: 'Analyse' }).waitFor();
  });

  test('what is not a game is named, and the rest comes in', { skip: stage.skip }, async (t) => {
    // The browser reports the refusal too.
    const page = await openPage(t, stage.browser, { allows: /status of 400/ });
    await resigned(page, stage, 'squirrel-war');
    const [, line] = await saved(page, () => page.getByText('Export game').click());
    await page.goto(`${stage.server.base}#/import`);
    const text = page.getByRole('textbox', { name: 'Paste games' });
    const start = page.getByRole('button', { name: 'Import' });
    await start.click();
    await page.getByText('There is nothing to import').waitFor();
    await text.fill(`{"rating":1200}\n${line}${line.slice(0, 90)}\n`);
    await start.click();
    await page.getByText('1 game imported, 2 not read, see below.').waitFor();
    await page.getByText('Line 1: This is not a recorded game').waitFor();
    await page.getByText('Line 3: This is not JSON, or not all of a line.').waitFor();
    await shoot(page, 'import');
    await text.fill(line);
    await start.click();
    await page.getByText('0 games imported, 1 game here already.').waitFor();
    await text.fill('[1, 2]');
    await start.click();
    await page.getByText('Game 2: This is not a game.').waitFor();
  });

  test('the games listed are exported, a line each', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await resigned(page, stage, 'amoeba-wars');
    await page.goto(`${stage.server.base}#/history`);
    await page.getByRole('combobox', { name: 'Game' }).selectOption('amoeba-wars');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('table.history tbody tr')].every((line) =>
        line.textContent.startsWith('Amoeba Wars'),
      ),
    );
    const button = page.getByRole('button', { name: 'Export these games' });
    const [, text] = await saved(page, () => button.click());
    const games = text.trim().split('\n').map(JSON.parse);
    assert.equal(games.length, await listed(page).count());
    assert.ok(games.every(({ game }) => game === 'amoeba-wars'));
  });

  test(
    'what a visitor imports opens by its link and is not listed',
    { skip: atServer(stage, 'all games here are one’s own') },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await resigned(page, stage, 'squirrel-war');
      const [, line] = await saved(page, () => page.getByText('Export game').click());
      await page.goto(`${stage.server.base}#/import`);
      const forged = JSON.stringify({ ...JSON.parse(line), first: 'Somebody else' });
      await page.getByRole('textbox', { name: 'Paste games' }).fill(forged);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByRole('link', { name: /Somebody else/ }).waitFor();
      await page.goto(`${stage.server.base}#/history`);
      await listed(page).first().waitFor();
      assert.equal(await page.getByText('Somebody else').count(), 0);
    },
  );

  test(
    'the page in one file is offered where the server has it',
    { skip: atServer(stage, 'who has the file needs no other') },
    async (t) => {
      const page = await openPage(t, stage.browser);
      for (const options of [[], ['--one-file', fileURLToPath(import.meta.url)]]) {
        const server = await new Server(options).start();
        t.after(() => server.stop());
        const { has_one_file: isThere } = await server.ask('server');
        await page.goto(server.base);
        const link = page.getByRole('link', { name: 'download turf' });
        if (!isThere) {
          await page.locator('.posters').waitFor();
          assert.equal(await link.count(), 0);
          continue;
        }
        const [name] = await saved(page, () => link.click());
        assert.equal(name, 'turf.html');
        await shoot(page, 'one-file-offered');
      }
    },
  );
}
