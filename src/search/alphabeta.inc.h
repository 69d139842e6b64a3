/* The body of the alpha-beta search: negamax with principal variation search. Included once for
 * the game table, and once for each game whose table calls would cost too much. Parameters:
 *
 *   AB_NAME                 the AbGame to define
 *   STATE, MAX_MOVES        the type of a position, the maximum number of moves in one
 *   ROOT(search, state)     the position at the root
 *   COPY APPLY MOVES        the rules
 *   IS_OVER TO_MOVE KEY
 *   MEASURE(search, state, side)          static evaluation for a side
 *   VALUE_WHEN_OVER(search, state, side)  value of a finished game
 *   ORDER_SCORE(search, state, side)      score for move ordering, on the measure's scale
 *   ORDERS_BY_MEASURE   1 if that is the measure itself, which is then not evaluated again
 *
 *   REDUCE_FROM         index of the first move that is reduced; MAX_MOVES: no reductions
 *
 *   FUTILITY_MARGIN, FUTILITY_MAX_DEPTH   optional: see is_futile
 *
 * Values are from the point of view of the side to move. A side may move several times in a row,
 * so the sign changes only where the mover changes. */

enum {
    AB_INFINITE = 32000,
    AB_UNKNOWN = 32001,
    TT_MIN_DEPTH = 2,
    ORDER_MIN_DEPTH = 2,
    KILLER_BONUS = 24
};

typedef struct MoveList {
    TurfMove moves[MAX_MOVES];
    int      scores[MAX_MOVES]; /* for ordering */
    int      values[MAX_MOVES]; /* static values of the children, if ORDERS_BY_MEASURE */
    size_t   n_moves;
} MoveList;

static int search_node(AbWorker *worker, const STATE *state, int depth, int alpha, int beta,
                       int ply, int evaluation);

/* Searches the position after a move of `side`; the value is for `side`, and so is `evaluation`,
 * its static value or AB_UNKNOWN. */
static inline int search_child(AbWorker *worker, const STATE *child, TurfSide side, int depth,
                               int alpha, int beta, int ply, int evaluation)
{
    worker->nodes++;
    if (IS_OVER(worker, child))
        return VALUE_WHEN_OVER(worker, child, side);
    if (depth == 0)
        return evaluation != AB_UNKNOWN ? evaluation : MEASURE(worker, child, side);
    if (TO_MOVE(worker, child) == side)
        return search_node(worker, child, depth, alpha, beta, ply, evaluation);
    if (evaluation != AB_UNKNOWN)
        evaluation = -evaluation;
    return -search_node(worker, child, depth, -beta, -alpha, ply, evaluation);
}

static void update_pv(AbWorker *worker, int ply, TurfMove move)
{
    worker->pv[ply][0] = move;
    memcpy(worker->pv[ply] + 1, worker->pv[ply + 1],
           (size_t)worker->pv_length[ply + 1] * sizeof(TurfMove));
    worker->pv_length[ply] = worker->pv_length[ply + 1] + 1;
}

/* Move ordering: the table's move first. It often causes a cut-off, so the others are scored only
 * after it. Returns whether it is there. */
static inline bool table_move_to_front(const TtData *tt, MoveList *list)
{
    for (size_t i = 0; tt->bound != TT_NONE && i < list->n_moves; i++)
        if (list->moves[i] == tt->move) {
            list->moves[i] = list->moves[0];
            list->moves[0] = tt->move;
            list->values[0] = AB_UNKNOWN;
            return true;
        }
    return false;
}

/* The other moves by static score, with a bonus for killers. */
static inline void score_moves(AbWorker *worker, const STATE *state, TurfSide side, int ply,
                               size_t from, MoveList *list)
{
    const TurfMove *killers = worker->killers[ply];
    for (size_t i = from; i < list->n_moves; i++) {
        STATE child;
        COPY(worker, &child, state);
        APPLY(worker, &child, list->moves[i]);
        list->scores[i] = IS_OVER(worker, &child) ? VALUE_WHEN_OVER(worker, &child, side)
                                                  : ORDER_SCORE(worker, &child, side);
        list->values[i] = ORDERS_BY_MEASURE ? list->scores[i] : AB_UNKNOWN;
        if (list->moves[i] == killers[0] || list->moves[i] == killers[1])
            list->scores[i] += KILLER_BONUS;
    }
}

/* One ply above the leaves scoring costs more than it saves: killers first, the rest as they
 * come. */
static inline void killers_to_front(const AbWorker *worker, int ply, MoveList *list)
{
    size_t front = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = front; i < list->n_moves; i++)
            if (list->moves[i] == worker->killers[ply][k]) {
                list->moves[i] = list->moves[front];
                list->moves[front++] = worker->killers[ply][k];
                break;
            }
}

/* Selection sort, one step: swaps the best remaining move to `from`. A cut-off usually comes
 * early, so sorting all moves would be wasted. */
