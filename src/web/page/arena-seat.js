// The cells chosen for a turn in which both sides move, for one side or, in the test grid, for
// both. A cell out of reach or beyond the budget is rejected with the reason.

// isOwn(side): whether that side is the person choosing, "you".
export function makePicks(isOwn = () => false) {
	let chosen = []; // [side, row, col], in the order of choosing
	let view;

	const of = (side) =>
		chosen.filter((pick) => pick[0] === side).map(([, row, col]) => [row, col]);
	// Without a stock of cells the server alone says what is too many.
	const budget = (side) => view?.position.cells?.[side] ?? Infinity;
	const left = (side) => budget(side) - of(side).length;
	const isFor = (key, side) => key === '3' || key === String(side + 1);

	function whyNot(side, row, col) {
		if (!view) return 'One moment…';
		if (!isFor(view.reach[row][col], side) && view.position.board[row][col] !== '.')
			return 'That cell is already alive.';
		if (!isFor(view.reach[row][col], side))
			return `Too far from ${isOwn(side) ? 'your' : `player ${side + 1}’s`} cells.`;
		if (left(side) < 1)
			return `${isOwn(side) ? 'You have' : `Player ${side + 1} has`} no cells left to place.`;
		return undefined;
	}

	return {
		of,
		budget,
		left,
		// The chosen cells of these sides, for the board.
		shown: (sides) => [0, 1].map((side) => (sides.includes(side) ? of(side) : [])),
		has: (side, row, col) => of(side).some(([r, c]) => r === row && c === col),
		// Starts a turn, with the cells in reach.
		begin(now) {
			chosen = [];
			view = now;
		},
		clear: (side) => (chosen = chosen.filter((pick) => pick[0] !== side)),
		// Chooses the cell, or gives it back; returns the reason if it cannot be chosen.
		toggle(side, row, col) {
			const at = chosen.findIndex(([s, r, c]) => s === side && r === row && c === col);
			const reason = at < 0 ? whyNot(side, row, col) : undefined;
			if (at >= 0) chosen.splice(at, 1);
			else if (!reason) chosen.push([side, row, col]);
			return reason;
		},
		// Gives back this cell of these sides, or else the last one they chose; returns whether
		// there was one.
		undo(sides, row, col) {
			const theirs = chosen.filter((pick) => sides.includes(pick[0]));
			const gone = theirs.findLast(([, r, c]) => r === row && c === col) ?? theirs.at(-1);
			chosen = chosen.filter((pick) => pick !== gone);
			return Boolean(gone);
		},
		// For the board: a mark for every cell in reach of `sides`.
		reachOf: (sides) =>
			view &&
			Uint8Array.from(view.reach.join(''), (key) =>
				sides.some((side) => isFor(key, side)) ? 1 : 0,
			),
	};
}
