/* A hosted game: a live game (live/live_game.h) on the server, with two seats, a channel of events,
 * its rows in the store, and players that think in the background.
 *
 *   hosted_game.c          making one; moves, undo, resigning: change, store, publish
 *   hosted_game_views.c    as JSON
 *   hosted_game_store.c    saving and loading
 *   hosted_game_think.c    players' moves, as jobs of a pool
 *   hosted_game_players.c  players that are kept between moves
 *   registry.c             all hosted games in memory
 *
 * Locks: `lock` guards everything below it in the struct and is held by who looks at it or changes
 * it. With it held, others may be taken in the order of server.h; never another game's, except
 * that of a new game which no other thread has seen (a rematch). A player chooses its move without
 * any lock. */
#ifndef TURF_WEB_HOSTED_GAME_H
#define TURF_WEB_HOSTED_GAME_H

#include "live/live_game.h"
#include "web/channel.h"
#include "web/http.h"
#include "web/api_error.h"
#include "web/catalogue.h"
#include "web/tokens.h"
#include "web/views.h"

#include <pthread.h>

enum {
    SEAT_NAME_BYTES = 4 * 40 + 1,
    DEFAULT_DELAY_MS = 300,
    MAX_DELAY_MS = 10000,
    MAX_THINK_MS = 10000
};

typedef struct Seat {
    bool    is_person, is_taken, is_external;
    char    name[SEAT_NAME_BYTES];
    char    token_hash[TOKEN_HASH_BYTES]; /* of a person */
    char   *player;                       /* as in the catalogue */
    json_t *options;                      /* what was chosen; may be NULL */
    char   *spec;                         /* NULL: a person, or a player no longer allowed */
} Seat;

/* What is agreed on before the game and never changes. */
typedef struct Setup {
    const TurfGame *game;
    TurfState       start;
    bool is_start_named; /* and not a position: a rematch begins from another that is called the
                            same */
    char    *start_text; /* its name; NULL: the default start */
    json_t  *config;     /* what was changed of it; may be NULL */
    uint64_t seed;
    bool     is_listed;
    int64_t  initial_ms, gain_ms; /* of the clocks; an initial_ms of 0: there are none */
    int64_t  delay_ms;            /* before each move of a player */
    char     parent[TOKEN_NAME_BYTES];
} Setup;

/* What one person can offer the other. */
typedef enum OfferKind { OFFER_DRAW, OFFER_TAKEBACK, N_OFFERS } OfferKind;

typedef struct HostedGame {
    Server            *server;
    atomic_int         n_references;
    struct HostedGame *next; /* in the registry's bucket */
    char               id[TOKEN_NAME_BYTES];
    Setup              setup;
    Channel           *channel;
    Client             maker; /* whose slot it takes; none if it came from the store */

    pthread_mutex_t lock;     /* guards what follows */
    bool            has_slot; /* of the maker's quota, until it is over */
    Client          asker;    /* who made it or came last with a token: its players work for them */
    Seat            seats[2];
    LiveGame        live;
    int64_t         created_ms; /* since 1970 */
    int64_t         ended_ms;   /* likewise; 0 until its end is in the store */
    atomic_llong    updated_ms; /* likewise, its end at the latest; read without the lock */
    atomic_llong    touched_ns; /* when it was saved or loaded, monotonic; read without the lock */
    int64_t         saved_ns;   /* when the clocks were last saved */
    bool            wants_rematch[2];
    char            rematch[TOKEN_NAME_BYTES];
    bool            offers[N_OFFERS][2]; /* made by a person, and not answered yet */

    /* Players. */
    uint64_t    generation;         /* changes with the position */
    bool        is_thinking[2];     /* the side has a job, queued or running */
    atomic_bool stops[2];           /* asks the job to end */
    int64_t     thinks_since_ns[2]; /* 0: its job does not run */
    bool        is_beginning[2];    /* its job waits for a slot, a process or a connection */
    TurfPlayer *kept[2];            /* between moves; while a job runs, that job's */
    bool        is_dismissed[2];    /* to be freed when its job is done */
    int64_t     kept_used_ns;
    int64_t     rests_until_ns; /* no job begins earlier */
    TurfError   holdups[2];     /* what the server lacks to start the player; no text: nothing */

    int64_t looked_ns; /* when somebody last looked at it, without a stream of its events */
    bool    is_paused; /* two players, and nobody watches */

    bool is_news;   /* for the list of live games */
    bool is_hidden; /* left alone, and so not in that list */
} HostedGame;

/* ---- hosted_game.c ---- */

/* Takes the setup and the seats over; not saved yet. NULL without memory, and then they are
 * released. */
HostedGame *hosted_game_new(Server *server, const char *id, Setup *setup, Seat seats[2]);
HostedGame *hosted_game_retain(HostedGame *hosted);
void        hosted_game_release(HostedGame *hosted); /* NULL is fine */
void        setup_release(Setup *setup);
void        seat_release(Seat *seat);

