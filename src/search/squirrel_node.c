/* The lookup tables of a SquirrelWar board, and its positions as the solver sees them. */
#include "search/squirrel_node.h"

#include <string.h>

void sw_board_init(SwBoard *board, const SwValues *values)
{
    memset(board, 0, sizeof *board);
    for (int square = 0; square < SW_SQUARES; square++) {
        board->value[square] = values->of[square];
        board->bytes[square] = values->of[square];
        board->total += values->of[square];
        board->touching[square] = sw_beside(sw_bit(square));
    }
    for (int i = 1; i < 512; i++) {
        int bit = __builtin_ctz((unsigned)i), rest = i & (i - 1);
        for (int part = 0; part < 3 && part * 9 + bit < SW_SQUARES; part++)
            board->sum[part][i] = (int16_t)(board->sum[part][rest] + board->value[part * 9 + bit]);
    }
}

SwNode sw_node_from_state(const SwBoard *board, const SwState *state)
{
    SwNode node;
    node.empty = sw_empty(state);
    node.own = state->pieces[state->to_move];
    node.enemy = state->pieces[1 - state->to_move];
    node.settled = 0;
    node.open = board->total;
    sw_normalise(board, &node);
    return node;
}
