// Choosing who plays: a person or one of the players that the server allows, with their options.
import { h } from './dom.js';

const GROUPS = [['level', 'Levels'], ['strategy', 'Strategies'], ['allowed', 'Allowed by the owner']];

let pickers = 0;

function optionField(option, id) {
  const caption = h('label', { for: id }, option.name);
  let input;
  if (option.kind === 'word') {
    input = h('select', { id }, option.words.map((word) => h('option', { value: word, selected: word === option.default }, word)));
  } else {
    input = h('input', { id, type: 'number', min: option.least, max: option.most, value: option.default ?? '', placeholder: option.default ?? 'off' });
  }
  const value = () => (option.kind === 'word' ? (input.value === option.default ? undefined : input.value) : input.value === '' || Number(input.value) === option.default ? undefined : Number(input.value));
  return { element: h('div', { class: 'field-row small' }, caption, input), name: option.name, value };
}

// people: [[value, words], ...] put before the players. players: as /api/games lists them.
export function makePlayerPicker({ label, players, people = [], selected, onchange }) {
  const id = `picker${pickers++}`;
  let fields = [];
  const group = ([kind, name]) => {
    const members = players.filter((player) => player.kind === kind);
    return members.length > 0 && h('optgroup', { label: name }, members.map((player) => h('option', { value: player.id }, player.id)));
  };
  const select = h('select', { id }, people.length > 0 && h('optgroup', { label: 'People' }, people.map(([value, words]) => h('option', { value }, words))), GROUPS.map(group));
  const summary = h('p', { class: 'soft small' });
  const options = h('div', { class: 'options' });
  const current = () => players.find((player) => player.id === select.value);

  function refresh() {
    const player = current();
    summary.textContent = player?.summary ?? '';
    fields = (player?.options ?? []).map((option, i) => optionField(option, `${id}-${i}`));
    options.replaceChildren(...fields.map((field) => field.element));
    onchange?.();
  }
  select.addEventListener('change', refresh);
  if (selected) select.value = selected;
  const element = h('div', { class: 'picker stack' }, h('div', { class: 'field-row' }, h('label', { for: id }, label), select), summary, options);
  refresh();
  return {
    element,
    value: () => select.value,
    choose(value) {
      select.value = value;
      refresh();
    },
    // {player, options} as the server wants it; undefined for a person.
    player() {
      if (!current()) return undefined;
      const given = Object.fromEntries(fields.map((field) => [field.name, field.value()]).filter(([, value]) => value !== undefined));
      return Object.keys(given).length ? { player: select.value, options: given } : { player: select.value };
    },
  };
}
