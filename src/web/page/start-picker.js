// Chooses a start: a named one, a size, or a position handed over or pasted.
import { h, row, select } from './dom.js';
import { gameOf } from './games.js';

// before: the previous value of `choice`.
export function makeStartPicker({ facts, position, before, onchange }) {
	const fields = (gameOf(facts.name).configFields ?? []).map((field) => ({
		...field,
		control: select(field.choices, { onchange: (event) => changed(event) }),
	}));
	// The number of turns is a separate choice.
	const choices = [
		...(position ? [['given', 'The current position']] : []),
		...facts.starts.map((start) => [
			start.name,
			`${start.name}: ${start.summary.replace(/ \d+ turns,/, '')}`,
		]),
		...facts.sizes.map((n) => [`${n}x${n}`, `${n} × ${n}`]),
		['own', 'Custom position…'],
	];
	// A custom position counts once it has been typed.
	const changed = (event) => {
		text.required = chosen.value === 'own';
		own.hidden = !text.required;
		if (own.hidden || text.value.trim()) onchange?.();
		else if (event.target === chosen) text.focus();
	};
	// Numbers as numbers: `choices` says which they are. '' leaves it to the start.
	const chosenConfig = () =>
		Object.fromEntries(
			fields
				.map(({ key, control, choices: all }) => [
					key,
					all.find(([value]) => String(value) === control.value)[0],
				])
				.filter(([, value]) => value !== ''),
		);
	const chosen = select(choices, { onchange: changed });
	const text = h('textarea', {
		rows: 5,
		spellcheck: 'false',
		placeholder: facts.start_forms,
		onchange: changed,
	});
	const own = row('Position, as rows or JSON', text, { hidden: true });
	for (const { control, initial } of fields) if (initial) control.value = initial;
	if (!position && before) recall();
	function recall() {
		for (const [field, value] of [
			[chosen, before.start],
			...fields.map(({ key, control }) => [control, before[key]]),
		]) {
			if (
				[...field.options].some(
					(option) => option.value === String(value) && value !== 'own',
				)
			)
				field.value = value;
		}
	}

	return {
		choice: () => ({ start: chosen.value, ...chosenConfig() }),
		element: h(
			'div.stack',
			row('Start', chosen),
			own,
			fields.length > 0 &&
				h(
					'div.two',
					fields.map(({ name, control }) => row(name, control)),
				),
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
			const config = chosenConfig();
			return Object.keys(config).length && chosen.value !== 'own'
				? { start, config }
				: { start };
		},
	};
}
