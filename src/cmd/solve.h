/* What the solvers behind 'turf solve' share, and one function for each game. */
#ifndef TURF_CMD_SOLVE_H
#define TURF_CMD_SOLVE_H

#include "cmd/console.h"

#include <pthread.h>
#include <stdatomic.h>

/* One function for each game that can be solved; returns the exit status. */
int solve_squirrel_war(const Arguments *arguments);
int solve_amoeba_wars(const Arguments *arguments);
int solve_war_of_life(const Arguments *arguments);

/* The position of POSITION or --start, or the default start of --seed. */
void solve_read_position(const TurfGame *game, const Arguments *arguments, void *state);

/* The table's size in bytes from --hash (256 MiB). */
size_t solve_hash_bytes(const Settings *settings);
/* Dies because there is no memory for the table. */
_Noreturn void solve_no_memory(const Settings *settings);
int            solve_threads(const Settings *settings);

/* A thread beside the solver: passes Ctrl-C on to it as the flag `stop`, and on a terminal shows
 * the status line again every second. The other members are the caller's, set before it begins.
 *
 * Threads: `show` is called by the solver's thread and by this one, so what it reads of `context`
 * must be atomic. */
typedef struct SolveWatch {
    bool    is_shown; /* neither --quiet nor --json */
    int64_t begin_ns;
    /* Writes the status without the time and the end of the line. */
    void (*show)(const void *context, FILE *out);
    const void *context;
    atomic_bool stop;
    /* its own */
    bool        is_terminal, is_watched;
    atomic_bool is_done;
    pthread_t   thread;
} SolveWatch;

void solve_watch_begin(SolveWatch *watch, const Settings *settings);
/* Shows the status line now. */
void solve_watch_show(const SolveWatch *watch);
void solve_watch_end(SolveWatch *watch);

#endif
