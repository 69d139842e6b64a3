/* A sitting: one game between two seats, while it is in memory. Whoever looks into one holds its lock. What changes
 * is written to the store first and published on its channel then, so that nobody has seen a move that could be lost.
 *
 *   sitting.c        making one, showing it
 *   sitting_keep.c   writing it to the store, and bringing it back
 *   sitting_play.c   what may be done at the board: moves, undo, resigning
 *   sitting_clock.c  how long it may take
 *   sitting_think.c  the moves of players
 *   sitting_players.c  those that stay between moves
 *   registry.c       all sittings that are in memory */
#ifndef TURF_WEB_SITTING_H
#define TURF_WEB_SITTING_H

#include "web/channel.h"
#include "web/http.h"
#include "web/line.h"
#include "web/refusal.h"
#include "web/roster.h"
#include "web/tokens.h"

#include <pthread.h>

enum {
    SEAT_NAME_BYTES = 4 * 40 + 1,
    SITTING_USUAL_DELAY_MS = 300,
    SITTING_LONGEST_DELAY_MS = 10000,
    SITTING_LONGEST_CLOCK_MS = 24 * 3600 * 1000
};

typedef struct Seat {
    bool    is_person, is_taken, is_bot;
    char    name[SEAT_NAME_BYTES];
    char    token_hash[TOKEN_HASH_BYTES]; /* of a person */
    char   *player;                       /* as in the roster */
    json_t *options;                      /* what was chosen; may be NULL */
    char   *spec;                         /* NULL: a person, or a player that is not allowed any more */
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
    bool            is_start_named; /* and not a position: a rematch begins from another that is called the same */
    char           *start_text;     /* its name; NULL is the usual start */
    json_t         *config;         /* what was changed of it; may be NULL */
    uint64_t        seed;
    bool            has_clock, is_listed;
    int64_t         initial_ms, gain_ms;
    int64_t         delay_ms; /* before each move of a player */
    char            parent[TOKEN_NAME_BYTES];
} Setup;

typedef struct Sitting {
    Server         *server;
    atomic_int      n_references;
    struct Sitting *next; /* in the registry's bucket */
    char            id[TOKEN_NAME_BYTES];
    Setup           setup;
    Channel        *channel;
    Caller          maker; /* whose place it takes; nobody's if it came from the store */

    pthread_mutex_t lock; /* guards what follows */
    bool            has_place;
    Caller          asker; /* who made it or came last with a token, and so waits for players */
    Seat            seats[2];
    Line            line;
    bool            is_over;
    Finish          finish;
    int64_t         created_ms;              /* since 1970 */
    int64_t         ended_ms;                /* likewise; 0 until its end is in the store */
    atomic_llong    updated_ms;              /* likewise, its end at the most; read without the lock */
    atomic_llong    touched_ns;              /* when it was saved or loaded here, on the monotonic clock; likewise */
    int64_t         changed_ns;              /* when the position last changed, on the monotonic clock */
    int64_t         left_ns[2], since_ns[2]; /* of the clocks; since when it runs, 0: it stands */
    int64_t         saved_ns;                /* when the clocks were last written */
    Pending         pending[2];
    bool            wants_rematch[2];
    char            rematch[TOKEN_NAME_BYTES];

    /* The players' thinking. */
    uint64_t    generation; /* changes with the position */
    bool        is_thinking[2];
    atomic_bool stops[2];
    int64_t     thinks_since_ns[2];
    bool        is_beginning[2]; /* it waits for a place, a process or a connection, for as long as that takes */
    TurfPlayer *kept[2];         /* players with a memory, or a process, between moves; used by who is thinking */
    bool        is_dismissed[2]; /* is not to be kept when it has thought */
    int64_t     kept_used_ns;
    int64_t     rests_until_ns; /* nobody thinks before */
    TurfError   holdups[2];     /* why a player cannot begin for now, through no fault of its own; or no text */

    bool is_news; /* for the list of live games */
} Sitting;

/* ---- sitting.c ---- */

/* A sitting that takes the setup and the seats over; not saved yet. NULL when memory is short, and then they are
 * released. */
Sitting *sitting_new(Server *server, const char *id, Setup *setup, Seat seats[2]);
Sitting *sitting_retain(Sitting *sitting);
void     sitting_release(Sitting *sitting); /* NULL is fine */
void     setup_release(Setup *setup);
void     seat_release(Seat *seat);

json_t *sitting_json(Sitting *sitting);
json_t *sitting_summary(Sitting *sitting);
json_t *sitting_seats_json(const Sitting *sitting);
json_t *sitting_rematch_json(const Sitting *sitting);
json_t *sitting_clock_json(const Sitting *sitting);
/* Adds what changes with every move: the view, n_moves, clock, can_undo, pending. */
void sitting_add_standing(Sitting *sitting, json_t **json);
/* Whose token this is; -1: nobody's. */
int sitting_side_of(const Sitting *sitting, const char *token);

