// A live game, for a player or a watcher.
import { games, get, isInOneFile, post, put } from './api.js';
import { bestOf } from './advisor.js';
import { announce, complain } from './announce.js';
import { beginAgainst } from './begin.js';
import { h, show, write } from './dom.js';
import { gameOf, namesOf, standing, told } from './games.js';
import { keepName, keepSeats, myName, seatsOf } from './keep.js';
import { askToNotify, canAskToNotify, notify } from './notify.js';
import { makeOffers } from './offers.js';
import { play, soundOf } from './sound.js';
import { linkField, nameRow } from './widgets.js';
import { makeTable } from './table.js';
import { go, linkTo, readdress } from './router.js';
import { chooserOf, followGame } from './live-game.js';
import { makeLine } from './stream.js';

// A link with a token gives a seat to the person who opens it. Then the token is removed from the
// address, so that copying the address does not share the seat.
async function sitDown(id, token) {
	const name = myName();
	const { side } = await put(`live-games/${id}/seat`, name ? { name } : {}, { token });
	const seats = seatsOf(id);
	seats.tokens[side] = token;
	keepSeats(id, seats);
	readdress(`/game/${id}`);
}

export async function gameView(place, { id, token }, signal) {
	if (token) await sitDown(id, token);
	const first = { ...(await get(`live-games/${id}`, { signal })), asked_at: performance.now() };
	const game = gameOf(first.game);
	const seats = seatsOf(id);
	let live = first;
	const mine = () => seats.tokens.map(Boolean);
	// Takes the seat: the other side sees it, and the clocks may run.
	for (const side of [0, 1])
		if (seats.tokens[side] && !first.seats[side].is_taken)
			put(`live-games/${id}/seat`, {}, { token: seats.tokens[side], signal }).catch(() => {});

	const line = makeLine();
	const wire = followGame(id, signal, onchange, line);
	const banner = h('div.banner', { hidden: true });
	// Built once, so that typing a name or selecting a link is not interrupted.
	const invites = seats.invite.map(
		(each, side) =>
			each &&
			linkField(
				`Invite ${game.sides[side].name} with this link`,
				linkTo(`/game/${id}/seat/${each}`),
				true,
			),
	);
	const name =
		mine().filter(Boolean).length === 1 &&
		nameRow({ value: first.seats[mine().indexOf(true)].name, onchange: rename });
	const bell = h(
		'button',
		async () => {
			await askToNotify();
			showLinks();
		},
		'Notify me when it is my turn',
	);
	const links = h(
		'section.panel.stack.links',
		h('h2', isInOneFile() ? 'You' : 'Share'),
		invites,
		!isInOneFile() && linkField('To watch', linkTo(`/game/${id}`)),
		name,
		bell,
	);
	// Two people at one screen undo together.
	const holdsBoth = () => mine().every(Boolean);
	const undo = h(
		'button',
		() => act('undo', holdsBoth() ? { other: seats.tokens[1] } : {}, mine().indexOf(true)),
		'Undo',
	);
	const resign = h('button.danger', askResign, 'Resign');
	const flip = h(
		'button.quiet',
		{ 'aria-label': 'Flip board', onclick: () => table.flip() },
		'Flip',
	);
	const hint = h('button', giveHint, 'Hint');
	const offers = makeOffers((body) => act('offers', body, mine().indexOf(true)));
	const actions = h(
		'div.buttons',
		undo,
		hint,
		offers.buttons,
		!game.isSimultaneous && flip,
		resign,
	);
	const table = makeTable({
		game,
		live: first,
		mine,
		onmove: move,
		wire,
	});

	const chooser = () => chooserOf(live, mine());
	const isBetweenPeople = () =>
		mine().some(Boolean) && !holdsBoth() && live.seats.every((seat) => seat.kind === 'person');
	const isMyTurn = () => !holdsBoth() && chooser() !== undefined;

	// The best player's move, shown on the board; not in games between people. Pressed again, it is
	// taken: played, or in AI Battleground chosen.
	let hinted;
	async function giveHint() {
		if (hinted) return takeHint();
		const { n_moves: asked, position } = live;
		hint.disabled = true;
		try {
			const players = (await games()).get(game.id).players;
			const {
				moves: [best],
			} = await post(
				'choose',
				{ game: game.id, position, player: bestOf(players) },
				{ signal },
			);
			if (!best || live.n_moves !== asked) return;
			const cells = live.mover === 'both' ? best.move[game.sides[chooser()].key] : best.cells;
			setHint({ move: best.move, cells });
			table.point(cells);
			const names = cells.map(([r, c]) => game.cellName(r, c, position.board.length));
			announce(`Hint: ${names.join(' to ') || 'pass'}.`);
		} catch (error) {
			if (!signal.aborted) complain(error);
		} finally {
			hint.disabled = !isMyTurn();
		}
	}

	function setHint(given) {
		hinted = given;
		write(hint, given ? 'Take hint' : 'Hint');
	}

	function takeHint() {
		const { move: best, cells } = hinted;
		setHint(undefined);
		table.point([]);
		if (game.isSimultaneous) table.take(cells);
		else table.play(best);
	}

	const pairing = () => `${game.name}: ${namesOf(live.seats, mine()).join(' – ')}`;
	const title = () => `${isMyTurn() ? 'Your turn · ' : ''}${pairing()}`;

	let wasMyTurn = true;
	// Says once that it is this person's turn, wherever they look.
	function callToMove() {
		if (isMyTurn() && !wasMyTurn) {
			notify('Your turn', pairing(), id);
			if (document.hidden) play('turn');
		}
		wasMyTurn = isMyTurn();
	}

	function playEnd({ winner }) {
		if (winner === null) play('draw');
		else play(mine()[1 - winner] && !mine()[winner] ? 'lose' : 'win');
	}

	const act = (what, body, side = chooser() ?? mine().indexOf(true)) =>
		wire.act(what, body, seats.tokens[side]).catch(failed);

	function failed(error) {
		complain(error);
		if (error.status === 409) wire.again();
		else table.update(live);
	}

	function move(made, side) {
		return act('moves', { move: made, n_moves: live.n_moves }, side);
	}

	function askResign() {
		if (resign.dataset.sure) return void act('resign', {});
		resign.dataset.sure = 'yes';
		write(resign, 'Really resign?');
	}

	// Any other action cancels the question.
	function unsure() {
		delete resign.dataset.sure;
		write(resign, 'Resign');
	}
	resign.addEventListener('blur', unsure);

	async function rematch() {
		for (const side of [0, 1]) if (seats.tokens[side]) await act('rematch', {}, side);
	}

	function rename(event) {
		keepName(event.target.value.trim());
		for (const token of seats.tokens.filter(Boolean))
			put(`live-games/${id}/seat`, { name: myName() }, { token }).catch(complain);
	}

	function showLinks() {
		bell.hidden =
			isInOneFile() ||
			!name ||
			!canAskToNotify() ||
			live.seats.some((seat) => seat.kind !== 'person');
		invites.forEach((invite, side) => invite && (invite.hidden = live.seats[side].is_taken));
		links.classList.toggle(
			'first',
			invites.some((invite) => invite && !invite.hidden),
		);
	}

	// Offers the next level up after a win, and down after a loss.
	function otherLevel(winner) {
		const side = mine().indexOf(true);
		const level = Number(live.seats[1 - side]?.player?.match(/^level-(\d+)$/)?.[1]);
		const next = level + (winner === side ? 1 : -1);
		if (!level || holdsBoth() || winner === null || next < 1 || next > 10) return undefined;
		return h(
			'button',
			() => beginAgainst(live, side, `level-${next}`).catch(complain),
			`Try level ${next}`,
		);
	}

	function showEnd() {
		banner.hidden = !live.over;
		const isMine = mine();
		const isSeated = isMine.some(Boolean);
		actions.hidden = live.over || !isSeated;
		if (!live.over) return;
		const { text, winner } = live.over;
		const { offered, id: next } = live.rematch;
		const isMyWin = isMine[winner] && !isMine[1 - winner];
		const isMyLoss = isMine[1 - winner] && !isMine[winner];
		const asked = isMine.some((held, side) => held && offered[side]);
		const wanted = isMine.some((held, side) => held && offered[1 - side]) && !asked;
		show(
			banner,
			h(
				'strong',
				winner === null
					? 'A draw'
					: isMyWin
						? 'You win'
						: isMyLoss
							? 'You lose'
							: `${live.seats[winner].name || game.sides[winner].name} wins`,
			),
			h('span', text.replace(/^(draw|tie), /, '')),
			h(
				'div.buttons',
				isSeated &&
					h(
						'button.primary',
						{ disabled: asked, onclick: rematch },
						asked ? 'Rematch offered' : wanted ? 'Accept rematch' : 'Rematch',
					),
				otherLevel(winner),
				!isSeated && next && h('a.button', { href: `#/game/${next}` }, 'Go to rematch'),
				h('a.button', { href: `#/history/s-${id}` }, 'Replay'),
				!game.isSimultaneous &&
					live.n_moves > 0 &&
					h('a.button', { href: `#/analyse/s-${id}` }, 'Analyse'),
				h('a.button', { href: `#/play/${game.id}` }, 'New game'),
			),
		);
		banner.className = `banner ${game.css} ${winner === null ? '' : `side${winner + 1}`}`;
	}

	let offered;
	function showOffers() {
		const side = isBetweenPeople() ? mine().indexOf(true) : undefined;
		const words = offers.update(live, side, namesOf(live.seats, mine())[1 - side]);
		if (words && words !== offered) {
			announce(words);
			notify(words, pairing(), id);
			play('turn');
		}
		offered = words;
	}

	// Each person's token opens the other side of the rematch.
	function followRematch() {
		const next = live.rematch.id;
		if (!next || !mine().some(Boolean)) return;
		keepSeats(next, {
			...seats,
			tokens: [...seats.tokens].reverse(),
			invite: [...seats.invite].reverse(),
		});
		go(`/game/${next}`);
	}

	function onchange(now, kind, data) {
		live = now;
		if (kind === 'move') announce(`${told(game, data)} ${standing(game, now.scores)}.`);
		if (kind === 'move') unsure();
		if (kind !== 'seat' && kind !== 'rematch') setHint(undefined);
		if (kind === 'rematch') followRematch();
		undo.disabled = holdsBoth()
			? Boolean(now.over) || (!now.n_moves && !now.pending.some(Boolean))
			: ![0, 1].some((side) => seats.tokens[side] && now.can_undo?.[side]);
		undo.hidden = isBetweenPeople() && game.movesPerTurn === 1;
		showOffers();
		hint.hidden = now.seats.every((seat) => seat.kind === 'person');
		hint.disabled = !isMyTurn();
		if (!signal.aborted) document.title = `${title()} · turf`;
		callToMove();
		if (kind === 'move' && !now.over) play(soundOf(data));
		if (now.over && (kind === 'move' || kind === 'over')) playEnd(now.over);
		table
			.update(now, kind, data)
			.catch(() => {})
			.then(showEnd);
		if (now.over && (kind === 'move' || kind === 'over'))
			announce(`The game is over: ${now.over.text}.`);
		if (kind === 'snapshot' || kind === 'seat') showLinks();
	}

	const timer = setInterval(() => table.tick(), 100);
	addEventListener(
		'keydown',
		(event) => {
			const by = { j: -1, k: 1 }[event.key.toLowerCase()];
			const isTyping = event.target.matches?.('input, textarea, select');
			if (!by || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
			event.preventDefault();
			table.turn(by);
		},
		{ signal },
	);
	signal.addEventListener('abort', () => clearInterval(timer));
	show(
		place,
		h('h1.unseen', game.name),
		line.element,
		table.lay({ banner, actions, links, offers: offers.element }),
	);
	return title();
}
