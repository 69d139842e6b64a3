// The page itself: size, load time, themes, and phones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atServer, myTurn, openPage, playMove, setUp, shoot } from './harness.js';

const MAX_PAGE_BYTES = 250_000; // all files, as served
const N_LOADS = 10;
const VIEWS = [
  '#/',
  '#/play/war-of-life',
  '#/watch',
  '#/history',
  '#/grid/ai-battleground',
  '#/grid/squirrel-war',
  '#/tournaments',
  '#/tournaments/new',
];

export function pageTests(stage) {
  // Files served from a folder are the unbundled sources, with comments.
  test(
    'the page is small and loads nothing from other hosts',
    {
      skip:
        atServer(stage, 'the file has its own limit') ||
        (process.env.PAGE && 'only what is built in is weighed'),
    },
    async (t) => {
      const page = await openPage(t, stage.browser);
      const sizes = new Map();
      const strangers = [];
      page.on('response', (response) => {
        const url = response.url();
        if (!url.startsWith(stage.server.base)) strangers.push(url);
        else if (!url.includes('/api/'))
          sizes.set(
            url,
            response.body().then((body) => body.length),
          );
      });
      for (const view of [...VIEWS, '#/game/x', '#/history/x', '#/tournaments/x']) {
        await page.goto(`${stage.server.base}${view}`);
        await page.locator('main h1').first().waitFor();
      }
      await page.waitForLoadState('networkidle');
      const all = (await Promise.all(sizes.values())).reduce((sum, n) => sum + n, 0);
      t.diagnostic(`the whole page: ${all} bytes in ${sizes.size} files`);
      page.faults = page.faults.filter((fault) => !fault.includes('404'));
      assert.ok(all < MAX_PAGE_BYTES, `${all} bytes`);
      assert.deepEqual(strangers, []);
    },
  );

  // The time is reported but not judged: it depends on the machine's load.
  test('the start page is drawn, and its time is reported', { skip: stage.skip }, async (t) => {
    const times = [];
    for (let i = 0; i < N_LOADS; i++) {
      const page = await openPage(t, stage.browser);
      await page.goto(stage.server.base);
      times.push(
        await page
          .waitForFunction(() => performance.getEntriesByName('ready')[0]?.startTime)
          .then((time) => time.jsonValue()),
      );
      assert.equal(await page.locator('.poster').count(), 4);
      await page.context().close();
    }
    times.sort((a, b) => a - b);
    t.diagnostic(
      `start page drawn after ${times[0].toFixed(0)} ms at best, ` +
        `${times[N_LOADS >> 1].toFixed(0)} ms in the median of ${N_LOADS} loads`,
    );
  });

  test(
    'no view logs an error or overflows, in dark and light, on phone and desktop',
    { skip: stage.skip },
    async (t) => {
      for (const colorScheme of ['dark', 'light']) {
        for (const [name, viewport] of [
          ['phone', { width: 360, height: 740 }],
          ['wide', { width: 1600, height: 1000 }],
        ]) {
          const page = await openPage(t, stage.browser, { colorScheme, viewport });
          for (const view of VIEWS) {
            await page.goto(`${stage.server.base}${view}`);
            await page.locator('main h1').first().waitFor();
            await page.evaluate(
              () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
            );
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            assert.ok(overflow <= 0, `${view} is ${overflow} px too wide on a ${name} screen`);
            await shoot(page, `${name}-${colorScheme}-${view.replace(/\W+/g, '-')}`);
          }
        }
      }
    },
  );

  test('a game can be played on a phone', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await setUp(page, stage.server.base, 'squirrel-war');
    await myTurn(page);
    for (let tap = 0; tap < 2; tap++) await page.locator('.cell.open').nth(6).tap();
    await page.waitForFunction(() => document.querySelectorAll('.moves li').length >= 2);
    const board = await page.locator('.board').boundingBox();
    assert.ok(board.width > 300 && board.width <= 360, `the board is ${board.width} px wide`);
    await shoot(page, 'phone-game');
  });

  test('the theme can be switched and is remembered', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { colorScheme: 'dark' });
    const paper = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.goto(stage.server.base);
    const dark = await paper();
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    const light = await paper();
    assert.notEqual(light, dark);
    await page.reload();
    await page.locator('.poster').first().waitFor();
    assert.equal(await paper(), light);
  });

  test('miniature boards follow the theme', { skip: stage.skip }, async (t) => {
    await stage.server.ask('live-games', {
      game: 'war-of-life',
      seats: [{ kind: 'person' }, { kind: 'person' }],
    });
    const page = await openPage(t, stage.browser, { colorScheme: 'dark' });
    await page.goto(`${stage.server.base}#/watch`);
    const ground = () =>
      document
        .querySelector('canvas.mini.life')
        .getContext('2d')
        .getImageData(1, 1, 1, 1)
        .data.join();
    await page.waitForFunction(
      () =>
        document.querySelector('canvas.mini.life')?.getContext('2d').getImageData(1, 1, 1, 1)
          .data[3] === 255,
    );
    const dark = await page.evaluate(ground);
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    assert.notEqual(await page.evaluate(ground), dark);
  });

  test('the game that moves is the first to watch', { skip: stage.skip }, async (t) => {
    const person = { kind: 'person' };
    const make = async () =>
      stage.server.ask('live-games', { game: 'squirrel-war', seats: [person, person] });
    const [moving, ...others] = [await make(), await make(), await make()];
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/watch`);
    const first = page.locator('.live').first();
    await page.locator(`.live[href$="${others[1].live_game.id}"]`).waitFor();
    const move = { move: 'C3' };
    await stage.server.act(moving.live_game.id, 'moves', moving.tokens[0], move);
    await page.waitForFunction(
      (id) => document.querySelector('.live').getAttribute('href').endsWith(id),
      moving.live_game.id,
    );
    await stage.server.act(others[0].live_game.id, 'resign', others[0].tokens[0], {});
    await page.locator('.live.over').first().waitFor();
    assert.equal(await page.locator('.live.over ~ .live:not(.over)').count(), 0);
    await page.reload();
    await page.locator(`.live[href$="${others[1].live_game.id}"]`).waitFor();
    assert.match(await first.getAttribute('href'), new RegExp(moving.live_game.id));
  });

  test('a repeated note is shown once and does not block taps', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { permissions: [] });
    await page.goto(`${stage.server.base}#/grid/squirrel-war`);
    await page.locator('.cell.open').first().waitFor();
    await page.evaluate(() => {
      const notes = document.getElementById('notes');
      Object.assign(window, { nSaid: 0, mostSeen: 0 });
      new MutationObserver((changes) => {
        window.nSaid += changes.reduce((sum, change) => sum + change.addedNodes.length, 0);
        window.mostSeen = Math.max(window.mostSeen, notes.children.length);
      }).observe(notes, { childList: true });
    });
    for (let n = 1; n <= 2; n++) {
      await page.getByRole('button', { name: 'Copy JSON' }).click();
      await page.waitForFunction((wanted) => window.nSaid === wanted, n);
    }
    assert.equal(await page.evaluate(() => window.mostSeen), 1);
    assert.equal(
      await page.locator('#notes').evaluate((notes) => getComputedStyle(notes).pointerEvents),
      'none',
    );
  });

  test('an unknown address shows an error, also in the title', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/nowhere`);
    await page.getByText('Page not found.').waitFor();
    assert.equal(await page.title(), 'Something went wrong · turf');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.locator('.poster').first().waitFor();
  });

  test('a phone in landscape shows the whole board', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, {
      viewport: { width: 844, height: 390 },
      hasTouch: true,
      isMobile: true,
    });
    for (const game of ['war-of-life', 'amoeba-wars', 'ai-battleground', 'squirrel-war']) {
      await setUp(page, stage.server.base, game);
      await page.locator('.board').waitFor();
      const box = await page.locator('.field').first().boundingBox();
      assert.ok(
        box.y >= 0 && box.y + box.height <= 390,
        `${game}: from ${box.y} to ${box.y + box.height}`,
      );
      assert.ok(box.height > 250, `${game}: ${box.height} px`);
    }
  });

  // 720 by 450 and 640 by 450 are desktops at 200 %.
  for (const [width, height] of [
    [720, 450],
    [640, 450],
    [600, 360],
    [667, 375],
    [800, 480],
    [960, 540],
  ])
    test(
      `at ${width} by ${height} the players and the whole board are visible`,
      { skip: stage.skip },
      async (t) => {
        const page = await openPage(t, stage.browser, { viewport: { width, height } });
        for (const game of ['war-of-life', 'amoeba-wars', 'ai-battleground', 'squirrel-war']) {
          await setUp(page, stage.server.base, game);
          await page.locator('.board').waitFor();
          for (const part of await page.locator('.card, .corner, .field').all()) {
            const box = await part.boundingBox();
            const words = `${game}: ${JSON.stringify(box)}`;
            assert.ok(box.y >= 0 && box.y + box.height <= height, words);
            assert.ok(box.x >= 0 && box.x + box.width <= width, words);
            assert.ok(box.width > 80, words);
          }
          for (const part of await page.locator('aside .panel, aside button').all()) {
            const box = await part.boundingBox(); // below the edge perhaps, but not beside it
            assert.ok(!box || box.x + box.width <= width, `${game}: ${JSON.stringify(box)}`);
          }
          for (const name of await page.locator('.card .name, .corner .name').all())
            assert.ok(
              await name.evaluate((box) => box.scrollWidth <= box.clientWidth),
              `${game}: in full`,
            );
          await shoot(page, `${width}x${height}-${game}`);
        }
      },
    );

  test(
    'the AI Battleground header has the same height with two digits as with one',
    { skip: stage.skip },
    async (t) => {
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1280, height: 900 },
      ]) {
        const page = await openPage(t, stage.browser, { viewport });
        await setUp(page, stage.server.base, 'ai-battleground', { clock: '2' });
        await page.getByRole('button', { name: /^Commit/ }).waitFor();
        const heights = await page.evaluate(() =>
          [4, 144].map((points) => {
            for (const box of document.querySelectorAll('.points')) box.textContent = points;
            return document.querySelector('.sky').offsetHeight;
          }),
        );
        assert.equal(heights[0], heights[1]);
      }
    },
  );

  test(
    'a row of the history opens its game wherever it is tapped',
    { skip: stage.skip },
    async (t) => {
      const { live_game: live } = await stage.server.ask('live-games', {
        game: 'squirrel-war',
        seats: [
          { kind: 'player', player: 'random' },
          { kind: 'player', player: 'random' },
        ],
        delay_ms: 0,
      });
      const page = await openPage(t, stage.browser, {
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        isMobile: true,
      });
      await page.goto(`${stage.server.base}#/game/${live.id}`);
      await page.locator('.banner:not([hidden])').waitFor();
      await page.goto(`${stage.server.base}#/history`);
      await page
        .locator('.history tbody tr')
        .first()
        .tap({ position: { x: 200, y: 10 } });
      await page.waitForURL(/#\/history\/s-/);
    },
  );

  test(
    'a late response does not replace a newer one',
    { skip: atServer(stage, 'answers come in order') },
    async (t) => {
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'squirrel-war',
        seats: [{ kind: 'person', name: 'Quick' }, { kind: 'person' }],
      });
      await fetch(`${stage.server.base}api/live-games/${live.id}/resign`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokens[0]}` },
        body: '{}',
      });
      const page = await openPage(t, stage.browser);
      let release;
      const released = new Promise((done) => (release = done));
      await page.route(/api\/history\?.*player=nobody/, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`${stage.server.base}#/history`);
      await page.locator('.history tbody tr').first().waitFor();
      const late = page.waitForResponse(/player=nobody/);
      const asked = page.waitForRequest(/player=nobody/);
      await page.getByLabel('Player').fill('nobody');
      await asked;
      const newer = page.waitForResponse(/player=Quick/);
      await page.getByLabel('Player').fill('Quick');
      for (const answer of [newer, late]) {
        await (await answer).finished();
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        release();
      }
      assert.ok((await page.locator('.history tbody tr', { hasText: 'Quick' }).count()) > 0);
    },
  );

  // A running replay writes each move into the address.
  test(
    'the view being left does not overwrite the new address',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await page.goto(stage.server.base);
      await page.locator('.poster').first().waitFor();
      await page.evaluate(() => {
        location.hash = '#/watch';
        history.replaceState(null, '', '#/tournaments');
      });
      await page.getByRole('heading', { name: 'Now playing' }).waitFor();
      assert.match(page.url(), /#\/watch$/);
    },
  );

  test('with reduced motion nothing keeps moving', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser, { reducedMotion: 'reduce' });
    await setUp(page, stage.server.base, 'squirrel-war');
    const times = await page
      .locator('.card')
      .first()
      .evaluate((card) => {
        card.classList.add('thinking');
        return getComputedStyle(card.querySelector('.state'), '::after').animationIterationCount;
      });
    assert.equal(times, '1');
  });

  test(
    'moves are announced, and the board is a grid of named cells',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'amoeba-wars', { seats: ['me', 'here'], start: '4x4' });
      await myTurn(page);
      assert.equal(await page.getByRole('grid').count(), 1);
      assert.equal(await page.getByRole('gridcell').count(), 16);
      assert.equal(
        await page.locator('.cell[tabindex="0"]').count(),
        1,
        'one cell is in the tab order',
      );
      assert.equal(await page.locator('.cell:not([aria-label])').count(), 0);
      await playMove(page);
      await page.waitForFunction(() =>
        /^O [A-D][1-4], a spread/.test(document.getElementById('spoken').textContent),
      );
    },
  );
}
