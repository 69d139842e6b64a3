/* Simple players of games where both sides choose cells at once. The first two play any such game,
 * the others AI Battleground. */
#include "players/kinds.h"

#include "base/clock.h"
#include "base/rng.h"
#include "games/battleground.h"
#include "games/cells.h"

enum { SETTLER_STEPS = 5, CELLS_PER_TIME_CHECK = 16 };

size_t simple_dummy(const TurfPlayer *player, const void *state, TurfSide side,
                    const TurnContext *turn, TurfCell *cells)
{
    (void)player;
    (void)state;
    (void)side;
    (void)turn;
    (void)cells;
    return 0;
}

/* Any number of cells within reach, any of them. */
size_t simple_random(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells)
{
    TurfCell reach[TURF_MAX_CELLS];
    size_t   n_reach = game_reach(player->game, state, side, reach),
           max = game_max_cells(player->game, state, side);
    if (max > n_reach)
        max = n_reach;
    size_t n_cells = rng_below(turn->rng, (uint32_t)max + 1);
    for (size_t i = 0; i < n_cells; i++) { /* the beginning of a Fisher-Yates shuffle */
        size_t pick = i + rng_below(turn->rng, (uint32_t)(n_reach - i));
        cells[i] = reach[pick];
        reach[pick] = reach[i];
    }
    return n_cells;
}

/* The weighted sum of live cells over the next steps, if neither side acts. */
static int projection(const PlayerKind *weights, const BgState *board, TurfSide side, int n_steps)
{
    BgState next = *board;
    int     value = 0;
    for (int i = 0; i < n_steps; i++) {
        bg_step(&next);
        value += weights->own_weight * bg_live(&next, side) +
                 weights->opponent_weight * bg_live(&next, (TurfSide)!side);
    }
    return value;
}

/* Is the time up? */
static bool is_late(const TurnContext *turn, int64_t until_ns)
{
    return (turn->stop && atomic_load_explicit(turn->stop, memory_order_relaxed)) ||
           (turn->time_gain_ms > 0 && clock_ns() >= until_ns);
}

/* Adds the best cell while there is one that improves the projection. Among equals it takes the
 * first, or with ties=random any. When the time is up, it answers with the cells so far; with a
 * clock, half of the time left may be used. */
static size_t grow(const TurfPlayer *player, const BgState *board, TurfSide side,
                   const TurnContext *turn, int n_steps, TurfCell *cells)
{
    const PlayerKind *weights = player->kind;
    BgState           plan = *board;
    TurfCell          reach[TURF_MAX_CELLS];
    size_t            n_reach = game_reach(player->game, board, side, reach);
    size_t            budget = game_max_cells(player->game, board, side), n_cells = 0;
    int               best = projection(weights, &plan, side, n_steps);
    int64_t until_ns = turn->time_gain_ms > 0 ? clock_ns() / 2 + turn->deadline_ns / 2 : 0;
    while (n_cells < budget) {
        size_t   choice = n_reach;
        uint32_t n_equal = 0;
        for (size_t i = 0; i < n_reach; i++) {
            if (bg_has(&plan.cells[side], reach[i].row, reach[i].col))
                continue;
            if (i % CELLS_PER_TIME_CHECK == 0 && is_late(turn, until_ns))
                return n_cells;
            bg_add(&plan.cells[side], reach[i].row, reach[i].col);
            int value = projection(weights, &plan, side, n_steps);
            bg_remove(&plan.cells[side], reach[i].row, reach[i].col);
            bool is_better = value > best, is_equal = value == best && choice < n_reach;
            n_equal = is_better ? 1 : n_equal + is_equal;
            bool is_drawn = is_equal && player->options.ties == TIES_RANDOM &&
                            rng_below(turn->rng, n_equal) == 0;
            if (is_better || is_drawn) {
                best = value;
                choice = i;
            }
        }
        if (choice == n_reach)
            break;
        bg_add(&plan.cells[side], reach[choice].row, reach[choice].col);
        cells[n_cells++] = reach[choice];
    }
    return n_cells;
}

/* Cell by cell the best for the player's weights after one step, if the opponent does nothing; as
 * many as improve it. */
size_t simple_greedy(const TurfPlayer *player, const void *state, TurfSide side,
                     const TurnContext *turn, TurfCell *cells)
{
    return grow(player, state, side, turn, 1, cells);
}

/* The same with the sum over five steps. */
size_t simple_settler(const TurfPlayer *player, const void *state, TurfSide side,
                      const TurnContext *turn, TurfCell *cells)
{
    return grow(player, state, side, turn, SETTLER_STEPS, cells);
}
