// Offers between two people: a draw, or to take a move back. The other side accepts or declines.
import { h, show } from './dom.js';

// [kind, the button, what the other side reads, what one reads of one's own offer]
const KINDS = [
	['draw', 'Offer draw', 'offers a draw.', 'You offered a draw.'],
	['takeback', 'Take back', 'asks to take a move back.', 'You asked to take your move back.'],
];

// act(body) sends an offer or its answer.
export function makeOffers(act) {
	const buttons = KINDS.map(([kind, words]) => h('button', () => act({ kind }), words));
	const place = h('div.offers');

	const line = ([kind, , asked, made], name, isMine) =>
		h(
			'div.panel.offer',
			h('p', isMine ? made : `${name} ${asked}`),
			h(
				'div.buttons',
				!isMine && h('button.primary', () => act({ kind }), 'Accept'),
				h(
					'button',
					() => act({ kind, is_declined: true }),
					isMine ? 'Withdraw' : 'Decline',
				),
			),
		);

	return {
		buttons,
		element: place,
		// side: that of this person, who plays another one; undefined hides everything. Returns
		// what the other side offers, in words.
		update({ offers, over, moves }, side, name) {
			const isOn = side !== undefined && !over;
			for (const button of buttons) button.hidden = !isOn;
			if (!isOn) return void show(place);
			const open = KINDS.filter(([kind]) => offers[kind][0] || offers[kind][1]);
			buttons.forEach((button, i) => {
				const hasMoved = moves.some((move) => move.side === side || move.side === 'both');
				button.disabled =
					open.includes(KINDS[i]) || (KINDS[i][0] === 'takeback' && !hasMoved);
			});
			show(
				place,
				open.map((each) => line(each, name, offers[each[0]][side])),
			);
			const asked = open.find(([kind]) => offers[kind][1 - side]);
			return asked && `${name} ${asked[2]}`;
		},
	};
}