/* The side whose token this is, or -1. */
int hosted_game_side_of(const HostedGame *hosted, const char *token);
/* Starts the clocks and the players that are due. */
void hosted_game_continue(HostedGame *hosted);
/* Somebody looks at it: a game of two players goes on. */
void hosted_game_look(HostedGame *hosted);
/* Starts and stops the clocks: they stand until both seats are taken, while a player is held up,
 * and while the game is paused. */
void hosted_game_update_clocks(HostedGame *hosted);
void hosted_game_publish_seats(HostedGame *hosted);

/* Changes. Each returns the data of the event that it published, for the response; or NULL with the
 * error, and then nothing has changed. */
json_t *hosted_game_move(HostedGame *hosted, int side, const json_t *move, int64_t n_moves_seen,
                         ApiError *api_error);
json_t *hosted_game_play(HostedGame *hosted, const Ply *ply, ApiError *api_error);
json_t *hosted_game_commit(HostedGame *hosted, int side, const TurfAction *action,
                           ApiError *api_error);
json_t *hosted_game_undo(HostedGame *hosted, int side, UndoKind kind, ApiError *api_error);
json_t *hosted_game_resign(HostedGame *hosted, int side, ApiError *api_error);
/* Makes an offer, or agrees to the other side's; declining also withdraws one's own. */
json_t *hosted_game_offer(HostedGame *hosted, int side, OfferKind kind, ApiError *api_error);
json_t *hosted_game_decline(HostedGame *hosted, OfferKind kind, ApiError *api_error);
json_t *hosted_game_end(HostedGame *hosted, const Finish *finish, ApiError *api_error);
bool    hosted_game_take_seat(HostedGame *hosted, int side, const char *name, ApiError *api_error);
/* To be called often: ends games on time, saves running clocks, stops players that think too long.
 */
void hosted_game_tick(HostedGame *hosted);

/* ---- hosted_game_views.c ---- */

json_t *hosted_game_json(const HostedGame *hosted);
json_t *hosted_game_summary(const HostedGame *hosted);
json_t *hosted_game_seats_json(const HostedGame *hosted);
json_t *hosted_game_rematch_json(const HostedGame *hosted);
json_t *hosted_game_offers_json(const HostedGame *hosted);
json_t *hosted_game_clock_json(const HostedGame *hosted);
/* Adds what changes with every move: position, mover, scores, n_moves, clock, can_undo, pending,
 * and the legal moves of a person who is due. */
void hosted_game_add_state(const HostedGame *hosted, json_t **json);
/* NULL while it is being played. */
const Finish *hosted_game_finish(const HostedGame *hosted);

/* ---- hosted_game_store.c ---- */

/* Saves the state; with the last move, or after an undo, or with all moves of a game that was
 * played elsewhere. */
typedef enum SaveKind { SAVE_STATE, SAVE_MOVE, SAVE_UNDO, SAVE_WHOLE } SaveKind;
bool hosted_game_save(HostedGame *hosted, SaveKind kind, ApiError *api_error);
/* Saves running clocks, so that a restart gives no time back. */
void        hosted_game_save_clocks(HostedGame *hosted);
HostedGame *hosted_game_load(Server *server, const char *id, TurfError *error);

/* ---- hosted_game_think.c ---- */

/* Queues a job for each player that is due and has none. */
void hosted_game_let_players_think(HostedGame *hosted);
void hosted_game_stop_thinking(HostedGame *hosted);
/* Frees a job of the pools that will not be run. */
void think_job_drop(void *context);

/* ---- hosted_game_players.c ---- */

/* The player of a seat: the one that was kept, or a new one that has begun its game. NULL with an
 * error; after one that error_is_shortage, trying again later may help. */
TurfPlayer *hosted_game_open_player(HostedGame *hosted, int side, TurfError *error);
/* Keeps a player for the next move, if it has something to remember and there is room. */
void hosted_game_keep_player(HostedGame *hosted, int side, TurfPlayer *player);
/* Frees a player in the background; NULL is fine. */
void hosted_game_dismiss_player(HostedGame *hosted, int side, TurfPlayer *player);
/* Frees the kept players, those that think once they are done. */
void hosted_game_dismiss_players(HostedGame *hosted);
/* An external player that is kept and does not think can be freed, and is opened again later. */
bool hosted_game_has_idle_bot(const HostedGame *hosted);
void hosted_game_dismiss_idle_bot(HostedGame *hosted);
/* Frees the bots that have closed their connection, and with them their ports. If it is their turn
 * again, turf waits for them as at the beginning of the game. */
void hosted_game_dismiss_leavers(HostedGame *hosted);
/* Frees a player now; NULL is fine. */
void player_leave(Server *server, TurfPlayer *player);

#endif
