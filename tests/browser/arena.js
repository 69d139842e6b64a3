// AI Battleground as a person plays it: choosing cells, what is refused, and the board at the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, shoot } from './harness.js';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

// A sitting of player 1 against the player that does nothing, opened in its seat; and cells that player 1 can reach.
async function sitDown(t, stage, { length = 25, page: options, ...body } = {}) {
  const { sitting, tokens } = await stage.server.ask('sittings', { game: 'ai-battleground', seats: [{ kind: 'person' }, { kind: 'player', player: 'dummy' }], config: { maxGameIterations: length }, ...body });
  const { reach } = await stage.server.ask('moves', { game: 'ai-battleground', position: sitting.position });
  const within = reach.flatMap((line, row) => [...line].flatMap((key, col) => (key === '1' || key === '3' ? [[row, col]] : [])));
  const page = await openPage(t, stage.browser, options);
  await page.goto(`${stage.server.base}#/sitting/${sitting.id}/seat/${tokens[0]}`);
  await page.getByRole('button', { name: 'Commit 0 cells' }).waitFor();
  return { page, sitting, within };
}

async function pointOf(page, [row, col]) {
  const box = await page.locator('.arena-field').boundingBox();
  return [box.x + ((col + 0.5) * box.width) / 24, box.y + ((row + 0.5) * box.height) / 24];
}

const clickCell = async (page, cell) => page.mouse.click(...(await pointOf(page, cell)));
const extra = (page) => page.locator('.corner.side1 .extra');
const picture = (page) => page.evaluate(() => document.querySelector('.arena-field canvas').toDataURL());

export function arenaTests(stage) {
  test('every cell that is chosen is counted, and a refusal is said beside the button', { skip: stage.skip }, async (t) => {
    const { page, within } = await sitDown(t, stage);
    await extra(page).getByText('3 of 3 to place').waitFor();
    await clickCell(page, within[0]);
    await page.getByRole('button', { name: /^Commit 1 cell$/ }).waitFor();
    await extra(page).getByText('2 of 3 to place').waitFor();
    await clickCell(page, [23, 23]);
    await page.locator('.commit', { hasText: 'Too far from your cells.' }).waitFor();
    await clickCell(page, within[1]);
    await page.getByRole('button', { name: 'Commit 2 cells' }).waitFor();
    assert.equal(await page.getByText('Too far').count(), 0, 'the refusal goes with the next cell');
    assert.equal(await page.locator('.toast').count(), 0);
    await shoot(page, 'arena-choosing');
  });

  test('on a phone a tap beside the reachable cells takes the nearest, and the button stays in sight', { skip: stage.skip }, async (t) => {
    const { page, within } = await sitDown(t, stage, { page: PHONE });
    await page.locator('.arena-field').scrollIntoViewIfNeeded();
    const [row, col] = within[0];
    assert.ok(!within.some(([r]) => r === row - 1), 'the cell above is out of reach');
    await page.touchscreen.tap(...(await pointOf(page, [row - 1, col])));
    const button = page.getByRole('button', { name: /^Commit 1 cell$/ });
    await button.waitFor();
    for (const top of [0, 10000]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      const box = await button.boundingBox();
      assert.ok(box.y > 0 && box.y + box.height <= 740, `the button is at ${box.y}`);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, 'phone-arena-choosing');
  });

  test('the last board shows nothing that was chosen', { skip: stage.skip }, async (t) => {
    const calm = { reducedMotion: 'reduce' };
    const { page, sitting, within } = await sitDown(t, stage, { length: 1, page: calm });
    await clickCell(page, within[0]);
    await page.getByRole('button', { name: 'Commit 1 cell' }).click();
    await page.locator('.banner:not([hidden])').waitFor();
    const watcher = await openPage(t, stage.browser, calm);
    await watcher.goto(`${stage.server.base}#/sitting/${sitting.id}`);
    await watcher.locator('.banner:not([hidden])').waitFor();
    await watcher.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const wanted = await picture(watcher);
    await page.waitForFunction((same) => document.querySelector('.arena-field canvas').toDataURL() === same, wanted);
  });
}
