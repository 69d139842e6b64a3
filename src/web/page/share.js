// Links to give away: each in a field that can be selected, with a button that copies it.
import { note } from './announce.js';
import { h, row } from './dom.js';

export async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
		note(`${what} copied.`);
	} catch {
		note('This browser did not allow copying: select the text and copy it by hand.', 'error');
	}
}

export function linkField(caption, link) {
	const input = h('input', { readonly: true, value: link, onfocus: (event) => event.target.select() });
	return h('div.with-button', row(caption, input), h('button', () => copy(link, 'Link'), 'Copy'));
}
