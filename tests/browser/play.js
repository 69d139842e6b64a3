// Every game from the first move to the last, with mouse and keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atServer,
  idOf,
  isOver,
  myTurn,
  openPage,
  PHONE,
  playMove,
  playToTheEnd,
  setUp,
  shoot,
  takeMove,
} from './harness.js';

const GAMES = [
  ['war-of-life', {}],
  ['amoeba-wars', { start: '4x4' }],
  ['squirrel-war', {}],
];

// A turn of AI Battleground: chooses the cell under the cursor if possible, and commits.
async function arenaTurn(page, hand) {
  const iteration = await page.locator('.iteration').textContent();
  const box = await page.locator('.arena-field').boundingBox();
  if (hand === 'mouse') {
    await page.mouse.click(
      box.x + (box.width * (6 + Math.random() * 12)) / 24,
      box.y + (box.height * (6 + Math.random() * 12)) / 24,
    );
    await page.getByRole('button', { name: /^Commit/ }).click();
  } else {
    await page.locator('.arena-field').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(' ');
    await page.keyboard.press('Enter');
  }
  await page.waitForFunction(
    (before) => document.querySelector('.iteration').textContent !== before,
    iteration,
  );
}

// Resigns against level 3 and plays level 2; returns both games.
async function tryLevelTwo(page, stage) {
  await myTurn(page);
  const before = await stage.server.ask(`live-games/${idOf(page)}`);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await page.getByRole('button', { name: 'Try level 2' }).click();
  await page.waitForFunction((id) => !location.hash.includes(id), before.id);
  return [before, await stage.server.ask(`live-games/${idOf(page)}`)];
}

const terms = ({ clock, is_listed: isListed }) => [clock?.initial_ms, clock?.gain_ms, isListed];

