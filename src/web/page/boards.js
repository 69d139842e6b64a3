// Boards of all games. makeBoard({game, position, label, flipped, onmove}) returns {element, show,
// point}:
// show(view, {moves, last, animate}) draws a view from the server, with the moves that can be
// picked and the move that led to it; point(cells) marks cells until another position is shown.
// With isPicture the board is only a picture. With onpick(row, col, button) instead of onmove,
// cells are picked with any button, for editors.
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
