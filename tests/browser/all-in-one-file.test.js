// The tests of the page that are not about a server, with the page in one file, from file:// and
// with the network off. Those that need a server are skipped with the reason.
//     FILE=../../build/turf.html node --test all-in-one-file.test.js
import { existsSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { FILE, OneFile, skip } from './harness.js';
import { suites } from './suites.js';

describe('the page in one file, with the tests of the page', () => {
  const missing = !existsSync(FILE) && `there is no ${FILE}; './do page' makes it`;
  const stage = { skip: skip || missing, isOneFile: true };

  before(async () => {
    if (stage.skip) return;
    stage.server = await new OneFile().start();
    stage.browser = stage.server.browser;
  });
  after(() => stage.server?.stop());

  for (const tests of suites) tests(stage);
});
