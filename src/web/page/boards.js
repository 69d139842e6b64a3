// One way to any game's board: makeBoard({game, position, label, flipped, onmove}) gives {element, show, point}, where
// point(cells) marks cells until another position is shown, and show(view, {moves, last, animate}) takes what the server says of a position, the moves that may be picked, and the move that led to it.
// With isPicture there is only something to look at. With onpick(row, col, button) in place of onmove the cells themselves are picked, by any button, for editors.
import { makeAmoebaBoard } from './board-amoeba.js';
import { makeArenaBoard } from './board-arena.js';
import { makeLifeBoard } from './board-life.js';
import { makeSquirrelBoard } from './board-squirrel.js';

const MAKERS = {
	'war-of-life': makeLifeBoard,
	'amoeba-wars': makeAmoebaBoard,
	'ai-battleground': makeArenaBoard,
	'squirrel-war': makeSquirrelBoard,
};

export const makeBoard = (options) => MAKERS[options.game.id](options);
