/* The speed of batches: an action drawn for each game, and a step with observation, mask and
 * restart. Then what the checks of turf.h cost: the same recorded steps through it and without it,
 * taken in turns so that other load on the machine meets both. */
#include "bench.h"
#include "envs/env_batch.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- turf.h beside what is under it ---------------------------------------------------------- */

enum { REPEATS = 3, N_RECORDED = 64, MAX_RECORDED = N_RECORDED * 1024 };

/* Games to play again, where sides take turns; else single turns of both sides. */
typedef struct Record {
    const TurfGame *game;
    size_t          n_games;
    TurfState      *states; /* where each begins */
    uint32_t        lengths[N_RECORDED];
    TurfMove       *moves;
    TurfAction (*actions)[2];
} Record;

/* The rules alone; the rules with the check that a move is legal; turf.h, which checks too. */
typedef enum How { RULES, CHECKED, PUBLIC } How;

static inline void play_both(const TurfGame *game, How how, TurfState *state,
                             const TurfAction actions[2])
{
    if (how == PUBLIC)
        (void)turf_play_both(game, state, actions, NULL);
    else if (how == RULES || (game->is_legal_action(state, TURF_FIRST, &actions[0], NULL) &&
                              game->is_legal_action(state, TURF_SECOND, &actions[1], NULL)))
        game->apply_both(state, actions);
}

static inline void play(const TurfGame *game, How how, TurfState *state, TurfMove move)
{
    if (how == PUBLIC)
        (void)turf_play(game, state, move, NULL);
    else if (how == CHECKED)
        (void)game->play(state, move, NULL);
    else
        game->apply(state, move);
}

/* Plays all games again, `how` being a constant. */
static inline __attribute__((always_inline)) uint64_t play_games(const Record *record, How how)
{
    const TurfGame *game = record->game;
    const TurfMove *moves = record->moves;
    TurfState       state;
    TurfEnding      ending;
    uint64_t        n_steps = 0;
    for (size_t i = 0; i < record->n_games; i++) {
        memcpy(&state, &record->states[i], game->state_size);
        for (uint32_t k = 0; k < record->lengths[i]; k++, n_steps++) {
            if (record->actions)
                play_both(game, how, &state, record->actions[i]);
            else
                play(game, how, &state, *moves++);
            if (how == PUBLIC)
                (void)turf_is_over(game, &state, &ending);
            else
                (void)game->is_over(&state, &ending);
        }
    }
    return n_steps;
}

static uint64_t play_by_rules(void *context, uint64_t round)
{
    (void)round;
    return play_games(context, RULES);
}

static uint64_t play_checked(void *context, uint64_t round)
{
    (void)round;
    return play_games(context, CHECKED);
}

static uint64_t play_outside(void *context, uint64_t round)
{
    (void)round;
    return play_games(context, PUBLIC);
}

enum { MAX_WAYS = 3 };

/* The best of several runs of each way, and how many times as long as the others the last takes. */
static void compare(Bench *bench, const char *what, int n_ways, const char *const *how,
                    BenchWork *const *work, void *context)
{
    double best[MAX_WAYS] = {0};
    for (int i = 0; i < n_ways * REPEATS; i++) {
        double rate = bench_rate(work[i % n_ways], context);
        if (rate > best[i % n_ways])
            best[i % n_ways] = rate;
    }
    for (int i = 0; i < n_ways; i++)
        bench_add(bench, what, how[i], "steps/s", best[i]);
    for (int i = 0; i < n_ways - 1; i++) {
        char cost[64];
        snprintf(cost, sizeof cost, "turf.h to %s", how[i]);
        bench_add(bench, what, cost, "times", best[i] / best[n_ways - 1]);
    }
}

static void record_games(Record *record)
{
    size_t n_moves = 0;
    for (size_t i = 0; i < record->n_games; i++) {
        TurfRng   rng = turf_rng(i + 1);
        TurfState state;
        TurfError error;
        if (!turf_start(record->game, NULL, &rng, &state, &error))
            die("%s", error.text);
        record->states[i] = state;
        while (n_moves < MAX_RECORDED && !turf_is_over(record->game, &state, NULL)) {
            TurfMove move;
            if (!turf_random_move(record->game, &state, &rng, &move, &error) ||
                !turf_play(record->game, &state, move, &error))
                die("%s", error.text);
            record->moves[n_moves++] = move;
            record->lengths[i]++;
        }
    }
}

