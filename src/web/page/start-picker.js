// Chooses a start: a named one, a size, or a position handed over or pasted.
import { h, row, select } from './dom.js';

const SIZES = {
	'amoeba-wars': [4, 5, 6, 7, 8, 10, 12, 16, 26],
	'ai-battleground': [16, 24, 40, 64, 100, 128],
};

// before: the previous value of `choice`.
export function makeStartPicker({ facts, position, before, onchange }) {
	const isArena = facts.name === 'ai-battleground';
	// The number of turns is a separate choice.
	const choices = [
		...(position ? [['given', 'The current position']] : []),
		...facts.starts.map((start) => [
			start.name,
			`${start.name}: ${start.summary.replace(/ \d+ turns,/, '')}`,
		]),
		...(SIZES[facts.name] ?? []).map((n) => [`${n}x${n}`, `${n} × ${n}`]),
		['own', 'Custom position…'],
	];
	// A custom position counts once it has been typed.
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
	const own = row('Position, as rows or JSON', text, { hidden: true });
	const turns = select(
		[25, 50, 100, 200, 500].map((n) => [n, `${n} turns`]),
		{ onchange: changed },
	);
	const rules = select(
		[
			['diff', 'Difference'],
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
			isArena && h('div.two', row('Length', turns), row('Ruleset', rules)),
		),
		// The keys of a request that depend on the start.
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
