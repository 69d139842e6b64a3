/* The speed of SquirrelWar's solver, on positions of random games. */
#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "bench.h"
#include "games/squirrel_war.h"
#include "search/squirrel_solver.h"
#include "sw_slow.h"

enum { POSITIONS = 12, HASH_MIB = 512 };

static SwPosition reach(uint64_t number, int n_empty)
{
    TurfRng    rng = rng_stream((uint64_t)n_empty, number);
    SwPosition position;
    squirrel_war.start(&position, "random", &rng);
    while (sw_count(sw_empty(&position.board)) > n_empty) {
        uint32_t empty = sw_empty(&position.board);
        sw_apply(&position.board,
                 bits_lowest(bits_nth(empty, rng_below(&rng, (uint32_t)sw_count(empty)))));
    }
    return position;
}

static uint64_t solve_slowly(void *context, uint64_t round)
{
    int        n_empty = *(int *)context;
    SwPosition position = reach(round, n_empty);
    SlowNuts   nuts = {.side = SW_SIDE, .to_move = position.board.to_move ? 'O' : 'X'};
    for (int i = 0; i < SW_SQUARES; i++) {
        char owner = '*';
        if (position.board.pieces[0] & sw_bit(i))
            owner = 'X';
        else if (position.board.pieces[1] & sw_bit(i))
            owner = 'O';
        nuts.value[i / SW_SIDE][i % SW_SIDE] = position.values.of[i];
        nuts.owner[i / SW_SIDE][i % SW_SIDE] = owner;
    }
    slow_nuts_solve(&nuts);
    return 1;
}

static void bench_solver(Bench *bench, int n_empty, int n_threads)
{
    double    seconds = 0;
    SwSolver *solver = sw_solver_new((size_t)HASH_MIB << 20, n_threads);
    char      what[64], how[48];
    if (!solver)
        die("out of memory for a table of %d MiB", HASH_MIB);
    for (uint64_t i = 0; i < POSITIONS; i++) {
        SwPosition position = reach(i, n_empty);
        SwSolution solution;
        sw_solver_solve(solver, &position.values, &position.board, NULL, &solution);
        seconds += solution.seconds;
    }
    sw_solver_free(solver);
    snprintf(what, sizeof what, "squirrel-war: solve %d empty squares", n_empty);
    snprintf(how, sizeof how, "%d thread%s, mean of %d", n_threads, n_threads == 1 ? "" : "s",
             POSITIONS);
    bench_add(bench, what, how, "s each", seconds / POSITIONS);
}

void bench_squirrel_war(Bench *bench)
{
    static const int sizes[] = {16, 18, 20};
    int              n_empty = 7;
    bench->slow_rate = 0;
    bench_add(bench, "squirrel-war: solve 7 empty squares", "slow stepper", "s each",
              1 / bench_rate(solve_slowly, &n_empty));
    bench_solver(bench, n_empty, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int n_threads = 1; n_threads <= (cpu_count() > 1 ? 2 : 1); n_threads++)
            bench_solver(bench, sizes[i], n_threads);
}
