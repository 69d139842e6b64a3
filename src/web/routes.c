/* Every path of the API. */
#include "web/api.h"

const Route routes[] = {
    {"GET", "/api/server", api_server, COST_READ, false, false},
    {"GET", "/api/games", api_games, COST_READ, false, false},
    {"POST", "/api/start", api_start, COST_READ, false, false},
    {"POST", "/api/moves", api_moves, COST_READ, false, false},
    {"POST", "/api/step", api_step, COST_READ, false, false},
    {"POST", "/api/choose", api_choose, COST_CHANGE, false, false},

    {"POST", "/api/sittings", api_sittings_make, COST_MAKE, false, false},
    {"GET", "/api/sittings", api_sittings_list, COST_READ, false, false},
    {"GET", "/api/sittings/*", api_sitting, COST_READ, false, false},
    {"GET", "/api/sittings/*/moves", api_sitting_moves, COST_READ, false, false},
    {"POST", "/api/sittings/*/moves", api_sitting_move, COST_CHANGE, false, false},
    {"GET", "/api/sittings/*/frames", api_sitting_frames, COST_READ, false, false},
    {"GET", "/api/sittings/*/events", api_sitting_events, COST_READ, true, false},
    {"GET", "/api/sittings/*/seat", api_seat_get, COST_CHANGE, false, false},
    {"PUT", "/api/sittings/*/seat", api_seat_put, COST_CHANGE, false, false},
    {"POST", "/api/sittings/*/undo", api_sitting_undo, COST_CHANGE, false, false},
    {"POST", "/api/sittings/*/resign", api_sitting_resign, COST_CHANGE, false, false},
    {"POST", "/api/sittings/*/rematch", api_sitting_rematch, COST_MAKE, false, false},
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
