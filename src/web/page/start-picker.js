// Choosing how a game begins: a named start, a size where boards have sizes, or a position that was handed over or pasted.
import { h, row } from './dom.js';

const SIZES = { 'amoeba-wars': [4, 5, 6, 7, 8, 10, 12, 16, 26], 'ai-battleground': [16, 24, 40, 64, 100, 128] };
const TURNS = [25, 50, 100, 200, 500];

export function makeStartPicker({ facts, position, onchange }) {
	const isArena = facts.name === 'ai-battleground';
	const choices = [
		...(position ? [['given', 'The position from before']] : []),
		...facts.starts.map((start) => [start.name, `${start.name}: ${start.summary}`]),
		...(SIZES[facts.name] ?? []).map((n) => [`${n}x${n}`, `${n} × ${n}`]),
		['own', 'A position of your own …'],
	];
	const changed = () => {
		own.hidden = select.value !== 'own';
		onchange?.();
	};
	const select = h('select', { onchange: changed }, choices.map(([value, words]) => h('option', { value }, words)));
	const text = h('textarea', { rows: 5, spellcheck: 'false', placeholder: facts.start_forms, onchange: changed });
	const own = row('The position, as rows or JSON', text, { hidden: true });
	const turns = h('select', { onchange: changed }, TURNS.map((n) => h('option', { value: n, selected: n === 100 }, `${n} turns`)));
	const rules = h('select', { onchange: changed }, h('option', { value: 'diff' }, 'Difference of neighbours'), h('option', { value: 'classic' }, 'Classic'));
	return {
		element: h('div.stack', row('Start', select), own, isArena && h('div.two', row('Length', turns), row('Rules of life', rules))),
		// What goes into a request besides the players.
		value() {
			if (select.value === 'given') return { start: position };
			const pasted = text.value.trim();
			const start = select.value === 'own' ? (pasted.startsWith('{') ? JSON.parse(pasted) : pasted) : select.value;
			return isArena && select.value !== 'own' ? { start, config: { maxGameIterations: Number(turns.value), ruleset: rules.value } } : { start };
		},
	};
}
