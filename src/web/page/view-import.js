// Games from a file or pasted, into the history: a line of JSON for each, as this page, turf export
// and turf play write them. The back end plays their moves again; what is not a game is named, and
// the others come in.
import { getAsOwner, persist, postAsOwner } from './api.js';
import { complain } from './announce.js';
import { h, row, show, write } from './dom.js';
import { gameOf } from './games.js';

const MAX_FAULTS = 20;

// The games of a text, each with where it is: lines, or one JSON text of a game or of many.
function recordsOf(text) {
	try {
		return [JSON.parse(text)].flat().map((record, i) => ({ where: `Game ${i + 1}`, record }));
	} catch {
		return text
			.split('\n')
			.map((line, i) => ({ where: `Line ${i + 1}`, line }))
			.filter(({ line }) => line.trim());
	}
}

const parse = (line) => {
	try {
		return JSON.parse(line);
	} catch {
		throw new Error('This is not JSON, or not all of a line.');
	}
};

const isRecord = (record) => record && typeof record === 'object' && !Array.isArray(record);

export async function importView(place, parameters, signal) {
	const server = await getAsOwner('server', { signal });
	const text = h('textarea', { rows: 8, spellcheck: 'false' });
	const outcome = h('p', { role: 'status' });
	const found = h('ul');
	const faults = h('ul.alarm');
	const start = h('button.primary', () => take(text.value), 'Import');

	async function takeOne({ line, record = parse(line) }) {
		if (!isRecord(record)) throw new Error('This is not a game.');
		const { id, is_new: isNew } = await persist(() => postAsOwner('history', record), {
			isPast: () => signal.aborted,
		});
		const words = `${gameOf(record.game).name}: ${record.first} – ${record.second}`;
		found.append(h('li', h('a', { href: `#/history/${id}` }, words)));
		return isNew;
	}

	function report({ n, nNew, nFaults }) {
		const games = (count) => `${count} game${count === 1 ? '' : 's'}`;
		const known = n - nFaults - nNew;
		write(
			outcome,
			`${games(nNew)} imported${known ? `, ${games(known)} here already` : ''}` +
				(nFaults ? `, ${nFaults} not read, see below.` : '.'),
		);
	}

	async function take(content) {
		const records = recordsOf(content);
		const count = { n: 0, nNew: 0, nFaults: 0 };
		show(found);
		show(faults);
		if (!records.length)
			return write(outcome, 'There is nothing to import: paste games, or open a file.');
		start.disabled = true;
		for (const each of records) {
			if (signal.aborted) return undefined;
			count.n++;
			try {
				if (await takeOne(each)) count.nNew++;
			} catch (error) {
				if (++count.nFaults <= MAX_FAULTS)
					faults.append(h('li', `${each.where}: ${error.message}`));
			}
			report(count);
		}
		start.disabled = false;
		return undefined;
	}

	async function open({ target }) {
		const [file] = target.files;
		target.value = '';
		if (!file) return;
		try {
			await take(await file.text());
		} catch {
			complain(new Error('This file cannot be read.'));
		}
	}

	show(
		place,
		h(
			'div.head',
			h(
				'div',
				h('h1', 'Import games'),
				h(
					'p',
					'A line of JSON for each game, as Export here, turf export and turf play ' +
						'write them.',
				),
			),
		),
		h(
			'section.panel.stack',
			!server.can_change_tournaments &&
				h(
					'p.soft',
					'You can replay and analyse what you import, and share its links. ' +
						'Only the owner’s games come into the list of this server.',
				),
			row('Paste games', text),
			row(
				'Or open a file',
				h('input', { type: 'file', accept: '.json,.jsonl,.txt', onchange: open }),
			),
			h('div.buttons', start),
			outcome,
			faults,
			found,
		),
	);
	return 'Import games';
}
