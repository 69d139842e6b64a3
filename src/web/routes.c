/* Every path of the API. */
#include "web/api.h"

const Route routes[] = {
    {"GET", "/api/server", api_server, COST_READ, false, false},
    {"GET", "/api/games", api_games, COST_READ, false, false},
    {"POST", "/api/start", api_start, COST_READ, false, false},
    {"POST", "/api/moves", api_moves, COST_READ, false, false},
    {"POST", "/api/step", api_step, COST_READ, false, false},
    {"POST", "/api/choose", api_choose, COST_CHANGE, false, false},

    {"POST", "/api/live-games", api_live_games_make, COST_MAKE, false, false},
    {"GET", "/api/live-games", api_live_games_list, COST_READ, false, false},
    {"GET", "/api/live-games/*", api_live_game, COST_READ, false, false},
    {"GET", "/api/live-games/*/moves", api_live_game_moves, COST_READ, false, false},
    {"POST", "/api/live-games/*/moves", api_live_game_move, COST_CHANGE, false, false},
    {"GET", "/api/live-games/*/frames", api_live_game_frames, COST_READ, false, false},
    {"GET", "/api/live-games/*/events", api_live_game_events, COST_READ, true, false},
    {"GET", "/api/live-games/*/seat", api_seat_get, COST_CHANGE, false, false},
    {"PUT", "/api/live-games/*/seat", api_seat_put, COST_CHANGE, false, false},
    {"POST", "/api/live-games/*/undo", api_live_game_undo, COST_CHANGE, false, false},
    {"POST", "/api/live-games/*/resign", api_live_game_resign, COST_CHANGE, false, false},
    {"POST", "/api/live-games/*/rematch", api_live_game_rematch, COST_MAKE, false, false},
    {"GET", "/api/live", api_live, COST_READ, true, false},

    {"GET", "/api/history", api_history, COST_READ, false, true},
    {"GET", "/api/history/*", api_record, COST_READ, false, true},
    {"GET", "/api/history/*/frames", api_record_frames, COST_READ, false, true},

    {"POST", "/api/tournaments", api_tournaments_make, COST_MAKE, false, true},
    {"GET", "/api/tournaments", api_tournaments_list, COST_READ, false, true},
    {"GET", "/api/tournaments/*", api_tournament, COST_READ, false, true},
    {"GET", "/api/tournaments/*/events", api_tournament_events, COST_READ, true, true},
    {"GET", "/api/tournaments/*/export", api_tournament_export, COST_CHANGE, false, true},
    {"POST", "/api/tournaments/*/stop", api_tournament_stop, COST_CHANGE, false, true},
    {"POST", "/api/tournaments/*/resume", api_tournament_resume, COST_CHANGE, false, true},

    {NULL, NULL, NULL, COST_READ, false, false},
};
