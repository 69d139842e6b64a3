/* The handlers of docs/api.md, and helpers that they share. */
#ifndef TURF_WEB_API_H
#define TURF_WEB_API_H

#include "web/history_views.h"
#include "web/http.h"
#include "web/server.h"
#include "web/hosted_game.h"
#include "web/registry.h"
#include "web/tournaments.h"
#include "web/web.h"

Handler api_server, api_games, api_start, api_moves, api_step, api_choose;
Handler api_live_games_make, api_live_games_list, api_live_game_rematch, api_live;
Handler api_live_game, api_seat_get, api_seat_put, api_live_game_moves, api_live_game_move,
    api_live_game_undo, api_live_game_resign, api_live_game_offer, api_live_game_frames,
    api_live_game_events;
Handler api_history, api_record, api_record_frames;
Handler api_record_export, api_history_import;
Handler api_analysis, api_evaluate, api_puzzle;
Handler api_tournaments_make, api_tournaments_list, api_tournament, api_tournament_events,
    api_tournament_export;
Handler api_tournament_stop, api_tournament_resume;

enum { DEFAULT_LIST = 50, MAX_LIST = 200, MAX_FRAMES = 200 };

/* The start of a game, as a request describes it. */
typedef struct StartRequest {
    const TurfGame *game;
    const json_t   *start, *config; /* may be NULL */
    const json_t   *seed;
    TurfState       state;
    uint64_t        chosen_seed;
} StartRequest;

/* Did the owner's token come with the request? */
bool is_owner(const Request *request);
/* Are the games of the league, if there is one, not for whoever makes the request? Not from a
 * thread of HTTP, since it may read the league. */
bool league_is_hidden(Request *request);
/* The game of that name; NULL: answered with an error. */
const TurfGame *read_game_name(Request *request, const char *name);
/* These are false if the request was answered with an error. `game` is NULL without ?game=. */
bool read_game_filter(Request *request, const TurfGame **game);
bool read_start_request(Request *request, StartRequest *start);
bool make_start(StartRequest *start, TurfError *error); /* without answering */
bool read_position(Request *request, const TurfGame *game, const json_t *json, TurfState *state);
/* The catalogue entry of a player that the request names, and its spec, freed by the caller. */
const CatalogueEntry *read_player_choice(Request *request, const TurfGame *game, const char *id,
                                         const json_t *options, char **spec);

/* api_history.c. The finished game that the path names, to be released; NULL: answered with an
 * error. It reads from the store, so not in a thread of HTTP. */
CachedRecord *find_record(Request *request);

/* api_live_game.c. NULL: answered with an error. */
/* The live game that the path names, retained and locked. */
HostedGame *lock_live_game(Request *request);
/* The same, and the side whose token came with the request. */
HostedGame *lock_seat(Request *request, int *side);
void        unlock_live_game(HostedGame *hosted);
/* Releases the frames; NULL is out of memory. */
void respond_frames(Request *request, Frames *frames);
/* Is this a name for a person or player? It may be empty. False: answered with an error. */
bool check_name(Request *request, const char *name);

#endif
