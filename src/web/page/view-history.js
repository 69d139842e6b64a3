// Finished games, newest first.
import { get } from './api.js';
import { complain, note } from './announce.js';
import { h, row, select, show } from './dom.js';
import { allGames, gameOf, isFault, resultOf } from './games.js';
import { nameTags } from './cards.js';
import { seatsOf } from './keep.js';
import { saveFile } from './widgets.js';

const when = (moment) =>
	new Date(moment).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

function line(record) {
	const game = gameOf(record.game);
	const mine = seatsOf(record.id.replace(/^s-/, '')).tokens;
	const isOwn = mine.some(Boolean);
	return h(
		'tr',
		{ class: `${game.css} ${isOwn ? 'own' : ''}` },
		h(
			'td',
			h('a', { href: `#/history/${record.id}` }, game.name),
			isOwn && h('span.mine', 'yours'),
		),
		h('td', nameTags(game, record, mine)),
		h(
			'td',
			resultOf(record),
			record.reason !== 'rules' &&
				h(
					'span',
					{ class: isFault(record.reason) ? 'alarm' : 'soft' },
					` (${record.reason})`,
				),
		),
		h('td.n', record.scores?.join(' – ') ?? ''),
		h('td.n', record.n_moves),
		h('td.soft', when(record.finished_at)),
	);
}

export async function historyView(place, { id: tournament }, signal) {
	const body = h('tbody');
	const game = select([['', 'All games'], ...allGames().map((each) => [each.id, each.name])], {
		onchange: () => reload(),
	});
	const player = h('input', {
		type: 'search',
		placeholder: 'Any player',
		oninput: () => (clearTimeout(timer), (timer = setTimeout(() => reload(), 250))),
	});
	const more = h('button', () => reload(next), 'Older games');
	const none = h('p.soft', { hidden: true }, 'No finished games here yet.');
	let ids = []; // of the games listed
	let timer;
	let next;
	let nAsked = 0;

	// Responses may arrive out of order: only the latest request is shown.
	async function load(before) {
		const asked = ++nAsked;
		const query = new URLSearchParams({ limit: 50 });
		if (tournament) query.set('tournament', tournament);
		if (game.value) query.set('game', game.value);
		if (player.value.trim()) query.set('player', player.value.trim());
		if (before) query.set('before', before);
		const found = await get(`history?${query}`, { signal });
		if (asked !== nAsked) return;
		if (!before) body.replaceChildren();
		ids = [...(before ? ids : []), ...found.games.map(({ id }) => id)];
		body.append(...found.games.map(line));
		next = found.next;
		more.hidden = !next;
		none.hidden = body.children.length > 0;
	}

	// Saves the games listed, a line of JSON each, as turf export writes them.
	async function save() {
		if (!ids.length) return note('There is no game to export here.');
		const lines = [];
		for (const id of ids)
			lines.push(`${JSON.stringify(await get(`history/${id}/export`, { signal }))}\n`);
		const blob = new Blob(lines, { type: 'application/x-ndjson' });
		return saveFile(URL.createObjectURL(blob), 'turf-games.jsonl');
	}

	const reload = (before) => load(before).catch((error) => signal.aborted || complain(error));

	show(
		place,
		h(
			'div.head',
			h('div', h('h1', 'History'), h('p', 'Every finished game, to step through again.')),
			h('div.filters', row('Game', game), row('Player', player)),
		),
		h(
			'section.panel',
			h(
				'div.scroll',
				h(
					'table.history',
					h(
						'thead',
						h(
							'tr',
							['Game', 'Players', 'Result'].map((name) => h('th', name)),
							h('th.n', 'Score'),
							h('th.n', 'Moves'),
							h('th', 'Finished'),
						),
					),
					body,
				),
			),
			none,
		),
		h(
			'div.buttons.more',
			more,
			h('button', () => save().catch(complain), 'Export these games'),
			h('a.button', { href: '#/import' }, 'Import games'),
		),
	);
	await load();
	return 'History';
}
