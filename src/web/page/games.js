// What the page knows of the four games: names, signs and words. No rules live here: what is legal, what a move does and who has won
// comes from the server.

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
	rule: 'Move a piece one step; then every cell lives or dies by its neighbours. Wipe the other colour out.',
	rules: [
		'Blue begins. Move one of your pieces to an empty cell beside it, in any of the eight directions.',
		'Then the crank turns for all cells at once. A piece with 2 or 3 neighbours, of either colour, lives; with fewer or more it dies.',
		'An empty cell with exactly 3 neighbours gets a piece, of the colour that most of the three have.',
		'Who has pieces left when the other has none wins. If nobody has any, it is a draw.',
		'It is also a draw after 250 moves, or when the side to move has nowhere to go.',
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
	rule: 'Grow into an empty cell beside your own, or kill what lives there: a killed cell is dead for good. Living and killed both count.',
	rules: [
		'O begins with one move. From then on every turn is three moves.',
		'A move goes to a cell beside one of your own, diagonals included.',
		'An empty cell becomes yours. An enemy in it is killed, and the cell is dead for good.',
		'Your points are your living cells and the enemies you have killed.',
		'The game ends when the side to move has nowhere to go, even in the middle of a turn. More points win.',
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
	rule: 'Colonise dead cells near your own, both sides at once; then one generation passes on a torus. More living cells at the end win.',
	rules: [
		'Both choose at once: dead cells at most 2 away from a living cell of their own. Over an edge the board goes on at the other one.',
		'Every turn brings 3 more cells to place; those you keep add up, to 15 at the most.',
		'A cell that both choose stays dead, and both have paid for it.',
		'Then life takes a step. Count the neighbours: a dead cell is born to the side with exactly 3 more than the other, a living one stays if its own side has 2 or 3 more.',
		'By the classic rules it is born to a side with exactly 3 where the other has none, and stays with 2 or 3 of its own.',
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
	rule: 'Take any empty square. Beside your own it is a raid and turns the enemies around it; elsewhere it is a sneak. Most nuts win.',
	rules: [
		'X begins. Take any empty square: its nuts are yours.',
		'Beside a square of your own (not diagonally) it is a raid: the enemies beside the new square change sides, and no others.',
		'Anywhere else it is a sneak, which changes nobody.',
		'When the board is full, most nuts win.',
	],
	unit: 'nuts',
	cellName: (row, col) => `${LETTERS[col]}${row + 1}`,
	rowLabel: (row) => String(row + 1),
	colLabel: (col) => LETTERS[col],
};

export const GAMES = [life, amoeba, battleground, squirrel];

// Ends that are somebody's failure: time, a crash, an illegal move and the like.
export const isFault = (reason) => !['rules', 'resigned'].includes(reason);

// How a recorded game ended, in words.
export const resultOf = ({ winner, outcome }) => (winner === null ? outcome : `${outcome} wins`);

export const gameOf = (id) => GAMES.find((game) => game.id === id);

// 0, 1, or undefined for a cell that belongs to nobody.
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

// A move as the server gives it, with what it did.
export function told(game, { side, text, effect = {} }) {
	const { placed, collisions } = effect;
	if (!placed)
		return `${game.sides[side]?.name ?? 'The crank alone'} ${text}, ${effectOf(effect)}.`;
	const choices = placed
		.map((cells, i) => `${game.sides[i].name} chose ${listed(cells)}`)
		.join('; ');
	return `${choices}${collisions.length ? `; they collide at ${listed(collisions)}` : ''}: ${effectOf(effect)}.`;
}

export const standing = (game, scores) =>
	game.sides.map((side, i) => `${side.name} ${scores[i]}`).join(', ');
