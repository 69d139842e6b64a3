// Dark, light, or as the system has it. The choice is kept; 'system' is the absence of a choice.

const KEY = 'turf-theme';
const root = document.documentElement;

const kept = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};

const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

export function startTheme(button) {
  const apply = (choice) => {
    if (choice) root.dataset.theme = choice;
    else delete root.dataset.theme;
    button.setAttribute('aria-label', isDark() ? 'Switch to the light theme' : 'Switch to the dark theme');
    dispatchEvent(new Event('themechange'));
  };
  button.addEventListener('click', () => {
    const choice = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // Private windows may refuse to keep it; the switch still works for this visit.
    }
    apply(choice);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(kept()));
  apply(kept());
}
