// Live games and tournaments: boards in miniature that move as the games do.
import { h, show, write } from './dom.js';
import { gameOf } from './games.js';
import { makeMini } from './mini.js';
import { follow } from './stream.js';
import { tournamentLine } from './tournament-line.js';

function card(summary) {
  const game = gameOf(summary.game);
  const mini = makeMini(game);
  const names = summary.seats.map((_, side) => h('span', { class: `name side${side + 1}` }));
  const score = h('span.number');
  const state = h('span.soft');
  const element = h(
    'a',
    { class: `panel live ${game.css}`, href: `#/sitting/${summary.id}` },
    mini.element,
    h('div.words', h('h3', game.name), h('p.pair', names[0], score, names[1]), state),
  );
  return {
    element,
    update(now) {
      mini.show(now.board);
      now.seats.forEach((seat, side) => write(names[side], `${game.sides[side].glyph} ${seat.name || 'Anonymous'}`));
      write(score, now.scores.join(' – '));
      write(state, now.over ? now.over.text || 'over' : `move ${now.n_moves + 1}`);
      element.classList.toggle('over', Boolean(now.over));
    },
  };
}

export async function watchView(place, _, signal) {
  const cards = new Map();
  const gallery = h('div.gallery');
  const empty = h('p.panel.soft', 'Nobody is playing just now. ', h('a', { href: '#/play' }, 'Begin a game'), ' or set two players against each other, and it will be seen here.');
  const tournaments = h('div.stack');
  const line = h('p.line', { role: 'status', hidden: true }, 'The connection is lost. Trying again …');

  function take({ sittings, gone = [] }) {
    for (const id of gone) {
      cards.get(id)?.element.remove();
      cards.delete(id);
    }
    for (const summary of sittings) {
      if (!cards.has(summary.id)) {
        cards.set(summary.id, card(summary));
        gallery.prepend(cards.get(summary.id).element);
      }
      cards.get(summary.id).update(summary);
    }
    empty.hidden = cards.size > 0;
  }

  show(
    place,
    h('div.head', h('div', h('h1', 'Now playing'), h('p', 'Live games on this server. Open one to watch it.'))),
    line,
    empty,
    gallery,
    h('section.stack.more', h('h2', 'Tournaments'), tournaments),
  );
  show(tournaments, h('p.soft', 'None yet. ', h('a', { href: '#/tournaments/new' }, 'Set one up'), '.'));
  follow('live', { sittings: take, tournaments: ({ tournaments: all }) => all.length && show(tournaments, all.slice(0, 8).map(tournamentLine)) }, signal, (isConnected) => (line.hidden = isConnected));
  return 'Watch';
}
