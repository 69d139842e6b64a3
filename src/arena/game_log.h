/* The log of a game while it is played: its start, its moves and their times. */
#ifndef TURF_ARENA_GAME_LOG_H
#define TURF_ARENA_GAME_LOG_H

#include "games/game.h"

/* The arena's own delay in the turns of bots: writing the question, reading the answer, and waiting
 * for a processor. A bot's clock runs during some of it, so when a bot is late this bounds the
 * arena's share. */
typedef struct ArenaDelay {
    uint64_t n_turns;
    int64_t  sum_ns, worst_ns;
} ArenaDelay;

void arena_delay_add(ArenaDelay *delay, const ArenaDelay *more);

typedef struct GameLog {
    char      *start; /* a position, JSON */
    json_t    *moves, *times;
    ArenaDelay delay;
    int64_t    turn_begin_ns, waited_ns; /* of the current turn */
    int        schedstat_fd;             /* of this thread; -1: not open */
} GameLog;

/* False when out of memory. */
bool log_init(GameLog *log, const TurfGame *game, const void *start);
void log_release(GameLog *log);

/* These do nothing when `log` is NULL. log_turn is called when a turn begins. */
void log_turn(GameLog *log, bool times_itself);
/* Logs a move that is about to be made in `state`. `used_ns` is 0 for a built-in player. */
void log_move(GameLog *log, const TurfGame *game, const void *state, TurfMove move, int64_t used_ns,
              bool times_itself);
void log_actions(GameLog *log, const TurfGame *game, const TurfAction actions[2],
                 const int64_t used_ns[2], const bool time_themselves[2]);

#endif
