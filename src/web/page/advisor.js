// Asking a player what it would do here.
import { complain } from './announce.js';
import { h, show } from './dom.js';
import { makePlayerPicker } from './player-picker.js';

const MOST_SHOWN = 8;

// ask({player, options}) gives what /api/choose answers; ontake(move) plays one of the moves.
export function makeAdvisor({ facts, ask, ontake }) {
	const players = facts.players.filter((player) => player.kind !== 'allowed');
	const best = ['perfect', 'conqueror', 'alphabeta'].find((name) => players.some((player) => player.id === name));
	const picker = makePlayerPicker({ label: 'Ask', players, selected: best });
	const answer = h('div.stack', { role: 'status' });
	const button = h('button', consult, 'Best move');

	async function consult() {
		button.disabled = true;
		show(answer, h('p.soft', 'Thinking …'));
		try {
			const { moves, value, time_ms: ms } = await ask(picker.player());
			const words = moves.length ? `${value === null ? '' : `Value ${value}, `}${Math.round(ms)} ms. ${moves.length > 1 ? `${moves.length} moves are as good:` : ''}` : 'There is no move here.';
			show(answer, h('p.soft', words), h('div.buttons', moves.slice(0, MOST_SHOWN).map((move) => h('button.quiet', () => ontake(move), move.text || 'Take these cells'))));
		} catch (error) {
			show(answer);
			complain(error);
		}
		button.disabled = false;
	}

	return { element: h('section.panel.stack', h('h2', 'Advice'), picker.element, h('div.buttons', button), answer), clear: () => show(answer) };
}
