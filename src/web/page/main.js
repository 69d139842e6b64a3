// The page of turf, module by module:
//
//   main       starts the theme and the router
//   router     maps an address (a fragment) to a view; each view is a function in a file view-*.js
//   view-*     fetch from the server (api), follow its events (stream), and combine parts:
//   table      a game being played: board, player-cards, move-list; live-game is its state,
//              arena-seat the cells chosen where both sides move; offers: draws, takebacks
//   setup      player-picker, start-picker; begin creates the live game
//   test grid  grid-state, grid-brush, patterns; advisor asks a player for its move
//   foresight  what the step would do with the cells chosen, where both sides move
//   replay     frames: the positions of a recorded game; view-link: a whole game in an address
//   analyst    marks, chances and lines of the analysis; task: a position with one thing to do;
//              lessons: five such positions for each game
//   boards     board-plain for any game; board-life, board-amoeba, board-squirrel (SVG over grid)
//              and board-arena (canvas, with arena-screen), with the words of their games
//   widgets    fields, links and rules; cards: entries of lists
//   graph      scores and domination; mini: miniature boards
//   games      the games as the server describes them
//   dom, announce, theme, keep: elements, notes and screen readers, dark and light, local storage
//   notify     notifications of the system, when it is one's turn; sound: what moves sound like
//
// The server knows the rules: legal moves, effects and results come from it.
import { games, viewsHere } from './api.js';
import { learnGames } from './boards.js';
import { startRouter } from './router.js';
import { startSound } from './sound.js';
import { startTheme } from './theme.js';
import { analysisView } from './view-analysis.js';
import { gridView } from './view-grid.js';
import { historyView } from './view-history.js';
import { learnView } from './view-learn.js';
import { lessonView } from './view-lesson.js';
import { newTournamentView } from './view-new-tournament.js';
import { ownerView } from './view-owner.js';
import { playView } from './view-play.js';
import { puzzlesView } from './view-puzzles.js';
import { replayView } from './view-replay.js';
import { reportView } from './view-report.js';
import { setupView } from './view-setup.js';
import { gameView } from './view-game.js';
import { tournamentView } from './view-tournament.js';
import { tournamentsView } from './view-tournaments.js';
import { watchView } from './view-watch.js';

startTheme(document.getElementById('theme'));
startSound(document.getElementById('sound'));
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	document.getElementById('main').focus();
});
const views = {
	'': playView,
	play: playView,
	'play/:game': setupView,
	'game/:id': gameView,
	'game/:id/seat/:token': gameView,
	watch: watchView,
	history: historyView,
	'history/:id': replayView,
	'history/:id/:ply': replayView,
	'analyse/:id': analysisView,
	'analyse/:id/:ply': analysisView,
	'learn/:id/:side': learnView,
	'lesson/:game': lessonView,
	puzzles: puzzlesView,
	'puzzles/:game': puzzlesView,
	'puzzles/:game/:day': puzzlesView,
	grid: gridView,
	'grid/:game': gridView,
	'owner/:token': ownerView,
	tournaments: tournamentsView,
	'tournaments/new': newTournamentView,
	'tournaments/:id/games': historyView,
	'tournaments/:id/report': reportView,
	'tournaments/:id': tournamentView,
	...viewsHere(),
};
games()
	.then((all) => learnGames([...all.values()]))
	.catch(() => {}) // the views say that the server cannot be reached
	.then(() => startRouter(document.getElementById('main'), views));
