/* The handlers of docs/api.md, and what they share. */
#ifndef TURF_WEB_API_H
#define TURF_WEB_API_H

#include "web/http.h"
#include "web/server.h"
#include "web/sitting.h"

Handler api_server, api_games, api_start, api_moves, api_step, api_choose;
Handler api_sittings_make, api_sittings_list, api_sitting, api_sitting_moves, api_sitting_frames, api_sitting_events;
Handler api_seat_get, api_seat_put, api_sitting_move, api_sitting_undo, api_sitting_resign, api_sitting_rematch;
Handler api_live;
Handler api_history, api_record, api_record_frames;
Handler api_tournaments_make, api_tournaments_list, api_tournament, api_tournament_events, api_tournament_export;
Handler api_tournament_stop, api_tournament_resume;

enum { USUAL_LIST = 50, LONGEST_LIST = 200, MOST_FRAMES = 200 };

/* Where a game begins, as a request says it. */
typedef struct StartRequest {
    const TurfGame *game;
    const json_t   *start, *config; /* may be NULL */
    const json_t   *seed;
    TurfState       state;
    uint64_t        chosen_seed;
} StartRequest;

/* The game of that name, or NULL: answered already. */
const TurfGame *read_game_name(Request *request, const char *name);
/* Each false: answered already. */
/* The game that `?game=` names; NULL: any. */
bool read_game_filter(Request *request, const TurfGame **game);
bool read_start_request(Request *request, StartRequest *start);
bool make_start(StartRequest *start, TurfError *error); /* with a message, and no answer */
bool read_position(Request *request, const TurfGame *game, const json_t *json, TurfState *state);
/* The entry of a player that the request names, and its description, freed by the caller. */
const RosterEntry *read_player_choice(Request *request, const TurfGame *game, const char *id, const json_t *options,
                                      char **spec);

/* api_sittings.c: what the handlers of seats need too. False or NULL: answered already. */
bool check_name(Request *request, const char *name);
/* A place for one more sitting: whoever has one either begins a sitting, which then has it, or gives it back. */
bool     take_place(Request *request);
void     give_place_back(Request *request);
Sitting *new_sitting(Request *request, Setup *setup, Seat seats[2]);
/* Saves a new sitting and lets it begin. */
bool begin_sitting(Request *request, Sitting *sitting);
/* The sitting that the path names, retained and locked. */
Sitting *lock_sitting(Request *request);
void     unlock_sitting(Sitting *sitting);

#endif
