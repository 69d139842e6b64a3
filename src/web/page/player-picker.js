// Chooses who plays: a person or one of the server's players, with its options.
import { h, row } from './dom.js';

const GROUPS = [
	['level', 'Levels'],
	['strategy', 'Strategies'],
	['allowed', 'Added by the owner'],
	['league', 'Bots of the league'],
];

// The highest level of each strength.
const STRENGTHS = [
	[2, 'Mostly luck.'],
	[4, 'A beginner.'],
	[7, 'A fair opponent.'],
	[9, 'Hard to beat.'],
	[Infinity, 'The strongest.'],
];
const strength = (level) => STRENGTHS.find(([highest]) => level <= highest)[1];

// A field for one option; undefined if it has the default value.
function optionField({ name, type, values, min, max, help, default: normal }, given) {
	const isChoice = type === 'choice';
	const input = isChoice
		? h(
				'select',
				{ title: help },
				values.map((value) => h('option', value)),
			)
		: h('input', { type: 'number', min, max, placeholder: 'off', title: help });
	input.value = given ?? normal ?? '';
	const value = () => {
		if (input.value === '' || input.value === String(normal)) return undefined;
		return isChoice ? input.value : Number(input.value);
	};
	return { element: row(name, input), name, value };
}

// people: [[value, words], ...] put before the players. players: as /api/games lists them.
export function makePlayerPicker({ label, players, people = [], selected, onchange }) {
	let fields = [];
	const group = (name, members) =>
		members.length > 0 &&
		h(
			'optgroup',
			{ label: name },
			members.map(([value, words]) => h('option', { value }, words)),
		);
	const ofKind = (kind) =>
		players
			.filter((player) => player.kind === kind)
			.map(({ id, level }) => [id, level ? `Level ${level}` : id]);
	const select = h(
		'select',
		{ onchange: () => refresh() },
		group('People', people),
		GROUPS.map(([kind, name]) => group(name, ofKind(kind))),
	);
	const summary = h('p.soft.small');
	const options = h('div.options');
	const current = () => players.find((player) => player.id === select.value);

	function refresh(given = {}) {
		const player = current();
		summary.textContent = player?.level ? strength(player.level) : (player?.summary ?? '');
		fields = (player?.options ?? []).map((option) => optionField(option, given[option.name]));
		options.replaceChildren(...fields.map((field) => field.element));
		onchange?.();
	}
	if (selected) select.value = selected;
	refresh();
	return {
		element: h('div.picker.stack', row(label, select), summary, options),
		value: () => select.value,
		has: (value) => [...select.options].some((option) => option.value === value),
		choose(value, given) {
			select.value = value;
			refresh(given);
		},
		// {player, options} for the server; undefined for a person.
		player() {
			if (!current()) return undefined;
			const given = Object.fromEntries(
				fields
					.map((field) => [field.name, field.value()])
					.filter(([, value]) => value !== undefined),
			);
			return Object.keys(given).length
				? { player: select.value, options: given }
				: { player: select.value };
		},
	};
}
