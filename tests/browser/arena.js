// AI Battleground played by a person: choosing cells, rejected choices, and the final board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openPage, PHONE, setUp, shoot } from './harness.js';

async function withinReach(stage, position, side) {
  const { reach } = await stage.server.ask('moves', { game: 'ai-battleground', position });
  return reach.flatMap((line, row) =>
    [...line].flatMap((key, col) => (key === '3' || key === String(side + 1) ? [[row, col]] : [])),
  );
}

// Player 1 against `dummy`, opened in its seat, with cells that player 1 can reach.
async function sitDown(t, stage, { length = 25, page: options, ...body } = {}) {
  const { live_game: live, tokens } = await stage.server.ask('live-games', {
    game: 'ai-battleground',
    seats: [{ kind: 'person' }, { kind: 'player', player: 'dummy' }],
    config: { maxGameIterations: length },
    ...body,
  });
  const within = await withinReach(stage, live.position, 0);
  const page = await openPage(t, stage.browser, options);
  await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
  await page.getByRole('button', { name: 'Commit 0 cells' }).waitFor();
  return { page, live, within };
}

// Two people at one screen, with the cells that each can reach.
async function sitTogether(t, stage) {
  const page = await openPage(t, stage.browser, { reducedMotion: 'reduce' });
  await setUp(page, stage.server.base, 'ai-battleground', { seats: ['me', 'here'], length: '25' });
  const now = () => stage.server.ask(`live-games/${idOf(page)}`);
  const { position } = await now();
  const within = await Promise.all([0, 1].map((side) => withinReach(stage, position, side)));
  const button = (words) => page.getByRole('button', { name: words, exact: true });
  await button('Player 1: commit 0 cells').waitFor();
  return { page, now, within, button };
}

async function pointOf(page, [row, col]) {
  const box = await page.locator('.arena-field').boundingBox();
  return [box.x + ((col + 0.5) * box.width) / 24, box.y + ((row + 0.5) * box.height) / 24];
}

const clickCell = async (page, cell, button = 'left') =>
  page.mouse.click(...(await pointOf(page, cell)), { button });
const extra = (page) => page.locator('.corner.side1 .extra');
const picture = (page) =>
  page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            done(document.querySelector('.arena-field canvas').toDataURL()),
          ),
        ),
      ),
  );
const looksLike = (page, wanted) =>
  page.waitForFunction(
    (same) => document.querySelector('.arena-field canvas').toDataURL() === same,
    wanted,
  );

