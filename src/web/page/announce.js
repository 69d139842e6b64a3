// Announcements for screen readers, and short notes that everybody sees.
import { h } from './dom.js';

const spoken = document.getElementById('spoken');
const notes = document.getElementById('notes');

export function announce(text) {
	if (spoken.textContent === text) spoken.textContent = '';
	spoken.textContent = text;
}

// A note disappears after a while. Screen readers read an error at once.
export function note(text, kind = 'note') {
	const line = h(
		'div',
		{ class: `toast ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
		text,
	);
	// No duplicates, and at most two notes.
	for (const other of [...notes.children]) if (other.textContent === text) other.remove();
	while (notes.children.length > 1) notes.firstChild.remove();
	notes.append(line);
	setTimeout(() => line.remove(), 2500 + 45 * text.length);
}

export const complain = (error) => note(error?.message ?? String(error), 'error');
