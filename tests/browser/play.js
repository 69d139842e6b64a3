// Every game from its first move to its last, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver, myTurn, openPage, playMove, playToTheEnd, setUp, shoot } from './harness.js';

const GAMES = [['war-of-life', {}], ['amoeba-wars', { start: '4x4' }], ['squirrel-war', {}]];

// A turn of AI Battleground: the cell under the cursor is taken if it can be, and the turn committed.
async function arenaTurn(page, hand) {
  const iteration = await page.locator('.iteration').textContent();
  const box = await page.locator('.arena-field').boundingBox();
  if (hand === 'mouse') {
    await page.mouse.click(box.x + (box.width * (6 + Math.random() * 12)) / 24, box.y + (box.height * (6 + Math.random() * 12)) / 24);
    await page.getByRole('button', { name: /^Commit/ }).click();
  } else {
    await page.locator('.arena-field').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(' ');
    await page.keyboard.press('Enter');
  }
  await page.waitForFunction((before) => document.querySelector('.iteration').textContent !== before, iteration);
}

export function playTests(stage) {
  for (const hand of ['mouse', 'keys']) {
    for (const [game, options] of GAMES) {
      test(`${game} is played to its end by ${hand}`, { skip: stage.skip }, async (t) => {
        const page = await openPage(t, stage.browser);
        await setUp(page, stage.server.base, game, options);
        await playToTheEnd(page, hand);
        assert.equal(await page.locator('.board.cranking').count(), 0, 'the end is told when the board has come to rest');
        await shoot(page, `${game}-end-${hand}`);
        assert.match(await page.locator('.banner strong').textContent(), /win|draw/);
        assert.match(await page.locator('#spoken').textContent(), /over/i);
      });
    }

    test(`ai-battleground is played to its end by ${hand}`, { skip: stage.skip }, async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'ai-battleground', { length: '25' });
      for (let turn = 0; turn < 25; turn++) await arenaTurn(page, hand);
      await page.locator('.banner:not([hidden])').waitFor();
      await shoot(page, `ai-battleground-end-${hand}`);
      assert.equal(await page.locator('.iteration').textContent(), '25 / 25');
    });
  }

  test('three moves of amoeba-wars can be taken back inside the turn', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'amoeba-wars', { seats: ['here', 'me'], start: '6x6' });
    await myTurn(page);
    await playMove(page);
    await page.getByText('to move · 3 moves left').waitFor();
    await playMove(page);
    await playMove(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('to move · 2 moves left').waitFor();
    assert.equal(await page.locator('.moves li').count(), 2);
  });

  // A player that does not think makes its three moves at once. The gaps have a least length by design, whatever the machine does.
  test('the three moves of an amoeba-wars player are drawn one after the other', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'amoeba-wars', { start: '8x8' });
    await myTurn(page);
    await page.evaluate(() => {
      const nuclei = document.querySelector('.nuclei');
      window.drawn = [[2, 0]];
      // The same position may be drawn again.
      new MutationObserver(() => {
        const n = nuclei.querySelectorAll('.nucleus').length;
        if (n !== window.drawn.at(-1)[0]) window.drawn.push([n, performance.now()]);
      }).observe(nuclei, { childList: true });
    });
    await page.locator('.cell.open').first().click();
    await page.getByText('to move · 3 moves left').waitFor();
    await page.locator('.cell.open').first().waitFor();
    const drawn = await page.evaluate(() => window.drawn);
    assert.deepEqual(drawn.map(([n]) => n), [2, 3, 4, 5, 6], 'one more cell each time');
    for (let i = 2; i < drawn.length; i++) assert.ok(drawn[i][1] - drawn[i - 1][1] > 150, 'there is time to see it');
    assert.equal(await page.locator('.nuclei .mark').count(), 3, 'the whole turn is marked');
  });

  test('against a player, undo takes back the move and the answer', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'squirrel-war');
    await myTurn(page);
    await playMove(page);
    await page.waitForFunction(() => document.querySelectorAll('.cell.open').length === 23);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.cell.open').length === 25);
    assert.equal(await page.locator('.moves li').count(), 0);
  });

  test('a flipped board shows the same game from the other side', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'amoeba-wars', { seats: ['me', 'here'], start: '4x4' });
    await myTurn(page);
    const first = () => page.locator('.cell').first().getAttribute('aria-label');
    assert.match(await first(), /^A4/);
    await page.getByRole('button', { name: 'Flip board' }).click();
    await page.locator('.cell.open').first().waitFor();
    assert.match(await first(), /^D1/);
    await playMove(page);
  });

  test('in squirrel-war one sees what a raid takes before the click', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    const values = Array.from({ length: 5 }, () => [10, 20, 30, 40, 50]);
    const position = { values, board: ['XO***', '*****', '*****', '*****', '*****'], to_move: 'X' };
    const { sitting, tokens } = await stage.server.ask('sittings', { game: 'squirrel-war', start: position, seats: [{ kind: 'person' }, { kind: 'person' }] });
    await page.goto(`${stage.server.base}#/sitting/${sitting.id}/seat/${tokens[0]}`);
    const cell = page.locator('.cell[data-row="1"][data-col="0"]');
    await page.locator('.cell.open').first().waitFor();
    assert.match(await cell.getAttribute('aria-label'), /a raid/);
    await cell.hover();
    assert.equal(await page.locator('.plans .claim').count(), 1);
    assert.match(await page.locator('.cell[data-row="4"][data-col="4"]').getAttribute('aria-label'), /a sneak/);
    assert.doesNotMatch(page.url(), new RegExp(tokens[0]), 'the token has left the address');
  });

  test('resigning asks twice, and a rematch changes sides', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'war-of-life');
    await myTurn(page);
    await page.getByRole('button', { name: 'Resign' }).click();
    assert.equal(await isOver(page), false);
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.locator('.banner:not([hidden])').waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.waitForFunction((url) => location.href !== url, first);
    await page.locator('.card.side1 .name', { hasText: 'random' }).waitFor();
    await myTurn(page);
  });
}
