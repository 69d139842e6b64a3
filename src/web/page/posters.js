// The positions on the four posters.

export const POSTERS = {
	'war-of-life': { position: { board: ['..b.....', '.bb...r.', 'b..b.rr.', '.bb..r.r', '.b..r.r.', '..bb.rr.', '.b.b..r.', '..bb....'] } },
	'amoeba-wars': { position: { board: ['....XXXX', '...XX.XX', '..XX#XX.', '..#.O#..', '.OOO..X.', 'OO.OO...', 'OOO..OO.', 'OO....O.'] } },
	'ai-battleground': {
		position: {
			board: [
				'.........2..', '..11....2.2.', '.1..1...22..', '.11.1.......', '...1....2...', '1.....22.2..', '11...2...2..', '.1.1..22....', '..11.....2..', '.1...1..2.2.', '..111....2..', '...1........',
			],
		},
	},
	'squirrel-war': {
		position: {
			values: [[20, 16, 1, 32, 30], [20, 12, 2, 11, 8], [28, 48, 9, 1, 1], [20, 12, 10, 6, 2], [25, 30, 23, 21, 10]],
			board: ['*OXX*', '*XXOX', 'XX*O*', '*XOO*', '***OO'],
		},
	},
};
