// The tests of the page, for both of its back ends: a server, and an engine in the page.
import { analysisTests } from './analysis.js';
import { arenaTests } from './arena.js';
import { axeTests } from './axe.js';
import { fileTests } from './files.js';
import { gridTests } from './grid.js';
import { pageTests } from './page.js';
import { playTests } from './play.js';
import { replayTests } from './replay.js';
import { tournamentTests } from './tournament.js';

export const suites = [
  pageTests,
  playTests,
  arenaTests,
  replayTests,
  analysisTests,
  fileTests,
  gridTests,
  tournamentTests,
  axeTests,
];
