/* A live game: one game between two seats, while it is in memory. Whoever looks into one holds its
 * lock. What changes is written to the store first and published on its channel then, so that
 * nobody has seen a move that could be lost.
 *
 *   hosted_game.c        making one, showing it
 *   hosted_game_keep.c   writing it to the store, and bringing it back
 *   hosted_game_play.c   what may be done at the board: moves, undo, resigning
 *   hosted_game_clock.c  how long it may take
 *   hosted_game_think.c  the moves of players
 *   hosted_game_players.c  those that stay between moves
 *   registry.c       all live games that are in memory */
#ifndef TURF_WEB_HOSTED_GAME_H
#define TURF_WEB_HOSTED_GAME_H

#include "web/channel.h"
#include "web/http.h"
#include "web/history_views.h"
#include "web/api_error.h"
#include "web/catalogue.h"
#include "web/tokens.h"

#include <pthread.h>

enum {
    SEAT_NAME_BYTES = 4 * 40 + 1,
    DEFAULT_DELAY_MS = 300,
    MAX_DELAY_MS = 10000,
    MAX_CLOCK_MS = 24 * 3600 * 1000
};

typedef struct Seat {
    bool    is_person, is_taken, is_bot;
    char    name[SEAT_NAME_BYTES];
    char    token_hash[TOKEN_HASH_BYTES]; /* of a person */
    char   *player;                       /* as in the catalogue */
    json_t *options;                      /* what was chosen; may be NULL */
    char   *spec; /* NULL: a person, or a player that is not allowed any more */
} Seat;

/* What a side has committed to, where both move at once. */
typedef struct Pending {
    bool      is_in;
    TurfCell *cells;
    size_t    n_cells;
} Pending;

/* What is agreed on before the game, and never changes. */
typedef struct Setup {
    const TurfGame *game;
    TurfState       start;
    bool is_start_named; /* and not a position: a rematch begins from another that is called the
                            same */
    char    *start_text; /* its name; NULL is the usual start */
    json_t  *config;     /* what was changed of it; may be NULL */
    uint64_t seed;
    bool     has_clock, is_listed;
    int64_t  initial_ms, gain_ms;
    int64_t  delay_ms; /* before each move of a player */
    char     parent[TOKEN_NAME_BYTES];
} Setup;

typedef struct HostedGame {
    Server            *server;
    atomic_int         n_references;
    struct HostedGame *next; /* in the registry's bucket */
    char               id[TOKEN_NAME_BYTES];
    Setup              setup;
    Channel           *channel;
    Client             maker; /* whose place it takes; nobody's if it came from the store */

    pthread_mutex_t lock; /* guards what follows */
    bool            has_place;
    Client          asker; /* who made it or came last with a token, and so waits for players */
    Seat            seats[2];
    MoveHistory     history;
    bool            is_over;
    Finish          finish;
    int64_t         created_ms; /* since 1970 */
    int64_t         ended_ms;   /* likewise; 0 until its end is in the store */
    atomic_llong    updated_ms; /* likewise, its end at the most; read without the lock */
    atomic_llong
            touched_ns; /* when it was saved or loaded here, on the monotonic clock; likewise */
    int64_t changed_ns; /* when the position last changed, on the monotonic clock */
    int64_t left_ns[2], since_ns[2]; /* of the clocks; since when it runs, 0: it stands */
    int64_t saved_ns;                /* when the clocks were last written */
    Pending pending[2];
    bool    wants_rematch[2];
    char    rematch[TOKEN_NAME_BYTES];

    /* The players' thinking. */
    uint64_t    generation; /* changes with the position */
    bool        is_thinking[2];
    atomic_bool stops[2];
    int64_t     thinks_since_ns[2];
    bool is_beginning[2]; /* it waits for a place, a process or a connection, for as long as that
                             takes */
    TurfPlayer
        *kept[2]; /* players with a memory, or a process, between moves; used by who is thinking */
    bool is_dismissed[2]; /* is not to be kept when it has thought */
    int64_t kept_used_ns;
    int64_t rests_until_ns; /* nobody thinks before */
    TurfError
        holdups[2]; /* why a player cannot begin for now, through no fault of its own; or no text */

    bool is_news; /* for the list of live games */
} HostedGame;

/* ---- hosted_game.c ---- */

/* A live game that takes the setup and the seats over; not saved yet. NULL when memory is short,
 * and then they are released. */
HostedGame *hosted_game_new(Server *server, const char *id, Setup *setup, Seat seats[2]);
HostedGame *hosted_game_retain(HostedGame *hosted);
void        hosted_game_release(HostedGame *hosted); /* NULL is fine */
void        setup_release(Setup *setup);
void        seat_release(Seat *seat);

