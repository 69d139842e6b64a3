// The two players beside the board: symbol, name, score, clock and turn. (AI Battleground shows
// these on its screen.)
import { h, write } from './dom.js';
import { namesOf } from './games.js';

export function clockText(ms) {
	const left = Math.max(0, ms);
	const minutes = Math.floor(left / 60000);
	const seconds = (left % 60000) / 1000;
	return left < 10000
		? seconds.toFixed(1)
		: `${minutes}:${String(Math.floor(seconds)).padStart(2, '0')}`;
}

// The time left on a side's clock now.
export const timeLeft = ({ clock, asked_at }, side) =>
	clock.left_ms[side] - (clock.running[side] ? performance.now() - asked_at : 0);

export function makePlayerCards(game) {
	const cards = game.sides.map((side, i) => {
		const parts = {
			name: h('span.name'),
			sum: h('span.sum.soft'),
			score: h('output.score', { 'aria-label': `${side.name}: ${game.unit}` }),
			clock: h('time.clock'),
			state: h('span.state.soft'),
		};
		parts.element = h(
			'div',
			{ class: `card side${i + 1}` },
			h('span.sign', { 'aria-hidden': 'true' }, side.glyph),
			h('div.who', parts.name, parts.state),
			parts.clock,
			h('div.tally', parts.score, parts.sum),
		);
		return parts;
	});

	let scores = [0, 0]; // as the board shows them

	function tick(live) {
		if (!live?.clock) return;
		cards.forEach((card, side) => {
			const left = timeLeft(live, side);
			write(card.clock, clockText(left));
			card.clock.classList.toggle('low', left < 20000);
		});
	}

	return {
		elements: cards.map((card) => card.element),
		tick,
		// The scores after a move under consideration, or the current ones. isAimed: one more tap
		// makes the move.
		foresee({ mover }, then, isAimed) {
			cards.forEach((card, side) =>
				write(
					card.score,
					then && then[side] !== scores[side]
						? `${scores[side]} → ${then[side]}`
						: scores[side],
				),
			);
			if (cards[mover])
				write(cards[mover].state, isAimed ? 'tap again to move' : cards[mover].words);
		},
		// The scores, when the board shows them.
		score({ scores: now, position }) {
			scores = now;
			cards.forEach((card, side) => {
				const killed = position.killed?.[game.sides[side].key];
				write(card.score, scores[side]);
				if (killed !== undefined)
					write(card.sum, `${scores[side] - killed} + ${killed} killed`);
			});
		},
		// mine: the sides played in this browser.
		update(live, mine) {
			const names = namesOf(live.seats, mine);
			cards.forEach((card, side) => {
				const seat = live.seats[side];
				const isUp = !live.over && live.mover === side;
				const won = live.over?.winner === side;
				const { name } = game.sides[side];
				write(card.name, mine[0] && mine[1] ? seat.name || name : names[side]);
				const n = live.moves_left;
				const turn =
					game.movesPerTurn > 1 ? `${n} move${n === 1 ? '' : 's'} left` : 'to move';
				const waits = seat.kind === 'person' && !seat.is_taken && !mine[side];
				const held = !live.over && seat.held_up;
				card.state.title = held || '';
				card.words = won
					? 'Winner'
					: held
						? 'not ready yet'
						: waits
							? 'not here yet'
							: isUp
								? seat.kind === 'player'
									? 'thinking'
									: turn
								: card.name.textContent === name
									? 'waiting'
									: name;
				write(card.state, card.words);
				card.element.classList.toggle('up', isUp);
				card.element.classList.toggle('thinking', isUp && seat.kind === 'player' && !held);
				card.element.classList.toggle('won', won);
				card.clock.hidden = !live.clock;
			});
			tick(live);
		},
	};
}
