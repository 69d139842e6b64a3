/* Random games on small boards, compiled for any processor and for those that count and scatter
 * bits in one instruction; KERNEL is its name. */
#include "base/rng.h"
#include "games/amoeba_wars.h"
#include "games/aw_kernels.h"
#include "games/totals.h"

static inline void play_games(const RandomGames *batch, unsigned rules, TurfTotals *totals)
{
    const AwState *start = batch->start;
    for (uint64_t game = batch->first_game; game < batch->first_game + batch->n_games; game++) {
        AwSmall    state = start->small;
        TurfRng    rng[2] = {rng_stream(batch->side_streams[0], game),
                             rng_stream(batch->side_streams[1], game)};
        TurfEnding ending;
        uint32_t   length = 0;
        for (; !aw_is_over(&state.header, &ending); length++) {
            unsigned side = state.header.to_move;
            uint32_t nth = rng_below(&rng[side], state.header.n_feasible[side]);
            aw_small_apply_by(&state, aw_small_nth_feasible(&state, nth), rules);
        }
        totals_add_game(totals, ending, length);
    }
}

void KERNEL(const RandomGames *batch, TurfTotals *totals);
void KERNEL(const RandomGames *batch, TurfTotals *totals)
{
    unsigned rules = ((const AwState *)batch->start)->header.rules;
    if (rules == 0)
        play_games(batch, 0, totals);
    else
        play_games(batch, rules, totals);
}
