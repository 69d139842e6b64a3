/* A live game: one game while it is being played, with its move history, its clocks, the actions
 * that sides have committed to where both move at once, and its end.
 *
 * It knows no server, terminal, file or thread. Time is passed in as `now_ns`, of a monotonic
 * clock; who shares a live game between threads locks it. The terminal (cmd/terminal_game.h) and
 * the server (web/hosted_game.h) are adapters over it.
 *
 * An operation (play, commit, undo, end, resign, check_time) can be taken back by
 * live_game_rollback until the next one: an adapter changes the game, writes the change down, and
 * rolls back if that fails. */
#ifndef TURF_LIVE_LIVE_GAME_H
#define TURF_LIVE_LIVE_GAME_H

#include "live/finish.h"
#include "live/game_clock.h"
#include "live/move_history.h"

/* All plies are kept in memory, and shown to everybody who opens the game. */
enum { MAX_CELLS_PLAYED = 250000 };

/* The action that a side has committed to, until the other has too. */
typedef struct PendingAction {
    bool      is_in;
    TurfCell *cells;
    size_t    n_cells;
} PendingAction;

typedef struct LiveGameSnapshot {
    size_t        n_plies;
    GameClock     clock;
    PendingAction pending[2];
    bool          is_over;
    Finish        finish;
    int64_t       changed_ns;
} LiveGameSnapshot;

typedef struct LiveGame {
    MoveHistory      history;
    bool             is_person[2]; /* a person may take moves back */
    bool             is_paused[2]; /* the side's clock stands even if it is to move */
    GameClock        clock;
    PendingAction    pending[2];
    bool             is_over;
    Finish           finish;     /* if it is over */
    int64_t          changed_ns; /* when the position last changed */
    LiveGameSnapshot before;     /* the last operation */
} LiveGame;

void live_game_init(LiveGame *game, const TurfGame *rules, const TurfState *start,
                    const GameClock *clock, int64_t now_ns);
void live_game_release(LiveGame *game);

/* Is the game waiting for this side? */
bool live_game_is_due(const LiveGame *game, int side);

/* Plays a legal ply of the side to move. False without memory. */
bool live_game_play(LiveGame *game, const Ply *ply, int64_t now_ns);
/* Commits one side to a legal action where both move at once, and plays the turn once both have
 * committed. A side may change its mind until then. False without memory. */
bool live_game_commit(LiveGame *game, int side, const TurfAction *action, int64_t now_ns);

typedef enum UndoKind {
    UNDO_OWN,      /* a ply of the turn one is still in, or, against a player, one's last turn with
                      the answer */
    UNDO_TOGETHER, /* both sides at one screen: the last ply or commitment, whoever made it */
    UNDO_GRANTED   /* the other person agreed: one's last ply and all after it */
} UndoKind;

/* How many plies an undo would leave; -1 if there is nothing to take back. */
int64_t live_game_undo_target(const LiveGame *game, int side, UndoKind kind);
bool    live_game_undo(LiveGame *game, int side, UndoKind kind, int64_t now_ns, TurfError *error);

void live_game_end(LiveGame *game, const Finish *finish, int64_t now_ns);
void live_game_resign(LiveGame *game, int side, int64_t now_ns);
/* Ends the game if a clock has run out; true then. */
bool live_game_check_time(LiveGame *game, int64_t now_ns);

/* Starts and stops the clocks as the position and is_paused ask for. Operations do so themselves.
 */
void live_game_update_clocks(LiveGame *game, int64_t now_ns);
/* Takes the last operation back. */
void live_game_rollback(LiveGame *game);

#endif
