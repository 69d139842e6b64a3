/* Small boards of Amoeba Wars for alphabeta.inc.h and mcts.inc.h: what all its instances share. An
 * instance adds APPLY, MEASURE, and what it does in its own way. */
#include "games/amoeba_wars.h"
#include "search/transposition.h"

static inline size_t small_moves(const AwSmall *state, TurfMove *moves)
{
    size_t n_moves = 0;
    for (uint64_t left = state->feasible[state->header.to_move][0]; left; left = bits_rest(left)) {
        int cell = bits_lowest(left);
        moves[n_moves++] = aw_move(cell / 8, cell % 8);
    }
    return n_moves;
}

/* Hashes all that the rest of the game depends on: the cells, whose turn it is and for how many
 * moves, and the kills; the rules stay the same. */
static inline uint64_t small_key(const AwSmall *state)
{
    const AwHeader *header = &state->header;
    uint64_t        rest = header->to_move | (uint64_t)header->moves_left << 1 |
                    (uint64_t)header->n_killed[0] << 16 | (uint64_t)header->n_killed[1] << 32;
    uint64_t cells = tt_mix(state->live[0][0], state->live[1][0]);
    if (header->rules & AW_CHAINS)
        cells = tt_mix(cells, state->shaded_by_o[0]);
    return tt_mix(cells, tt_mix(state->shaded[0], rest));
}

#define STATE AwSmall
#define MAX_MOVES 64
#define ROOT(search, state) memcpy(state, (search)->root_state, sizeof *(state))
#define COPY(search, to, from) (*(to) = *(from))
#define MOVES(search, state, moves) small_moves(state, moves)
#define IS_OVER(search, state) ((state)->header.n_feasible[(state)->header.to_move] == 0)
#define TO_MOVE(search, state) ((TurfSide)(state)->header.to_move)
#define KEY(search, state) small_key(state)
