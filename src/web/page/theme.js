// Dark, light, or as the system has it, which is the absence of a choice.
import { keep, kept } from './keep.js';

const KEY = 'turf-theme';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';

export function startTheme(button) {
	const name = () => button.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`);
	button.addEventListener('click', () => {
		root.dataset.theme = isDark() ? 'light' : 'dark';
		keep(KEY, root.dataset.theme);
		name();
	});
	system.addEventListener('change', name);
	if (kept(KEY)) root.dataset.theme = kept(KEY);
	name();
}
