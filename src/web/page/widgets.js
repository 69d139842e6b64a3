// Small parts that several views share.
import { fileAddress, isInOneFile } from './api.js';
import { complain, note } from './announce.js';
import { h, row } from './dom.js';

// The server counts characters of any alphabet; maxlength would count some of them twice.
const MAX_LETTERS = 40;

function cut({ target }) {
	const letters = [...target.value];
	if (letters.length > MAX_LETTERS) target.value = letters.slice(0, MAX_LETTERS).join('');
}

export const nameRow = (attributes) =>
	row(
		'Your name',
		h('input', {
			autocomplete: 'nickname',
			placeholder: 'Anonymous',
			oninput: cut,
			...attributes,
		}),
	);

// Without https, as on a local network, there is no clipboard; browsers still copy a selection.
function copySelected(text) {
	const field = h('textarea.unseen', { value: text, readonly: true, 'aria-hidden': 'true' });
	const focused = document.activeElement;
	document.body.append(field);
	field.select();
	const isCopied = document.execCommand('copy');
	field.remove();
	focused?.focus({ preventScroll: true });
	return isCopied;
}

export async function copy(text, what) {
	const isCopied = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
		() => true,
		() => copySelected(text),
	);
	if (isCopied) note(`${what} copied.`);
	else note('Copying failed. Select the text and copy it yourself.', 'error');
}

// A link to share, in a selectable field with a copy button. Warns of a link for others that only
// this computer can open.
export function linkField(caption, link, isForOthers = false) {
	const input = h('input', {
		readonly: true,
		value: link,
		onfocus: (event) => event.target.select(),
	});
	return h(
		'div.stack.link',
		h(
			'div.with-button',
			row(caption, input),
			h('button', () => copy(link, 'Link'), 'Copy'),
		),
		isForOthers && isLoopback(location.hostname) && localOnly(),
	);
}

const isLoopback = (host) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);
const localOnly = () =>
	h(
		'p.soft.small.warning',
		'Only this computer can open the link. For others, restart the server with ',
		h('code', 'turf serve --listen 0.0.0.0'),
		' and open the page by this computer’s name or address in your network.',
	);

// The rules of a game, collapsed; those of a position are open if they are not the usual ones.
export const howTo = (game, position) =>
	h(
		'details.panel',
		{ open: Boolean(position?.rules) },
		h('summary', position?.rules ? 'Rules of this game' : `Rules of ${game.name}`),
		h(
			'ul.rules.soft',
			(position?.rules ? game.rulesOf(position) : game.rules).map((rule) => h('li', rule)),
		),
	);

// What to do instead, for a browser without the owner’s token.
export const ownerNote = () =>
	h(
		'p.soft.owner-note',
		'Only the owner of this server can start and stop tournaments. If that is you, open the ' +
			'owner’s link that turf serve printed, or this page with #owner= and the token in ' +
			'the file beside the database, such as turf.db.owner.',
	);

// Saves a file under a name.
export function saveFile(address, name) {
	const link = h('a', { href: address, download: name });
	document.body.append(link);
	link.click();
	link.remove();
}

// A link to a file of the back end. In the page in one file the file is made when it is wanted.
export function fileLink(path, name, words) {
	if (isInOneFile())
		return h(
			'button.quiet',
			() => fileAddress(path).then((address) => saveFile(address, name), complain),
			words,
		);
	return h('a.button.quiet', { href: `/api/${path}`, download: '' }, words);
}
