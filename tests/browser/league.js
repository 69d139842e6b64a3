// A league in three browsers: the organiser runs it, a team hands in a bot and looks at its page,
// the audience watches. And the big screen goes through a final.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { axe, violationsIn } from './axe.js';
import { openPage, PHONE, Server, shoot, TURF } from './harness.js';

const BOT = `import json, random, sys

for line in sys.stdin:
    question = json.loads(line)
    if "moves" in question:
        print(json.dumps({"move": random.choice(question["moves"])}), flush=True)
`;
const PLAYERS = ['random', 'bloodlust', 'land-grab', 'minimax'];
const NEAR = ['a=land-grab', 'b=land-grab', 'c=bloodlust', 'd=land-grab']; // all are rated soon

// A server with a league, and players in it if they are given.
async function startLeague(t, players = []) {
  const server = new Server();
  const file = join(server.folder, 'games.db');
  const league = (...words) => execFileSync(TURF, ['league', ...words], { stdio: 'pipe' });
  league('new', file, 'squirrel-war', '--sandbox', 'auto');
  if (players.length) league('add', file, ...players);
  server.league = (command, ...words) => league(command, file, ...words);
  await server.start();
  t.after(() => server.stop());
  return server;
}

async function becomeOwner(page, { base, owner }) {
  await page.goto(`${base}#owner=${owner}`);
  await page.waitForURL(/#\/tournaments$/);
  await page.getByRole('link', { name: 'League' }).click();
  await page.getByText('Run the league').waitFor();
}

const rows = (page) => page.locator('.league-table tbody tr');
const gamesOf = async (page) =>
  Number((await page.locator('.progress-side .number').textContent()).match(/(\d+) game/)[1]);

// No view scrolls sideways.
const fits = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

async function addPlayers(page, players) {
  for (const player of players) {
    await page.getByLabel('New team').fill(player);
    await page.getByLabel('Its bot').selectOption(player);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('rowheader', { name: player }).waitFor();
  }
}

// The organiser adds a team without a bot, and is given its link.
async function invite(page, team) {
  await page.getByLabel('New team').fill(team);
  await page.getByLabel('Its bot').selectOption('');
  await page.getByRole('button', { name: 'Add' }).click();
  const link = page.getByLabel(`The link of ${team}, for the team alone`);
  await link.waitFor();
  return link.inputValue();
}

export function leagueTests(stage) {
  const { skip } = stage;

  test('a server without a league has no tab for it', { skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await page.goto(stage.server.base);
    await page.locator('.poster').first().waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('link', { name: 'League' }).count(), 0);
  });

  test('organiser, team and audience meet in a league', { skip, timeout: 240000 }, async (t) => {
    const server = await startLeague(t);
    const [organiser, team, visitor] = [
      await openPage(t, stage.browser),
      await openPage(t, stage.browser, { colorScheme: 'dark' }),
      await openPage(t, stage.browser, PHONE),
    ];
    await becomeOwner(organiser, server);
    await addPlayers(organiser, PLAYERS.slice(0, 3));
    const link = await invite(organiser, 'anna');
    assert.match(link, /#\/league\/join\/[0-9a-f]{32}$/);

    // The team's link leads to its page, and leaves the address.
    await team.goto(link);
    await team.getByRole('heading', { name: 'anna' }).waitFor();
    assert.match(team.url(), /#\/league\/team\/anna$/);

    // A bot that cannot work is refused with a sentence, and what it printed is shown.
    await team.getByRole('link', { name: 'Hand in a new version' }).click();
    await team.getByRole('heading', { name: 'Hand in a bot' }).waitFor();
    const hand = (text) =>
      team.locator('#bot-file').setInputFiles({
        name: 'my_bot.py',
        mimeType: 'text/x-python',
        buffer: Buffer.from(text),
      });
    await hand('import nothing_of_this_name\n');
    await team.locator('.sentence.wrong').waitFor({ timeout: 90000 });
    assert.ok((await team.locator('.sentence.wrong').textContent()).length > 10);
    assert.match(await team.locator('.steps-of').textContent(), /nothing_of_this_name/);
    await shoot(team, 'league-refused');
    // Mended, it plays.
    await hand(BOT);
    await team.locator('.sentence.right').waitFor({ timeout: 90000 });
    assert.equal(await team.locator('.step.ok').count(), 3);
    assert.equal(await team.locator('.submission .state.accepted').count(), 1);
    assert.equal(await team.locator('.submission .state.refused').count(), 1);
    await shoot(team, 'league-submitted');

    // The audience sees the table move while the organiser lets it be played.
    await visitor.goto(`${server.base}#/league`);
    await rows(visitor).nth(3).waitFor();
    assert.equal(await visitor.getByText('Run the league').count(), 0);
    assert.equal(await gamesOf(visitor), 0);
    await organiser.getByRole('button', { name: 'Play', exact: true }).click();
    await visitor.waitForFunction(
      () => /[1-9]\d* game/.test(document.querySelector('.progress-side .number').textContent),
      undefined,
      { timeout: 60000 },
    );
    await visitor.locator('.league-game').first().waitFor({ timeout: 60000 });
    await visitor.waitForFunction(
      () => document.querySelectorAll('.rating-bar:not(.none)').length === 4,
      undefined,
      { timeout: 120000 },
    );
    const nRounds = Number(
      (await visitor.locator('.progress-side .number').textContent()).match(/\d+/)[0],
    );
    await visitor.waitForFunction(
      (n) => parseInt(document.querySelector('.progress-side .number').textContent, 10) > n + 2,
      nRounds,
      { timeout: 60000 },
    );
    assert.ok(await fits(visitor));
    await shoot(visitor, 'league-phone');
    await shoot(organiser, 'league-organiser');
    await organiser.getByRole('button', { name: 'Stop' }).click();
    await organiser.getByRole('button', { name: 'Play', exact: true }).waitFor();

    // From the list to a replay.
    await visitor.locator('.league-game').first().click();
    await visitor.waitForURL(/#\/history\//);
    await visitor.locator('.replay .board').waitFor();

    // The team's page: rating, versions, opponents, games, and its own stderr.
    await team.getByRole('link', { name: 'My bot’s page' }).click();
    await team.locator('.rating-chart svg').waitFor();
    assert.ok((await team.locator('.opponents tbody tr').count()) > 0);
    assert.ok((await team.locator('.games-of tbody tr').count()) > 0);
    await team.locator('.games-of .log button').first().click();
    await team.getByRole('dialog').waitFor();
    await team.getByRole('button', { name: 'Close', exact: true }).click();
    await shoot(team, 'league-team');
    // Nobody else sees that.
    await visitor.goto(`${server.base}#/league/team/anna`);
    await visitor.locator('.games-of tbody tr').first().waitFor();
    assert.equal(await visitor.locator('.games-of .log').count(), 0);
    assert.equal(await visitor.getByText('Handed in').count(), 0);
    assert.ok(await fits(visitor));

    // The grades.
    const download = organiser.waitForEvent('download');
    await organiser.getByRole('button', { name: 'Grades' }).click();
    assert.equal((await download).suggestedFilename(), 'grades.csv');

    // A team that allows it can be practised against.
    await visitor.goto(`${server.base}#/league`);
    await team.getByLabel('Anybody may practise against this bot').check();
    const practise = visitor.getByRole('button', { name: 'Practise against anna' });
    await visitor.setViewportSize({ width: 1280, height: 900 });
    await practise.click();
    await visitor.waitForURL(/#\/play\/squirrel-war/);
    await visitor.getByRole('button', { name: 'Start' }).click();
    await visitor.locator('.board').waitFor();

    organiser.on('dialog', (dialog) => dialog.accept());
    await organiser.locator('.owner-panel select').nth(1).selectOption('random');
    await organiser.getByRole('button', { name: 'Retire' }).click();
    await organiser.locator('tr', { hasText: 'random' }).getByText('retired').waitFor();
  });

  test('a link that no team has says so', { skip }, async (t) => {
    const server = await startLeague(t, ['random']);
    const page = await openPage(t, stage.browser, { allows: /403/ });
    await page.goto(`${server.base}#/league/join/${'0'.repeat(32)}`);
    await page.getByRole('heading', { name: 'This link is no longer good' }).waitFor();
    assert.doesNotMatch(page.url(), /000/);
    await page.goto(`${server.base}#/league/submit`);
    await page.getByText('belongs to no team').waitFor();
  });

  test('the table stands in a frame of another page, and only the table', { skip }, async (t) => {
    const server = await startLeague(t, PLAYERS);
    server.league('play', '--games', '24', '--quiet');
    const other = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Another page</title>
        <iframe width="480" height="600" src="${server.base}embed#/tournaments"></iframe>
        <iframe width="480" height="600" src="${server.base}%65mbed#/tournaments"></iframe>`);
    });
    await new Promise((done) => other.listen(0, '127.0.0.1', done));
    t.after(() => other.close());
    const page = await openPage(t, stage.browser);
    await page.goto(`http://localhost:${other.address().port}/`);
    for (const number of [0, 1]) {
      const frame = page.frameLocator('iframe').nth(number);
      await frame.locator('.league-table tbody tr').nth(3).waitFor();
      assert.equal(await frame.getByRole('navigation').count(), 0);
    }
    await shoot(page, 'league-embed');
  });

  test('the big screen goes through a final', { skip, timeout: 240000 }, async (t) => {
    const server = await startLeague(t, NEAR);
    server.league('play', '--games', '80', '--quiet');
    server.league('final', '--best', '4', '--games', '2');
    for (const viewport of [
      { width: 1920, height: 1080 },
      { width: 1280, height: 720 },
    ]) {
      const page = await openPage(t, stage.browser, { viewport, reducedMotion: 'reduce' });
      await page.goto(`${server.base}#/league/screen`);
      await page.locator('.screen .bracket .match.now').waitFor();
      const edges = await page.evaluate(() => [
        document.documentElement.scrollHeight <= innerHeight,
        document.documentElement.scrollWidth <= innerWidth,
        document.querySelector('.top').offsetHeight === 0,
        [...document.querySelectorAll('.screen-main *:not(.unseen, .unseen *)')].every((part) => {
          const box = part.getBoundingClientRect();
          return box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
        }),
      ]);
      assert.deepEqual(edges, [true, true, true, true]);
      // From 20 metres: a name is at least a twentieth of the screen's height.
      const size = await page
        .locator('.screen-side .who')
        .first()
        .evaluate((name) => parseFloat(getComputedStyle(name).fontSize));
      assert.ok(size >= viewport.height / 20, `${size} px`);
      // Before the first game has ended nobody has points, and nobody is in the final.
      assert.match(await page.locator('.screen-top p').textContent(), /^Semi-finals, game 1 of 2$/);
      assert.deepEqual(
        await page.locator('.round-of').last().locator('.entry span:first-child').allTextContents(),
        ['…', '…'],
      );
      assert.deepEqual(await page.locator('.match-points strong').allTextContents(), ['0', '0']);
      assert.equal(await page.locator('.screen-result:not([hidden])').count(), 0);
      await shoot(page, `league-screen-${viewport.width}`);
      await page.keyboard.press('ArrowRight');
      await page.locator('.screen-result:not([hidden])').waitFor();
      await shoot(page, `league-result-${viewport.width}`);
      // Through all of it, game by game.
      for (let n = 1; n <= 12; n++) {
        if (await page.locator('.screen-champion:not([hidden])').isVisible()) break;
        await page.keyboard.press('ArrowRight');
        await page.waitForTimeout(400);
      }
      await page.locator('.screen-champion:not([hidden])').waitFor();
      const { final } = await server.ask('league');
      assert.match(
        await page.locator('.screen-champion').textContent(),
        new RegExp(final.champion),
      );
      await shoot(page, `league-champion-${viewport.width}`);
    }
  });

  test('the big screen survives a lost connection', { skip, timeout: 120000 }, async (t) => {
    const server = await startLeague(t, PLAYERS);
    server.league('play', '--games', '24', '--quiet');
    const page = await openPage(t, stage.browser, { allows: /ERR_|Failed to load/ });
    await page.goto(`${server.base}#/league/screen`);
    await page.locator('.screen-board .board').waitFor();
    await server.kill();
    await page.locator('.line:not([hidden])').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await server.start();
    await page.locator('.line[hidden]').waitFor({ state: 'attached' });
    await page.waitForFunction(() =>
      /^move [1-9]/.test(document.querySelector('.screen-share .number').textContent),
    );
  });

  const noAxe = skip || (!axe && 'axe-core is not installed (npm install in tests/browser)');
  for (const [name, options] of [
    ['desktop, dark', { colorScheme: 'dark' }],
    ['desktop, light', { colorScheme: 'light' }],
    ['phone, light', { ...PHONE, colorScheme: 'light' }],
    ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
    ['desktop at 200 %', { viewport: { width: 720, height: 450 }, colorScheme: 'light' }],
  ])
    test(
      `axe finds nothing in the league: ${name}`,
      { skip: noAxe, timeout: 120000 },
      async (t) => {
        const server = await startLeague(t, [...NEAR, 'anna=land-grab']);
        server.league('play', '--games', '60', '--quiet');
        server.league('final', '--best', '4', '--games', '2');
        const { token } = await server.ask('league/teams/anna/invite', {});
        const page = await openPage(t, stage.browser, {
          reducedMotion: 'reduce',
          allows: /Applying inline style/, // by axe, and refused
          ...options,
        });
        await page.goto(`${server.base}#/league/join/${token}`);
        await page.getByRole('heading', { name: 'anna' }).waitFor();
        await becomeOwner(page, server);
        for (const place of ['/team/anna', '', '/submit', '/screen', '/embed']) {
          await page.evaluate(() => performance.clearMarks());
          await page.goto(`${server.base}#/league${place}`);
          await page.waitForFunction(() => performance.getEntriesByName('ready').length > 0);
          await page.evaluate(() => {
            for (const details of document.querySelectorAll('details')) details.open = true;
          });
          assert.deepEqual(await violationsIn(page), [], place);
          if (place !== '/screen') assert.ok(await fits(page), place);
        }
      },
    );
}