export function arenaTests(stage) {
  test(
    'chosen cells are counted, and a rejected one gets its reason beside the button',
    { skip: stage.skip },
    async (t) => {
      const { page, within } = await sitDown(t, stage);
      await extra(page).getByText('3 of 3 to place').waitFor();
      await clickCell(page, within[0]);
      await page.getByRole('button', { name: /^Commit 1 cell$/ }).waitFor();
      await extra(page).getByText('2 of 3 to place').waitFor();
      await clickCell(page, [23, 23]);
      await page.locator('.commit', { hasText: 'Too far from your cells.' }).waitFor();
      await clickCell(page, within[1]);
      await page.getByRole('button', { name: 'Commit 2 cells' }).waitFor();
      assert.equal(
        await page.getByText('Too far').count(),
        0,
        'the reason goes with the next cell',
      );
      assert.equal(await page.locator('.toast').count(), 0);
      await shoot(page, 'arena-choosing');
    },
  );

  test(
    'on a phone a tap near reachable cells takes the nearest, and the button stays visible',
    { skip: stage.skip },
    async (t) => {
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
    },
  );

  test(
    'the board and the points show what the step would do with the cells chosen',
    { skip: stage.skip },
    async (t) => {
      const { page, live, within } = await sitDown(t, stage, { page: { reducedMotion: 'reduce' } });
      await page.locator('.corner.side1 .name', { hasText: /^You$/ }).waitFor();
      const calm = await picture(page);
      // A cell that changes the points of player 1, as the server says.
      const outcomes = await Promise.all(
        within.map(async (cell) => ({
          cell,
          ...(await stage.server.ask('step', {
            game: 'ai-battleground',
            position: live.position,
            move: { 1: [cell] },
          })),
        })),
      );
      const { cell, scores } = outcomes.find((each) => each.scores[0] !== 4);
      await clickCell(page, cell);
      await page.locator('.corner.side1 .then', { hasText: `→ ${scores[0]}` }).waitFor();
      assert.notEqual(await picture(page), calm);
      await shoot(page, 'arena-foresight');
      await clickCell(page, cell);
      await page.waitForFunction(() => !document.querySelector('.corner.side1 .then').textContent);
    },
  );

  test('a hint can be taken', { skip: stage.skip }, async (t) => {
    const { page } = await sitDown(t, stage);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByRole('button', { name: 'Take hint' }).click();
    await page.getByRole('button', { name: /^Commit [1-3] cells?$/ }).click();
    await page.locator('.iteration', { hasText: '1 / 25' }).waitFor();
  });

  test(
    "at 128 by 128 player 2's cells are as bright as player 1's",
    { skip: stage.skip },
    async (t) => {
      const rows = Array.from({ length: 128 }, (_, row) =>
        row < 64 ? '1'.repeat(128) : '2'.repeat(128),
      );
      const { position } = await stage.server.ask('start', {
        game: 'ai-battleground',
        start: '128x128',
      });
      for (const deviceScaleFactor of [1, 2]) {
        const { live_game: live } = await stage.server.ask('live-games', {
          game: 'ai-battleground',
          start: { ...position, board: rows },
          seats: [{ kind: 'person' }, { kind: 'person' }],
        });
        const page = await openPage(t, stage.browser, { deviceScaleFactor });
        await page.goto(`${stage.server.base}#/game/${live.id}`);
        await page.locator('.arena-field').waitFor();
        await picture(page);
        const [first, second] = await page.evaluate(() => {
          const canvas = document.querySelector('.arena-field canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const light = [0, 0];
          const half = data.length / 2;
          for (let i = 0; i < data.length; i += 4)
            light[i < half ? 0 : 1] +=
              0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2];
          return light;
        });
        assert.ok(second / first > 0.95 && second / first < 1.1, `${second / first}`);
      }
    },
  );

  test('the final board shows no chosen cells', { skip: stage.skip }, async (t) => {
    const calm = { reducedMotion: 'reduce' };
    const { page, live, within } = await sitDown(t, stage, { length: 1, page: calm });
    await clickCell(page, within[0]);
    await page.getByRole('button', { name: 'Commit 1 cell' }).click();
    await page.locator('.banner:not([hidden])').waitFor();
    const watcher = await openPage(t, stage.browser, calm);
    await watcher.goto(`${stage.server.base}#/game/${live.id}`);
    await watcher.locator('.banner:not([hidden])').waitFor();
    await looksLike(page, await picture(watcher));
  });

  test(
    'at a shared screen the button names the side choosing, and committed cells are hidden',
    { skip: stage.skip },
    async (t) => {
      const {
        page,
        now,
        within: [first, second],
        button,
      } = await sitTogether(t, stage);
      await clickCell(page, first[0]);
      await clickCell(page, first[1]);
      await button('Player 1: commit 2 cells').click();
      await button('Player 2: commit 0 cells').waitFor();
      const stranger = await page.context().newPage();
      await stranger.goto(page.url());
      await stranger.getByRole('button', { name: 'Player 2: commit 0 cells' }).waitFor();
      await looksLike(page, await picture(stranger));
      await shoot(page, 'arena-two-at-one-screen');
      await clickCell(page, second[0]);
      await button('Player 2: commit 1 cell').waitFor();
      await clickCell(page, first[0], 'middle');
      await button('Player 2: commit 0 cells').waitFor();
      await clickCell(page, second[1]);
      await button('Player 2: commit 1 cell').waitFor();
      await page.locator('.arena-field').focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace');
      await button('Player 2: commit 0 cells').click();
      await button('Player 1: commit 0 cells').waitFor();
      assert.deepEqual((await now()).moves[0].move, { 1: first.slice(0, 2), 2: [] });
    },
  );

  test(
    'at a shared screen undo takes back a commit first, then the turn before it',
    { skip: stage.skip },
    async (t) => {
      const {
        page,
        now,
        within: [first],
        button,
      } = await sitTogether(t, stage);
      assert.equal(await button('Undo').isDisabled(), true);
      await clickCell(page, first[0]);
      await button('Player 1: commit 1 cell').click();
      await button('Player 2: commit 0 cells').waitFor();
      await button('Undo').click();
      await button('Player 1: commit 0 cells').click();
      await button('Player 2: commit 0 cells').click();
      await page.locator('.iteration', { hasText: '1 / 25' }).waitFor();
      await button('Player 1: commit 0 cells').click();
      await button('Player 2: commit 0 cells').waitFor();
      await button('Undo').click();
      await button('Player 1: commit 0 cells').waitFor();
      const { n_moves: nMoves, pending, moves } = await now();
      assert.deepEqual([nMoves, pending], [1, [false, false]]);
      assert.deepEqual(moves[0].move, { 1: [], 2: [] }, 'what was taken back was not played');
      await button('Undo').click();
      await page.locator('.iteration', { hasText: '0 / 25' }).waitFor();
    },
  );

  test(
    'at a shared screen the side choosing is the one that resigns',
    { skip: stage.skip },
    async (t) => {
      const { page, now, button } = await sitTogether(t, stage);
      await button('Player 1: commit 0 cells').click();
      await button('Player 2: commit 0 cells').waitFor();
      await button('Resign').click();
      await button('Really resign?').click();
      await page.locator('.banner strong', { hasText: 'Player 1 wins' }).waitFor();
      assert.equal((await now()).over.winner, 0);
    },
  );
}
