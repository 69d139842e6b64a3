/* The benchmark, turf-bench: each part has a file of figures; this is what they share. Each figure
 * stands beside that of the slow and obvious stepper of the tests, measured in the same run on the
 * same machine, since absolute speeds travel badly. */
#ifndef TURF_BENCH_BENCH_H
#define TURF_BENCH_BENCH_H

#include "cmd/console.h"
#include "report/results.h"

typedef struct Bench {
    Table  *table;
    json_t *json;
    double  slow_rate; /* of the group that is being measured; 0: there is none */
} Bench;

/* Does some of the work, and returns how much. */
typedef uint64_t BenchWork(void *context, uint64_t round);

/* How much of the work is done in a second that this thread has a processor: what else the machine
 * does counts for little then. */
double bench_rate(BenchWork *work, void *context);
void   bench_add(Bench *bench, const char *what, const char *how, const char *unit, double rate);
/* A draw for the slow steppers from a TurfRng. */
int bench_draw(void *rng, int n);

void bench_war_of_life(Bench *bench);
void bench_amoeba_wars(Bench *bench);
void bench_ai_battleground(Bench *bench);
void bench_squirrel_war(Bench *bench);
void bench_serve(Bench *bench);
void bench_arena(Bench *bench);
void bench_searches(Bench *bench);
/* Prints the positions that the searches look at. */
void bench_signature(bool wants_json);
void bench_bots(Bench *bench);

/* The other end of bench_bots: a bot that answers everything with nothing. It is turf-bench itself,
 * started with this word. */
#define BENCH_NULL_BOT "null-bot"
int bench_null_bot(void);

#endif
