// Handing in a bot: a file is dropped or chosen, and each step is shown as it happens.
import { get, persist, post } from './api.js';
import { complain } from './announce.js';
import { h, pause, show, write } from './dom.js';
import { linkOf, openLeague, pathOf } from './league-access.js';
import { isDone, makeSteps, submissionLine } from './league-submission.js';
import { makeLine } from './stream.js';
import { copy } from './widgets.js';

const MAX_BYTES = 5 << 20;
const LOOK_MS = 400;

const noTeam = (place) => {
	show(
		place,
		h('div.head', h('h1', 'Hand in a bot')),
		h(
			'section.panel.stack',
			h(
				'p',
				'This browser belongs to no team of the league yet. Open the link that the ' +
					'organiser gave your team; this page then knows you.',
			),
			h('div.buttons', h('a.button', { href: '#/league' }, 'The league')),
		),
	);
	return 'Hand in a bot';
};

// The same from a terminal. The token is copied, but not shown to the whole room.
function curlBox(team, token) {
	const line = (secret) =>
		`curl --data-binary @bot.py -H 'Content-Type: application/octet-stream' ` +
		`-H 'Authorization: Bearer ${secret}' ` +
		`'${location.origin}/api/${pathOf(team, '/submissions?name=bot.py')}'`;
	return h(
		'section.panel.stack',
		h('h2', 'From a terminal'),
		h('p.soft', 'The copied line has your team’s token in it. Keep it to yourselves.'),
		h('pre', { tabindex: 0 }, line('••••••••')),
		h(
			'div.buttons',
			h('button', () => copy(line(token), 'Line'), 'Copy the line'),
		),
	);
}

function makeDropZone(onfile) {
	const input = h('input.unseen', {
		type: 'file',
		id: 'bot-file',
		onchange: () => {
			const [file] = input.files;
			input.value = ''; // so that the same file can be chosen again
			if (file) onfile(file);
		},
	});
	const zone = h(
		'label.drop-zone',
		{
			for: 'bot-file',
			ondragover: (event) => (event.preventDefault(), zone.classList.add('over')),
			ondragleave: () => zone.classList.remove('over'),
			ondrop: (event) => {
				event.preventDefault();
				zone.classList.remove('over');
				const [file] = event.dataTransfer.files;
				if (file) onfile(file);
			},
		},
		h('strong', 'Drop your bot here, or choose a file'),
		h(
			'span.soft',
			'One file, or a zip or tar, of at most 5 MiB: Python, JavaScript, C, C++, Java, ' +
				'Prolog, or anything with a script called run.',
		),
	);
	return [input, zone];
}

export async function submitView(place, _, signal) {
	const { team, tokenFor } = await openLeague(signal);
	if (!team) return noTeam(place);
	const token = tokenFor(team);
	const path = pathOf(team, '/submissions');
	const line = makeLine();
	const steps = makeSteps();
	const current = h(
		'section.panel.stack',
		{ hidden: true },
		h('h2', 'What happens to it'),
		steps.element,
	);
	const list = h('ul.plain.stack');
	const none = h('p.soft', 'Nothing yet.');
	const again = h('p.soft', { hidden: true });
	let nFiles = 0;

	async function loadList() {
		const { submissions } = await get(path, { token, signal });
		none.hidden = submissions.length > 0;
		show(list, submissions.map(submissionLine));
		return submissions;
	}

	// Looks until it is done, or another file was handed in.
	async function watch(submission, number) {
		current.hidden = false;
		steps.clear();
		steps.update(submission);
		while (!isDone(submission) && !signal.aborted && number === nFiles) {
			await pause(LOOK_MS);
			const isPast = () => signal.aborted || number !== nFiles;
			({ submission } = await persist(
				() => get(`${path}/${submission.id}`, { token, signal }),
				{
					isPast,
					onwait: (isSo, error) => line.wait('look', isSo ? error.message : undefined),
				},
			));
			if (!isPast()) steps.update(submission);
		}
		if (signal.aborted) return;
		await loadList();
		again.hidden = submission.status !== 'refused' || number !== nFiles;
		write(again, 'The version before it plays on. Mend the bot and hand it in again.');
	}

	async function hand(file) {
		if (file.size > MAX_BYTES)
			return complain(
				new Error(
					`${file.name} is larger than 5 MiB. Leave out what the bot does not need.`,
				),
			);
		const number = ++nFiles;
		again.hidden = true;
		try {
			const name = encodeURIComponent(file.name);
			const { submission } = await post(`${path}?name=${name}`, file, { token, signal });
			await watch(submission, number);
		} catch (error) {
			if (!signal.aborted) complain(error);
		}
		return undefined;
	}

	show(
		place,
		h(
			'div.head',
			h(
				'div',
				h('h1', 'Hand in a bot'),
				h('p', `It is built and checked at once; then it plays for ${team}.`),
			),
			h(
				'div.buttons',
				h('a.button', { href: linkOf(team) }, 'My bot’s page'),
				h('a.button.quiet', { href: '#/league' }, 'The league'),
			),
		),
		line.element,
		h(
			'div.submit',
			h('div.stack', makeDropZone(hand), current, again),
			h(
				'div.stack',
				h('section.panel.stack', h('h2', 'Handed in so far'), list, none),
				curlBox(team, token),
			),
		),
	);
	place.classList.add('stack');
	const [last] = await loadList();
	if (last && !isDone(last)) {
		const { submission } = await get(`${path}/${last.id}`, { token, signal });
		watch(submission, nFiles).catch((error) => signal.aborted || complain(error));
	}
	return 'Hand in a bot';
}
