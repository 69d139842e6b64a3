// The plain board, which any game gets for nothing: the games are played without their own modules.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPage, playToTheEnd, Server, setUp, shoot } from './harness.js';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '../../src/web/page');

// A server whose page knows no game.
async function servePlainly(t) {
  const folder = mkdtempSync(join(tmpdir(), 'turf-plain-'));
  cpSync(SOURCE, folder, { recursive: true });
  const boards = readFileSync(join(folder, 'boards.js'), 'utf8');
  const plain = boards.replace(/const OWN = \{[^}]*\};/, 'const OWN = {};');
  assert.notEqual(plain, boards);
  writeFileSync(join(folder, 'boards.js'), plain);
  const server = await new Server(['--page', folder]).start();
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

export function plainTests(stage) {
  test(
    'games without a module of their own are played on the plain board',
    { skip: stage.skip },
    async (t) => {
      const server = await servePlainly(t);
      const page = await openPage(t, stage.browser);
      await page.goto(server.base);
      await page.locator('.poster.plain .piece').first().waitFor();
      await shoot(page, 'plain-posters');
      const { games } = await server.ask('games');
      const inTurns = games.filter((game) => !game.is_simultaneous);
      for (const { name, has_letters } of inTurns) {
        const start = name === 'amoeba-wars' ? '4x4' : undefined;
        await setUp(page, server.base, name, { start });
        await page.locator('.board.plain').waitFor();
        const column = await page.locator('.labels.cols span').first().textContent();
        assert.equal(column, has_letters ? 'A' : '1');
        await playToTheEnd(page, 'mouse');
        await shoot(page, `plain-${name}`);
      }
      await page.goto(`${server.base}#/history`);
      await page
        .locator('tbody tr')
        .nth(inTurns.length - 1)
        .waitFor();
    },
  );

  test(
    'on the plain board both sides choose cells and commit them',
    { skip: stage.skip },
    async (t) => {
      const server = await servePlainly(t);
      const page = await openPage(t, stage.browser);
      await setUp(page, server.base, 'ai-battleground', { seats: ['me', 'dummy'] });
      const { reach } = await server.ask('moves', {
        game: 'ai-battleground',
        position: (await server.ask('start', { game: 'ai-battleground' })).position,
      });
      const row = reach.findIndex((line) => /[13]/.test(line));
      const col = reach[row].search(/[13]/);
      await page.locator('.board.plain .reach').first().waitFor();
      await page.locator(`.cell[data-row="${row}"][data-col="${col}"]`).click();
      await page.locator('.board.plain .pick').waitFor();
      await page.getByRole('button', { name: 'Commit 1 cell' }).click();
      await page.locator('.moves li', { hasText: '1 and 0 cells' }).waitFor();
      await shoot(page, 'plain-ai-battleground');
    },
  );
}
