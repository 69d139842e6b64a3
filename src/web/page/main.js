// The page of turf. How it hangs together:
//
//   main      starts the theme and the router
//   router    an address (a fragment) to a view; each view is one function in a file view-*.js
//   view-*    ask the server (api.js), follow its events (stream.js), and put parts together:
//               parts of a sitting    players, moves list, share links, arena screen
//               boards                boards.js -> board-life, board-amoeba, board-squirrel (SVG over grid.js), board-arena (canvas)
//               pictures              graph (scores, domination), mini (boards in miniature)
//   games     names, signs and words of the four games
//   dom, announce, theme, keep: elements, the live region and notes, dark and light, what this browser remembers
//
// The server knows the rules: what is legal, what a move would do, who has won. Nothing here works that out again.
import { startRouter } from './router.js';
import { startTheme } from './theme.js';

// A view's file is fetched when it is first needed, so that the start page is there at once.
const view = (file, name) => async (...parts) => (await import(`./view-${file}.js`))[name](...parts);
const play = view('play', 'playView');
const history = view('history', 'historyView');
const sitting = view('sitting', 'sittingView');
const replay = view('replay', 'replayView');
const grid = view('grid', 'gridView');

startTheme(document.getElementById('theme'));
document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	document.getElementById('main').focus();
});
startRouter(document.getElementById('main'), {
	'': play,
	play,
	'play/:game': view('setup', 'setupView'),
	'sitting/:id': sitting,
	'sitting/:id/seat/:token': sitting,
	watch: view('watch', 'watchView'),
	history,
	'history/:id': replay,
	'history/:id/:ply': replay,
	grid,
	'grid/:game': grid,
	tournaments: view('tournaments', 'tournamentsView'),
	'tournaments/new': view('new-tournament', 'newTournamentView'),
	'tournaments/:id/games': history,
	'tournaments/:id': view('tournament', 'tournamentView'),
});
