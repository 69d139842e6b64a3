// Scores and ratings in words.

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
export const rounded = (n) =>
	n === null || n === undefined ? '' : String(Math.round(n)).replace('-', '−');

// A player that won everything has a rating without an upper bound.
export function margin(interval) {
	const [least, most] = interval ?? [null, null];
	if (least !== null && most !== null) return ` ± ${rounded((most - least) / 2)}`;
	return least !== null
		? ` (above ${rounded(least)})`
		: most !== null
			? ` (below ${rounded(most)})`
			: '';
}
