// All browser tests, in one process with one server and one chromium. Cleans up after itself:
//     npm install --no-package-lock && TURF=../../build/turf node --test all.test.js
import { after, before, describe } from 'node:test';
import { launch, Server, skip } from './harness.js';
import { playTests } from './play.js';
import { twoBrowserTests } from './two.js';
import { replayTests } from './replay.js';
import { analysisTests } from './analysis.js';
import { arenaTests } from './arena.js';
import { gridTests } from './grid.js';
import { tournamentTests } from './tournament.js';
import { axeTests } from './axe.js';
import { pageTests } from './page.js';
import { plainTests } from './plain.js';

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

  for (const tests of [
    pageTests,
    plainTests,
    playTests,
    arenaTests,
    twoBrowserTests,
    replayTests,
    analysisTests,
    gridTests,
    tournamentTests,
    axeTests,
  ])
    tests(stage);
});
