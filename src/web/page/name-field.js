// Where people say what they are called: as many letters as the server takes, of any alphabet. (maxlength counts some letters twice.)
import { h, row } from './dom.js';

const MOST_LETTERS = 40;

function cut({ target }) {
	const letters = [...target.value];
	if (letters.length > MOST_LETTERS) target.value = letters.slice(0, MOST_LETTERS).join('');
}

export const nameRow = (attributes) => row('Your name', h('input', { autocomplete: 'nickname', placeholder: 'Anonymous', oninput: cut, ...attributes }));
