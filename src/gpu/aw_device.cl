/* Random games of Amoeba Wars on boards of up to 8x8 on a device, the same to the bit as those of
 * the processor. All games begin from one position, so an item whose game is over begins the next
 * at once. GROUP is the number of items in a work-group. */
#include "gpu/device_c.h"

#include "base/rng.h"
#include "games/amoeba_wars.h"
#include "gpu/launch.h"

#include "gpu/chunk.inc.h"

INLINE void play_game(const AwRules *rules, uint64_t game, __local uint *bins)
{
    AwSmall    state = rules->start;
    uint64_t   stream = rules->step * game + rules->offset;
    TurfRng    rng[2] = {rng_stream(rules->side_streams[0], stream),
                         rng_stream(rules->side_streams[1], stream)};
    TurfEnding ending;
    uint       n_moves = 0;
    for (; !aw_is_over(&state.header, &ending); n_moves++) {
        uint side = state.header.to_move;
        aw_small_apply(&state, aw_small_nth_feasible(
                                   &state, rng_below(&rng[side], state.header.n_feasible[side])));
    }
    chunk_count(bins, ending, n_moves);
}

KERNEL
aw_random(__global const uint64_t *firsts, __global const uint *n_games, __global uint *totals,
          AwRules given)
{
    SHARED uint bins[CHUNK_BINS], fields[CHUNK_FIELDS];
    AwRules      rules = given;
    chunk_begin(bins, fields);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint64_t first = firsts[get_group_id(0)];
    for (uint i = get_local_id(0); i < n_games[get_group_id(0)]; i += GROUP)
        play_game(&rules, first + i, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    chunk_end(bins, fields, totals);
}
