// Notifications of the system, for people who look at something else.

const exists = () => 'Notification' in window && isSecureContext;

// Whether the person could still be asked for permission.
export const canAskToNotify = () => exists() && Notification.permission === 'default';

export const askToNotify = () => Notification.requestPermission();

// A later notification with the same tag replaces the one before.
export function notify(title, body, tag) {
	if (!document.hidden || !exists() || Notification.permission !== 'granted') return;
	try {
		const shown = new Notification(title, { body, tag, icon: 'icon.svg' });
		shown.onclick = () => {
			window.focus();
			shown.close();
		};
	} catch {
		// Phones allow them only to service workers.
	}
}
