/* The speed of War of Life: random games, cranks, minimax, and the coursework's table. */
#include "base/clock.h"
#include "base/rng.h"
#include "bench.h"
#include "games/totals.h"
#include "games/war_of_life.h"
#include "games/wol_kernels.h"
#include "players/player.h"
#include "wol_slow.h"

#include <stdlib.h>
#include <string.h>

/* ---- random games ------------------------------------------------------------------------- */

static uint64_t slow_games(void *context, uint64_t round)
{
    (void)context;
    enum { GAMES = 200 };
    TurfRng rng = rng_stream(1, round);
    for (int i = 0; i < GAMES; i++) {
        SlowBoard board;
        slow_random_start(&board, bench_draw, &rng);
        slow_random_game(&board, bench_draw, &rng);
    }
    return GAMES;
}

static uint64_t kernel_games(void *context, uint64_t round)
{
    enum { GAMES = 1 << 16 };
    const RandomKernel *kernel = context;
    TurfTotals          totals = TOTALS_NONE;
    RandomGames         games = {.start_streams = 1, .side_streams = {2, 3}};
    games.first_game = round * GAMES;
    games.n_games = GAMES;
    kernel->play(&games, &totals);
    return totals.n_games;
}

static void bench_games(Bench *bench)
{
    bench->slow_rate = bench_rate(slow_games, NULL);
    bench_add(bench, "war-of-life: random games", "slow stepper", "games/s", bench->slow_rate);
    for (size_t i = 0; wol_kernel_at(i); i++) {
        const RandomKernel *kernel = wol_kernel_at(i);
        char                how[64];
        snprintf(how, sizeof how, "%s (%s)", kernel->name, kernel->needs);
        if (kernel->is_supported())
            bench_add(bench, "war-of-life: random games", how, "games/s",
                      bench_rate(kernel_games, (void *)(uintptr_t)kernel));
    }
}

/* ---- cranks ------------------------------------------------------------------------------- */

enum { BOARDS = 4096 };

static void to_slow(const WolState *state, SlowBoard *board)
{
    memset(board->cell, '.', sizeof board->cell);
    for (int i = 0; i < 64; i++) {
        char *cell = &board->cell[i / 8 + 1][i % 8 + 1];
        if (state->pieces[0] >> i & 1)
            *cell = 'b';
        else if (state->pieces[1] >> i & 1)
            *cell = 'r';
    }
    board->to_move = state->to_move ? 'r' : 'b';
    board->moves_made = (int)state->moves_made;
}

static uint64_t slow_cranks(void *context, uint64_t round)
{
    (void)round;
    const WolState *states = context;
    for (int i = 0; i < BOARDS; i++) {
        SlowBoard board;
        to_slow(&states[i], &board);
        slow_crank(&board);
    }
    return BOARDS;
}

static uint64_t fast_cranks(void *context, uint64_t round)
{
    (void)round;
    const WolState   *states = context;
    volatile uint64_t sink = 0;
    for (int turn = 0; turn < 16; turn++)
        for (int i = 0; i < BOARDS; i++) {
            WolState state = states[i];
            wol_turn_crank(&state);
            sink = sink ^ state.pieces[0];
        }
    return 16 * BOARDS;
}

/* ---- minimax ------------------------------------------------------------------------------ */

typedef struct SearchBench {
    const WolState  *states;
    LookaheadSearch *search;
} SearchBench;

static const Lookahead two_moves = {.own_weight = 1, .opponent_weight = -1, .depth = 2};

static uint64_t slow_minimax(void *context, uint64_t round)
{
    const WolState *states = context;
    SlowBoard       board;
    SlowMove        moves[SLOW_MAX_MOVES];
    to_slow(&states[round % BOARDS], &board);
    int n_moves = slow_moves(&board, moves), best = -1000;
    for (int i = 0; i < n_moves; i++) {
        int value = slow_value(&board, moves[i], 2, 1, -1, false);
        best = value > best ? value : best;
    }
    return 1;
}

static uint64_t fast_minimax(void *context, uint64_t round)
{
    (void)round;
    const SearchBench *bench_search = context;
    TurfMove           best[TURF_MAX_MOVES];
    for (int i = 0; i < BOARDS; i++)
        bench_search->search(&war_of_life, &bench_search->states[i], &two_moves, false, best);
    return BOARDS;
}

/* Positions from games between land grabbers, typical of what a search meets. */
static WolState *game_boards(void)
{
    WolState   *states = calloc(BOARDS, sizeof *states);
    TurfPlayer *player = read_player(&war_of_life, "land-grab:ties=random");
    TurfRng     rng = turf_rng(1);
    if (!states)
        die("out of memory");
    for (int n = 0; n < BOARDS;) {
        TurfState  state;
        TurfEnding ending;
        turf_start(&war_of_life, "random", &rng, &state, NULL);
        while (n < BOARDS && !turf_is_over(&war_of_life, &state, &ending)) {
            memcpy(&states[n++], &state, sizeof *states);
            TurfMove move = 0;
            if (turf_player_choose(player, &state, &rng, &move, NULL))
                turf_play(&war_of_life, &state, move, NULL);
        }
    }
    turf_player_free(player);
    return states;
}

static void bench_boards(Bench *bench)
{
    WolState *states = game_boards();
    bench->slow_rate = bench_rate(slow_cranks, states);
    bench_add(bench, "war-of-life: cranks", "slow stepper", "boards/s", bench->slow_rate);
    bench_add(bench, "war-of-life: cranks", "one board a word", "boards/s",
              bench_rate(fast_cranks, states));

    bench->slow_rate = bench_rate(slow_minimax, states);
    bench_add(bench, "war-of-life: two-ply minimax", "slow stepper, no cut-offs", "moves/s",
              bench->slow_rate);
    SearchBench bench_search = {.states = states, .search = lookahead_table};
    bench_add(bench, "war-of-life: two-ply minimax", "through the game table", "moves/s",
              bench_rate(fast_minimax, &bench_search));
    bench_search.search = lookahead_for(&war_of_life);
    bench_add(bench, "war-of-life: two-ply minimax", "from the rules header", "moves/s",
              bench_rate(fast_minimax, &bench_search));
    free(states);
}

void bench_war_of_life(Bench *bench)
{
    bench_games(bench);
    bench_boards(bench);
}
