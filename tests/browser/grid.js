// The test grid's clicks and keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atServer, openPage, shoot } from './harness.js';

async function openGrid(t, stage, game) {
  const page = await openPage(t, stage.browser);
  await page.goto(`${stage.server.base}#/grid/${game}`);
  await page.locator('.board').waitFor();
  return page;
}

// Clicks on a cell of a 24 by 24 arena.
async function clickCell(page, row, col, button = 'left') {
  const box = await page.locator('.arena-field').boundingBox();
  await page.mouse.click(
    box.x + ((col + 0.5) * box.width) / 24,
    box.y + ((row + 0.5) * box.height) / 24,
    { button },
  );
}

const extra = (page, side) => page.locator(`.corner.side${side} .extra`).textContent();

export function gridTests(stage) {
  test(
    'left click is player 1, right click player 2, middle click undoes, Enter steps',
    { skip: stage.skip },
    async (t) => {
      const { position } = await stage.server.ask('start', { game: 'ai-battleground' });
      const { reach } = await stage.server.ask('moves', { game: 'ai-battleground', position });
      const cellFor = (key) => {
        const row = reach.findIndex((line) => line.includes(key));
        return [row, reach[row].indexOf(key)];
      };
      const [one, two] = [cellFor('1'), cellFor('2')];
      const page = await openGrid(t, stage, 'ai-battleground');
      assert.match(await extra(page, 1), /^3 of 3 /);
      await clickCell(page, ...one);
      assert.match(await extra(page, 1), /^2 of 3 /);
      await clickCell(page, ...two, 'right');
      assert.match(await extra(page, 2), /^2 of 3 /);
      await clickCell(page, ...one, 'middle');
      assert.match(await extra(page, 1), /^3 of 3 /);
      await clickCell(page, ...two);
      await page.getByText('Too far from player 1’s cells.').waitFor();
      assert.match(await extra(page, 1), /^3 of 3 /, 'a cell out of reach is refused on the spot');
      await shoot(page, 'grid-arena');
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        () => document.querySelector('.iteration').textContent === '1 / 100',
      );
      assert.match(await extra(page, 2), /^5 of 5 /, 'one cell was used and three gained');
    },
  );

  test('the AI Battleground grid works with the keyboard only', { skip: stage.skip }, async (t) => {
    const page = await openGrid(t, stage, 'ai-battleground');
    await page.locator('.arena-field').focus();
    await page.keyboard.press('ArrowUp');
    assert.match(
      await page.locator('.arena-field [role=gridcell]').textContent(),
      /row 11 column 12/,
    );
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('.iteration').textContent === '1 / 100',
    );
  });

  test('a War of Life board can be edited and cranked', { skip: stage.skip }, async (t) => {
    const page = await openGrid(t, stage, 'war-of-life');
    await page.getByRole('combobox', { name: 'Start' }).selectOption('own');
    await page
      .getByLabel('Position, as rows or JSON')
      .fill('......../......../......../......../......../......../......../........');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.piece').length === 0);
    await page.getByRole('button', { name: 'Edit board' }).click();
    for (const col of [3, 4, 5])
      await page.locator(`.cell[data-row="3"][data-col="${col}"]`).click();
    await page.locator('.cell[data-row="6"][data-col="0"]').click({ button: 'right' });
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.piece.side1').length === 3 &&
        document.querySelectorAll('.piece.side2').length === 1,
    );
    await page.getByRole('button', { name: /Turn the crank/ }).click();
    await page.locator('.choice', { hasText: '2 born, 3 died' }).waitFor();
    const blinker = () =>
      [...document.querySelectorAll('.cell[aria-label*="Blue"]')]
        .map((cell) => `${cell.dataset.row},${cell.dataset.col}`)
        .join(' ') === '2,4 3,4 4,4';
    await page.waitForFunction(blinker);
    await page.keyboard.press('j');
    await page.waitForFunction(() => document.querySelectorAll('.piece:not(.dying)').length === 4);
  });

  test(
    'editing an Amoeba Wars board counts killed cells, and a move can be played on it',
    { skip: stage.skip },
    async (t) => {
      const page = await openGrid(t, stage, 'amoeba-wars');
      const cell = (row, col) => page.locator(`.cell[data-row="${row}"][data-col="${col}"]`);
      await page.locator('.cell.open').first().waitFor();
      await page.getByRole('button', { name: 'Edit board' }).click();
      await cell(6, 1).click();
      await cell(5, 1).click({ button: 'right' });
      await page.locator('.choice', { hasText: 'O 2, X 2' }).waitFor();
      await page.getByRole('button', { name: 'Killed by X' }).click();
      await cell(4, 4).click();
      await page.locator('.choice', { hasText: 'O 2, X 3' }).waitFor();
      await page.getByRole('button', { name: 'Play moves' }).click();
      await cell(5, 1).click();
      await page.locator('.choice', { hasText: 'a kill' }).waitFor();
      assert.match(await cell(5, 1).getAttribute('aria-label'), /killed/);
    },
  );

  test('the best move can be requested and played', { skip: stage.skip }, async (t) => {
    const page = await openGrid(t, stage, 'squirrel-war');
    await page.locator('.cell.open').first().waitFor();
    await page.getByRole('combobox', { name: 'Ask' }).selectOption('minimax');
    await page.getByRole('button', { name: 'Best move' }).click();
    const best = page.locator('section[class*=panel] [role=status] button').first();
    await best.hover();
    assert.equal(
      await page.locator('.cell.pointed').count(),
      1,
      'its square is shown on the board',
    );
    await page.getByText(/^Best: [A-E][1-5], (ahead by \d+|level|behind by \d+)\./).waitFor();
    await best.click();
    await page.waitForFunction(() => document.querySelectorAll('.cell.open').length === 24);
    await shoot(page, 'grid-squirrel');
  });

  test(
    'Back during a pending move takes back only that move',
    { skip: atServer(stage, 'a response is held back') },
    async (t) => {
      const page = await openGrid(t, stage, 'squirrel-war');
      const open = () => page.locator('.cell.open').count();
      const opens = (n) =>
        page.waitForFunction(
          (wanted) => document.querySelectorAll('.cell.open').length === wanted,
          n,
        );
      await page.locator('.cell.open').first().click();
      await opens(24);
      let release;
      const held = new Promise((done) => (release = done));
      await page.route('**/api/step', async (route) => {
        await held;
        await route.continue();
      });
      const sent = page.waitForRequest('**/api/step');
      await page.locator('.cell.open').first().click();
      await sent;
      await page.getByRole('button', { name: 'Back' }).click();
      assert.equal(await open(), 24, 'it waits its turn');
      release();
      await page.keyboard.press('k');
      await opens(23);
      await page.keyboard.press('j');
      await opens(24);
      await page.keyboard.press('j');
      await opens(25);
    },
  );

  test('an invalid position is rejected and changes nothing', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { allows: /400|422|Failed to load resource/ });
    await page.goto(`${stage.server.base}#/grid/war-of-life`);
    await page.locator('.cell.open').first().waitFor();
    const pieces = await page.locator('.piece').count();
    await page.getByRole('combobox', { name: 'Start' }).selectOption('own');
    await page.getByLabel('Position, as rows or JSON').fill('bbb');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.locator('.toast.error').waitFor();
    assert.equal(await page.locator('.piece').count(), pieces);
  });

  test(
    'the AI Battleground grid is painted by dragging, cleared, and edits are not iterations',
    { skip: stage.skip },
    async (t) => {
      const page = await openGrid(t, stage, 'ai-battleground');
      const points = (side) => page.locator(`.corner.side${side} .points`);
      const chart = () => page.locator('.domination .border').getAttribute('d');
      const shows = (side, n) =>
        page
          .locator(`.corner.side${side} .points`, { hasText: new RegExp(`^${n}\\s*$`) })
          .waitFor();
      await points(1).waitFor();
      const before = (await chart()).split('L').length;
      await page.getByRole('button', { name: 'Edit board' }).click();
      await page.getByRole('button', { name: 'Clear' }).click();
      await shows(1, 0);
      const box = await page.locator('.arena-field').boundingBox();
      const at = (row, col) => [
        box.x + ((col + 0.5) * box.width) / 24,
        box.y + ((row + 0.5) * box.height) / 24,
      ];
      const drag = async (from, to, button = 'left') => {
        await page.mouse.move(...at(...from));
        await page.mouse.down({ button });
        await page.mouse.move(...at(...to));
        await page.mouse.up({ button });
      };
      await drag([5, 3], [5, 12]);
      await shows(1, 10);
      await drag([8, 3], [8, 6], 'right');
      await shows(2, 4);
      await drag([5, 3], [5, 7]);
      await shows(1, 5);
      assert.equal((await chart()).split('L').length, before);
      await page.keyboard.press('Enter');
      await page.locator('.iteration', { hasText: '1 / 100' }).waitFor();
      assert.equal((await chart()).split('L').length, 2, 'the start and one step');
    },
  );

  test(
    'patterns come from the shelf or as RLE, and the grid runs by itself',
    { skip: stage.skip },
    async (t) => {
      const page = await openGrid(t, stage, 'ai-battleground');
      const points = (n) =>
        page.locator('.corner.side1 .points', { hasText: new RegExp(`^${n}\\s*$`) }).waitFor();
      await page.getByRole('button', { name: 'Edit board' }).click();
      await page.getByRole('button', { name: 'Clear' }).click();
      await points(0);
      await page.getByRole('button', { name: 'Glider', exact: true }).click();
      await page.locator('.arena-field').click({ position: { x: 100, y: 100 } });
      await points(5);
      await page.getByText('From RLE').click();
      await page.getByLabel('Pattern', { exact: true }).fill('what?');
      await page.getByRole('button', { name: 'Take it' }).click();
      await page.getByText('That is not RLE.').waitFor();
      await page
        .getByLabel('Pattern', { exact: true })
        .fill('#C a row\nx = 4, y = 1, rule = B3/S23\n4o!');
      await page.getByRole('button', { name: 'Take it' }).click();
      await page.locator('.arena-field').click({ position: { x: 300, y: 300 } });
      await points(9);
      await shoot(page, 'grid-patterns');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.iteration', { hasText: /^[3-9] / }).waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Run' }).waitFor();
    },
  );

  test('a War of Life board is painted by dragging', { skip: stage.skip }, async (t) => {
    const page = await openGrid(t, stage, 'war-of-life');
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.piece').length === 0);
    await page.locator('.cell[data-row="1"][data-col="1"]').hover();
    await page.mouse.down();
    await page.locator('.cell[data-row="1"][data-col="2"]').hover();
    await page.locator('.cell[data-row="1"][data-col="3"]').hover();
    await page.mouse.up();
    await page.locator('.choice', { hasText: 'Blue 3, Red 0' }).waitFor();
    assert.equal(await page.locator('.piece.side1').count(), 3);
  });
}
