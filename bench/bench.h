/* Shared by the parts of turf-bench, one file each. Speeds are compared with the slow steppers of
 * the tests in the same run, since absolute figures depend on the machine. */
#ifndef TURF_BENCH_BENCH_H
#define TURF_BENCH_BENCH_H

#include "cmd/console.h"
#include "report/results.h"

typedef struct Bench {
    Table      *table;
    json_t     *json;
    double      slow_rate; /* baseline of the current group; 0: none */
    const char *device;    /* the one to measure; NULL: the first GPU */
} Bench;

/* Does some work and returns its amount. */
typedef uint64_t BenchWork(void *context, uint64_t round);

/* Work per second of this thread's CPU time, so that other load on the machine matters little. */
double bench_rate(BenchWork *work, void *context);
void   bench_add(Bench *bench, const char *what, const char *how, const char *unit, double rate);
/* Adapts a TurfRng for the slow steppers. */
int bench_draw(void *rng, int n);

void bench_war_of_life(Bench *bench);
void bench_amoeba_wars(Bench *bench);
void bench_ai_battleground(Bench *bench);
void bench_squirrel_war(Bench *bench);
void bench_batches(Bench *bench);
void bench_serve(Bench *bench);
void bench_arena(Bench *bench);
void bench_searches(Bench *bench);
/* Prints the searches' node counts. */
void bench_signature(bool wants_json);
void bench_bots(Bench *bench);
void bench_device(Bench *bench);

/* The bot of bench_bots, which always answers with no cells: turf-bench started with this word. */
#define BENCH_NULL_BOT "null-bot"
int bench_null_bot(void);

#endif
