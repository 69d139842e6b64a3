/* The body of the lookahead: alpha-beta with one refutation move per depth. Included
 * once for the game table, and once for each game whose table calls would cost too much.
 *
 * Invariant: value and best moves are exactly those of plain minimax.
 *
 *   SEARCH                  the function to define
 *   STATE, MAX_MOVES        the type of a position, the maximum number of moves in one
 *   COPY APPLY MOVES        the rules
 *   IS_OVER OWN TO_MOVE
 * Values are for the side to move at the root. Whether a node maximises depends on who moves
 * there, so a side may move several times in a row. */

typedef struct Search {
    const TurfGame  *game;
    const Lookahead *plan;
    TurfSide         root_side;
    TurfMove
        refutation[LOOKAHEAD_MAX_DEPTH + 1]; /* the last move that caused a cut-off, by depth */
    uint64_t n_nodes;
    bool     is_given_up;
} Search;

static inline int measure(const Search *search, const STATE *state)
{
    int value = 0;
    if (search->plan->own_weight)
        value += search->plan->own_weight * OWN(search->game, state, search->root_side);
    if (search->plan->opponent_weight)
        value +=
            search->plan->opponent_weight * OWN(search->game, state, (TurfSide)!search->root_side);
    return value;
}

static int value_when_over(const Search *search, const STATE *state, TurfEnding ending)
{
    if (!search->plan->wins_beyond)
        return measure(search, state);
    if (ending != TURF_WON_BY_FIRST && ending != TURF_WON_BY_SECOND)
        return 0;
    bool is_won = (ending == TURF_WON_BY_FIRST) == (search->root_side == TURF_FIRST);
    return is_won ? LOOKAHEAD_WIN : -LOOKAHEAD_WIN;
}

static bool must_give_up(Search *search)
{
    const Lookahead *plan = search->plan;
    if (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed))
        search->is_given_up = true;
    return search->is_given_up;
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
    if (depth >= 2 && must_give_up(search))
        return 0;

    TurfMove moves[MAX_MOVES];
    size_t   n_moves = MOVES(search->game, state, moves);
    /* The last refutation at this depth first; the order changes no value. */
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
        search->n_nodes++;
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

LookaheadResult SEARCH(const TurfGame *game, const void *root, const Lookahead *plan, bool want_all,
                       TurfMove *best)
{
    const STATE *state = root;
    Search       search = {.game = game, .plan = plan, .root_side = (TurfSide)TO_MOVE(game, state)};
    LookaheadResult result = {.value = -INT_MAX};
    TurfMove        moves[MAX_MOVES];
    size_t          n_moves = MOVES(game, state, moves);
    for (size_t i = 0; i < n_moves && !search.is_given_up; i++) {
        STATE child;
        COPY(game, &child, state);
        APPLY(game, &child, moves[i]);
        /* A move of equal value matters only if all best moves are asked for. */
        int alpha = result.value;
        if (plan->values)
            alpha = -INT_MAX;
        else if (want_all && result.n_best)
            alpha = result.value - 1;
        int value = value_of(&search, &child, plan->depth - 1, alpha, INT_MAX);
        search.n_nodes++;
        if (plan->values)
            plan->values[i] = value;
        if (value > result.value || result.n_best == 0) {
            result.value = value;
            result.n_best = 0;
        } else if (value < result.value || !want_all) {
            continue;
        }
        best[result.n_best++] = moves[i];
    }
    result.n_nodes = search.n_nodes;
    return result;
}
