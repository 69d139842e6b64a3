// Starts the page: the theme, and the router with every view. The page of turf serve (main.js) and
// the page in one file (src/wasm/page/main.js) begin with it, and may have more views.
import { games } from './api.js';
import { learnGames } from './boards.js';
import { startRouter } from './router.js';
import { startSound } from './sound.js';
import { startTheme } from './theme.js';
import { analysisView } from './view-analysis.js';
import { gridView } from './view-grid.js';
import { historyView } from './view-history.js';
import { importView } from './view-import.js';
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

// more: views by address, that only this back end has; isAlone: there are no others.
export function startPage(more = {}, isAlone = false) {
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
		import: importView,
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
		...more,
	};
	games()
		.then((all) => learnGames([...all.values()]))
		.catch(() => {}) // the views say that the server cannot be reached
		.then(() => startRouter(document.getElementById('main'), isAlone ? more : views));
}
