// Names, symbols and words of the games. There are no rules here: legal moves, effects and results
// come from the server.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const life = {
	id: 'war-of-life',
	name: 'War of Life',
	css: 'life',
	tagline: 'Move one piece. The crank turns. Not everyone survives.',
	sides: [
		{ key: 'b', name: 'Blue', glyph: '●' },
		{ key: 'r', name: 'Red', glyph: '◆' },
	],
	rule:
		'Move a piece one step; then every cell lives or dies by its neighbours. ' +
		'Wipe out the other colour.',
	rules: [
		'Blue moves first. Move one of your pieces to an empty cell next to it, in any direction.',
		'Then the crank turns for all cells at once. A piece with 2 or 3 neighbours of either ' +
			'colour survives; with fewer or more it dies.',
		'An empty cell with exactly 3 neighbours gets a piece of the majority’s colour.',
		'You win when the other side has no pieces left. If neither has any, it is a draw.',
		'It is also a draw after 250 moves, or when the side to move has no legal move.',
	],
	unit: 'pieces',
	cellName: (row, col) => `row ${row + 1} column ${col + 1}`,
	rowLabel: (row) => String(row + 1),
	colLabel: (col) => String(col + 1),
};

const amoeba = {
	id: 'amoeba-wars',
	name: 'Amoeba Wars',
	css: 'amoeba',
	tagline: 'Three moves a turn. Spread, or devour.',
	sides: [
		{ key: 'O', name: 'O', glyph: 'O' },
		{ key: 'X', name: 'X', glyph: 'X' },
	],
	rule:
		'Grow into an empty cell next to your own, or kill an enemy there: that cell stays dead. ' +
		'Living cells and kills both count.',
	rules: [
		'O begins with one move. After that every turn has three moves.',
		'A move goes to a cell next to one of your own, including diagonally.',
		'An empty cell becomes yours. An enemy in it is killed, and the cell stays dead.',
		'Your score is your living cells plus your kills.',
		'The game ends when the side to move has no legal move, even within a turn. ' +
			'The higher score wins.',
	],
	unit: 'points',
	cellName: (row, col, rows) => `${LETTERS[col]}${rows - row}`,
	rowLabel: (row, rows) => String(rows - row),
	colLabel: (col) => LETTERS[col],
};

const battleground = {
	id: 'ai-battleground',
	name: 'AI Battleground',
	css: 'arena',
	tagline: 'Both strike at once. Then the world takes a step.',
	sides: [
		{ key: '1', name: 'Player 1', glyph: '■' },
		{ key: '2', name: 'Player 2', glyph: '◘' },
	],
	rule:
		'Colonise dead cells near your own, both sides at once; then Life takes one step. ' +
		'More living cells at the end win.',
	rules: [
		'Both sides choose at once: dead cells at most 2 away from their own living cells. ' +
			'The board wraps around at the edges.',
		'Each turn gives you 3 more cells to place. You can save up to 15.',
		'A cell that both choose stays dead, and both pay for it.',
		'Then Life takes a step. A dead cell is born for the side with exactly 3 more neighbours ' +
			'than the other; a living one survives if its side has 2 or 3 more.',
		'With the classic ruleset a cell is born with exactly 3 neighbours of one side and ' +
			'none of the other, and survives with 2 or 3 of its own.',
		'After the last turn the side with more living cells wins.',
	],
	unit: 'cells',
	cellName: (row, col) => `row ${row} column ${col}`,
	rowLabel: String,
	colLabel: String,
};

const squirrel = {
	id: 'squirrel-war',
	name: 'SquirrelWar',
	css: 'squirrel',
	tagline: 'Raid next door or sneak anywhere. The nuts decide.',
	sides: [
		{ key: 'X', name: 'X', glyph: 'X' },
		{ key: 'O', name: 'O', glyph: 'O' },
	],
	rule:
		'Take any empty square. Next to your own it is a raid that captures adjacent enemies; ' +
		'elsewhere it is a sneak. Most nuts win.',
	rules: [
		'X moves first. Take any empty square: its nuts are yours.',
		'Next to a square of your own (not diagonally) it is a raid: the enemies next to the new ' +
			'square change sides.',
		'Anywhere else it is a sneak, which captures nothing.',
		'When the board is full, most nuts win.',
	],
	unit: 'nuts',
	cellName: (row, col) => `${LETTERS[col]}${row + 1}`,
	rowLabel: (row) => String(row + 1),
	colLabel: (col) => LETTERS[col],
};

export const GAMES = [life, amoeba, battleground, squirrel];

// Games that ended by a failure: time, a crash, an illegal move and so on.
export const isFault = (reason) => !['rules', 'resigned'].includes(reason);

// How a recorded game ended, in words.
export const resultOf = ({ winner, outcome }) => (winner === null ? outcome : `${outcome} wins`);

export const gameOf = (id) => GAMES.find((game) => game.id === id);

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
	return taken?.length ? `a raid that takes ${taken.length}` : `a ${kind}`;
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
