// The page of turf. How it hangs together:
//
//   main      starts the theme and the router
//   router    an address (a fragment) to a view; each view is one function in a file view-*.js
//   view-*    ask the server (api.js), follow its events (stream.js), and put parts together:
//               parts of a game    players, moves list, arena screen
//               boards                boards.js -> board-life, board-amoeba, board-squirrel (SVG over grid.js), board-arena (canvas)
//               shared by views       widgets (fields, links, rules), cards (entries of lists)
//               pictures              graph (scores, domination), mini (boards in miniature)
//   games     names, signs and words of the four games
//   dom, announce, theme, keep: elements, the live region and notes, dark and light, what this browser remembers
//
// The server knows the rules: what is legal, what a move would do, who has won. Nothing here works that out again.
import { startRouter } from './router.js';
import { startTheme } from './theme.js';
import { gridView } from './view-grid.js';
import { historyView } from './view-history.js';
import { newTournamentView } from './view-new-tournament.js';
import { playView } from './view-play.js';
import { replayView } from './view-replay.js';
import { setupView } from './view-setup.js';
import { gameView } from './view-game.js';
import { tournamentView } from './view-tournament.js';
import { tournamentsView } from './view-tournaments.js';
import { watchView } from './view-watch.js';

startTheme(document.getElementById('theme'));
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	document.getElementById('main').focus();
});
startRouter(document.getElementById('main'), {
	'': playView,
	play: playView,
	'play/:game': setupView,
	'game/:id': gameView,
	'game/:id/seat/:token': gameView,
	watch: watchView,
	history: historyView,
	'history/:id': replayView,
	'history/:id/:ply': replayView,
	grid: gridView,
	'grid/:game': gridView,
	tournaments: tournamentsView,
	'tournaments/new': newTournamentView,
	'tournaments/:id/games': historyView,
	'tournaments/:id': tournamentView,
});
