/* The paths of the league, which are not those of a page without a server: method, path, handler,
 * rate, is_stream, is_slow. Those that read from the store, or wait for it, are slow. */
#include "web/api_league.h"

const Route league_routes[] = {
    {"GET", "/api/league", api_league, RATE_READ, false, true},
    {"GET", "/api/league/events", api_league_events, RATE_READ, true, true},
    {"GET", "/api/league/table", api_league_table, RATE_READ, false, true},
    {"GET", "/api/league/games", api_league_games, RATE_READ, false, true},
    {"GET", "/api/league/teams/*", api_league_team, RATE_READ, false, true},
    {"GET", "/api/league/teams/*/games/*/log", api_league_log, RATE_READ, false, true},
    {"POST", "/api/league/teams", api_league_add, RATE_CHANGE, false, true},
    {"PUT", "/api/league/teams/*", api_league_practice, RATE_CHANGE, false, true},
    {"POST", "/api/league/teams/*/invite", api_league_invite, RATE_CHANGE, false, true},
    {"GET", "/api/league/join", api_join, RATE_READ, true, true},
    {"POST", "/api/league/join/answers", api_join_answers, RATE_READ, false, false},
    {"POST", "/api/league/teams/*/submissions", api_submissions_make, RATE_UPLOAD, false, true},
    {"GET", "/api/league/teams/*/submissions", api_submissions_list, RATE_READ, false, true},
    {"GET", "/api/league/teams/*/submissions/*", api_submission, RATE_READ, false, true},
    {"POST", "/api/league/teams/*/retire", api_league_retire, RATE_CHANGE, false, true},
    {"POST", "/api/league/play", api_league_play, RATE_CHANGE, false, true},
    {"POST", "/api/league/stop", api_league_stop, RATE_CHANGE, false, true},
    {"POST", "/api/league/freeze", api_league_freeze, RATE_CHANGE, false, true},
    {"POST", "/api/league/audience", api_league_audience, RATE_CHANGE, false, true},
    {"POST", "/api/league/final", api_league_final, RATE_CHANGE, false, true},

    {NULL, NULL, NULL, RATE_READ, false, false},
};
