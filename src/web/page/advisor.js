// Asks a player for its move in this position.
import { complain } from './announce.js';
import { h, show } from './dom.js';
import { makePlayerPicker } from './player-picker.js';

const MAX_SHOWN = 8;

// The strongest player of the game.
export const bestOf = (players) =>
	['perfect', 'conqueror', 'alphabeta'].find((name) =>
		players.some((player) => player.id === name),
	);

// A player's evaluation of its move, if it can be put in words.
function opinion(player, value) {
	if (value === null || ['bloodlust', 'self-preservation'].includes(player)) return '';
	if (player === 'mcts') return `, wins ${value} %`;
	return value === 0 ? ', level' : `, ${value > 0 ? 'ahead' : 'behind'} by ${Math.abs(value)}`;
}

// ask({player, options}) returns the response of /api/choose; ontake(move) plays one of the moves;
// onpoint(cells) shows them on the board.
export function makeAdvisor({ facts, ask, ontake, onpoint }) {
	const players = facts.players.filter((player) => player.kind !== 'allowed');
	const picker = makePlayerPicker({ label: 'Ask', players, selected: bestOf(players) });
	let nAsked = 0;
	const answer = h('div.stack', { role: 'status' });
	const button = h('button', consult, 'Best move');

	const choice = (move) => {
		const [point, leave] = [() => onpoint(move.cells), () => onpoint([])];
		return h(
			'button.quiet',
			{
				onclick: () => ontake(move),
				onpointerenter: point,
				onpointerleave: leave,
				onfocus: point,
				onblur: leave,
			},
			move.side === 'both' ? 'Take these cells' : `Play ${move.text}`,
		);
	};

	async function consult() {
		const asked = ++nAsked;
		const player = picker.player();
		button.disabled = true;
		show(answer, h('p.soft', 'Thinking…'));
		try {
			const { moves, value } = await ask(player);
			if (asked !== nAsked) return;
			const words = moves.length
				? `Best: ${moves[0].text}${opinion(player.player, value)}.` +
					(moves.length > 1 ? ` ${moves.length} moves are equally good:` : '')
				: 'No legal moves.';
			show(
				answer,
				h('p.soft', words),
				h('div.buttons', moves.slice(0, MAX_SHOWN).map(choice)),
			);
		} catch (error) {
			if (asked === nAsked) show(answer);
			complain(error);
		} finally {
			button.disabled = false;
		}
	}

	return {
		element: h(
			'section.panel.stack',
			h('h2', 'Advice'),
			picker.element,
			h('div.buttons', button),
			answer,
		),
		clear() {
			nAsked++;
			show(answer);
		},
	};
}
