// One interface to every game's board: makeBoard({game, position, label, flipped, onmove}) returns
// {element, show, point, suggest}. point(cells) marks cells until another position is shown;
// suggest(list) draws the best moves, and stays until it is called again;
// show(view, {moves, last, animate, within, onstep}) takes the server's view of a position, the
// legal moves and the move that led to it. What is shown next may come at any time (`within` ms, if
// that is known): an animation that is still running is dropped, never queued. onstep is called
// when the new position is to be seen. With isPicture there is no interaction. With
// onpick(row, col, button) instead of onmove, cells are picked by any button, for editors.
//
// Every game has the plain board; a module of its own is optional.
import { amoeba } from './board-amoeba.js';
import { battleground } from './board-arena.js';
import { life } from './board-life.js';
import { makePlainBoard } from './board-plain.js';
import { squirrel } from './board-squirrel.js';
import { plainGame, setGames } from './games.js';

const OWN = {
	'war-of-life': life,
	'amoeba-wars': amoeba,
	'ai-battleground': battleground,
	'squirrel-war': squirrel,
};

// The colours of games without a style sheet of their own.
function addColours(games) {
	const sheet = new CSSStyleSheet();
	for (const { id, css, sides } of games)
		sides.forEach(({ colour }, i) => {
			if (colour && css.startsWith('plain'))
				sheet.insertRule(`.plain.game-${id} { --p${i + 1}: ${colour}; }`);
		});
	document.adoptedStyleSheets = [sheet];
}

// Takes the games as /api/games lists them.
export function learnGames(list) {
	const games = list.map((facts) => ({ ...plainGame(facts), ...OWN[facts.name] }));
	setGames(games);
	addColours(games);
}

export const makeBoard = (options) => (options.game.makeBoard ?? makePlainBoard)(options);
