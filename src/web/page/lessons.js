// A first lesson for each game: five positions, each with one thing to do.
// `is(before, after, move)` says whether it was done, from the server's views of the
// positions and of the move.

const BLANK = '........';
const RED_BLOCK = ['.....rr.', '.....rr.', BLANK];
const life = (...board) => ({ board, to_move: 'b', moves_made: 0 });
const amoeba = (moves_left, ...board) => ({
	board,
	to_move: 'O',
	moves_left,
	killed: { O: board.join('').split('o').length - 1, X: board.join('').split('x').length - 1 },
});
const VALUES = [
	[20, 16, 10, 32, 30],
	[20, 12, 21, 11, 80],
	[28, 48, 90, 14, 15],
	[20, 12, 10, 60, 22],
	[25, 30, 23, 21, 10],
];
const squirrel = (...board) => ({ values: VALUES, board, to_move: 'X' });
const arena = (cells, maxGameIterations, ...board) => ({
	config: {
		rows: board.length,
		cols: board[0].length,
		cellGainPerTurn: 1,
		maxCellCapacity: 6,
		startingCells: 3,
		maxColonisationDistance: 2,
		maxGameIterations,
	},
	board,
	cells: [cells, 0],
	iteration: 0,
});
const BARE = '.........';

const any = () => true;
const wins = (before, after) => after.over?.winner === 0;
const grows = (before, after) => after.scores[0] > before.scores[0];
const keepsAll = (before, after) => after.scores[0] >= before.scores[0];
const hurts = (before, after) => after.scores[1] < before.scores[1];
const to =
	(wanted) =>
	(before, after, { text }) =>
		text === wanted;
const kind =
	(name, nTaken = 0) =>
	(before, after, { effect }) =>
		effect.kind === name && (effect.taken?.length ?? 0) >= nTaken;
const living = (n) => (before, after) => after.scores[0] === n;
// The first side's cells, with those it chose, are a square of four.
const isSquare = (before, { position: { board }, scores }, { effect }) =>
	scores[0] === 4 && effect.placed[0].every(([row, col]) => board[row][col] === '1');

export const LESSONS = {
	'war-of-life': [
		{
			words:
				'Click a blue piece, then an empty cell beside it. After every move the crank ' +
				'turns: pieces are born and die.',
			position: life(BLANK, '.bb.....', '.bb.....', BLANK, BLANK, ...RED_BLOCK),
			is: any,
		},
		{
			words:
				'An empty cell with exactly three neighbours comes alive, in the colour of most ' +
				'of them. Move so that you have more pieces after the crank.',
			position: life(BLANK, '.bb.....', '...bb...', BLANK, BLANK, ...RED_BLOCK),
			is: grows,
		},
		{
			words: 'A piece with fewer than two neighbours dies. Move so that you lose none.',
			position: life(BLANK, '..bb....', '....b...', BLANK, '..bb....', ...RED_BLOCK),
			is: keepsAll,
		},
		{
			words:
				'Four neighbours are too many, and both colours count. Crowd red, so that it ' +
				'loses a piece.',
			position: life(
				BLANK,
				'...rr...',
				'...rr...',
				'..b.....',
				'..bb....',
				BLANK,
				BLANK,
				BLANK,
			),
			is: hurts,
		},
		{
			words: 'Whoever has no pieces left has lost. Win now.',
			position: life(
				BLANK,
				BLANK,
				'..r.b...',
				'..r.b...',
				'...b.b..',
				'...r.b..',
				BLANK,
				BLANK,
			),
			is: wins,
		},
	],
	'amoeba-wars': [
		{
			words: 'Spread: click an empty cell next to your amoeba, corners included.',
			position: amoeba(1, '.....X', '......', '......', '......', '......', 'O.....'),
			is: any,
		},
		{
			words: 'A turn has three moves. The diagonal is the shortest way: go on to C3.',
			position: amoeba(3, '.....X', '......', '......', '......', '.O....', 'O.....'),
			is: to('C3'),
		},
		{
			words: 'An enemy next to you can be killed: click it.',
			position: amoeba(3, '....XX', '...X..', '..O...', '.O....', 'O.....', 'O.....'),
			is: kind('kill'),
		},
		{
			words: 'A killed cell stays closed to both sides. Go round these two: take B3.',
			position: amoeba(2, '....XX', '....X.', '......', '..oo..', '.OO...', 'O..O..'),
			is: to('B3'),
		},
		{
			words:
				'The game ends when a side cannot move; living and killed amoebas count alike. ' +
				'Kill the last X and win.',
			position: amoeba(1, '.....X', '...OOo', '....o.', '..O...', '.O....', 'O.....'),
			is: wins,
		},
	],
	'squirrel-war': [
		{
			words: 'Take any empty square: that is a sneak. Take the one with the most nuts.',
			position: squirrel('*****', '*****', '*****', '*****', '*****'),
			is: to('C3'),
		},
		{
			words:
				'A square next to one of yours is a raid: it also takes the enemies beside it. ' +
				'Raid O.',
			position: squirrel('*****', '*****', '**X**', '***O*', '*****'),
			is: kind('raid', 1),
		},
		{
			words: 'A raid takes every enemy beside it. Take two at once.',
			position: squirrel('*****', '***O*', '**X*O', '*****', '*****'),
			is: kind('raid', 2),
		},
		{
			words: 'O raids too. Close the square from which it would take your 90 and your 60.',
			position: squirrel('XOXOX', 'OXO*O', 'XOX*O', 'OXOXO', 'XOXO*'),
			is: to('D3'),
		},
		{
			words:
				'When the board is full, the most nuts win. Three squares are left, and one ' +
				'of them wins.',
			position: squirrel('XXXO*', 'XXOOO', 'XOXOO', 'O*XXO', 'OOOX*'),
			is: to('B4'),
		},
	],
	'ai-battleground': [
		{
			words:
				'Both sides choose cells at the same time, near their own. Choose one that is ' +
				'marked, and commit; then the board takes a step.',
			position: arena(
				3,
				50,
				BARE,
				'.11......',
				'.11......',
				BARE,
				BARE,
				BARE,
				BARE,
				'......22.',
				'......22.',
			),
			is: (before, after, { effect }) => effect.placed[0].length > 0,
		},
		{
			words:
				'A cell needs two or three friends beside it. This pair would die: add a third ' +
				'in line with it.',
			position: arena(
				1,
				50,
				BARE,
				BARE,
				'..11.....',
				BARE,
				BARE,
				BARE,
				BARE,
				'......22.',
				'......22.',
			),
			is: living(3),
		},
		{
			words: 'A square of four never changes. Complete one with two cells.',
			position: arena(
				2,
				50,
				BARE,
				BARE,
				'..11.....',
				BARE,
				BARE,
				BARE,
				BARE,
				'......22.',
				'......22.',
			),
			is: isSquare,
		},
		{
			words:
				'An enemy beside a cell cancels one of its friends. Put two cells beside the ' +
				'enemy’s square, so that it loses some.',
			position: arena(
				2,
				50,
				BARE,
				'.11......',
				'.11......',
				BARE,
				'..22.....',
				'..22.....',
				BARE,
				BARE,
				BARE,
			),
			is: hurts,
		},
		{
			words:
				'After the last step, whoever has more living cells wins. This is the last one: ' +
				'win with three cells.',
			position: arena(
				3,
				1,
				BARE,
				'.11......',
				'.11......',
				BARE,
				BARE,
				BARE,
				BARE,
				'......22.',
				'......22.',
			),
			is: wins,
		},
	],
};
