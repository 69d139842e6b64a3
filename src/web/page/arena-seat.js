// Choosing cells for a turn of AI Battleground, for one side or, in the test grid, for both: what is out of reach or beyond the budget is
// refused on the spot, with the reason.

export function makePicks() {
  let picks = [[], []];
  let order = [];
  let reach;
  let budget = [0, 0];
  let board;

  const index = (side, row, col) => picks[side].findIndex(([r, c]) => r === row && c === col);

  function refusal(side, row, col) {
    if (!reach) return 'One moment, please.';
    if (board[row][col] !== '.') return 'That cell is alive already.';
    if (!'3'.concat(side + 1).includes(reach[row][col])) return `Too far from the cells of player ${side + 1}.`;
    if (picks[side].length >= budget[side]) return `Player ${side + 1} has no cells left to place: ${budget[side]} is all.`;
    return undefined;
  }

  return {
    // A new turn: what may be reached, and how many cells each side may place.
    begin(view) {
      picks = [[], []];
      order = [];
      reach = view.reach;
      board = view.position.board;
      budget = view.position.cells;
    },
    both: () => picks,
    of: (side) => picks[side],
    // Takes the cell, or lets go of it; answers with the reason if it cannot be had.
    toggle(side, row, col) {
      const at = index(side, row, col);
      if (at >= 0) {
        picks[side].splice(at, 1);
        order = order.filter(([s, r, c]) => s !== side || r !== row || c !== col);
        return undefined;
      }
      const reason = refusal(side, row, col);
      if (!reason) {
        picks[side].push([row, col]);
        order.push([side, row, col]);
      }
      return reason;
    },
    // Lets go of a cell, whosever it is, or of the last one chosen.
    undo(row, col) {
      const hit = order.findLastIndex(([, r, c]) => r === row && c === col);
      const [gone] = order.splice(hit >= 0 ? hit : order.length - 1, 1);
      if (gone) picks[gone[0]].splice(index(...gone), 1);
      return gone;
    },
    left: (side) => budget[side] - picks[side].length,
    budget: (side) => budget[side],
    // For the board: one mark for every cell that `sides` may take.
    reachOf: (sides) => reach && Uint8Array.from(reach.join(''), (key) => (sides.some((side) => key === '3' || key === String(side + 1)) ? 1 : 0)),
    has: (side, row, col) => index(side, row, col) >= 0,
  };
}