static inline void pick_best(MoveList *list, size_t from)
{
    size_t best = from;
    for (size_t i = from + 1; i < list->n_moves; i++)
        if (list->scores[i] > list->scores[best])
            best = i;
    TurfMove move = list->moves[best];
    int      score = list->scores[best], value = list->values[best];
    list->moves[best] = list->moves[from];
    list->scores[best] = list->scores[from];
    list->values[best] = list->values[from];
    list->moves[from] = move;
    list->scores[from] = score;
    list->values[from] = value;
}

static inline void note_killer(AbWorker *worker, int ply, TurfMove move)
{
    TurfMove *killers = worker->killers[ply];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
}

/* Principal variation search: the full window for the first move, a null window for the others,
 * and a re-search if one fails high. */
static inline int search_move(AbWorker *worker, const STATE *child, TurfSide side, int depth,
                              int alpha, int beta, int ply, bool is_first, int evaluation)
{
    if (is_first || beta - alpha <= 1)
        return search_child(worker, child, side, depth, alpha, beta, ply, evaluation);
    int value = search_child(worker, child, side, depth, alpha, alpha + 1, ply, evaluation);
    if (value <= alpha || value >= beta || worker->is_aborted)
        return value;
    return search_child(worker, child, side, depth, alpha, beta, ply, evaluation);
}

/* Late move reductions: the plies by which the i-th move is reduced. */
static inline int reduction(const AbWorker *worker, int depth, size_t i)
{
    if (!worker->is_selective || depth < 3 || i < REDUCE_FROM)
        return 0;
    return i < 3 * REDUCE_FROM || depth < 4 ? 1 : 2;
}

/* The i-th move of a node: to a reduced depth first, and in full only if that fails high. */
static inline int search_ordered(AbWorker *worker, const STATE *child, TurfSide side, int depth,
                                 int alpha, int beta, int ply, size_t i, int evaluation)
{
    int reduced_by = reduction(worker, depth, i), value = AB_INFINITE;
    if (reduced_by)
        value = search_child(worker, child, side, depth - 1 - reduced_by, alpha, alpha + 1, ply,
                             evaluation);
    if (value > alpha)
        value = search_move(worker, child, side, depth - 1, alpha, beta, ply, i == 0, evaluation);
    return value;
}

/* Does the table's entry answer a null window? */
static inline bool is_cutoff(const TtData *tt, int depth, int alpha, int beta)
{
    return tt->depth == depth && ((tt->bound & TT_LOWER && tt->value >= beta) ||
                                  (tt->bound & TT_UPPER && tt->value <= alpha));
}

static inline TtBound bound_of(int best, int alpha, int beta)
{
    if (best >= beta)
        return TT_LOWER;
    return best <= alpha ? TT_UPPER : TT_EXACT;
}

/* Reverse futility pruning: a few plies above the leaves, is the position so good for the side to
 * move that the opponent would have avoided it in any case? Its evaluation is then the value. */
static inline bool is_futile(const AbWorker *worker, const STATE *state, int depth, int beta,
                             int *value)
{
#ifdef FUTILITY_MARGIN
    if (!worker->is_selective || depth > FUTILITY_MAX_DEPTH || beta >= GAME_DECIDED)
        return false;
    if (*value == AB_UNKNOWN)
        *value = MEASURE(worker, state, TO_MOVE(worker, state));
    return *value - FUTILITY_MARGIN * depth >= beta;
#else
    (void)worker, (void)state, (void)depth, (void)beta, (void)value;
    return false;
#endif
}

static int search_node(AbWorker *worker, const STATE *state, int depth, int alpha, int beta,
                       int ply, int evaluation)
{
    bool     is_pv_node = beta - alpha > 1, uses_tt = depth >= TT_MIN_DEPTH;
    uint64_t key = uses_tt ? KEY(worker, state) : 0;
    TtData   tt = {.bound = TT_NONE};
    if (is_pv_node)
        worker->pv_length[ply] = 0;
    if (worker->nodes >= worker->next_poll && ab_should_stop(worker))
        return 0;
    if (uses_tt && tt_probe(worker->table, key, &tt) && !is_pv_node &&
        is_cutoff(&tt, depth, alpha, beta))
        return tt.value;
    if (!is_pv_node && is_futile(worker, state, depth, beta, &evaluation))
        return evaluation;

    TurfSide side = TO_MOVE(worker, state);
    MoveList list;
    list.n_moves = MOVES(worker, state, list.moves);
    bool   is_ordered = depth >= ORDER_MIN_DEPTH;
    size_t first_scored = is_ordered && table_move_to_front(&tt, &list) ? 1 : 0;
    if (!is_ordered)
        killers_to_front(worker, ply, &list);

    const int original_alpha = alpha;
    int       best = -AB_INFINITE;
    TurfMove  best_move = 0;
    for (size_t i = 0; i < list.n_moves && alpha < beta; i++) {
        STATE child;
        if (is_ordered && i == first_scored)
            score_moves(worker, state, side, ply, i, &list);
        if (is_ordered && i >= first_scored)
            pick_best(&list, i);
        COPY(worker, &child, state);
        APPLY(worker, &child, list.moves[i]);
        if (is_pv_node)
            worker->pv_length[ply + 1] = 0;
        int value = search_ordered(worker, &child, side, depth, alpha, beta, ply + 1, i,
                                   is_ordered ? list.values[i] : AB_UNKNOWN);
        if (worker->is_aborted)
            return 0;
        if (value <= best)
            continue;
        best = value;
        best_move = list.moves[i];
        if (value > alpha) {
            alpha = value;
            if (is_pv_node)
                update_pv(worker, ply, best_move);
        }
    }
    if (best >= beta)
        note_killer(worker, ply, best_move);
    if (uses_tt)
        tt_store(worker->table, key,
                 &(TtData){best, depth, bound_of(best, original_alpha, beta), best_move});
    return best;
}

