/* Minimax and alpha-beta with the log format that the coursework prescribes, to the byte: hence
 * explicit infinities, and no move ordering. */
#include "search/squirrel_traverse.h"

#include <limits.h>

#define INFINITE INT_MAX

typedef struct Traverse {
    const SwValues *values;
    unsigned        root_side;
    int             cut_off;
    bool            has_bounds; /* alpha-beta, not minimax */
    FILE           *log;
    const char     *line_end;
} Traverse;

static int evaluate(const Traverse *traverse, const SwState *board)
{
    return sw_sum(traverse->values, board->pieces[traverse->root_side]) -
           sw_sum(traverse->values, board->pieces[traverse->root_side ^ 1]);
}

static void log_number(const Traverse *traverse, int number)
{
    if (number == INFINITE || number == -INFINITE)
        fprintf(traverse->log, number > 0 ? ",Infinity" : ",-Infinity");
    else
        fprintf(traverse->log, ",%d", number);
}

/* `square` is the move that led to the node; -1 at the root. */
static void log_node(const Traverse *traverse, int square, int depth, int value, int alpha,
                     int beta)
{
    if (!traverse->log)
        return;
    if (square < 0)
        fputs("root", traverse->log);
    else
        fprintf(traverse->log, "%c%c", 'A' + square % SW_SIDE, '1' + square / SW_SIDE);
    log_number(traverse, depth);
    log_number(traverse, value);
    if (traverse->has_bounds) {
        log_number(traverse, alpha);
        log_number(traverse, beta);
    }
    fputs(traverse->line_end, traverse->log);
}

/* The value of a node; `best`, if not NULL, gets the first best square. */
static int visit(const Traverse *traverse, const SwState *board, int square, int depth, int alpha,
                 int beta, int *best)
{
    uint32_t empty = sw_empty(board);
    if (depth == traverse->cut_off || !empty) {
        int value = evaluate(traverse, board);
        log_node(traverse, square, depth, value, alpha, beta);
        return value;
    }
    bool is_maximum = board->to_move == traverse->root_side;
    int  value = is_maximum ? -INFINITE : INFINITE;
    log_node(traverse, square, depth, value, alpha, beta);
    for (; empty; empty &= empty - 1) {
        SwState child = *board;
        int     move = sw_lowest(empty);
        sw_apply(&child, move);
        int  child_value = visit(traverse, &child, move, depth + 1, alpha, beta, NULL);
        bool is_better = is_maximum ? child_value > value : child_value < value;
        if (is_better) {
            value = child_value;
            if (best)
                *best = move;
        }
        /* After a cut-off the log shows the bounds before it. */
        bool is_cut = traverse->has_bounds && (is_maximum ? value >= beta : value <= alpha);
        if (!is_cut && is_maximum && value > alpha)
            alpha = value;
        else if (!is_cut && !is_maximum && value < beta)
            beta = value;
        log_node(traverse, square, depth, value, alpha, beta);
        if (is_cut)
            break;
    }
    return value;
}

int sw_traverse(const SwPosition *state, SwAlgorithm algorithm, int depth, FILE *log,
                const char *line_end)
{
    Traverse traverse = {.values = &state->values,
                         .root_side = state->board.to_move,
                         .cut_off = depth,
                         .has_bounds = algorithm == SW_ALPHA_BETA,
                         .log = log,
                         .line_end = line_end};
    if (algorithm == SW_GREEDY) {
        traverse.cut_off = 1;
        traverse.log = NULL;
    }
    int best = -1;
    if (traverse.log)
        fprintf(log, "Node,Depth,Value%s%s", traverse.has_bounds ? ",Alpha,Beta" : "", line_end);
    visit(&traverse, &state->board, -1, 0, -INFINITE, INFINITE, &best);
    return best;
}
