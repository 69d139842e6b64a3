// The analysis of a game: marks, chances, lines, variations, playing on; learning from mistakes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, PHONE, shoot } from './harness.js';

const GAMES = ['war-of-life', 'amoeba-wars', 'squirrel-war'];

// A finished game, always the same one.
async function finished(server, game) {
  const { live_game: live } = await server.ask('live-games', {
    game,
    seed: 5,
    seats: [
      { kind: 'player', player: 'random' },
      { kind: 'player', player: 'minimax' },
    ],
    delay_ms: 0,
  });
  for (;;) {
    if ((await server.ask(`live-games/${live.id}`)).over) return `s-${live.id}`;
    await new Promise((next) => setTimeout(next, 50));
  }
}

async function openAnalysis(t, stage, game, { ply = 0, ...options } = {}) {
  const id = await finished(stage.server, game);
  const page = await openPage(t, stage.browser, { reducedMotion: 'reduce', ...options });
  await page.goto(`${stage.server.base}#/analyse/${id}/${ply}`);
  await page.waitForSelector('.verdicts', { timeout: 60000 });
  return { page, id };
}

const counter = (page) => page.locator('.transport output');
const chance = (page) => page.locator('.chances').getAttribute('aria-valuenow').then(Number);

export function analysisTests(stage) {
  for (const game of GAMES)
    test(
      `${game}: an analysis marks every move and is clicked through`,
      { skip: stage.skip },
      async (t) => {
        const { page, id } = await openAnalysis(t, stage, game);
        const record = await stage.server.ask(`history/${id}`);
        assert.equal(await page.locator('.moves li').count(), record.moves.length);
        assert.ok((await page.locator('.moves .mark:not(:empty)').count()) > 0);
        assert.match(await page.locator('.verdicts').first().textContent(), /accuracy \d/);
        assert.ok((await page.locator('.lines li').count()) > 1);
        assert.ok((await page.locator('.suggested > *').count()) > 1);
        // The graph goes to a move: its right end is the end of the game.
        const box = await page.locator('.chance-graph').boundingBox();
        await page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
        await page.waitForFunction(
          (n) => document.querySelector('.transport output').textContent === `${n} / ${n}`,
          record.moves.length,
        );
        assert.equal(await chance(page), record.winner === null ? 50 : 100 * (1 - record.winner));
        await page.keyboard.press('j');
        await page.waitForFunction(
          (text) => document.querySelector('.transport output').textContent === text,
          `${record.moves.length - 1} / ${record.moves.length}`,
        );
        await shoot(page, `analysis-${game}`);
      },
    );

  test(
    'a line is played as a variation, and the game is found again',
    { skip: stage.skip },
    async (t) => {
      const { page } = await openAnalysis(t, stage, 'amoeba-wars', { ply: 6 });
      const row = page.locator('.lines li').last().locator('button');
      const wanted = await row.nth(1).textContent();
      await row.nth(1).click();
      await page.waitForSelector('.path:not([hidden])');
      assert.match(await counter(page).textContent(), /^6 \+ 2$/);
      assert.equal(await page.locator('.path .quiet').last().textContent(), wanted);
      await page.waitForFunction(() =>
        /best|good|inaccuracy|mistake|blunder/.test(
          document.querySelector('.transport .choice').textContent,
        ),
      );
      await page.keyboard.press('j');
      await page.waitForFunction(
        () => document.querySelector('.transport output').textContent === '6 + 1',
      );
      await page.click('text=Back to the game');
      await page.waitForFunction(() =>
        document.querySelector('.transport output').textContent.startsWith('6 / '),
      );
      assert.ok(await page.locator('.path').isHidden());
    },
  );

  test('a move on the board branches off and is judged', { skip: stage.skip }, async (t) => {
    const { page } = await openAnalysis(t, stage, 'squirrel-war', { ply: 12, ...PHONE });
    const open = page.locator('.cell.open');
    const cell = open.last();
    await cell.tap();
    await cell.tap();
    await page.waitForFunction(() =>
      /^1[23] [+/]/.test(document.querySelector('.transport output').textContent),
    );
    await page.waitForFunction(() =>
      /Solved|over/.test(document.querySelector('.transport .soft').textContent),
    );
    await shoot(page, 'analysis-phone');
  });

  test(
    'a position of the analysis is played on against a level',
    { skip: stage.skip },
    async (t) => {
      const { page } = await openAnalysis(t, stage, 'squirrel-war', { ply: 4 });
      await page.selectOption('[aria-label=Opponent]', 'level-2');
      await page.click('text=Play from here');
      await page.waitForURL(/#\/game\//);
      await page.waitForSelector('.cell.open');
      const live = await stage.server.ask(`live-games/${page.url().split('/game/')[1]}`);
      assert.equal(live.position.board.join('').replaceAll('*', '').length, 4);
      assert.deepEqual(
        live.seats.map((seat) => seat.kind),
        ['person', 'player'],
      );
    },
  );

  test('mistakes are asked again until a better move is found', { skip: stage.skip }, async (t) => {
    const { page, id } = await openAnalysis(t, stage, 'squirrel-war');
    const { plies } = await stage.server.ask(`history/${id}/analysis`);
    const mistakes = plies.filter(
      ({ side, mark }) => side === 0 && ['mistake', 'blunder'].includes(mark),
    );
    assert.ok(mistakes.length > 0);
    await page.locator('text=Find better moves').first().click();
    const first = mistakes[0];
    await page.waitForSelector('.cell.open');
    const cellOf = ([row, col]) => page.locator(`.cell[data-row="${row}"][data-col="${col}"]`);
    await cellOf(first.cells.at(-1)).click();
    await page.waitForSelector('.verdict.wrong');
    await page.waitForSelector('.cell.open');
    await cellOf(first.before.lines[0].cells.at(-1)).click();
    await page.waitForSelector('.verdict.right');
    await page.click('button:text-is("Next")');
    for (let i = 1; i < mistakes.length; i++) {
      await page.waitForFunction(
        (n) => document.querySelector('aside .soft').textContent.startsWith(`${n} of`),
        i + 1,
      );
      await page.click('text=Show the move');
      await page.click('button:text-is("Next")');
    }
    await page.waitForSelector('text=Back to the analysis');
  });

  const SOLUTIONS = {
    'war-of-life': [
      ['2,2', '1,1'],
      ['2,3', '2,4'],
      ['2,3', '3,4'],
      ['4,3', '4,4'],
      ['5,4', '5,5'],
    ],
    'amoeba-wars': ['B2', 'C3', 'D5', 'B3', 'F6'],
    'squirrel-war': ['C3', 'D3', 'D3', 'D3', 'B4'],
  };
  for (const [game, solutions] of Object.entries(SOLUTIONS))
    test(
      `${game}: the first lesson ends in a game against level 1`,
      { skip: stage.skip },
      async (t) => {
        const page = await openPage(t, stage.browser, { reducedMotion: 'reduce' });
        const rows = game === 'amoeba-wars' ? 6 : 0; // its row 1 is the lowest
        const cellOf = (name) => {
          const [row, col] = name.includes(',')
            ? name.split(',').map((each) => each - 1)
            : [rows ? rows - name[1] : name[1] - 1, name.charCodeAt(0) - 65];
          return page.locator(`.cell[data-row="${row}"][data-col="${col}"]`);
        };
        await page.goto(`${stage.server.base}#/play/${game}`);
        await page.click('a:text-is("First lesson")');
        for (const [i, solution] of solutions.entries()) {
          await page.waitForSelector(`text=${i + 1} of 5`);
          await page.waitForSelector('.cell.open');
          for (const name of [solution].flat()) await cellOf(name).click();
          await page.waitForSelector('.verdict.right');
          if (i === 0) await shoot(page, `lesson-${game}`);
          await page.click('button:text-is("Next")');
        }
        await page.click('summary');
        await page.waitForSelector('.figures figure:nth-child(5)');
        await page.click('button:text-is("Play level 1")');
        await page.waitForURL(/#\/game\//);
        await page.waitForSelector('.cell.open');
      },
    );

  test(
    'ai-battleground: the first lesson is played with cells',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser, { reducedMotion: 'reduce' });
      await page.goto(`${stage.server.base}#/lesson/ai-battleground`);
      const cells = [
        [[0, 0]],
        [[2, 1]],
        [
          [3, 2],
          [3, 3],
        ],
        [
          [3, 2],
          [3, 3],
        ],
        [
          [1, 4],
          [2, 4],
          [3, 4],
        ],
      ];
      for (const [i, some] of cells.entries()) {
        await page.waitForSelector(`text=${i + 1} of 5`);
        await page.waitForTimeout(200);
        const { x, y, width, height } = await page.locator('.middle canvas').boundingBox();
        for (const [row, col] of some)
          await page.mouse.click(x + ((col + 0.5) * width) / 9, y + ((row + 0.5) * height) / 9);
        if (i === 3) await shoot(page, 'lesson-ai-battleground');
        await page.click('button:text-is("Commit")');
        await page.waitForSelector('.verdict.right');
        await page.click('button:text-is("Next")');
      }
      await page.waitForSelector('text=Play level 1');
    },
  );

  test('puzzles are solved, counted and followed by another', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { reducedMotion: 'reduce' });
    const cellOf = ([row, col]) => page.locator(`.cell[data-row="${row}"][data-col="${col}"]`);
    const solutionOf = async (number) =>
      (await stage.server.ask(`puzzles/squirrel-war?seed=1&number=${number}`)).solution.cells[0];
    await page.goto(`${stage.server.base}#/puzzles/squirrel-war`);
    await page.waitForSelector('.cell.open');
    const right = await solutionOf(0);
    const wrong = await page
      .locator('.cell.open')
      .evaluateAll(
        (cells, [row, col]) =>
          cells
            .map(({ dataset }) => [Number(dataset.row), Number(dataset.col)])
            .find(([r, c]) => r !== row || c !== col),
        right,
      );
    await cellOf(wrong).click();
    await page.waitForSelector('.verdict.wrong');
    await page.waitForSelector('text=0 of 1 solved');
    await page.waitForSelector('.cell.open');
    await cellOf(right).click();
    await page.waitForSelector('.verdict.right');
    await page.waitForSelector('text=0 of 1 solved');
    await page.click('text=Another');
    await page.waitForSelector('text=Number 2');
    await page.waitForSelector('.cell.open');
    await cellOf(await solutionOf(1)).click();
    await page.waitForSelector('text=1 of 2 solved');
    await page.reload();
    await page.waitForSelector('text=1 of 2 solved');
    await page.waitForSelector('text=Number 3');
    await shoot(page, 'puzzle');
    await page.goto(`${stage.server.base}#/puzzles`);
    await page.waitForSelector('text=Puzzle of the day');
    await page.waitForSelector('.cell.open');
  });

  test(
    'Analyse is offered after a game and in a replay, but not without turns',
    { skip: stage.skip },
    async (t) => {
      const id = await finished(stage.server, 'squirrel-war');
      const page = await openPage(t, stage.browser);
      await page.goto(`${stage.server.base}#/game/${id.slice(2)}`);
      await page.click('.banner >> text=Analyse');
      await page.waitForSelector('.chances');
      await page.goto(`${stage.server.base}#/history/${id}/7`);
      await page.click('button:has-text("Analyse")');
      await page.waitForSelector('.chances');
      assert.match(page.url(), /analyse\/.*\/7$/);
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'ai-battleground',
        seats: [{ kind: 'person' }, { kind: 'person' }],
      });
      await stage.server.act(live.id, 'resign', tokens[0], {});
      await page.goto(`${stage.server.base}#/game/${live.id}`);
      await page.waitForSelector('.banner >> text=Replay');
      assert.equal(await page.locator('.banner >> text=Analyse').count(), 0);
      await page.goto(`${stage.server.base}#/analyse/s-${live.id}`);
      await page.waitForSelector('text=both sides move at once');
    },
  );
}
