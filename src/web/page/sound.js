// Sounds, made of oscillators: no files to load. Off until a person turns them on.
import { keep, kept } from './keep.js';

const KEY = 'turf-sound';
let context;

// [when in s, from Hz, to Hz, length in s, loudness, wave]
const SOUNDS = {
	move: [[0, 520, 390, 0.07, 0.22, 'triangle']],
	take: [
		[0, 330, 165, 0.11, 0.22, 'sawtooth'],
		[0.02, 660, 330, 0.06, 0.12, 'square'],
	],
	// The crank: four clicks of a ratchet.
	crank: [0, 0.055, 0.11, 0.165].map((when) => [
		when,
		190 + 400 * when,
		150,
		0.035,
		0.2,
		'square',
	]),
	turn: [
		[0, 660, 660, 0.1, 0.2, 'sine'],
		[0.11, 880, 880, 0.16, 0.2, 'sine'],
	],
	win: [523, 659, 784, 1047].map((hz, i) => [i * 0.11, hz, hz, 0.22, 0.2, 'triangle']),
	lose: [392, 330, 262].map((hz, i) => [i * 0.16, hz, hz * 0.97, 0.26, 0.18, 'triangle']),
	draw: [440, 440].map((hz, i) => [i * 0.18, hz, hz, 0.16, 0.18, 'triangle']),
};

const isOn = () => kept(KEY) === true;

function tone(start, [when, from, to, length, loudness, wave]) {
	const [source, volume] = [context.createOscillator(), context.createGain()];
	const at = start + when;
	source.type = wave;
	source.frequency.setValueAtTime(from, at);
	source.frequency.exponentialRampToValueAtTime(to, at + length);
	volume.gain.setValueAtTime(0.0001, at);
	volume.gain.exponentialRampToValueAtTime(loudness, at + 0.008);
	volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
	source.connect(volume).connect(context.destination);
	source.start(at);
	source.stop(at + length + 0.02);
}

export function play(name) {
	if (!isOn() || !SOUNDS[name] || !('AudioContext' in window)) return;
	context ??= new AudioContext();
	context.resume();
	for (const each of SOUNDS[name]) tone(context.currentTime + 0.01, each);
}

// What a move sounds like.
export const soundOf = ({ effect = {} }) => {
	if (effect.born) return 'crank';
	return effect.kind === 'kill' || effect.taken?.length ? 'take' : 'move';
};

// The button that turns sounds on and off.
export function startSound(button) {
	const name = () => {
		button.setAttribute('aria-label', 'Sound');
		button.setAttribute('aria-pressed', String(isOn()));
	};
	button.addEventListener('click', () => {
		keep(KEY, !isOn());
		name();
		play('turn');
	});
	name();
}
