// A tournament created on the page, stopped, resumed, and watched to its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atServer, openPage, PHONE, shoot } from './harness.js';

// Opens the owner's link, and waits until the token has left the address.
async function becomeOwner(page, { base, owner }) {
  await page.goto(`${base}#owner=${owner}`);
  await page.waitForURL(/#\/tournaments$/);
}

async function fillIn(page, server, games) {
  await becomeOwner(page, server);
  await page.getByRole('link', { name: 'New tournament' }).click();
  await page.getByLabel('Games per pair').fill(String(games));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/#\/tournaments\/\d+/);
}

const stateIs = (page, words) =>
  page.waitForFunction((wanted) => document.querySelector('.state')?.textContent === wanted, words);

export function tournamentTests(stage) {
  test(
    'only the owner is offered to start a tournament',
    { skip: atServer(stage, 'here everybody is the owner') },
    async (t) => {
      const page = await openPage(t, stage.browser);
      const note = page.locator('.owner-note', { hasText: '#owner=' });
      const offer = page.getByRole('link', { name: 'New tournament' });
      for (const place of ['#/tournaments', '#/tournaments/new', `#owner=${'0'.repeat(32)}`]) {
        await page.goto(`${stage.server.base}${place}`);
        await note.waitFor();
        assert.equal(await offer.count(), 0);
        assert.equal(await page.getByRole('button', { name: 'Start' }).count(), 0);
      }
      await becomeOwner(page, stage.server);
      await offer.waitFor();
      assert.equal(await note.count(), 0);
      const sent = [];
      page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
      await page.reload();
      await offer.waitFor();
      assert.ok(sent.length > 0 && !sent.some((text) => text.includes(stage.server.owner)));
    },
  );

  test('a tournament can be watched to its end', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await fillIn(page, stage.server, 20);
    await stateIs(page, 'finished');
    const [played, total] = (await page.locator('.progress-side .number').textContent()).match(
      /[\d,]+/g,
    );
    assert.equal(played, total);
    assert.ok((await page.locator('.standings tbody tr').count()) >= 4);
    assert.match(await page.locator('.standings tbody tr').last().textContent(), /random/);
    await shoot(page, 'tournament');
    const download = page.waitForEvent('download');
    await page.getByText('CSV', { exact: true }).click();
    assert.match((await download).suggestedFilename(), /csv$/);
  });

  test(
    'on a phone long names are shown in full without overflow',
    { skip: stage.skip },
    async (t) => {
      const names = ['W'.repeat(40), 'Ж'.repeat(40), '漢'.repeat(40)];
      const { tournament } = await stage.server.ask('tournaments', {
        game: 'squirrel-war',
        players: names.map((name) => ({ player: 'random', name })),
        games: 2,
        seed: 1,
      });
      const people = await stage.server.ask('live-games', {
        game: 'ai-battleground',
        seats: names.slice(0, 2).map((name) => ({ kind: 'person', name })),
      });
      const page = await openPage(t, stage.browser, { viewport: { width: 360, height: 740 } });
      const room = () =>
        page.evaluate(
          () => document.documentElement.clientWidth - document.documentElement.scrollWidth,
        );
      await page.goto(`${stage.server.base}#/tournaments/${tournament.id}`);
      await stateIs(page, 'finished');
      for (const name of await page.locator('.entrant').all()) {
        const { whole, width } = await name.evaluate((box) => ({
          whole: box.scrollWidth <= box.clientWidth,
          width: box.clientWidth,
        }));
        assert.ok(whole && width < 180, `${await name.textContent()} takes ${width} px`);
      }
      await shoot(page, 'phone-tournament-long-names');
      const { games } = await stage.server.ask(`history?tournament=${tournament.id}`);
      const { id: recorded } = games.find(({ players }) => players.includes(names[0]));
      for (const token of people.tokens) {
        await page.goto(`${stage.server.base}#/game/${people.live_game.id}/seat/${token}`);
        await page.waitForURL(new RegExp(`${people.live_game.id}$`));
      }
      const button = page.locator('.commit button:enabled', { hasText: names[0] });
      await button.waitFor();
      const box = await button.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 360);
      const places = [
        ['#/', '.left-open a'],
        ['#/tournaments', '.tournament-line'],
        [`#/tournaments/${tournament.id}`, '.entrant'],
        ['#/watch', '.tournament-line'],
        [`#/tournaments/${tournament.id}/games`, '.history .name'],
        [`#/history/${recorded}`, '.head .name'],
      ];
      for (const [place, sign] of places) {
        await page.goto(`${stage.server.base}${place}`);
        await page.locator(sign, { hasText: names[0] }).first().waitFor();
        assert.ok((await room()) >= 0, `${place} is too wide`);
      }
    },
  );

  test(
    'the report opens in the page and fits a phone',
    { skip: atServer(stage, 'from file:// a frame is of another origin') },
    async (t) => {
      const { tournament } = await stage.server.ask('tournaments', {
        game: 'war-of-life',
        players: ['random', 'bloodlust', 'minimax'].map((player) => ({ player })),
        games: 10,
        seed: 1,
      });
      for (const [name, options] of [
        ['phone', PHONE],
        ['desktop', {}],
      ]) {
        const page = await openPage(t, stage.browser, options);
        await page.goto(`${stage.server.base}#/tournaments/${tournament.id}`);
        await stateIs(page, 'finished');
        await page.getByRole('link', { name: 'Report' }).click();
        const report = page.frameLocator('iframe.report');
        await report.getByRole('heading', { name: 'Ratings' }).waitFor();
        await page.waitForFunction(() => {
          const frame = document.querySelector('iframe.report');
          const inside = frame.contentDocument.documentElement;
          return frame.clientHeight >= inside.getBoundingClientRect().height && inside.clientHeight;
        });
        const tooWide = () =>
          document.documentElement.scrollWidth - document.documentElement.clientWidth;
        assert.ok((await page.evaluate(tooWide)) <= 0);
        assert.ok((await report.locator('body').evaluate(tooWide)) <= 0);
        await shoot(page, `report-${name}`);
      }
    },
  );

  test('a tournament can be stopped and resumed', { skip: stage.skip }, async (t) => {
    const page = await openPage(t, stage.browser);
    await fillIn(page, stage.server, 20000);
    await page.getByRole('button', { name: 'Stop' }).click();
    await stateIs(page, 'stopped');
    await page.getByRole('button', { name: 'Resume' }).click();
    await stateIs(page, 'running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await stateIs(page, 'stopped');
  });
}
