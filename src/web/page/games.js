// Names, symbols and words of the games. There are no rules here: legal moves, effects and results
// come from the server.

const UNKNOWN_SIDES = [
	{ name: 'first', letter: '1', symbol: '●' },
	{ name: 'second', letter: '2', symbol: '○' },
];
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const letterOf = (col) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[col];

// Games that ended by a failure: time, a crash, an illegal move and so on.
export const isFault = (reason) => !['rules', 'resigned', 'agreed', 'unfinished'].includes(reason);

// How a recorded game ended, in words.
export const resultOf = ({ winner, outcome }) => (winner === null ? outcome : `${outcome} wins`);

export const nameOr = (name) => name || 'Anonymous';
// The names of both seats; mine: the sides of the person who reads them.
export const namesOf = (seats, mine = []) =>
	seats.map(({ name }, side) => name || (mine[side] && !mine[1 - side] ? 'You' : nameOr(name)));

// A game by what the server says of it; boards.js adds what the page knows.
export function plainGame(facts) {
	const summary = `${capital(facts.summary ?? facts.name)}.`;
	return {
		id: facts.name,
		name: facts.title ?? facts.name,
		css: `plain game-${facts.name}`,
		tagline: summary,
		rule: summary,
		rules: [summary],
		sides: (facts.sides ?? UNKNOWN_SIDES).map(({ name, letter, symbol, colour }) => ({
			key: letter,
			name: capital(name),
			glyph: symbol,
			colour,
		})),
		unit: facts.unit ?? 'points',
		isSimultaneous: Boolean(facts.is_simultaneous),
		movesPerTurn: facts.moves_per_turn ?? 1,
		hasStep: Boolean(facts.has_step),
		empty: '.',
		stepName: 'Step',
		betweenName: 'Before the step',
		cellName: facts.has_letters
			? (row, col) => `${letterOf(col)}${row + 1}`
			: (row, col) => `row ${row + 1} column ${col + 1}`,
		rowLabel: (row) => String(row + 1),
		colLabel: facts.has_letters ? letterOf : (col) => String(col + 1),
	};
}

let known = [];

export const setGames = (games) => (known = games);
export const allGames = () => known;
// Stored games may be of a game that this server does not have.
export const gameOf = (id) => known.find((game) => game.id === id) ?? plainGame({ name: id });

// 0, 1, or undefined for a cell without an owner.
export const ownerOf = (game, key) => {
	const side = game.sides.findIndex((each) => each.key === key);
	return side < 0 ? undefined : side;
};

export const sizeOf = (position) => ({
	rows: position.board.length,
	cols: position.board[0].length,
});

const listed = (cells) =>
	cells.length ? cells.map((cell) => `[${cell.join(',')}]`).join(' ') : 'nothing';

function effectOf({ born, died, taken, kind }) {
	if (born) return `${born.length} born, ${died.length} died`;
	return taken?.length ? `a ${kind} that takes ${taken.length}` : `a ${kind}`;
}

// A sentence about a move from the server and its effect.
export function told(game, { side, text, effect = {} }) {
	const { placed, collisions } = effect;
	if (!placed) return `${game.sides[side]?.name ?? 'Crank only'} ${text}, ${effectOf(effect)}.`;
	const choices = placed
		.map((cells, i) => `${game.sides[i].name} chose ${listed(cells)}`)
		.join('; ');
	const clash = collisions.length ? `; both chose ${listed(collisions)}` : '';
	return `${choices}${clash}: ${effectOf(effect)}.`;
}

export const standing = (game, scores) =>
	game.sides.map((side, i) => `${side.name} ${scores[i]}`).join(', ');
