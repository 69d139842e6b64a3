// A bot that was handed in: its steps as they happen, and what became of it.
import { h, show, write } from './dom.js';
import { ago } from './league-games.js';

const STEPS = { unpack: 'Unpack', build: 'Build', check: 'Check' };
const STATES = {
	waiting: 'waits for its turn',
	building: 'is being built',
	checking: 'is being checked',
	accepted: 'plays',
	refused: 'was refused',
};
const STEP_STATES = { ok: 'done', failed: 'failed', running: 'running', waiting: 'to come' };

export const isDone = ({ status }) => status === 'accepted' || status === 'refused';

const sizeText = (n) => (n < 1024 ? `${n} bytes` : `${(n / 1024).toFixed(n < 10240 ? 1 : 0)} KiB`);

export const stateText = ({ status, version }) =>
	status === 'accepted' && version ? `accepted as v${version}` : (STATES[status] ?? status);

// What became of it so far, in one sentence.
function sentenceOf(submission) {
	const { status, version, sentence, file_name: file } = submission;
	if (status === 'accepted') return `Accepted: version ${version} plays.`;
	if (status !== 'refused') return `${file} ${stateText(submission)}.`;
	return `Refused: ${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`;
}

// One line of the history.
export const submissionLine = (submission) =>
	h(
		'li.submission',
		h('span.name', submission.file_name),
		h('span', { class: `state ${submission.status}` }, stateText(submission)),
		h('span.soft.small', `${sizeText(submission.size)} · ${ago(submission.created_at)}`),
		submission.status === 'refused' && h('p.small', submission.sentence),
	);

// The steps of one, drawn anew in place: what is being read stays where it is.
export function makeSteps() {
	const element = h('ol.plain.steps-of');
	const verdict = h('p.verdict.sentence', { role: 'status' });
	const boxes = new Map();

	function makeBox(name) {
		const state = h('span.soft');
		const text = h('pre', { tabindex: 0, 'aria-label': `What ${STEPS[name] ?? name} printed` });
		const details = h('details', h('summary', 'Output'), text);
		const box = h(
			'li',
			h('div.step-head', h('i.sign'), h('strong', STEPS[name] ?? name), state),
			details,
		);
		element.append(box);
		return {
			update({ status, text: printed }) {
				box.className = `step ${status}`;
				write(state, STEP_STATES[status] ?? status);
				details.hidden = !printed;
				write(text, printed ?? '');
				// Opened when there is something to see; closed only by hand.
				if (printed && status !== 'ok' && details.dataset.status !== status)
					details.open = true;
				details.dataset.status = status;
			},
		};
	}

	return {
		element: h('div.stack', verdict, element),
		clear() {
			boxes.clear();
			show(element);
			write(verdict, '');
		},
		update(submission) {
			for (const step of submission.steps) {
				if (!boxes.has(step.name)) boxes.set(step.name, makeBox(step.name));
				boxes.get(step.name).update(step);
			}
			write(verdict, sentenceOf(submission));
			const mark = { accepted: 'right', refused: 'wrong' }[submission.status] ?? '';
			verdict.className = `verdict sentence ${mark}`;
		},
	};
}
