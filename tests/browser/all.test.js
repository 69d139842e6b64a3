// All browser tests, in one process with one server and one chromium. Cleans up after itself:
//     npm install --no-package-lock && TURF=../../build/turf node --test all.test.js
import { after, before, describe } from 'node:test';
import { launch, Server, skip } from './harness.js';
import { leagueTests } from './league.js';
import { plainTests } from './plain.js';
import { suites } from './suites.js';
import { twoBrowserTests } from './two.js';

describe('the page in a browser', () => {
  const stage = { skip };

  before(async () => {
    if (skip) return;
    stage.server = await new Server().start();
    stage.browser = await launch();
  });
  after(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
  });

  // Two people at two machines, a league, a server with other pages: not for the page in one file.
  for (const tests of [...suites, twoBrowserTests, leagueTests, plainTests]) tests(stage);
});
