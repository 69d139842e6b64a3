// Recorded games: J and K, the slider, the keys, and links to a position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, setUp, shoot } from './harness.js';

// A finished game between two players, and its id in the history.
async function finished(server, game, options = {}) {
  const { live_game: live } = await server.ask('live-games', {
    game,
    seats: [
      { kind: 'player', player: 'random' },
      { kind: 'player', player: 'land-grab' },
    ],
    delay_ms: 0,
    ...options,
  });
  for (;;) {
    const now = await server.ask(`live-games/${live.id}`);
    if (now.over) return now;
    await new Promise((next) => setTimeout(next, 50));
  }
}

const counter = (page) => page.locator('.transport output').textContent();
const shows = (page, text) =>
  page.waitForFunction(
    (wanted) => document.querySelector('.transport output')?.textContent === wanted,
    text,
  );

// The pieces of a War of Life board that are not dying, as the server writes a board.
const piecesDrawn = () => {
  const rows = Array.from({ length: 8 }, () => Array(8).fill('.'));
  for (const piece of document.querySelectorAll('.piece:not(.dying)')) {
    const [x, y] = piece.getAttribute('transform').match(/[\d.]+/g);
    rows[Math.floor(y)][Math.floor(x)] = piece.matches('.side1') ? 'b' : 'r';
  }
  return rows.map((row) => row.join(''));
};