json_t *hosted_game_json(HostedGame *hosted);
json_t *hosted_game_summary(HostedGame *hosted);
json_t *hosted_game_seats_json(const HostedGame *hosted);
json_t *hosted_game_rematch_json(const HostedGame *hosted);
json_t *hosted_game_clock_json(const HostedGame *hosted);
/* Adds what changes with every move: the view, n_moves, clock, can_undo, pending. */
void hosted_game_add_standing(HostedGame *hosted, json_t **json);
/* Whose token this is; -1: nobody's. */
int hosted_game_side_of(const HostedGame *hosted, const char *token);

/* ---- hosted_game_keep.c ---- */

/* Writes how it stands; with the last move, or after an undo. */
typedef enum SaveKind { SAVE_STANDING, SAVE_MOVE, SAVE_UNDO } SaveKind;
bool hosted_game_save(HostedGame *hosted, SaveKind kind, ApiError *api_error);
/* Writes clocks that run, so that a restart gives nobody time back. */
void hosted_game_save_clocks(HostedGame *hosted);
/* From the store, or NULL; `error` has no text if there is none. */
HostedGame *hosted_game_load(Server *server, const char *id, TurfError *error);

/* ---- hosted_game_play.c ---- */

/* Each returns the data of the event that it published, for the answer, or NULL and the refusal. */
json_t *hosted_game_move(HostedGame *hosted, int side, const json_t *move, int64_t n_moves_seen,
                         ApiError *api_error);
/* is_agreed: both persons want it, and what was done last is taken back, whosever it was: a move,
 * or what one side has committed to. */
json_t *hosted_game_undo(HostedGame *hosted, int side, bool is_agreed, ApiError *api_error);
json_t *hosted_game_resign(HostedGame *hosted, int side, ApiError *api_error);
bool    hosted_game_take_seat(HostedGame *hosted, int side, const char *name, ApiError *api_error);
/* Tells who sits there, and how the clocks are. */
void hosted_game_publish_seats(HostedGame *hosted);
/* How many moves would be left after an undo; -1 if there is none. */
int64_t hosted_game_undo_target(const HostedGame *hosted, int side);
/* A whole turn, or what one side adds to it. */
json_t *hosted_game_do(HostedGame *hosted, const Ply *ply, ApiError *api_error);
json_t *hosted_game_commit(HostedGame *hosted, int side, const TurfCell *cells, size_t n_cells,
                           ApiError *api_error);
/* Keeps what one side chose until the other has chosen too; false when memory is short. */
bool hosted_game_set_pending(HostedGame *hosted, int side, const TurfCell *cells, size_t n_cells);
json_t *hosted_game_end(HostedGame *hosted, const Finish *finish, ApiError *api_error);
/* Lets clocks run and players think, as the position asks for. */
void hosted_game_continue(HostedGame *hosted);

/* ---- hosted_game_clock.c ---- */

/* What is left to a side, whose clock may be running; the first may be below 0. */
int64_t hosted_game_left_ns(const HostedGame *hosted, int side);
int64_t hosted_game_left_ms(const HostedGame *hosted, int side);
void    hosted_game_set_clocks(HostedGame *hosted);
/* What a move adds to the clocks, and what taking back those from `ply` on takes away. */
void hosted_game_gain_time(HostedGame *hosted, const TurfState *before, const Ply *ply);
void hosted_game_take_back_time(HostedGame *hosted, size_t ply);
bool hosted_game_falls_on_time(HostedGame *hosted);
/* To be called every now and then: clocks that ran out or are to be written, players that think too
 * long. */
void hosted_game_tick(HostedGame *hosted);

/* ---- hosted_game_think.c ---- */

void hosted_game_let_players_think(HostedGame *hosted);
void hosted_game_stop_thinking(HostedGame *hosted);
/* What is left of a job that will not be done. */
void think_job_drop(void *context);

/* ---- hosted_game_players.c ---- */

/* The player of a seat: the one that was kept, or a new one; NULL and a message. Without the lock:
 * whoever thinks has it for himself. If as many bots are alive as may be, one that has nothing to
 * do makes room. `is_ours`: it is the server that has not what it takes, or somebody else has the
 * player; later it may be otherwise. */
TurfPlayer *hosted_game_open_player(HostedGame *hosted, int side, bool *is_ours, TurfError *error);
/* What is to become of a player that has thought: it stays, if it has something to remember and
 * there is room, or goes. NULL is fine for the latter. */
void hosted_game_keep_player(HostedGame *hosted, int side, TurfPlayer *player);
void hosted_game_dismiss_player(HostedGame *hosted, int side, TurfPlayer *player);
/* Lets go of the players that were kept; they are freed by another thread. */
void hosted_game_dismiss_players(HostedGame *hosted);
/* A bot that is kept and does not think may go, and comes back when it is its turn. */
bool hosted_game_has_idle_bot(const HostedGame *hosted);
void hosted_game_dismiss_idle_bot(HostedGame *hosted);
/* Frees one here and now; NULL is fine. */
void   player_leave(Server *server, TurfPlayer *player);
size_t bots_alive(Server *server);

#endif