/* ---- sitting_keep.c ---- */

/* Writes how it stands; with the last move, or after an undo. */
typedef enum SaveKind { SAVE_STANDING, SAVE_MOVE, SAVE_UNDO } SaveKind;
bool sitting_save(Sitting *sitting, SaveKind kind, Refusal *refusal);
/* Writes clocks that run, so that a restart gives nobody time back. */
void sitting_save_clocks(Sitting *sitting);
/* From the store, or NULL; `error` has no text if there is none. */
Sitting *sitting_load(Server *server, const char *id, TurfError *error);

/* ---- sitting_play.c ---- */

/* Each returns the data of the event that it published, for the answer, or NULL and the refusal. */
json_t *sitting_move(Sitting *sitting, int side, const json_t *move, int64_t n_moves_seen, Refusal *refusal);
/* is_agreed: both persons want it, and what was done last is taken back, whosever it was: a move, or what one side has
 * committed to. */
json_t *sitting_undo(Sitting *sitting, int side, bool is_agreed, Refusal *refusal);
json_t *sitting_resign(Sitting *sitting, int side, Refusal *refusal);
bool    sitting_take_seat(Sitting *sitting, int side, const char *name, Refusal *refusal);
/* Tells who sits there, and how the clocks are. */
void sitting_publish_seats(Sitting *sitting);
/* How many moves would be left after an undo; -1 if there is none. */
int64_t sitting_undo_target(const Sitting *sitting, int side);
/* A whole turn, or what one side adds to it. */
json_t *sitting_do(Sitting *sitting, const Deed *deed, Refusal *refusal);
json_t *sitting_commit(Sitting *sitting, int side, const TurfCell *cells, size_t n_cells, Refusal *refusal);
/* Keeps what one side chose until the other has chosen too; false when memory is short. */
bool    sitting_set_pending(Sitting *sitting, int side, const TurfCell *cells, size_t n_cells);
json_t *sitting_end(Sitting *sitting, const Finish *finish, Refusal *refusal);
/* The finish of a game that a side has lost otherwise than by the rules. */
void sitting_lose(const Sitting *sitting, int side, const char *reason, const char *text, Finish *finish);
/* Lets clocks run and players think, as the position asks for. */
void sitting_continue(Sitting *sitting);

/* ---- sitting_clock.c ---- */

/* What is left to a side, whose clock may be running; the first may be below 0. */
int64_t sitting_left_ns(const Sitting *sitting, int side);
int64_t sitting_left_ms(const Sitting *sitting, int side);
void    sitting_set_clocks(Sitting *sitting);
/* What a move adds to the clocks, and what taking back those from `ply` on takes away. */
void sitting_gain_time(Sitting *sitting, const TurfState *before, const Deed *deed);
void sitting_take_back_time(Sitting *sitting, size_t ply);
bool sitting_falls_on_time(Sitting *sitting);
/* To be called every now and then: clocks that ran out or are to be written, players that think too long. */
void sitting_tick(Sitting *sitting);

/* ---- sitting_think.c ---- */

void sitting_let_players_think(Sitting *sitting);
void sitting_stop_thinking(Sitting *sitting);
/* What is left of a job that will not be done. */
void think_job_drop(void *context);

/* ---- sitting_players.c ---- */

/* The player of a seat: the one that was kept, or a new one; NULL and a message. Without the lock: whoever thinks has
 * it for himself. If as many bots are alive as may be, one that has nothing to do makes room. `is_ours`: it is the
 * server that has not what it takes, or somebody else has the player; later it may be otherwise. */
TurfPlayer *sitting_open_player(Sitting *sitting, int side, bool *is_ours, TurfError *error);
/* What is to become of a player that has thought: it stays, if it has something to remember and there is room, or
 * goes. NULL is fine for the latter. */
void sitting_keep_player(Sitting *sitting, int side, TurfPlayer *player);
void sitting_dismiss_player(Sitting *sitting, int side, TurfPlayer *player);
/* Lets go of the players that were kept; they are freed by another thread. */
void sitting_dismiss_players(Sitting *sitting);
/* A bot that is kept and does not think may go, and comes back when it is its turn. */
bool sitting_has_idle_bot(const Sitting *sitting);
void sitting_dismiss_idle_bot(Sitting *sitting);
/* Frees one here and now; NULL is fine. */
void   player_leave(Server *server, TurfPlayer *player);
size_t bots_alive(Server *server);

#endif
