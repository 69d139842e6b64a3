// Links to give away: each in a field that can be selected, with a button that copies it.
import { note } from './announce.js';
import { h } from './dom.js';

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied.`);
  } catch {
    note('This browser did not allow copying: select the text and copy it by hand.', 'error');
  }
}

let fields = 0;

export function linkField(caption, link) {
  const id = `link${fields++}`;
  const input = h('input', { id, readonly: true, value: link, onfocus: (event) => event.target.select() });
  return h('div', { class: 'field-row' }, h('label', { for: id }, caption), h('div', { class: 'with-button' }, input, h('button', { type: 'button', onclick: () => copy(link, 'Link') }, 'Copy')));
}