/* The `max` best root values so far, descending (multi-PV). A move below the last of them needs
 * no exact value. */
typedef struct TopValues {
    int    values[AB_MAX_MULTI_PV];
    size_t n, max;
} TopValues;

static void insert_value(TopValues *top, int value)
{
    bool is_full = top->n == top->max;
    if (is_full && value <= top->values[top->max - 1])
        return;
    size_t at = is_full ? top->max - 1 : top->n++;
    for (; at > 0 && top->values[at - 1] < value; at--)
        top->values[at] = top->values[at - 1];
    top->values[at] = value;
}

static void keep_replies(const AbWorker *worker, AbMove *root_move)
{
    int n = worker->pv_length[1] < AB_MAX_REPLIES ? worker->pv_length[1] : AB_MAX_REPLIES;
    root_move->n_replies = (uint8_t)n;
    for (int i = 0; i < n; i++)
        root_move->replies[i] = (uint16_t)worker->pv[1][i];
}

static void search_root(AbWorker *worker, int depth)
{
    const AbPlan *plan = worker->plan;
    STATE         root;
    ROOT(worker, &root);
    TurfSide  side = TO_MOVE(worker, &root);
    TopValues top = {.max = plan->multi_pv};
    TurfMove  best_move = UINT32_MAX;
    for (size_t i = 0; i < worker->n_moves; i++)
        worker->moves[i].is_exact = false;
    for (size_t i = 0; i < worker->n_moves; i++) {
        AbMove *root_move = &worker->moves[i];
        STATE   child;
        COPY(worker, &child, &root);
        APPLY(worker, &child, root_move->move);
        int  alpha = -AB_INFINITE;
        bool is_open = top.n < top.max || (plan->has_watched && root_move->move == plan->watched);
        /* An equal value matters if all best moves are asked for, or if the move precedes the
         * best one in the game's order. */
        if (!is_open)
            alpha = top.values[top.n - 1] - (plan->want_all || root_move->move < best_move);
        worker->pv_length[1] = 0;
        int value = search_move(worker, &child, side, depth - 1, alpha, AB_INFINITE, 1, is_open,
                                AB_UNKNOWN);
        if (worker->is_aborted)
            break;
        root_move->value = value;
        root_move->is_exact = value > alpha;
        if (!root_move->is_exact)
            continue;
        keep_replies(worker, root_move);
        if (top.n == 0 || value > top.values[0] ||
            (value == top.values[0] && root_move->move < best_move)) {
            best_move = root_move->move;
            worker->best_value = value;
            update_pv(worker, 0, best_move);
        }
        insert_value(&top, value);
    }
    worker->context = NULL; /* ROOT may have set it to a local */
    ab_sort_root(worker);
}

/* What MEASURE and VALUE_WHEN_OVER read of a worker. */

typedef struct EvalContext {
    const TurfGame *game;
    const void     *root_state, *context;
    unsigned        without;
    const Network  *network;
} EvalContext;

static int measure(const TurfGame *game, const void *state, TurfSide side, unsigned without,
                   const Network *network)
{
    EvalContext eval = {.game = game, .without = without, .root_state = state, .network = network};
    STATE       root;
    ROOT(&eval, &root);
    return MEASURE(&eval, &root, side);
}

static int value_when_over(const TurfGame *game, const void *state, TurfSide side)
{
    EvalContext eval = {.game = game, .root_state = state};
    STATE       root;
    ROOT(&eval, &root);
    return VALUE_WHEN_OVER(&eval, &root, side);
}

extern const AbGame AB_NAME;
const AbGame        AB_NAME = {
           .how = AB_HOW,
           .unit = AB_UNIT,
           .search_root = search_root,
           .measure = measure,
           .value_when_over = value_when_over,
};
