// A tournament set up on the page, stopped, resumed, and watched to its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, shoot } from './harness.js';

async function fillIn(page, base, games) {
  await page.goto(`${base}#/tournaments/new`);
  await page.getByLabel('Games for each pair').fill(String(games));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/#\/tournaments\/\d+/);
}

const stateIs = (page, words) => page.waitForFunction((wanted) => document.querySelector('.state')?.textContent === wanted, words);

export function tournamentTests(stage) {
  test('a tournament is watched to its end', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await fillIn(page, stage.server.base, 20);
    await stateIs(page, 'finished');
    const [played, total] = (await page.locator('.progress-side .number').textContent()).match(/[\d,]+/g);
    assert.equal(played, total);
    assert.ok((await page.locator('.standings tbody tr').count()) >= 4);
    assert.match(await page.locator('.standings tbody tr').last().textContent(), /random/);
    await shoot(page, 'tournament');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    assert.match((await download).suggestedFilename(), /csv$/);
  });

  test('a tournament is stopped and resumed', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await fillIn(page, stage.server.base, 20000);
    await page.getByRole('button', { name: 'Stop' }).click();
    await stateIs(page, 'stopped');
    await page.getByRole('button', { name: 'Resume' }).click();
    await stateIs(page, 'running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await stateIs(page, 'stopped');
  });
}
