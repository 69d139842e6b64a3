// Setting up a sitting: who sits where, the start, the clock.
import { games, post } from './api.js';
import { complain } from './announce.js';
import { h, show } from './dom.js';
import { gameOf } from './games.js';
import { keepName, keepSeats, myName } from './keep.js';
import { makePlayerPicker } from './player-picker.js';
import { makeStartPicker } from './start-picker.js';
import { go } from './router.js';
import { takeOver } from './handover.js';

const PEOPLE = [['me', 'You'], ['link', 'Somebody with a link'], ['here', 'Somebody at this screen']];
const CLOCKS = [['', 'No clock'], ['60000+1000', '1 minute, and 1 second a turn'], ['300000+3000', '5 minutes, and 3 seconds a turn'], ['900000+10000', '15 minutes, and 10 seconds a turn']];

function clockOf(text) {
  if (!text) return null;
  const [initial_ms, gain_ms] = text.split('+').map(Number);
  return { initial_ms, gain_ms };
}

const seatOf = (picker, name) => {
  const value = picker.value();
  if (value === 'me') return name ? { kind: 'person', name } : { kind: 'person' };
  if (value === 'link' || value === 'here') return { kind: 'person' };
  return { kind: 'player', ...picker.player() };
};

// Which tokens stay in this browser, and which are for the link.
function sortTokens(values, tokens) {
  const of = (isWanted) => values.map((value, side) => (isWanted(value) ? tokens[side] : null));
  return { tokens: of((value) => value === 'me' || value === 'here'), invite: of((value) => value === 'link') };
}

export async function setupView(place, { game: id }, signal) {
  const game = gameOf(id);
  if (!game) throw new Error(`There is no game called ${id}.`);
  const facts = (await games()).get(id);
  if (signal.aborted) return '';
  const given = takeOver(id);
  const usual = ['level-3', 'settler', 'minimax'].find((name) => facts.players.some((player) => player.id === name)) ?? facts.players[0].id;
  const pickers = game.sides.map((side, i) => makePlayerPicker({
    label: `${side.name} ${i === 0 ? (facts.is_simultaneous ? '' : '· moves first') : ''}`,
    players: facts.players,
    people: PEOPLE,
    selected: i === 0 ? 'me' : usual,
    onchange: () => pace && refresh(),
  }));
  const start = makeStartPicker({ facts, position: given });
  const name = h('input', { id: 'my-name', maxlength: 40, autocomplete: 'nickname', value: myName(), placeholder: 'Anonymous' });
  const clock = h('select', { id: 'clock' }, CLOCKS.map(([value, words]) => h('option', { value }, words)));
  const isListed = h('input', { id: 'listed', type: 'checkbox', checked: true });
  const pace = h('input', { id: 'pace', type: 'range', min: 0, max: 2000, step: 100, value: 500 });
  const nameRow = h('div', { class: 'field-row' }, h('label', { for: 'my-name' }, 'Your name'), name);
  const paceRow = h('div', { class: 'field-row' }, h('label', { for: 'pace' }, 'Time between moves'), pace);
  const begin = h('button', { class: 'primary large' }, 'Begin');

  function refresh() {
    const values = pickers.map((picker) => picker.value());
    nameRow.hidden = !values.includes('me');
    paceRow.hidden = values.some((value) => PEOPLE.some(([person]) => person === value));
    begin.textContent = paceRow.hidden ? 'Begin' : 'Watch them';
  }

  async function submit(event) {
    event.preventDefault();
    begin.disabled = true;
    try {
      keepName(name.value.trim());
      const values = pickers.map((picker) => picker.value());
      const body = { game: id, seats: pickers.map((picker) => seatOf(picker, name.value.trim())), clock: clockOf(clock.value), is_listed: isListed.checked, ...start.value() };
      if (!paceRow.hidden) body.delay_ms = Number(pace.value);
      const { sitting, tokens } = await post('sittings', body);
      if (tokens.some(Boolean)) keepSeats(sitting.id, sortTokens(values, tokens));
      go(`/sitting/${sitting.id}`);
    } catch (error) {
      complain(error);
      begin.disabled = false;
    }
  }

  const swap = h('button', {
    type: 'button', class: 'round quiet', 'aria-label': 'Change sides', title: 'Change sides',
    onclick() {
      const [first, second] = pickers.map((picker) => picker.value());
      pickers[0].choose(second);
      pickers[1].choose(first);
    },
  }, '⇄');
  refresh();
  show(
    place,
    h('div', { class: `head ${game.css}` }, h('div', {}, h('h1', {}, game.name), h('p', {}, game.rule))),
    h(
      'form',
      { class: `setup ${game.css}`, onsubmit: submit },
      h('fieldset', { class: 'panel seats' }, h('legend', { class: 'unseen' }, 'Players'), h('div', { class: 'seat side1' }, pickers[0].element), swap, h('div', { class: 'seat side2' }, pickers[1].element)),
      h('fieldset', { class: 'panel stack' }, h('legend', { class: 'unseen' }, 'The board and the clock'), start.element, h('div', { class: 'field-row' }, h('label', { for: 'clock' }, 'Clock'), clock), nameRow, paceRow, h('div', { class: 'check-row' }, isListed, h('label', { for: 'listed' }, 'Show it among the live games')), begin),
    ),
  );
  return game.name;
}
