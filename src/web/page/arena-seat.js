// Choosing cells for a turn of AI Battleground, for one side or, in the test grid, for both: what is out of reach or beyond the budget is
// refused on the spot, with the reason.

// isOwn(side): whether that side is "you" to whoever chooses.
export function makePicks(isOwn = () => false) {
	let chosen = []; // [side, row, col], in the order of choosing
	let view;

	const of = (side) =>
		chosen.filter((pick) => pick[0] === side).map(([, row, col]) => [row, col]);
	const budget = (side) => view?.position.cells[side] ?? 0;
	const left = (side) => budget(side) - of(side).length;
	const isFor = (key, side) => key === '3' || key === String(side + 1);

	function refusal(side, row, col) {
		if (!view) return 'One moment, please.';
		if (view.position.board[row][col] !== '.') return 'That cell is alive already.';
		if (!isFor(view.reach[row][col], side))
			return `Too far from ${isOwn(side) ? 'your cells' : `the cells of player ${side + 1}`}.`;
		if (left(side) < 1)
			return `${isOwn(side) ? 'You have' : `Player ${side + 1} has`} no cells left to place: ${budget(side)} is all.`;
		return undefined;
	}

	return {
		of,
		budget,
		left,
		// The cells of these sides, for the board.
		shown: (sides) => [0, 1].map((side) => (sides.includes(side) ? of(side) : [])),
		has: (side, row, col) => of(side).some(([r, c]) => r === row && c === col),
		// A new turn, with what may be reached.
		begin(now) {
			chosen = [];
			view = now;
		},
		// Takes the cell, or lets go of it; answers with the reason if it cannot be had.
		toggle(side, row, col) {
			const at = chosen.findIndex(([s, r, c]) => s === side && r === row && c === col);
			const reason = at < 0 ? refusal(side, row, col) : undefined;
			if (at >= 0) chosen.splice(at, 1);
			else if (!reason) chosen.push([side, row, col]);
			return reason;
		},
		// Lets go of a cell of these sides, or else of the last one they chose; says whether there was one.
		undo(sides, row, col) {
			const theirs = chosen.filter((pick) => sides.includes(pick[0]));
			const gone = theirs.findLast(([, r, c]) => r === row && c === col) ?? theirs.at(-1);
			chosen = chosen.filter((pick) => pick !== gone);
			return Boolean(gone);
		},
		// For the board: one mark for every cell that `sides` may take.
		reachOf: (sides) =>
			view &&
			Uint8Array.from(view.reach.join(''), (key) =>
				sides.some((side) => isFor(key, side)) ? 1 : 0,
			),
	};
}
