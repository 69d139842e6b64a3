// Two people in two browsers, a watcher, and a server that is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  idOf,
  isOver,
  launch,
  myTurn,
  openPage,
  playMove,
  Server,
  setUp,
  shoot,
  takeMove,
} from './harness.js';

// So many legal moves that they do not come with the game.
const MANY_MOVES = {
  board: Array.from({ length: 26 }, (_, row) => (row % 3 === 1 ? 'O' : '.').repeat(25) + 'X'),
  to_move: 'O',
  moves_left: 3,
  killed: { O: 0, X: 0 },
};

const linkOf = async (page, caption) => page.getByLabel(caption).inputValue();

async function seatTwo(t, stage, game, options) {
  const first = await openPage(t, stage.browser, options?.page);
  await setUp(first, stage.server.base, game, { seats: ['me', 'link'], ...options });
  const invitation = await linkOf(first, /^Invite /);
  const second = await openPage(t, stage.browser, options?.page);
  await second.goto(invitation);
  await second.locator('.table').waitFor();
  return [first, second];
}

async function playBoth(pages, n = 400) {
  for (let i = 0; i < n; i++) {
    await Promise.race(
      pages.map((page) => page.locator('.cell.open, .banner:not([hidden])').first().waitFor()),
    );
    for (const page of pages) {
      if (await isOver(page)) return;
      if (await page.locator('.cell.open').count()) {
        await playMove(page);
        break;
      }
    }
  }
}

