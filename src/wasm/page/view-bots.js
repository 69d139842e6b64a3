// Bots without a server: a person writes, pastes or opens one in JavaScript, and lets it play.
import { botsHere, games, keepBots, post } from '../../web/page/api.js';
import { complain, note } from '../../web/page/announce.js';
import { makeLiveCard } from '../../web/page/cards.js';
import { h, row, select, show } from '../../web/page/dom.js';
import { allGames, gameOf, isFault } from '../../web/page/games.js';
import { keep, kept } from '../../web/page/keep.js';
import { followGame } from '../../web/page/live-game.js';
import { makeLine } from '../../web/page/stream.js';

const DRAFT = 'turf-bot-draft';
const NAME = /^[a-z][a-z0-9_-]{0,30}$/;
const MAX_BYTES = 256 * 1024;
// Milliseconds gained a turn; the bucket holds five times as much, as in the arena.
const TIMES = [200, 1000, 5000];
const MAX_TURNS = 5;

const TEMPLATE = `// answer() is called for each turn. Everything outside of it is made
// anew for each game: keep there what you want to remember.
let turn = 0;

function answer(question) {
  turn++;
  if (question.moves) {
    // War of Life, Amoeba Wars, SquirrelWar: answer one of question.moves.
    // question.board has the rows, question.you is your side.
    const at = Math.floor(Math.random() * question.moves.length);
    return { move: question.moves[at] };
  }
  // AI Battleground: cells to colonise, [row, column] from 0.
  // question.field has the rows: # is yours, O the enemy's, . is dead.
  const { field, cellsRemaining } = question;
  const cells = [];
  field.forEach((line, row) => {
    for (let col = 0; col + 1 < line.length; col++)
      if (line[col] === '#' && line[col + 1] === '.') cells.push([row, col + 1]);
  });
  return { cells: cells.slice(0, cellsRemaining) };
}
`;

// A name for a file: my_Bot.js is my_bot.
const nameOfFile = (file) =>
  file
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '') || 'mine';

