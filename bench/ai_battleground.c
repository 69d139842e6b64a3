/* The speed of AI Battleground: steps of the torus. */
#include "base/rng.h"
#include "bg_slow.h"
#include "bench.h"
#include "games/battleground.h"

static void fill(BgState *fast, int size)
{
    BgConfig config = {.rows = size, .cols = size, .max_game_iterations = 1};
    TurfRng  rng = turf_rng((uint64_t)size);
    bg_start(fast, &config);
    for (int i = 0; i < size * size; i++) {
        uint32_t draw = rng_below(&rng, 5);
        if (draw < 2)
            bg_add(&fast->cells[draw], i / size, i % size);
    }
}

static uint64_t fast_steps(void *context, uint64_t round)
{
    enum { STEPS = 256 };
    BgState state = *(const BgState *)context; /* the same board again, before it dies out */
    (void)round;
    for (int i = 0; i < STEPS; i++)
        bg_step(&state);
    return STEPS;
}

static uint64_t slow_steps(void *context, uint64_t round)
{
    enum { STEPS = 16 };
    const BgState *state = context;
    SlowField      field = {.rows = state->config.rows, .cols = state->config.cols};
    (void)round;
    for (int r = 0; r < field.rows; r++)
        for (int c = 0; c < field.cols; c++) {
            field.cell[r][c] = '.';
            if (bg_has(&state->cells[0], r, c))
                field.cell[r][c] = '1';
            else if (bg_has(&state->cells[1], r, c))
                field.cell[r][c] = '2';
        }
    for (int i = 0; i < STEPS; i++)
        slow_field_step(&field);
    return STEPS;
}

void bench_ai_battleground(Bench *bench)
{
    static const int sizes[] = {24, 100};
    for (int i = 0; i < 2; i++) {
        BgState state;
        char    what[64];
        fill(&state, sizes[i]);
        snprintf(what, sizeof what, "ai-battleground: steps of %dx%d", sizes[i], sizes[i]);
        bench->slow_rate = bench_rate(slow_steps, &state);
        bench_add(bench, what, "slow stepper", "steps/s", bench->slow_rate);
        bench_add(bench, what, "64 columns a word", "steps/s", bench_rate(fast_steps, &state));
    }
}
