// The page of turf, module by module:
//
//   main       the page of turf serve: start, and the league
//   start      starts the theme and the router
//   router     maps an address (a fragment) to a view; each view is a function in a file view-*.js
//   view-*     fetch from the server (api), follow its events (stream), and combine parts:
//   table      a game being played: board, player-cards, move-list; live-game is its state,
//              arena-seat the cells chosen where both sides move; offers: draws, takebacks
//   setup      player-picker, start-picker; begin creates the live game
//   test grid  grid-state, grid-brush, patterns; advisor asks a player for its move
//   foresight  what the step would do with the cells chosen, where both sides move
//   replay     frames: the positions of a recorded game; view-link: a whole game in an address;
//              view-import: games from files
//   analyst    marks, chances and lines of the analysis; task: a position with one thing to do;
//              lessons: five such positions for each game
//   boards     board-plain for any game; board-life, board-amoeba, board-squirrel (SVG over grid)
//              and board-arena (canvas, with arena-screen), with the words of their games
//   league     the league, which is fetched when it is wanted and only a server has: view-league-*
//              with league-access (who this browser is), -table, -games, -chart, -owner,
//              -submission, -practise, -bracket, -show (what the big screen shows next)
//   widgets    fields, links and rules; cards: entries of lists
//   graph      scores and domination; mini: miniature boards
//   games      the games as the server describes them
//   dom, announce, theme, keep: elements, notes and screen readers, dark and light, local storage
//   notify     notifications of the system, when it is one's turn; sound: what moves sound like
//
// The server knows the rules: legal moves, effects and results come from it.
import { leagueViews, offerLeague } from './league.js';
import { startPage } from './start.js';

// In a frame of another page there is one view, which can change nothing.
if (location.pathname === '/embed' || window.top !== window) {
	document.documentElement.classList.add('embedded');
	history.replaceState(null, '', location.pathname);
	startPage({ '': leagueViews['league/embed'] }, true);
} else {
	startPage(leagueViews);
	offerLeague(document.querySelector('.top nav'));
}