// From now on, every frame that is painted is compared: what the board shows and what `text` says.
const sample = (page, text) =>
  page.evaluate(
    ([read, where]) => {
      const drawn = new Function(`return (${read})()`);
      window.samples = [];
      const look = () => {
        window.samples.push([document.querySelector(where).textContent, drawn()]);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    [String(piecesDrawn), text],
  );

export function replayTests(stage) {
  test(
    'at 30× and on quick keys the board shows the position of the counter',
    { skip: stage.skip },
    async (t) => {
      const game = await finished(stage.server, 'war-of-life', { seed: 3 });
      const n = game.n_moves;
      const { frames } = await stage.server.ask(`history/s-${game.id}/frames?from=0&n=200`);
      const page = await openPage(t, stage.browser);
      await page.goto(`${stage.server.base}#/history/s-${game.id}`);
      await shows(page, `0 / ${n}`);
      await page.getByLabel('Speed').selectOption('30×');
      await sample(page, '.transport output');
      await page.getByRole('button', { name: 'Run' }).click();
      await shows(page, `${n} / ${n}`);
      await page.getByRole('button', { name: 'Run' }).waitFor();
      await page.keyboard.press('Home');
      await shows(page, `0 / ${n}`);
      for (const [text, board] of await page.evaluate(() => window.samples))
        assert.deepEqual(board, frames[Number.parseInt(text, 10)].position.board, text);
      for (let i = 0; i < 6; i++) await page.keyboard.press('k');
      await shows(page, `6 / ${n}`);
      await page.waitForFunction(
        (wanted) => window.samples.at(-1)[1].join() === wanted,
        frames[6].position.board.join(),
      );
    },
  );

  test('cranks in quick succession are all drawn', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/grid/war-of-life`);
    await page.locator('.cell.open').first().waitFor();
    await sample(page, '.choice');
    for (let i = 0; i < 8; i++) await page.keyboard.press('c');
    await page.waitForFunction(
      () => new Set(window.samples.map(([text]) => text)).size >= 8 || window.samples.length > 600,
    );
    for (const [text, board] of await page.evaluate(() => window.samples)) {
      const [, ...scores] = text.match(/Blue (\d+), Red (\d+)/);
      const drawn = ['b', 'r'].map((key) => board.join('').split(key).length - 1);
      assert.deepEqual(drawn, scores.map(Number), text);
    }
  });

  test('J and K step back and forward through a game', { skip: stage.skip }, async (t) => {
    const game = await finished(stage.server, 'war-of-life', { seed: 3 });
    const n = game.n_moves;
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/history`);
    await page.locator(`a[href="#/history/s-${game.id}"]`).click();
    await shows(page, `0 / ${n}`);
    for (let ply = 1; ply <= n; ply++) {
      await page.keyboard.press('k');
      await shows(page, `${ply} / ${n}`);
    }
    await page.keyboard.press('k');
    assert.equal(await counter(page), `${n} / ${n}`, 'K at the end stays there');
    await page.waitForFunction(
      (pieces) => document.querySelectorAll('.piece:not(.dying)').length === pieces,
      game.scores[0] + game.scores[1],
    );
    await page.keyboard.press('j');
    await shows(page, `${n - 1} / ${n}`);
    await page.keyboard.press('Home');
    await shows(page, `0 / ${n}`);
    await page.keyboard.press('ArrowRight');
    await shows(page, `1 / ${n}`);
    await page.getByRole('slider', { name: 'Move' }).fill(String(n));
    await shows(page, `${n} / ${n}`);
    await page.getByRole('button', { name: 'First' }).click();
    await shows(page, `0 / ${n}`);
    await page.getByRole('button', { name: 'Last' }).click();
    await shows(page, `${n} / ${n}`);
  });

  test(
    'the slider is as wide as the board, and the graph says what it shows',
    { skip: stage.skip },
    async (t) => {
      const game = await finished(stage.server, 'war-of-life', { seed: 3 });
      for (const viewport of [
        { width: 1280, height: 900 },
        { width: 360, height: 740 },
      ]) {
        const page = await openPage(t, stage.browser, { viewport });
        await page.goto(`${stage.server.base}#/history/s-${game.id}/2`);
        await shows(page, `2 / ${game.n_moves}`);
        const [slider, field, graph] = await Promise.all(
          ['.scrubber input', '.field', '.graph'].map((sign) => page.locator(sign).boundingBox()),
        );
        for (const box of [slider, graph]) {
          assert.ok(Math.abs(box.width - field.width) < 6, `${box.width} and ${field.width}`);
          assert.ok(Math.abs(box.x - field.x) < 6);
        }
        const text = await page.locator('.graph-box').textContent();
        const [blue, red] = game.moves[1].scores;
        assert.match(text, new RegExp(`random ${blue}.*land-grab ${red}.*pieces by move`));
      }
    },
  );

  test('one’s own games are marked in the history', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await finished(stage.server, 'squirrel-war', { seed: 8 });
    await setUp(page, stage.server.base, 'squirrel-war');
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.locator('.banner:not([hidden])').waitFor();
    await page.goto(`${stage.server.base}#/history`);
    const own = page.locator('tr.own');
    await own.waitFor();
    assert.equal(await own.count(), 1);
    assert.match(await own.textContent(), /yours.*You/);
    await own.click({ position: { x: 500, y: 10 } });
    await page.waitForURL(/history\/s-/);
  });

  test('the address opens the same position', { skip: stage.skip }, async (t) => {
    const game = await finished(stage.server, 'amoeba-wars', { start: '5x5', seed: 4 });
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/history/s-${game.id}/7`);
    await shows(page, `7 / ${game.n_moves}`);
    await page.keyboard.press('k');
    await page.waitForURL(/\/8$/);
    await page.reload();
    await shows(page, `8 / ${game.n_moves}`);
    await shoot(page, 'replay-amoeba');
  });

  test('Space runs a game to its end', { skip: stage.skip }, async (t) => {
    const game = await finished(stage.server, 'squirrel-war', { seed: 5 });
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/history/s-${game.id}`);
    await shows(page, '0 / 25');
    await page.getByLabel('Speed').selectOption('30×');
    await page.locator('h1').click();
    await page.keyboard.press(' ');
    await shows(page, '25 / 25');
  });

  test(
    "AI Battleground shows each player's choice before and after the step",
    { skip: stage.skip },
    async (t) => {
      const game = await finished(stage.server, 'ai-battleground', {
        start: '16x16',
        config: { maxGameIterations: 20 },
        seed: 6,
      });
      const page = await openPage(t, stage.browser);
      await page.goto(`${stage.server.base}#/history/s-${game.id}`);
      await shows(page, '0 / 20');
      await page.getByRole('button', { name: 'Show choices' }).click();
      await page.keyboard.press('k');
      await page.locator('.choice', { hasText: 'Before the step.' }).waitFor();
      assert.match(await page.locator('.choice').textContent(), /Player 1 chose .*Player 2 chose/);
      await page.keyboard.press('k');
      await page.locator('.choice', { hasText: 'Before the step.' }).waitFor({ state: 'hidden' });
      assert.equal(await counter(page), '1 / 20');
      await page.keyboard.press('j');
      await page.locator('.choice', { hasText: 'Before the step.' }).waitFor();
      await shoot(page, 'replay-arena');
    },
  );

  test('a recorded position can be played on', { skip: stage.skip }, async (t) => {
    const game = await finished(stage.server, 'squirrel-war', { seed: 9 });
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/history/s-${game.id}/10`);
    await shows(page, '10 / 25');
    await page.getByRole('button', { name: 'Play on from here' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.cell.open').first().waitFor();
    assert.ok((await page.locator('.cell.open').count()) <= 15);
  });
}
