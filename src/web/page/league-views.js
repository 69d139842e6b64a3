// The views of the league, and all they need: fetched when one is opened.
export { leagueView } from './view-league.js';
export { embedView } from './view-league-embed.js';
export { joinView } from './view-league-join.js';
export { screenView } from './view-league-screen.js';
export { submitView } from './view-league-submit.js';
export { teamView } from './view-league-team.js';
