// Dark, light, or the system's theme, which is no choice.
import { keep, kept } from './keep.js';

const KEY = 'turf-theme';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';

export function startTheme(button) {
	const name = () =>
		button.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`);
	// Canvases have read the colours; those that depend on the theme listen and read them again.
	const changed = () => {
		name();
		for (const canvas of document.querySelectorAll('canvas'))
			canvas.dispatchEvent(new Event('theme'));
	};
	button.addEventListener('click', () => {
		root.dataset.theme = isDark() ? 'light' : 'dark';
		keep(KEY, root.dataset.theme);
		changed();
	});
	system.addEventListener('change', changed);
	if (kept(KEY)) root.dataset.theme = kept(KEY);
	name();
}
