// Choosing how a game begins: a named start, a size where boards have sizes, or a position that was handed over or pasted.
import { h } from './dom.js';

const SIZES = { 'amoeba-wars': ['4x4', '5x5', '6x6', '7x7', '8x8', '10x10', '12x12', '16x16', '26x26'], 'ai-battleground': ['16x16', '24x24', '40x40', '64x64', '100x100', '128x128'] };
const TURNS = [25, 50, 100, 200, 500];

export function makeStartPicker({ facts, position }) {
  const isArena = facts.name === 'ai-battleground';
  const sizes = facts.has_sizes ? (SIZES[facts.name] ?? []) : [];
  const choices = [
    ...(position ? [['given', 'The position from before']] : []),
    ...facts.starts.map((start) => [start.name, `${start.name}: ${start.summary}`]),
    ...sizes.map((size) => [size, size.replace('x', ' × ')]),
    ['own', 'A position of your own …'],
  ];
  const select = h('select', { id: 'start' }, choices.map(([value, words]) => h('option', { value }, words)));
  const text = h('textarea', { id: 'own', rows: 5, spellcheck: 'false', placeholder: facts.start_forms });
  const ownRow = h('div', { class: 'field-row', hidden: true }, h('label', { for: 'own' }, 'The position, as rows or JSON'), text);
  const turns = h('select', { id: 'turns' }, TURNS.map((n) => h('option', { value: n, selected: n === 100 }, `${n} turns`)));
  const rules = h('select', { id: 'ruleset' }, h('option', { value: 'diff' }, 'Difference of neighbours'), h('option', { value: 'classic' }, 'Classic'));
  const extras = isArena && [
    h('div', { class: 'field-row' }, h('label', { for: 'turns' }, 'Length'), turns),
    h('div', { class: 'field-row' }, h('label', { for: 'ruleset' }, 'Rules of life'), rules),
  ];
  select.addEventListener('change', () => (ownRow.hidden = select.value !== 'own'));
  return {
    element: h('div', { class: 'stack' }, h('div', { class: 'field-row' }, h('label', { for: 'start' }, 'Start'), select), ownRow, extras),
    // What goes into a request besides the players.
    value() {
      if (select.value === 'given') return { start: position };
      const own = text.value.trim();
      const start = select.value === 'own' ? (own.startsWith('{') ? JSON.parse(own) : own) : select.value;
      return isArena && select.value !== 'own' ? { start, config: { maxGameIterations: Number(turns.value), ruleset: rules.value } } : { start };
    },
  };
}
