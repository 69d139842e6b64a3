/* The body of the lookahead, included once for the game table and once for each game where going
 * through the table costs too much. Alpha-beta, with the promise that the result is exactly that of
 * plain minimax: the value, and the first best move or all of them.
 *
 *   SEARCH                  the name of the function
 *   STATE, MOST_MOVES       the type of a position, and the room for its moves
 *   COPY APPLY MOVES        the rules
 *   IS_OVER OWN TO_MOVE
 *
 * Values are from the side that chooses at the root; a position is a maximum or a minimum by who
 * moves there, so a side may well move several times running. */

typedef struct Search {
    const TurfGame  *game;
    const Lookahead *plan;
    TurfSide         root_side;
    TurfMove         refutation[LOOKAHEAD_DEEPEST + 1]; /* the last move that cut off, by depth */
} Search;

static inline int measure(const Search *search, const STATE *state)
{
    int value = 0;
    if (search->plan->own_weight)
        value += search->plan->own_weight * OWN(search->game, state, search->root_side);
    if (search->plan->opponent_weight)
        value += search->plan->opponent_weight * OWN(search->game, state, (TurfSide)!search->root_side);
    return value;
}

static int value_when_over(const Search *search, const STATE *state, TurfEnding ending)
{
    if (!search->plan->wins_beyond)
        return measure(search, state);
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    return (ending == TURF_WON_BY_FIRST) == (search->root_side == TURF_FIRST) ? LOOKAHEAD_BEYOND : -LOOKAHEAD_BEYOND;
}

static int value_of(Search *search, const STATE *state, int depth, int alpha, int beta)
{
    TurfEnding ending;
    if (depth == 0 && !search->plan->wins_beyond)
        return measure(search, state);
    if (IS_OVER(search->game, state, &ending))
        return value_when_over(search, state, ending);
    if (depth == 0)
        return measure(search, state);
    if (depth >= 3 && search->plan->stop && atomic_load_explicit(search->plan->stop, memory_order_relaxed))
        return 0;

    TurfMove moves[MOST_MOVES];
    size_t   n_moves = MOVES(search->game, state, moves);
    /* What refuted the last move probably refutes this one too; the order changes no value. */
    for (size_t i = 0; i < n_moves; i++)
        if (moves[i] == search->refutation[depth]) {
            moves[i] = moves[0];
            moves[0] = search->refutation[depth];
            break;
        }

    bool is_maximum = TO_MOVE(search->game, state) == search->root_side;
    int  best = is_maximum ? -INT_MAX : INT_MAX;
    for (size_t i = 0; i < n_moves; i++) {
        STATE child;
        COPY(search->game, &child, state);
        APPLY(search->game, &child, moves[i]);
        int value = value_of(search, &child, depth - 1, alpha, beta);
        if (is_maximum) {
            best = value > best ? value : best;
            alpha = best > alpha ? best : alpha;
        } else {
            best = value < best ? value : best;
            beta = best < beta ? best : beta;
        }
        if (alpha >= beta) {
            search->refutation[depth] = moves[i];
            break;
        }
    }
    return best;
}

int SEARCH(const TurfGame *game, const void *root, const Lookahead *plan, bool want_all, TurfMove *best, size_t *n_best)
{
    const STATE *state = root;
    Search       search = {.game = game, .plan = plan, .root_side = (TurfSide)TO_MOVE(game, state)};
    TurfMove     moves[MOST_MOVES];
    size_t       n_moves = MOVES(game, state, moves);
    int          best_value = -INT_MAX;
    *n_best = 0;
    for (size_t i = 0; i < n_moves; i++) {
        STATE child;
        COPY(game, &child, state);
        APPLY(game, &child, moves[i]);
        /* A move that is only as good matters only if all the best ones are wanted. */
        int alpha = want_all && *n_best ? best_value - 1 : best_value;
        int value = value_of(&search, &child, plan->depth - 1, alpha, INT_MAX);
        if (value > best_value || *n_best == 0) {
            best_value = value;
            *n_best = 0;
        } else if (value < best_value || !want_all) {
            continue;
        }
        best[(*n_best)++] = moves[i];
    }
    return best_value;
}