/* `listed` has room for the cells of all actions. */
static void record_turns(Record *record, Actor *actor, TurfCell *listed)
{
    const TurfBatchShape *shape = turf_batch_shape(actor->batch);
    size_t                n_cells = shape->rows * shape->cols;
    (void)turf_batch_sample_cells(actor->batch, actor->cells, NULL);
    for (size_t i = 0; i < record->n_games; i++) {
        record->lengths[i] = 1;
        (void)turf_batch_state(actor->batch, i, &record->states[i], NULL, NULL);
        for (size_t side = 0; side < 2; side++) {
            const uint8_t *cells = actor->cells + (i * 2 + side) * n_cells;
            TurfAction    *action = &record->actions[i][side];
            *action = (TurfAction){.cells = listed};
            for (size_t k = 0; k < n_cells; k++)
                if (cells[k])
                    listed[action->n_cells++] =
                        (TurfCell){(int32_t)(k / shape->cols), (int32_t)(k % shape->cols)};
            listed += action->n_cells;
        }
    }
}

static void compare_games(Bench *bench, const char *what, const TurfGame *game, Actor *actor)
{
    static const char *const how[] = {"one game, rules", "one game, checked", "one game, turf.h"};
    static BenchWork *const  work[] = {play_by_rules, play_checked, play_outside};
    Record                   record = {.game = game, .n_games = N_RECORDED};
    TurfCell                *listed =
        malloc(N_RECORDED * 2 * turf_batch_shape(actor->batch)->n_actions * sizeof *listed);
    record.states = malloc(N_RECORDED * sizeof *record.states);
    record.moves = malloc(MAX_RECORDED * sizeof *record.moves);
    if (actor->has_cells)
        record.actions = calloc(N_RECORDED, sizeof *record.actions);
    if (!listed || !record.states || !record.moves || (actor->has_cells && !record.actions))
        die("out of memory");
    if (actor->has_cells)
        record_turns(&record, actor, listed);
    else
        record_games(&record);
    compare(bench, what, 3, how, work, &record);
    free(record.actions);
    free(record.moves);
    free(record.states);
    free(listed);
}

/* Steps of a batch from its beginning, again and again. */
typedef struct BatchRecord {
    TurfBatch *batch;
    size_t     n_rounds;
    int32_t   *actions; /* N_GAMES for each round */
    uint8_t   *cells;   /* n_cells for each round, where both sides move at once; else NULL */
    size_t     n_cells;
} BatchRecord;

static uint64_t step_inside(void *context, uint64_t round)
{
    const BatchRecord *record = context;
    TurfBatch         *batch = record->batch;
    const BatchRange   all = {0, N_GAMES};
    (void)round;
    (void)turf_batch_reset(batch, 1, NULL);
    for (size_t i = 0; i < record->n_rounds; i++)
        if (record->cells) {
            /* Its way in for cells is the same that checks them. */
            (void)batch->kind->read_cells(batch, all, record->cells + i * record->n_cells, NULL);
            batch->kind->step_cells(batch, all);
        } else
            batch->kind->step(batch, all, record->actions + i * N_GAMES);
    return (uint64_t)N_GAMES * record->n_rounds;
}

static uint64_t step_outside(void *context, uint64_t round)
{
    const BatchRecord *record = context;
    (void)round;
    (void)turf_batch_reset(record->batch, 1, NULL);
    for (size_t i = 0; i < record->n_rounds; i++)
        if (record->cells)
            (void)turf_batch_step_cells(record->batch, record->cells + i * record->n_cells, NULL);
        else
            (void)turf_batch_step(record->batch, record->actions + i * N_GAMES, NULL);
    return (uint64_t)N_GAMES * record->n_rounds;
}

static void compare_batches(Bench *bench, const char *what, Actor *actor)
{
    static const char *const how[] = {"256 games, kernel", "256 games, turf.h"};
    static BenchWork *const  work[] = {step_inside, step_outside};
    BatchRecord record = {.batch = actor->batch, .n_rounds = actor->has_cells ? 4 : ROUNDS};
    record.n_cells = N_GAMES * 2 * turf_batch_shape(actor->batch)->n_actions;
    record.actions = malloc(record.n_rounds * N_GAMES * sizeof *record.actions);
    if (actor->has_cells)
        record.cells = malloc(record.n_rounds * record.n_cells);
    if (!record.actions || (actor->has_cells && !record.cells))
        die("out of memory");
    (void)turf_batch_reset(record.batch, 1, NULL);
    for (size_t i = 0; i < record.n_rounds; i++)
        if (actor->has_cells) {
            uint8_t *cells = record.cells + i * record.n_cells;
            (void)turf_batch_sample_cells(record.batch, cells, NULL);
            (void)turf_batch_step_cells(record.batch, cells, NULL);
        } else {
            int32_t *actions = record.actions + i * N_GAMES;
            (void)turf_batch_sample(record.batch, actions, NULL);
            (void)turf_batch_step(record.batch, actions, NULL);
        }
    compare(bench, what, 2, how, work, &record);
    free(record.cells);
    free(record.actions);
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
        snprintf(what, sizeof what, "step: %s %zux%zu", turf_game_name(game), shape->rows,
                 shape->cols);
        compare_games(bench, what, game, &actor);
        compare_batches(bench, what, &actor);
        free(actor.cells);
        turf_batch_free(actor.batch);
    }
}
