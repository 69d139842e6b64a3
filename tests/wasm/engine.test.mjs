// The engine as WebAssembly plays what the native program plays, to the byte.
//   TURF=build/turf BENCH=build/bench/turf-bench node --test tests/wasm/engine.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startModule } from '../../src/wasm/page/module.js';
import { compile, openHouse } from './house.mjs';

const TURF = process.env.TURF ?? 'build/turf';
const BENCH = process.env.BENCH ?? 'build/bench/turf-bench';
const ORACLES = process.env.TURF_ORACLES;
const GAMES = ['war-of-life', 'amoeba-wars', 'ai-battleground', 'squirrel-war'];

let server;
let address;
let token;
const place = mkdtempSync(join(tmpdir(), 'turf-wasm-'));

before(async () => {
  server = spawn(TURF, ['serve', '--port', '0', '--db', join(place, 'turf.db')]);
  address = await new Promise((found) =>
    server.stdout.on('data', (text) => {
      const [link] = /http:\S+/.exec(text) ?? [];
      if (link) found(link);
    }),
  );
  token = readFileSync(join(place, 'turf.db.owner'), 'utf8').trim();
});
after(() => {
  server.kill();
  rmSync(place, { recursive: true });
});

async function fetched(method, path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(`${address}api/${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, data: await answer.json() };
}

// Without what depends on the clock or on chance.
const UNEQUAL = new Set([
  'time_ms',
  'created_at',
  'updated_at',
  'ms',
  'times',
  'id',
  'seconds',
  'finished_at',
]);
const plain = (value) =>
  JSON.stringify(value, (key, each) => (UNEQUAL.has(key) ? undefined : each));

test('the signature of the searches is that of the native program', async () => {
  let text = '';
  const bench = await startModule(await compile('bench'), {
    hooks: {},
    log: (more) => (text += more),
  });
  bench.exports.signature();
  const native = JSON.parse(execFileSync(BENCH, ['--signature', '--json']));
  assert.deepEqual(JSON.parse(text), native);
});

test('the same requests get the same answers as from turf serve', async () => {
  const { ask } = await openHouse();
  const both = async (method, path, body) => {
    const here = ask(method, path, body);
    const there = await fetched(method, path, body);
    assert.equal(here.status, there.status, `${path}: ${plain(here.data)}`);
    assert.equal(plain(here.data), plain(there.data), path);
    return here.data;
  };
  await both('GET', 'games');
  await both('POST', 'start', { game: 'war-of-life', start: 'nonsense' });
  await both('POST', 'moves', { game: 'chess' });
  await both('GET', 'live-games/nobody');
  for (const game of GAMES) {
    const { position } = await both('POST', 'start', { game, seed: 7 });
    await both('POST', 'moves', { game, position });
    for (const player of ['level-2', 'level-5', 'level-8', 'level-10'])
      await both('POST', 'choose', { game, position, player });
    const { moves } = await both('POST', 'choose', { game, position, player: 'level-4' });
    await both('POST', 'step', { game, position, move: moves[0].move });
  }
});

// Five players in all pairings: 25 pairings. With TURF_FEW_GAMES two games of each.
const isShort = Boolean(process.env.TURF_FEW_GAMES);
const TOURNAMENTS = [
  ['war-of-life', 16, ['random', 'bloodlust', 'land-grab', 'level-7', 'level-9']],
  ['amoeba-wars', 12, ['random', 'bloodlust', 'land-grab', 'level-3', 'level-6']],
  ['squirrel-war', 10, ['random', 'land-grab', 'level-4', 'level-5', 'level-6']],
  ['ai-battleground', 3, ['random', 'land-grab', 'settler', 'level-3', 'level-6']],
];

async function untilDone(read) {
  for (;;) {
    const { data } = await read();
    if (data.state === 'done') return data;
    assert.equal(data.error, null);
  }
}

const many = isShort ? 'two hundred' : 'a thousand';
test(`${many} seeded games are those of the native program`, async () => {
  const { ask, work } = await openHouse();
  let nGames = 0;
  for (const [game, games, players] of TOURNAMENTS) {
    const plan = {
      game,
      games: isShort ? 2 : games,
      seed: 11,
      players: players.map((player) => ({ player })),
      ...(game === 'ai-battleground' && { config: { maxGameIterations: 60 } }),
    };
    const { id } = ask('POST', 'tournaments', plan, 'owner').data.tournament;
    const there = (await fetched('POST', 'tournaments', plan)).data.tournament.id;
    const here = await untilDone(async () => {
      work();
      return ask('GET', `tournaments/${id}`);
    });
    const native = await untilDone(() => fetched('GET', `tournaments/${there}`));
    assert.equal(plain({ ...here, recent: 0 }), plain({ ...native, recent: 0 }), game);
    nGames += here.n_played;
    // Move by move; the order in which they were stored is that of threads.
    const records = async (read, run) => {
      const list = [];
      for (let before = ''; before !== undefined;) {
        const { data } = await read('GET', `history?tournament=${run}&limit=200${before}`);
        list.push(...data.games);
        before = data.next ? `&before=${data.next}` : undefined;
      }
      const lines = [];
      for (const { id: record } of list) {
        const { data } = await read('GET', `history/${record}`);
        lines.push(plain({ ...data, tournament: 0 }));
      }
      return lines.sort();
    };
    assert.deepEqual(await records(ask, id), await records(fetched, there), game);
  }
  assert.ok(nGames >= (isShort ? 200 : 1000), `${nGames} games`);
});

test('the recorded cranks of War of Life are those of the oracle', { skip: !ORACLES }, async () => {
  const { ask } = await openHouse();
  const board = (blue, red) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((row) =>
      [1, 2, 3, 4, 5, 6, 7, 8]
        .map((col) => {
          const is = ([r, c]) => r === row && c === col;
          if (blue.some(is)) return 'b';
          return red.some(is) ? 'r' : '.';
        })
        .join(''),
    );
  const file = join(ORACLES, 'war-of-life', 'crank.jsonl');
  assert.ok(existsSync(file));
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { blue, red, next_blue: nextBlue, next_red: nextRed } = JSON.parse(line);
    const position = { board: board(blue, red), to_move: 'b', moves_made: 0 };
    const { data } = ask('POST', 'step', { game: 'war-of-life', position });
    assert.deepEqual(data.position.board, board(nextBlue, nextRed));
  }
});

test('a database comes back as it was saved, and a damaged one is refused', async () => {
  const { ask, work, house } = await openHouse();
  const seats = [
    { kind: 'person', name: 'Ann' },
    { kind: 'player', player: 'level-3' },
  ];
  const made = ask('POST', 'live-games', { game: 'squirrel-war', seats }).data;
  const {
    id,
    legal_moves: [{ move }],
  } = made.live_game;
  ask('POST', `live-games/${id}/moves`, { move, n_moves: 0 }, made.tokens[0]);
  for (let i = 0; i < 3; i++) work();
  const saved = house.database();
  const again = await openHouse({ database: saved });
  const { data } = again.ask('GET', `live-games/${id}`);
  assert.equal(data.n_moves, 2);
  assert.deepEqual(data.position, ask('GET', `live-games/${id}`).data.position);
  await assert.rejects(openHouse({ database: saved.fill(7, 0, 200) }), /./);
});

test('a bot plays by the protocol, and forfeits with a reason', async () => {
  const first = () => (question) => ({ move: question.moves[0] });
  const bots = {
    first,
    broken: () => () => {
      throw new Error('no idea');
    },
    cheat: () => () => ({ move: 'Z9' }),
  };
  const { ask, work } = await openHouse({ bots });
  const players = ['first', 'broken', 'cheat', 'random'].map((player) => ({ player }));
  const plan = { game: 'squirrel-war', games: 2, players };
  const { id } = ask('POST', 'tournaments', plan, 'owner').data.tournament;
  const { standings } = await untilDone(() => {
    work();
    return ask('GET', `tournaments/${id}`);
  });
  const by = Object.fromEntries(standings.map((each) => [each.name, each]));
  assert.equal(by.first.forfeits, 0);
  assert.ok(by.broken.forfeits > 0 && by.cheat.forfeits > 0);
});
