/* What is written down of a game while it is played: its moves, how long they took, and how much of
 * that was the arena's own doing. */
#ifndef TURF_ARENA_GAME_LOG_H
#define TURF_ARENA_GAME_LOG_H

#include "games/game.h"

/* The arena's own delay over the turns of bots: what it needs to put the question and to read the
 * answer, and the time that its thread waited for a processor. A bot's clock runs on during some of
 * it, so this bounds what may be held against the arena when a bot is late. */
typedef struct ArenaDelay {
    uint64_t n_turns;
    int64_t  sum_ns, worst_ns;
} ArenaDelay;

void arena_delay_add(ArenaDelay *delay, const ArenaDelay *more);

typedef struct GameLog {
    char      *start; /* a position, JSON */
    json_t    *moves, *times;
    ArenaDelay delay;
    int64_t    turn_begin_ns, waited_ns; /* of the turn that is being played */
    int        waits;                    /* an open file that tells of waiting; -1: none */
} GameLog;

/* False when memory is short. */
bool log_init(GameLog *log, const TurfGame *game, const void *start);
void log_release(GameLog *log);

/* All of these do nothing when `log` is NULL. */
void log_turn(GameLog *log, bool times_itself);
/* A move as it is about to be made in `state`. `used_ns` is 0 for a player inside of this program.
 */
void log_move(GameLog *log, const TurfGame *game, const void *state, TurfMove move, int64_t used_ns,
              bool times_itself);
void log_actions(GameLog *log, const TurfGame *game, const TurfAction actions[2],
                 const int64_t used_ns[2], const bool time_themselves[2]);

#endif
