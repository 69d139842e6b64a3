// axe-core (npm, development only) looks at every view, on a desktop and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openPage, PHONE } from './harness.js';

function findAxe() {
  try {
    return readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  } catch {
    return undefined;
  }
}
export const axe = findAxe();

const GAMES = ['war-of-life', 'amoeba-wars', 'ai-battleground', 'squirrel-war'];
const PERSON = { kind: 'person' };
const RANDOM = { kind: 'player', player: 'random' };

async function finishedGame(server, game) {
  const { live_game: live } = await server.ask('live-games', {
    game,
    seats: [RANDOM, RANDOM],
    delay_ms: 0,
    config: game === 'ai-battleground' ? { maxGameIterations: 20 } : undefined,
  });
  while (!(await server.ask(`live-games/${live.id}`)).over)
    await new Promise((next) => setTimeout(next, 50));
  return live.id;
}

// The address of every view, with something to see.
async function everyView(server) {
  const places = [
    '#/',
    '#/watch',
    '#/history',
    '#/import',
    '#/tournaments',
    '#/puzzles',
    '#/nowhere',
  ];
  for (const game of GAMES) {
    const over = await finishedGame(server, game);
    const seats = [PERSON, PERSON];
    const { live_game: live, tokens } = await server.ask('live-games', { game, seats });
    places.push(
      `#/play/${game}`,
      `#/lesson/${game}`,
      `#/grid/${game}`,
      `#/history/s-${over}/3`,
      `#/analyse/s-${over}/3`,
      `#/learn/s-${over}/0`,
      `#/game/${over}`,
      `#/game/${live.id}/seat/${tokens[0]}`,
    );
  }
  const { tournament } = await server.ask('tournaments', {
    game: 'squirrel-war',
    players: ['random', 'land-grab', 'minimax'].map((player) => ({ player })),
    games: 4,
    seed: 1,
  });
  for (const end of ['', '/games', '/report']) places.push(`#/tournaments/${tournament.id}${end}`);
  return places;
}

export async function violationsIn(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

export function axeTests(stage) {
  const skip = stage.skip || (!axe && 'axe-core is not installed (npm install in tests/browser)');
  for (const [name, options] of [
    ['desktop, dark', { colorScheme: 'dark' }],
    ['phone, light', { ...PHONE, colorScheme: 'light' }],
    ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
    ['desktop at 200 %', { viewport: { width: 720, height: 450 }, colorScheme: 'light' }],
  ])
    test(`axe finds nothing on any view: ${name}`, { skip }, async (t) => {
      const page = await openPage(t, stage.browser, {
        reducedMotion: 'reduce',
        allows: /Applying inline style/, // by axe, and refused
        ...options,
      });
      for (const place of await everyView(stage.server)) {
        await page.evaluate(() => performance.clearMarks());
        await page.goto(`${stage.server.base}${place}`);
        await page.waitForFunction(
          () =>
            performance.getEntriesByName('ready').length > 0 ||
            document.title.startsWith('Something went wrong'),
          undefined,
          { timeout: 120000 }, // an analysis takes its time on a busy machine
        );
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
        });
        assert.deepEqual(await violationsIn(page), [], place);
      }
      // The report is in a frame of the page, in which axe cannot run.
      await page.goto(await page.locator('.report').evaluate((frame) => frame.src));
      assert.deepEqual(await violationsIn(page), [], 'the report');
    });
}