export function twoBrowserTests(stage) {
  test('two browsers play each other while a third watches', { skip: stage.skip }, async (t) => {
    const [first, second] = await seatTwo(t, stage, 'squirrel-war');
    const watcher = await openPage(t, stage.browser);
    await watcher.goto(await linkOf(first, 'To watch'));
    await watcher.locator('.table').waitFor();
    await playBoth([first, second]);
    for (const page of [first, second, watcher]) {
      await page.locator('.banner:not([hidden])').waitFor();
      assert.equal(await page.locator('.moves li').count(), 25);
    }
    assert.equal(await watcher.locator('.cell.open').count(), 0);
    const texts = await Promise.all(
      [first, second, watcher].map((page) => page.locator('.card .score').allTextContents()),
    );
    assert.deepEqual(
      texts.map((scores) => scores.sort()),
      [texts[0], texts[0], texts[0]],
    );
  });

  test(
    'the creator is shown as present, and the clock starts when the other arrives',
    { skip: stage.skip },
    async (t) => {
      const [first, second] = await seatTwo(t, stage, 'squirrel-war', { clock: '1' });
      await second.locator('.card.side1 .state', { hasText: 'to move' }).waitFor();
      const { seats, clock } = await stage.server.ask(`live-games/${idOf(first)}`);
      assert.deepEqual(
        seats.map((seat) => seat.is_taken),
        [true, true],
      );
      assert.deepEqual(clock.running, [true, false]);
    },
  );

  test(
    'a name being typed survives the arrival of the other person',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'link'] });
      const invitation = page.getByLabel(/^Invite /);
      const [, id, token] = (await invitation.inputValue()).match(/game\/([^/]+)\/seat\/(.+)/);
      await page.getByLabel('Your name').click();
      await page.keyboard.type('Charlot');
      await stage.server.sit(id, token);
      await invitation.waitFor({ state: 'hidden' });
      await page.keyboard.type('te');
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Charlotte');
      await page.keyboard.press('Tab');
      await page.locator('.card .name', { hasText: /^Charlotte$/ }).waitFor();
    },
  );

  test(
    'a name has up to 40 characters of any alphabet, in the setup and at the table',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      const foxes = '🦊'.repeat(40);
      await page.goto(`${stage.server.base}#/play/squirrel-war`);
      await page.getByLabel('Your name').fill(`${foxes}🦊🦊`);
      assert.equal(await page.getByLabel('Your name').inputValue(), foxes);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('.card .name', { hasText: foxes }).waitFor();
      await page.getByLabel('Your name').fill('Ж'.repeat(41));
      await page.keyboard.press('Tab');
      await page.locator('.card .name', { hasText: /^Ж{40}$/ }).waitFor();
    },
  );

  test('after a server crash both people play on', { skip: stage.skip }, async (t) => {
    const server = await new Server().start();
    const browser = await launch();
    t.after(async () => {
      await browser.close();
      await server.stop();
    });
    const allows = /ERR_|Failed to load resource/;
    const [first, second] = await seatTwo(t, { server, browser }, 'amoeba-wars', {
      start: '4x4',
      page: { allows },
    });
    await playBoth([first, second], 5);
    const before = await first.locator('.card .score').allTextContents();
    await server.kill();
    await first.getByText('Connection lost').waitFor();
    await server.start();
    await first.getByText('Connection lost').waitFor({ state: 'hidden' });
    await second.getByText('Connection lost').waitFor({ state: 'hidden' });
    assert.deepEqual(await first.locator('.card .score').allTextContents(), before);
    await playBoth([first, second]);
    for (const page of [first, second]) await page.locator('.banner:not([hidden])').waitFor();
  });

  for (const game of ['war-of-life', 'amoeba-wars', 'squirrel-war', 'ai-battleground'])
    test(
      `${game}: a move made without a connection is played when it is back`,
      { skip: stage.skip },
      async (t) => {
        const allows = /ERR_|Failed to load resource/;
        const page = await openPage(t, stage.browser, { allows });
        await setUp(page, stage.server.base, game, { seats: ['me', 'here'] });
        const isArena = game === 'ai-battleground';
        const commit = page.getByRole('button', { name: 'Player 1: commit 0 cells' });
        await (isArena ? commit.waitFor() : myTurn(page));
        await page.context().setOffline(true);
        if (isArena) await commit.click();
        else await takeMove(page);
        await page.getByText('Your move will be sent when it is back.').waitFor();
        await page.context().setOffline(false);
        if (isArena) await page.getByRole('button', { name: 'Player 2: commit 0 cells' }).waitFor();
        else {
          await page.waitForFunction(() => document.querySelectorAll('.moves li').length === 1);
          await playMove(page);
        }
        await page.locator('.line').waitFor({ state: 'hidden' });
      },
    );

  test('a move that the server cannot store yet is sent again', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { allows: /Failed to load resource/ });
    await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'here'] });
    await myTurn(page);
    let nSent = 0;
    await page.route('**/api/live-games/*/moves', (route) =>
      ++nSent < 3
        ? route.fulfill({ status: 503, json: { message: 'another program is writing.' } })
        : route.continue(),
    );
    await takeMove(page);
    await page.getByText('Another program is writing. Trying again…').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.moves li').length === 1);
    await page.locator('.line').waitFor({ state: 'hidden' });
  });

  test(
    'legal moves that cannot be fetched are asked for again',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser, { allows: /ERR_|Failed to load resource/ });
      let nAsked = 0;
      await page.route('**/api/live-games/*/moves', (route) =>
        route.request().method() === 'GET' && ++nAsked < 3 ? route.abort() : route.continue(),
      );
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'amoeba-wars',
        start: MANY_MOVES,
        seats: [{ kind: 'person' }, { kind: 'person' }],
      });
      assert.ok(!live.legal_moves, 'too many to come with the game');
      await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
      await page.getByText('Trying again').waitFor();
      await playMove(page);
      await page.locator('.line').waitFor({ state: 'hidden' });
    },
  );

  test(
    'the clock starts when the friend arrives, however late',
    { skip: stage.skip },
    async (t) => {
      const person = { kind: 'person' };
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'war-of-life',
        seats: [person, person],
        clock: { initial_ms: 180000, gain_ms: 0 },
      });
      const page = await openPage(t, stage.browser);
      await page.addInitScript(() => {
        const now = performance.now.bind(performance);
        window.waited = 0;
        performance.now = () => now() + window.waited;
      });
      await page.goto(`${stage.server.base}#/game/${live.id}`);
      await page.locator('time.clock', { hasText: '3:00' }).first().waitFor();
      await page.evaluate(() => (window.waited = 200000));
      for (const token of tokens) await stage.server.sit(live.id, token);
      await page.locator('time.clock', { hasText: /^2:[0-5]\d$/ }).waitFor();
    },
  );

  test(
    'in a background tab the title and a notification say that it is your turn',
    { skip: stage.skip },
    async (t) => {
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'squirrel-war',
        seats: [{ kind: 'person', name: 'Ann' }, { kind: 'person' }],
      });
      await stage.server.sit(live.id, tokens[0]);
      const page = await openPage(t, stage.browser);
      await page.clock.install();
      await page.addInitScript(() => {
        window.notified = [];
        window.Notification = class {
          static permission = 'granted';
          constructor(title, { body }) {
            window.notified.push([title, body]);
          }
        };
      });
      await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[1]}`);
      await page.locator('.card.side1 .state', { hasText: 'to move' }).waitFor();
      assert.match(await page.title(), /^SquirrelWar: Ann – You/);
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await page.clock.fastForward(60000); // by then the stream is closed
      await stage.server.act(live.id, 'moves', tokens[0], { move: 'C3' });
      await page.clock.fastForward(60000);
      await page.waitForFunction(() => document.title.startsWith('Your turn'));
      await page.waitForFunction(() => window.notified.length > 0);
      assert.deepEqual(await page.evaluate(() => window.notified), [
        ['Your turn', 'SquirrelWar: Ann – You'],
      ]);
    },
  );

  test(
    'an invitation that only this computer can open says so, and Copy works without https',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      // As on a local network, where browsers give no clipboard to a page.
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'clipboard', { value: undefined }),
      );
      await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'link'] });
      const link = await linkOf(page, /^Invite /);
      await page.getByText('Only this computer can open the link.').waitFor();
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByText('Link copied.').waitFor();
      await page.getByLabel('Your name').focus();
      await page.keyboard.press('Control+v');
      const pasted = await page.getByLabel('Your name').inputValue();
      assert.ok(pasted && link.startsWith(pasted), pasted);
      await shoot(page, 'invitation');
    },
  );

  test('people without a name are called something', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'ai-battleground', { seats: ['me', 'link'] });
    const id = idOf(page);
    await page.goto(`${stage.server.base}#/`);
    await page.locator('.left-open a', { hasText: 'AI Battleground: You – Anonymous' }).waitFor();
    await page.goto(`${stage.server.base}#/game/${id}`);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.locator('.corner .name').first().waitFor();
    for (const name of await page.locator('.corner .name').allTextContents())
      assert.match(name, /Anonymous|You/);
    assert.match(await page.title(), /(Anonymous|You) – Anonymous/);
  });

  test('two people agree on a takeback and a draw', { skip: stage.skip }, async (t) => {
    const [first, second] = await seatTwo(t, stage, 'squirrel-war');
    const button = (page, name) => page.getByRole('button', { name, exact: true });
    await myTurn(first);
    assert.equal(await button(first, 'Take back').isDisabled(), true);
    await playMove(first);
    await button(first, 'Take back').click();
    await first.getByText('You asked to take your move back.').waitFor();
    await second.locator('.offer', { hasText: 'Anonymous asks to take a move back.' }).waitFor();
    await shoot(second, 'takeback');
    await button(second, 'Accept').click();
    await first.waitForFunction(() => document.querySelectorAll('.moves li').length === 0);
    assert.equal(await myTurn(first), true);
    await button(second, 'Offer draw').click();
    await button(first, 'Decline').click();
    await button(second, 'Withdraw').waitFor({ state: 'hidden' });
    await button(first, 'Offer draw').click();
    await button(second, 'Accept').click();
    for (const page of [first, second])
      await page.locator('.banner strong', { hasText: 'A draw' }).waitFor();
    await shoot(first, 'draw-agreed');
  });

  test('a watcher cannot move', { skip: stage.skip }, async (t) => {
    const { live_game: live } = await stage.server.ask('live-games', {
      game: 'war-of-life',
      seats: [{ kind: 'person' }, { kind: 'person' }],
    });
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/game/${live.id}`);
    await page.locator('.piece').first().waitFor();
    assert.equal(await page.locator('.cell.open').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Resign' }).isVisible(), false);
    assert.equal(await myTurn(await playerOf(t, stage, live)), true);
  });
}

async function playerOf(t, stage) {
  const page = await openPage(t, stage.browser);
  await setUp(page, stage.server.base, 'war-of-life');
  return page;
}
