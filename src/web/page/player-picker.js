// Choosing who plays: a person or one of the players that the server allows, with their options.
import { h, row } from './dom.js';

const GROUPS = [
	['level', 'Levels'],
	['strategy', 'Strategies'],
	['allowed', 'Allowed by the owner'],
];

const strength = (level) =>
	level < 3
		? 'Mostly luck.'
		: level < 5
			? 'A beginner.'
			: level < 8
				? 'A fair opponent.'
				: level < 10
					? 'Hard to beat.'
					: 'The best there is.';

// A field for one option; its value is undefined where it is the usual one.
function optionField({ name, kind, words, least, most, default: usual }, given) {
	const isWord = kind === 'word';
	const input = isWord
		? h(
				'select',
				words.map((word) => h('option', word)),
			)
		: h('input', { type: 'number', min: least, max: most, placeholder: 'off' });
	input.value = given ?? usual ?? '';
	const value = () =>
		input.value === '' || input.value === String(usual)
			? undefined
			: isWord
				? input.value
				: Number(input.value);
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
		// {player, options} as the server wants it; undefined for a person.
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
