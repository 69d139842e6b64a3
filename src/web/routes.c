/* All paths of the API: method, path, handler, rate, is_stream, is_slow. */
#include "web/api.h"

const Route routes[] = {
    {"GET", "/api/server", api_server, RATE_READ, false, false},
    {"GET", "/api/games", api_games, RATE_READ, false, true},
    {"POST", "/api/start", api_start, RATE_READ, false, false},
    {"POST", "/api/moves", api_moves, RATE_READ, false, false},
    {"POST", "/api/step", api_step, RATE_READ, false, false},
    {"POST", "/api/choose", api_choose, RATE_CHANGE, false, false},
    {"POST", "/api/evaluate", api_evaluate, RATE_CHANGE, false, false},
    {"GET", "/api/puzzles/*", api_puzzle, RATE_CHANGE, false, false},

    {"POST", "/api/live-games", api_live_games_make, RATE_CREATE, false, true},
    {"GET", "/api/live-games", api_live_games_list, RATE_READ, false, false},
    {"GET", "/api/live-games/*", api_live_game, RATE_READ, false, true},
    {"GET", "/api/live-games/*/moves", api_live_game_moves, RATE_READ, false, false},
    {"POST", "/api/live-games/*/moves", api_live_game_move, RATE_CHANGE, false, false},
    {"GET", "/api/live-games/*/frames", api_live_game_frames, RATE_READ, false, true},
    {"GET", "/api/live-games/*/events", api_live_game_events, RATE_READ, true, true},
    {"GET", "/api/live-games/*/seat", api_seat_get, RATE_CHANGE, false, false},
    {"PUT", "/api/live-games/*/seat", api_seat_put, RATE_CHANGE, false, false},
    {"POST", "/api/live-games/*/undo", api_live_game_undo, RATE_CHANGE, false, false},
    {"POST", "/api/live-games/*/resign", api_live_game_resign, RATE_CHANGE, false, false},
    {"POST", "/api/live-games/*/offers", api_live_game_offer, RATE_CHANGE, false, false},
    {"POST", "/api/live-games/*/rematch", api_live_game_rematch, RATE_CREATE, false, false},
    {"GET", "/api/live", api_live, RATE_READ, true, false},

    {"GET", "/api/history", api_history, RATE_READ, false, true},
    {"POST", "/api/history", api_history_import, RATE_CREATE, false, true},
    {"GET", "/api/history/*", api_record, RATE_READ, false, true},
    {"GET", "/api/history/*/frames", api_record_frames, RATE_READ, false, true},
    {"GET", "/api/history/*/export", api_record_export, RATE_READ, false, true},
    {"GET", "/api/history/*/analysis", api_analysis, RATE_CHANGE, false, false},

    {"POST", "/api/tournaments", api_tournaments_make, RATE_CREATE, false, true},
    {"GET", "/api/tournaments", api_tournaments_list, RATE_READ, false, true},
    {"GET", "/api/tournaments/*", api_tournament, RATE_READ, false, true},
    {"GET", "/api/tournaments/*/events", api_tournament_events, RATE_READ, true, true},
    {"GET", "/api/tournaments/*/export", api_tournament_export, RATE_CHANGE, false, true},
    {"POST", "/api/tournaments/*/stop", api_tournament_stop, RATE_CHANGE, false, true},
    {"POST", "/api/tournaments/*/resume", api_tournament_resume, RATE_CHANGE, false, true},

    {NULL, NULL, NULL, RATE_READ, false, false},
};
