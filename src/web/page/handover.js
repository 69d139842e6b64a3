// A position on its way from the test grid or a replay to another view ("play on from here"): too long for an address.

let carried;

export const handOver = (game, position) => (carried = { game, position });

export function takeOver(game) {
	const position = carried?.game === game ? carried.position : undefined;
	carried = undefined;
	return position;
}