export function playTests(stage) {
  for (const hand of ['mouse', 'keys']) {
    for (const [game, options] of GAMES) {
      test(`${game} can be played to the end by ${hand}`, { skip: stage.skip }, async (t) => {
        const page = await openPage(t, stage.browser);
        await setUp(page, stage.server.base, game, options);
        await playToTheEnd(page, hand);
        assert.equal(
          await page.locator('.board.cranking').count(),
          0,
          'the end is told when the board has come to rest',
        );
        await shoot(page, `${game}-end-${hand}`);
        assert.match(await page.locator('.banner strong').textContent(), /win|lose|draw/);
        assert.match(await page.locator('#spoken').textContent(), /over/i);
      });
    }

    test(`ai-battleground can be played to the end by ${hand}`, { skip: stage.skip }, async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'ai-battleground', { length: '25' });
      await page.locator('.iteration', { hasText: '0 / 25' }).waitFor();
      for (let turn = 0; turn < 25; turn++) await arenaTurn(page, hand);
      await page.locator('.banner:not([hidden])').waitFor();
      await shoot(page, `ai-battleground-end-${hand}`);
      assert.equal(await page.locator('.iteration').textContent(), '25 / 25');
    });
  }

  test(
    'the page makes one request per move',
    { skip: atServer(stage, 'there are no requests') },
    async (t) => {
      for (const [game, options] of GAMES) {
        const page = await openPage(t, stage.browser);
        await setUp(page, stage.server.base, game, options);
        await myTurn(page);
        const asked = [];
        page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
        for (let n = 1; n <= 3 && (await myTurn(page)); n++) {
          await playMove(page);
          await myTurn(page); // also after the other side's reply
          assert.equal(asked.length, n, `${game}: ${asked.join(', ')}`);
        }
      }
    },
  );

  test(
    'three moves of Amoeba Wars can be undone within the turn',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'amoeba-wars', { seats: ['here', 'me'], start: '6x6' });
      await myTurn(page);
      await playMove(page);
      await page.getByText('3 moves left').waitFor();
      await playMove(page);
      await playMove(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('2 moves left').waitFor();
      assert.equal(await page.locator('.moves li').count(), 2);
    },
  );

  // A player that does not search makes its three moves at once. The gaps have a minimum length by
  // design.
  test(
    'the three moves of an Amoeba Wars player are drawn one by one',
    { skip: stage.skip },
    async (t) => {
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
      await page.getByText('3 moves left').waitFor();
      await page.locator('.cell.open').first().waitFor();
      const drawn = await page.evaluate(() => window.drawn);
      assert.deepEqual(
        drawn.map(([n]) => n),
        [2, 3, 4, 5, 6],
        'one more cell each time',
      );
      for (let i = 2; i < drawn.length; i++)
        assert.ok(drawn[i][1] - drawn[i - 1][1] > 150, 'there is time to see it');
      assert.equal(await page.locator('.nuclei .mark').count(), 3, 'the whole turn is marked');
    },
  );

  test(
    'against a player, undo takes back the move and the reply',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'squirrel-war');
      await myTurn(page);
      await playMove(page);
      await page.waitForFunction(() => document.querySelectorAll('.cell.open').length === 23);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.cell.open').length === 25);
      assert.equal(await page.locator('.moves li').count(), 0);
    },
  );

  test(
    'a flipped board shows the same game from the other side',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'amoeba-wars', { seats: ['me', 'here'], start: '4x4' });
      await myTurn(page);
      const first = () => page.locator('.cell').first().getAttribute('aria-label');
      assert.match(await first(), /^A4/);
      await page.getByRole('button', { name: 'Flip board' }).click();
      await page.locator('.cell.open').first().waitFor();
      assert.match(await first(), /^D1/);
      await playMove(page);
    },
  );

  test('SquirrelWar previews what a raid captures', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    const values = Array.from({ length: 5 }, () => [10, 20, 30, 40, 50]);
    const position = {
      values,
      board: ['XO***', '*****', '*****', '*****', '*****'],
      to_move: 'X',
    };
    const { live_game: live, tokens } = await stage.server.ask('live-games', {
      game: 'squirrel-war',
      start: position,
      seats: [{ kind: 'person' }, { kind: 'person' }],
    });
    await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
    const cell = page.locator('.cell[data-row="1"][data-col="0"]');
    await page.locator('.cell.open').first().waitFor();
    assert.match(await cell.getAttribute('aria-label'), /a raid/);
    await cell.hover();
    assert.equal(await page.locator('.plans .claim').count(), 1);
    assert.match(
      await page.locator('.cell[data-row="4"][data-col="4"]').getAttribute('aria-label'),
      /a sneak/,
    );
    assert.doesNotMatch(page.url(), new RegExp(tokens[0]), 'the token has left the address');
  });

  test(
    'resigning asks for confirmation, and a rematch swaps sides',
    { skip: stage.skip },
    async (t) => {
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
    },
  );

  test(
    'two people at one screen have the names of their sides and undo together',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'war-of-life', { seats: ['me', 'here'] });
      await myTurn(page);
      assert.deepEqual((await page.locator('.card .name').allTextContents()).sort(), [
        'Blue',
        'Red',
      ]);
      assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
      await playMove(page);
      await myTurn(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.moves li').length === 0);
      await myTurn(page);
    },
  );

  test(
    'War of Life previews the scores after a move and the colours of births',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      const start = '......../......../..bb..../..b...../.....rr./.....r../......../........';
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'war-of-life',
        start,
        seats: [{ kind: 'person' }, { kind: 'person' }],
      });
      await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
      await page.locator('.cell[data-row="2"][data-col="2"].open').click();
      const { moves } = await stage.server.ask('moves', {
        game: 'war-of-life',
        position: live.position,
      });
      const move = moves.find(
        ({ cells: [[r, c]], effect }) => r === 2 && c === 2 && new Set(effect.born_to).size === 2,
      );
      await page
        .locator(`.cell[data-row="${move.cells[1][0]}"][data-col="${move.cells[1][1]}"]`)
        .hover();
      assert.deepEqual(
        await page.locator('.card .score').allTextContents(),
        [1, 0].map((side) => (move.scores[side] === 3 ? '3' : `3 → ${move.scores[side]}`)),
      );
      for (const side of [0, 1])
        assert.equal(
          await page.locator(`.birth.side${side + 1}`).count(),
          move.effect.born_to.filter((to) => to === side).length,
        );
      await shoot(page, 'war-of-life-preview');
    },
  );

  for (const [game, options] of GAMES)
    test(
      `${game}: a first tap previews a move, the second plays it`,
      { skip: stage.skip },
      async (t) => {
        const page = await openPage(t, stage.browser, PHONE);
        await setUp(page, stage.server.base, game, { seats: ['me', 'here'], ...options });
        await myTurn(page);
        let target = page.locator('.cell.open').first();
        if (game === 'war-of-life') {
          await target.tap();
          target = page.locator('.cell.open[aria-label*="move here"]').first();
        }
        await target.tap();
        await page.getByText('tap again to move').waitFor();
        assert.ok((await page.locator('.omens > *, .ghost > *, .plans > *').count()) > 0);
        assert.equal(await page.locator('.moves li').count(), 0);
        await shoot(page, `phone-${game}-preview`);
        await target.tap();
        await page.waitForFunction(() => document.querySelectorAll('.moves li').length === 1);
      },
    );

  test(
    'a hint has an arrow, and the mark of the last move is not that of a target',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'war-of-life', { seats: ['me', 'level-1'] });
      await myTurn(page);
      await page.getByRole('button', { name: 'Hint' }).click();
      await page.locator('.art .arrow').waitFor();
      await shoot(page, 'hint-arrow');
      await page.getByRole('button', { name: 'Take hint' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.moves li').length > 0);
      await setUp(page, stage.server.base, 'war-of-life', {
        seats: ['me', 'here'],
        start: 'cross',
      });
      await myTurn(page);
      await playMove(page);
      await myTurn(page);
      await page.locator('.cell.open').first().click();
      const look = (sign) =>
        page
          .locator(sign)
          .first()
          .evaluate((mark) => {
            const { fill, stroke } = getComputedStyle(mark);
            return `${fill} ${stroke}`;
          });
      assert.notEqual(await look('.marks .from'), await look('.marks .target'));
    },
  );

  test(
    'the score changes when the crank turns, not when the piece begins to move',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'war-of-life', { seats: ['me', 'here'] });
      await myTurn(page);
      await page.evaluate(() => {
        window.early = 0;
        const scores = () =>
          [...document.querySelectorAll('.card .score')].map((each) => each.textContent).join();
        let before = scores();
        const look = () => {
          const isGliding = document.getAnimations().some(({ effect }) => {
            const { target } = effect;
            return target.matches?.('.piece') && !effect.pseudoElement;
          });
          if (isGliding && scores() !== before) window.early++;
          if (!isGliding) before = scores();
          requestAnimationFrame(look);
        };
        look();
      });
      for (let i = 0; i < 3 && (await myTurn(page)); i++) {
        await takeMove(page);
        await page.mouse.move(5, 5);
        await page.waitForFunction((n) => document.querySelectorAll('.moves li').length > n, i);
      }
      assert.equal(await page.evaluate(() => window.early), 0);
    },
  );

  test(
    'nothing jumps at the first kill or when the game is over',
    { skip: stage.skip },
    async (t) => {
      const start = {
        board: ['..X', '.XO', 'O..'],
        to_move: 'O',
        moves_left: 2,
        killed: { O: 0, X: 0 },
      };
      for (const viewport of [
        { width: 1280, height: 900 },
        { width: 360, height: 740 },
      ]) {
        const { live_game: live, tokens } = await stage.server.ask('live-games', {
          game: 'amoeba-wars',
          start,
          seats: [{ kind: 'person' }, { kind: 'person' }],
        });
        const page = await openPage(t, stage.browser, { viewport });
        await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
        const kill = page.locator('.cell.open[data-row="1"][data-col="1"]');
        await kill.waitFor();
        const places = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('.card, .board, .links')].map((part) => {
              const { x, y, width, height } = part.getBoundingClientRect();
              return [x, y + scrollY, width, height].map(Math.round).join();
            }),
          );
        const before = await places();
        await kill.click();
        await page.getByText('1 move left').waitFor();
        assert.deepEqual(await places(), before, 'a kill');
        await page.getByRole('button', { name: 'Resign' }).click();
        await page.getByRole('button', { name: 'Really resign?' }).click();
        await page.locator('.banner:not([hidden])').waitFor();
        assert.deepEqual(await places(), before, 'the end');
      }
    },
  );

  test(
    'earlier positions can be looked at while the game goes on',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'here'] });
      for (let i = 0; i < 3; i++) {
        await myTurn(page);
        await playMove(page);
      }
      const taken = (n) =>
        page.waitForFunction(
          (wanted) => document.querySelectorAll('.tile:not(.free)').length === wanted,
          n,
        );
      await taken(3);
      await page.keyboard.press('j');
      await taken(2);
      assert.equal(await page.locator('.cell.open').count(), 0, 'the past cannot be played');
      await page.locator('.moves button').first().click();
      await taken(1);
      await shoot(page, 'looking-back');
      await page.getByRole('button', { name: 'Later move' }).click();
      await taken(2);
      await page.getByRole('button', { name: 'Now' }).click();
      await taken(3);
      await myTurn(page);
      await playMove(page);
    },
  );

  test('sound is one button, and remembered', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await page.addInitScript(() => {
      window.nTones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) {
        window.nTones++;
        return start.apply(this, when);
      };
    });
    const tones = () => page.evaluate(() => window.nTones);
    await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'here'] });
    await myTurn(page);
    await playMove(page);
    assert.equal(await tones(), 0, 'off until it is turned on');
    const button = page.getByRole('button', { name: 'Sound' });
    await button.click();
    const before = await tones();
    await myTurn(page);
    await playMove(page);
    await page.waitForFunction((n) => window.nTones > n, before);
    await page.reload();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
  });

  test('the rules can be read before and during a game', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    const opened = async () => {
      await page.getByText('Rules of Amoeba Wars').click();
      await page.getByText('O begins with one move.').waitFor();
    };
    await page.goto(`${stage.server.base}#/play/amoeba-wars`);
    await opened();
    await setUp(page, stage.server.base, 'amoeba-wars');
    await opened();
  });

  test('the setup remembers the last choice', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'amoeba-wars', {
      seats: ['level-3', 'me'],
      start: '6x6',
      clock: '1',
    });
    await page.goto(`${stage.server.base}#/play/amoeba-wars`);
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    const values = await page
      .locator('.setup select')
      .evaluateAll((fields) => fields.map((field) => field.value));
    // The fields of the rules were left at their defaults, which are empty.
    assert.deepEqual(values.filter(Boolean), ['level-3', 'me', '6x6', '1']);
    await page.getByText('A beginner.').waitFor();
  });

  test('after a loss the next lower level is one click away', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'level-3'] });
    await myTurn(page);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    const first = page.url();
    await page.getByRole('button', { name: 'Try level 2' }).click();
    await page.waitForFunction((url) => location.href !== url, first);
    await myTurn(page);
    const { seats } = await stage.server.ask(`live-games/${idOf(page)}`);
    assert.deepEqual(
      seats.map((seat) => seat.player),
      [undefined, 'level-2'],
    );
  });

  test(
    'the next level has the same clock and a newly drawn start',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'war-of-life', {
        seats: ['me', 'level-3'],
        start: 'random',
        clock: '1',
      });
      const other = await page.context().newPage();
      await setUp(other, stage.server.base, 'war-of-life', {
        seats: ['me', 'level-5'],
        start: 'cross',
        clock: '2',
      });
      const [before, after] = await tryLevelTwo(page, stage);
      assert.deepEqual(terms(after), [300000, 3000, true]);
      assert.equal(after.start.board.join('').match(/b/g).length, 12);
      assert.notDeepEqual(after.start, before.start);
    },
  );

  test('the next level starts from the same given position', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    const start = 'bb....../b......./......../......../......../......../......../.....rrr';
    const body = {
      game: 'war-of-life',
      start,
      clock: { initial_ms: 600000, gain_ms: 0 },
      is_listed: false,
      seats: [{ kind: 'person' }, { kind: 'player', player: 'level-3' }],
    };
    const { live_game: live, tokens } = await stage.server.ask('live-games', body);
    await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
    await page.waitForURL(new RegExp(`${live.id}$`));
    const [before, after] = await tryLevelTwo(page, stage);
    assert.deepEqual(terms(after), [600000, 0, false]);
    assert.deepEqual(after.start, before.start);
  });

  // Another database may be served at this address for a while.
  test(
    'a seat is kept when the server does not know the game for a while',
    { skip: atServer(stage, 'the games are in the page') },
    async (t) => {
      const page = await openPage(t, stage.browser, { allows: /404/ });
      await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'link'] });
      const asked = `**/api/live-games/${idOf(page)}`;
      await page.route(asked, (route) =>
        route.fulfill({ status: 404, json: { message: 'there is no such game' } }),
      );
      const refused = page.waitForResponse(asked);
      await page.goto(stage.server.base);
      await (await refused).finished();
      await page.unroute(asked);
      await page.reload();
      await page.getByRole('link', { name: /^SquirrelWar: / }).click();
      assert.equal(await myTurn(page), true);
    },
  );

  test('an empty custom position is not an error', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await page.goto(`${stage.server.base}#/play/war-of-life`);
    await page.locator('.preview .piece').first().waitFor();
    await page.getByRole('combobox', { name: 'Start' }).selectOption('own');
    const text = page.getByLabel('Position, as rows or JSON');
    assert.equal(await text.evaluate((field) => field === document.activeElement), true);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    assert.match(page.url(), /play\/war-of-life/, 'nothing begins without it');
    assert.equal(await page.locator('.toast').count(), 0);
    await text.fill('b......./......../......../......../......../......../......../.......r');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForFunction(
      () =>
        location.hash.startsWith('#/game/') &&
        document.querySelectorAll('.table .piece').length === 2,
    );
  });

  test(
    'a hint marks a legal move, and the tab title says whose turn it is',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'war-of-life');
      await myTurn(page);
      assert.match(await page.title(), /^Your turn · War of Life/);
      await page.getByRole('button', { name: 'Hint' }).click();
      await page.locator('.cell.pointed').nth(1).waitFor();
      const [from, to] = await page
        .locator('.cell.pointed')
        .evaluateAll((cells) =>
          cells
            .sort((a, b) => b.classList.contains('open') - a.classList.contains('open'))
            .map((cell) => `.cell[data-row="${cell.dataset.row}"][data-col="${cell.dataset.col}"]`),
        );
      await page.locator(from).click();
      assert.match(await page.locator(to).getAttribute('aria-label'), /move here/);
      await page.locator(to).click();
      await page.waitForFunction(() => document.querySelectorAll('.moves li').length > 0);
      assert.equal(await page.locator('.cell.pointed').count(), 0);
    },
  );

  test(
    'games between people have no hints',
    { skip: atServer(stage, 'a friend by link') },
    async (t) => {
      const page = await openPage(t, stage.browser);
      await setUp(page, stage.server.base, 'squirrel-war', { seats: ['me', 'link'] });
      await myTurn(page);
      assert.equal(await page.getByRole('button', { name: 'Hint' }).isVisible(), false);
    },
  );

  test('the loser is told, and a draw is announced once', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await setUp(page, stage.server.base, 'squirrel-war');
    await myTurn(page);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.locator('.banner strong', { hasText: 'You lose' }).waitFor();
    const start = 'b......./......../......../......../......../......../......../.......r';
    const { live_game: live, tokens } = await stage.server.ask('live-games', {
      game: 'war-of-life',
      start,
      seats: [{ kind: 'person' }, { kind: 'person' }],
    });
    await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
    await myTurn(page);
    await playMove(page);
    await page.locator('.banner strong', { hasText: 'A draw' }).waitFor();
    assert.equal(await page.locator('.banner span').textContent(), '0 to 0');
  });

  test(
    'Amoeba Wars shows kills and the moves left in the turn',
    { skip: stage.skip },
    async (t) => {
      const page = await openPage(t, stage.browser);
      const start = {
        board: ['..X', '.XO', 'O..'],
        to_move: 'O',
        moves_left: 2,
        killed: { O: 0, X: 0 },
      };
      const { live_game: live, tokens } = await stage.server.ask('live-games', {
        game: 'amoeba-wars',
        start,
        seats: [{ kind: 'person' }, { kind: 'person' }],
      });
      await page.goto(`${stage.server.base}#/game/${live.id}/seat/${tokens[0]}`);
      await page.locator('.cell.open[data-row="1"][data-col="1"]').click();
      await page.getByText('1 move left').waitFor();
      assert.equal(await page.locator('.card.side1 .sum').textContent(), '2 + 1 killed');
    },
  );
}