export async function botsView(place, _, signal) {
  const facts = await games();
  let bots = await botsHere().all();
  if (signal.aborted) return '';
  const name = h('input', { autocomplete: 'off', spellcheck: 'false', oninput: draft });
  const source = h('textarea', { rows: 20, spellcheck: 'false', oninput: draft });
  const file = h('input', { type: 'file', accept: '.js,.mjs,text/javascript', onchange: open });
  const list = h('ul.plain.chips', { 'aria-label': 'Your bots' });
  const remove = h('button.danger.quiet', forget, 'Delete');
  const game = select(
    allGames().map((each) => [each.id, each.name]),
    { onchange: listOpponents },
  );
  const opponentPlace = h('div');
  const side = select([
    [0, 'First side'],
    [1, 'Second side'],
  ]);
  const time = select(TIMES.map((ms) => [ms, `${ms / 1000} s`]));
  time.value = TIMES[1];
  const play = h('button.primary', begin, 'Play');
  const stop = h('button.danger', { hidden: true, onclick: () => playing.stop() }, 'Stop the bot');
  const stage = h('div.stack');
  let opponent;
  let playing;

  function draft() {
    keep(DRAFT, { name: name.value, source: source.value });
    drawList();
  }

  function edit(bot) {
    name.value = bot.name;
    source.value = bot.source;
    draft();
  }

  function drawList() {
    const isKept = bots.some((bot) => bot.name === name.value);
    remove.hidden = !isKept;
    show(
      list,
      bots.map((bot) =>
        h(
          'li',
          h(
            'button',
            { 'aria-pressed': String(bot.name === name.value), onclick: () => edit(bot) },
            bot.name,
          ),
        ),
      ),
    );
  }

  function listOpponents() {
    const { players } = facts.get(game.value);
    const others = players.filter(({ kind }) => kind !== 'allowed');
    opponent = select(others.map(({ id, level }) => [id, level ? `Level ${level}` : id]));
    show(opponentPlace, row('Opponent', opponent));
  }

  async function open() {
    const [given] = file.files;
    file.value = '';
    if (!given) return;
    if (given.size > MAX_BYTES) {
      complain(new Error('This file is too long for a bot: it may have 256 KB.'));
      return;
    }
    edit({ name: nameOfFile(given.name), source: await given.text() });
  }

  async function save() {
    const bot = { name: name.value.trim(), source: source.value };
    if (!NAME.test(bot.name))
      throw new Error('Give the bot a name of small letters, digits, - and _, like my-bot-2.');
    if (bot.source.length > MAX_BYTES) throw new Error('A bot may have 256 KB.');
    if (!bot.source.trim())
      throw new Error('Paste a bot, open a file, or begin with the template.');
    const others = bots.filter((each) => each.name !== bot.name);
    await keepBots([...others, bot].sort((a, b) => (a.name < b.name ? -1 : 1)));
    bots = await botsHere().all();
    name.value = bot.name;
    draft();
    return bot;
  }

  async function forget() {
    try {
      await keepBots(bots.filter((bot) => bot.name !== name.value));
      bots = await botsHere().all();
      note('Deleted. Its text stays here until you leave or edit another bot.');
      drawList();
    } catch (error) {
      complain(error);
    }
  }

  async function begin() {
    play.disabled = true;
    try {
      const bot = await save();
      const mine = Number(side.value);
      const seats = [opponent.value, opponent.value].map((player) => ({ kind: 'player', player }));
      seats[mine].player = bot.name;
      const gain = Number(time.value);
      const { live_game: live } = await post('live-games', {
        game: game.value,
        start: facts.get(game.value).starts[0].name,
        seats,
        clock: { initial_ms: MAX_TURNS * gain, gain_ms: gain },
        is_listed: false,
        delay_ms: 0,
      });
      watch(live.id, bot.name);
    } catch (error) {
      complain(error);
      play.disabled = false;
    }
  }

  function watch(id, botName) {
    const ended = new AbortController();
    signal.addEventListener('abort', () => ended.abort());
    const card = makeLiveCard(gameOf(game.value), `#/game/${id}`);
    const line = makeLine();
    const more = h('div.buttons');
    const verdict = h('p', { role: 'status' });
    playing = { stop: () => botsHere().stop(id) };
    stop.hidden = false;
    show(stage, line.element, verdict, card.element, more);
    followGame(
      id,
      ended.signal,
      (live) => {
        const { over } = live;
        card.update({
          board: live.position.board,
          players: live.seats.map((seat) => seat.name),
          scores: live.scores,
          text: `move ${live.n_moves + !over}`,
        });
        if (!over) return;
        verdict.textContent = over.text;
        verdict.className = isFault(over.reason) ? 'alarm' : '';
        ended.abort();
        stop.hidden = true;
        play.disabled = false;
        show(more, h('a.button', { href: `#/history/s-${id}` }, `Replay the game of ${botName}`));
      },
      line,
    );
  }

  const before = kept(DRAFT) ?? bots[0] ?? { name: 'mine', source: TEMPLATE };
  name.value = before.name;
  source.value = before.source;
  drawList();
  listOpponents();
  show(
    place,
    h(
      'div.head',
      h(
        'div',
        h('h1', 'Bots'),
        h(
          'p',
          'Write a player in JavaScript. It stays in this browser, plays here, and can join ',
          h('a', { href: '#/tournaments/new' }, 'tournaments'),
          '. Open only bots of people you trust.',
        ),
      ),
    ),
    h(
      'div.setup',
      h(
        'section.panel.stack',
        { 'aria-label': 'The bot' },
        list,
        row('Name', name),
        row('Its text', source),
        row('Open a file', file),
        h(
          'div.buttons',
          h('button', () => save().then(() => note('Kept in this browser.'), complain), 'Keep'),
          h('button.quiet', () => edit({ name: 'mine', source: TEMPLATE }), 'Template'),
          remove,
        ),
      ),
      h(
        'section.panel.stack',
        { 'aria-label': 'A game' },
        row('Game', game),
        opponentPlace,
        row('The bot plays', side),
        row('Time gained a turn', time),
        h('div.buttons', play, stop),
        stage,
      ),
    ),
  );
  return 'Bots';
}
