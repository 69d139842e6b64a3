/* The speed of Amoeba Wars: random games on 8x8 and 26x26. */
#include "aw_slow.h"
#include "base/rng.h"
#include "bench.h"
#include "games/amoeba_wars.h"
#include "games/aw_kernels.h"
#include "games/totals.h"

#include <stdlib.h>

typedef struct Dish {
    int                 size;
    TurfState           start;
    const RandomKernel *kernel;
} Dish;

static uint64_t slow_games(void *context, uint64_t round)
{
    const Dish *dish = context;
    TurfRng     rng = rng_stream(1, round);
    SlowDish    slow;
    SlowCell    cells[26 * 26];
    slow_dish_start(&slow, dish->size, dish->size);
    for (int n_moves; (n_moves = slow_dish_moves(&slow, cells)) > 0;)
        slow_dish_play(&slow, cells[bench_draw(&rng, n_moves)]);
    return 1;
}

static uint64_t kernel_games(void *context, uint64_t round)
{
    enum { GAMES = 1 << 12 };
    const Dish *dish = context;
    RandomGames games = {.first_game = round * GAMES,
                         .n_games = GAMES,
                         .start = &dish->start,
                         .side_streams = {2, 3}};
    TurfTotals  totals = TOTALS_NONE;
    dish->kernel->play(&games, &totals);
    return totals.n_games;
}

static uint64_t table_games(void *context, uint64_t round)
{
    const Dish *dish = context;
    TurfRng     rng = rng_stream(1, round);
    TurfState   state = dish->start;
    TurfEnding  ending;
    while (!amoeba_wars.is_over(&state, &ending))
        amoeba_wars.apply(&state, amoeba_wars.random_move(&state, &rng));
    return 1;
}

void bench_amoeba_wars(Bench *bench)
{
    static const int sizes[] = {8, 26};
    for (int i = 0; i < 2; i++) {
        Dish      dish = {.size = sizes[i]};
        TurfError error;
        char      what[48], size[8];
        snprintf(size, sizeof size, "%d", dish.size);
        if (!game_parse(&amoeba_wars, size, &dish.start, &error))
            die("%s", error.text);
        snprintf(what, sizeof what, "amoeba-wars: random games %sx%s", size, size);
        bench->slow_rate = bench_rate(slow_games, &dish);
        bench_add(bench, what, "slow stepper", "games/s", bench->slow_rate);
        bench_add(bench, what, "through the game table", "games/s", bench_rate(table_games, &dish));
        for (size_t k = 0; dish.size <= AW_SMALL_SIZE && (dish.kernel = aw_kernel_at(k)); k++)
            if (dish.kernel->is_supported())
                bench_add(bench, what, dish.kernel->name, "games/s",
                          bench_rate(kernel_games, &dish));
    }
}
