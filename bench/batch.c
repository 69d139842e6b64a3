/* The speed of batches: an action drawn for each game, and a step with observation, mask and
 * restart. */
#include "bench.h"

#include <stdlib.h>

/* So many games stay in the second level cache. */
enum { N_GAMES = 256, ROUNDS = 64 };

typedef struct Actor {
    TurfBatch *batch;
    bool       has_cells;
    int32_t    actions[N_GAMES];
    uint8_t   *cells;
} Actor;

static uint64_t steps(void *context, uint64_t round)
{
    Actor *actor = context;
    (void)round;
    for (int i = 0; i < ROUNDS; i++)
        if (actor->has_cells) {
            (void)turf_batch_sample_cells(actor->batch, actor->cells, NULL);
            (void)turf_batch_step_cells(actor->batch, actor->cells, NULL);
        } else {
            (void)turf_batch_sample(actor->batch, actor->actions, NULL);
            (void)turf_batch_step(actor->batch, actor->actions, NULL);
        }
    return (uint64_t)N_GAMES * ROUNDS;
}

void bench_batches(Bench *bench)
{
    bench->slow_rate = 0;
    for (size_t i = 0; turf_game_at(i); i++) {
        const TurfGame  *game = turf_game_at(i);
        TurfBatchOptions options = {.n_games = N_GAMES, .seed = 1};
        TurfError        error;
        Actor            actor = {.batch = turf_batch_new(game, &options, &error)};
        char             what[64];
        if (!actor.batch)
            die("%s", error.text);
        const TurfBatchShape *shape = turf_batch_shape(actor.batch);
        actor.has_cells = shape->n_masks == 2;
        actor.cells = malloc(N_GAMES * 2 * shape->n_actions);
        if (!actor.cells)
            die("out of memory");
        snprintf(what, sizeof what, "batch: %s %zux%zu", turf_game_name(game), shape->rows,
                 shape->cols);
        bench_add(bench, what, "256 games, in C", "steps/s", bench_rate(steps, &actor));
        free(actor.cells);
        turf_batch_free(actor.batch);
    }
}
