// Concise elements: h('div.panel', { hidden: true }, 'Words'), and s() for SVG. Attributes are
// optional; a function in their place is the click handler.

function fill(element, parts) {
	if (typeof parts[0] === 'function') parts[0] = { onclick: parts[0] };
	const [attributes, ...children] = parts[0]?.constructor === Object ? parts : [{}, ...parts];
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (name === 'value' || name === 'checked') element[name] = value;
		else element.setAttribute(name, value === true ? '' : value);
	}
	element.append(
		...children
			.flat(Infinity)
			.filter((child) => child !== undefined && child !== null && child !== false),
	);
	return element;
}

function make(create, sign, parts) {
	const [tag, ...classes] = sign.split('.');
	const element = create(tag);
	if (classes.length) element.setAttribute('class', classes.join(' '));
	if (tag === 'button') element.type = 'button';
	return fill(element, parts);
}

export const h = (sign, ...parts) => make((tag) => document.createElement(tag), sign, parts);
export const s = (sign, ...parts) =>
	make((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag), sign, parts);

// A field with its name above it.
export const row = (name, input, attributes = {}) =>
	h('label.field-row', attributes, h('span', name), input);

// Replaces the children of an element.
export function show(parent, ...children) {
	parent.replaceChildren();
	return fill(parent, [{}, ...children]);
}

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// choices are [value, words] pairs.
export const select = (choices, attributes = {}) =>
	h(
		'select',
		attributes,
		choices.map(([value, words]) => h('option', { value }, words)),
	);

export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

// A group of toggle buttons, one of them pressed: choices are [value, name] pairs. `choose` presses
// one.
export function segments(label, choices, onchoose) {
	const buttons = choices.map(([value, name]) =>
		h('button', { onclick: () => press(value) }, name),
	);
	const mark = (chosen) =>
		buttons.forEach((button, i) =>
			button.setAttribute('aria-pressed', String(choices[i][0] === chosen)),
		);
	const press = (value) => {
		mark(value);
		onchoose(value);
	};
	mark(choices[0][0]);
	const element = h('div.segments', { role: 'group', 'aria-label': label }, buttons);
	return Object.assign(element, { choose: press });
}

// Writes a text only if it changed, so that screen readers and selections are not disturbed.
export function write(element, text) {
	if (element.textContent !== String(text)) element.textContent = text;
}
