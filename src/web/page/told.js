// Moves and scores in words, for the live region and under the boards.

const listed = (cells) => (cells.length ? cells.map((cell) => `[${cell.join(',')}]`).join(' ') : 'nothing');

function effectOf({ born, died, taken, kind }) {
	if (born) return `, ${born.length} born, ${died.length} died`;
	if (taken?.length) return `, a raid that takes ${taken.length}`;
	return kind ? `, a ${kind}` : '';
}

// A move as the server gives it, with what it did.
export function told(game, { side, text, effect = {} }) {
	const { placed, collisions } = effect;
	if (!placed) return `${game.sides[side]?.name ?? 'The crank alone'} ${text}${effectOf(effect)}.`;
	const choices = placed.map((cells, i) => `${game.sides[i].name} chose ${listed(cells)}`).join('; ');
	return `${choices}${collisions.length ? `; they collide at ${listed(collisions)}` : ''}${effectOf(effect)}.`;
}

export const standing = (game, scores) => game.sides.map((side, i) => `${side.name} ${scores[i]}`).join(', ');
