// Choosing how a game begins: a named start, a size where boards have sizes, or a position that was handed over or pasted.
import { h, row, select } from './dom.js';

const SIZES = {
	'amoeba-wars': [4, 5, 6, 7, 8, 10, 12, 16, 26],
	'ai-battleground': [16, 24, 40, 64, 100, 128],
};

// before: what `choice` was the last time.
export function makeStartPicker({ facts, position, before, onchange }) {
	const isArena = facts.name === 'ai-battleground';
	// How many turns is a choice of its own.
	const choices = [
		...(position ? [['given', 'The position from before']] : []),
		...facts.starts.map((start) => [
			start.name,
			`${start.name}: ${start.summary.replace(/ \d+ turns,/, '')}`,
		]),
		...(SIZES[facts.name] ?? []).map((n) => [`${n}x${n}`, `${n} × ${n}`]),
		['own', 'A position of your own …'],
	];
	// A position of one's own is there once it has been typed.
	const changed = (event) => {
		text.required = chosen.value === 'own';
		own.hidden = !text.required;
		if (own.hidden || text.value.trim()) onchange?.();
		else if (event.target === chosen) text.focus();
	};
	const chosen = select(choices, { onchange: changed });
	const text = h('textarea', {
		rows: 5,
		spellcheck: 'false',
		placeholder: facts.start_forms,
		onchange: changed,
	});
	const own = row('The position, as rows or JSON', text, { hidden: true });
	const turns = select(
		[25, 50, 100, 200, 500].map((n) => [n, `${n} turns`]),
		{ onchange: changed },
	);
	const rules = select(
		[
			['diff', 'Difference of neighbours'],
			['classic', 'Classic'],
		],
		{ onchange: changed },
	);
	turns.value = 100;
	if (!position && before) recall();
	function recall() {
		for (const [field, value] of [
			[chosen, before.start],
			[turns, before.turns],
			[rules, before.rules],
		]) {
			if ([...field.options].some((option) => option.value === value && value !== 'own'))
				field.value = value;
		}
	}

	return {
		choice: () => ({ start: chosen.value, turns: turns.value, rules: rules.value }),
		element: h(
			'div.stack',
			row('Start', chosen),
			own,
			isArena && h('div.two', row('Length', turns), row('Rules of life', rules)),
		),
		// What goes into a request besides the players.
		value() {
			if (chosen.value === 'given') return { start: position };
			const pasted = text.value.trim();
			const start =
				chosen.value === 'own'
					? pasted.startsWith('{')
						? JSON.parse(pasted)
						: pasted
					: chosen.value;
			return isArena && chosen.value !== 'own'
				? {
						start,
						config: { maxGameIterations: Number(turns.value), ruleset: rules.value },
					}
				: { start };
		},
	};
}
