/* The body of the search, included once for the game table and once for each game where going
 * through the table costs too much.
 *
 *   AB_NAME                 the name of the AbGame that is defined
 *   STATE, MAX_MOVES       the type of a position, and the room for its moves
 *   ROOT(search, state)     the position at the root
 *   COPY APPLY MOVES        the rules
 *   IS_OVER TO_MOVE KEY
 *   MEASURE(search, state, side)          what a position is taken to be worth for a side
 *   VALUE_WHEN_OVER(search, state, side)  what it is worth when the game is over
 *   PROMISE(search, state, side)          something like the measure that orders moves well
 *   REDUCES_FROM                          the first of the moves in order that is looked at less
 * deep, unless the depth is fixed; MAX_MOVES: none is
 *
 * The value of a position is that for the side that moves there. It changes its sign only where the
 * mover changes: a side may well move several times running. */

enum { AB_INFINITE = 32000, TABLE_FROM = 2, ORDER_FROM = 2, KILLER_BONUS = 24 };

typedef struct MoveList {
    TurfMove moves[MAX_MOVES];
    int      promises[MAX_MOVES];
    size_t   n_moves;
} MoveList;

static int value_of(AbWorker *worker, const STATE *state, int depth, int alpha, int beta, int ply);

/* The value of a position for `side`, which has just moved there. */
static inline int value_after(AbWorker *worker, const STATE *child, TurfSide side, int depth,
                              int alpha, int beta, int ply)
{
    worker->nodes++;
    if (IS_OVER(worker, child))
        return VALUE_WHEN_OVER(worker, child, side);
    if (depth == 0)
        return MEASURE(worker, child, side);
    return TO_MOVE(worker, child) == side ? value_of(worker, child, depth, alpha, beta, ply)
                                          : -value_of(worker, child, depth, -beta, -alpha, ply);
}

static void note_line(AbWorker *worker, int ply, TurfMove move)
{
    worker->lines[ply][0] = move;
    memcpy(worker->lines[ply] + 1, worker->lines[ply + 1],
           (size_t)worker->n_line[ply + 1] * sizeof(TurfMove));
    worker->n_line[ply] = worker->n_line[ply + 1] + 1;
}

/* How good the moves look: what the table remembers, then what the position is worth after them,
 * with a little more for what was good elsewhere at this distance from the root. */
static inline void judge_moves(AbWorker *worker, const STATE *state, TurfSide side, int ply,
                               uint32_t remembered, MoveList *list)
{
    const TurfMove *killers = worker->killers[ply];
    for (size_t i = 0; i < list->n_moves; i++) {
        STATE child;
        COPY(worker, &child, state);
        APPLY(worker, &child, list->moves[i]);
        list->promises[i] = IS_OVER(worker, &child) ? VALUE_WHEN_OVER(worker, &child, side)
                                                    : PROMISE(worker, &child, side);
        if (list->moves[i] == killers[0] || list->moves[i] == killers[1])
            list->promises[i] += KILLER_BONUS;
        if (list->moves[i] == remembered)
            list->promises[i] = 2 * AB_INFINITE;
    }
}

/* At the last move before the measure it is quicker to try than to judge; what cut off last comes
 * first. */
static inline void bring_forward(const AbWorker *worker, int ply, MoveList *list)
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

/* Moves the best of those from `from` on to that place: most positions are refuted by one of the
 * first moves. */
static inline void pick(MoveList *list, size_t from)
{
    size_t best = from;
    for (size_t i = from + 1; i < list->n_moves; i++)
        if (list->promises[i] > list->promises[best])
            best = i;
    TurfMove move = list->moves[best];
    int      promise = list->promises[best];
    list->moves[best] = list->moves[from];
    list->promises[best] = list->promises[from];
    list->moves[from] = move;
    list->promises[from] = promise;
}

static inline void note_killer(AbWorker *worker, int ply, TurfMove move)
{
    TurfMove *killers = worker->killers[ply];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
}

/* The first move with the whole window, the others with an empty one that asks only whether they
 * are better. */
static inline int try_move(AbWorker *worker, const STATE *child, TurfSide side, int depth,
                           int alpha, int beta, int ply, bool is_first)
{
    if (is_first || beta - alpha <= 1)
        return value_after(worker, child, side, depth, alpha, beta, ply);
    int value = value_after(worker, child, side, depth, alpha, alpha + 1, ply);
    if (value <= alpha || value >= beta || worker->is_given_up)
        return value;
    return value_after(worker, child, side, depth, alpha, beta, ply);
}

/* How much less deep to look at the i-th move first. */
static inline int reduction(const AbWorker *worker, int depth, size_t i)
{
    if (!worker->is_selective || depth < 3 || i < REDUCES_FROM)
        return 0;
    return i < 3 * REDUCES_FROM || depth < 4 ? 1 : 2;
}

static int value_of(AbWorker *worker, const STATE *state, int depth, int alpha, int beta, int ply)
{
    bool     is_on_line = beta - alpha > 1, has_table = depth >= TABLE_FROM;
    uint64_t key = has_table ? KEY(worker, state) : 0;
    TtNote   note = {.bound = TT_NOTHING};
    if (is_on_line)
        worker->n_line[ply] = 0;
    if (worker->nodes >= worker->next_look && ab_must_give_up(worker))
        return 0;
    if (has_table && tt_find(worker->table, key, &note) && note.depth == depth && !is_on_line) {
        if ((note.bound & TT_AT_LEAST && note.value >= beta) ||
            (note.bound & TT_AT_MOST && note.value <= alpha))
            return note.value;
    }

    TurfSide side = TO_MOVE(worker, state);
    MoveList list;
    list.n_moves = MOVES(worker, state, list.moves);
    bool is_ordered = depth >= ORDER_FROM;
    if (is_ordered)
        judge_moves(worker, state, side, ply, note.bound == TT_NOTHING ? UINT32_MAX : note.move,
                    &list);
    else
        bring_forward(worker, ply, &list);

    int      best = -AB_INFINITE, above = alpha;
    TurfMove best_move = 0;
    for (size_t i = 0; i < list.n_moves && above < beta; i++) {
        STATE child;
        if (is_ordered)
            pick(&list, i);
        COPY(worker, &child, state);
        APPLY(worker, &child, list.moves[i]);
        if (is_on_line)
            worker->n_line[ply + 1] = 0;
        int less = reduction(worker, depth, i);
        int value =
            less ? value_after(worker, &child, side, depth - 1 - less, above, above + 1, ply + 1)
                 : AB_INFINITE;
        if (value > above)
            value = try_move(worker, &child, side, depth - 1, above, beta, ply + 1, i == 0);
        if (worker->is_given_up)
            return 0;
        if (value <= best)
            continue;
        best = value;
        best_move = list.moves[i];
        if (value > above) {
            above = value;
            if (is_on_line)
                note_line(worker, ply, best_move);
        }
    }
    if (best >= beta)
        note_killer(worker, ply, best_move);
    if (has_table) {
        TtBound bound = best >= beta ? TT_AT_LEAST : best <= alpha ? TT_AT_MOST : TT_EXACTLY;
        tt_store(worker->table, key, &(TtNote){best, depth, bound, best_move});
    }
    return best;
}

/* The values that have to be known exactly: the best so many of them. */
typedef struct Floor {
    int    values[AB_MAX_LINES];
    size_t n, n_wanted;
} Floor;

static void raise_floor(Floor *floor, int value)
{
    size_t at = floor->n < floor->n_wanted ? floor->n++ : floor->n_wanted - 1;
    for (; at > 0 && floor->values[at - 1] < value; at--)
        floor->values[at] = floor->values[at - 1];
    floor->values[at] = value;
}

static void search_root(AbWorker *worker, int depth)
{
    const AbPlan *plan = worker->plan;
    STATE         root;
    ROOT(worker, &root);
    TurfSide side = TO_MOVE(worker, &root);
    Floor    floor = {.n_wanted = plan->n_lines};
    TurfMove best_move = UINT32_MAX;
    for (size_t i = 0; i < worker->n_moves; i++)
        worker->moves[i].is_exact = false;
    for (size_t i = 0; i < worker->n_moves; i++) {
        AbMove *tried = &worker->moves[i];
        STATE   child;
        COPY(worker, &child, &root);
        APPLY(worker, &child, tried->move);
        int  alpha = -AB_INFINITE;
        bool is_free = floor.n < floor.n_wanted;
        /* An equal value counts if all the best moves are wanted, or if the move comes first in the
         * game's order. */
        if (!is_free)
            alpha = floor.values[floor.n - 1] - (plan->want_all || tried->move < best_move);
        worker->n_line[1] = 0;
        int value = try_move(worker, &child, side, depth - 1, alpha, AB_INFINITE, 1, is_free);
        if (worker->is_given_up)
            break;
        tried->value = value;
        tried->is_exact = value > alpha;
        if (!tried->is_exact)
            continue;
        if (floor.n == 0 || value > floor.values[0] ||
            (value == floor.values[0] && tried->move < best_move)) {
            best_move = tried->move;
            worker->best_value = value;
            note_line(worker, 0, best_move);
        }
        raise_floor(&floor, value);
    }
    worker->context = NULL; /* it was ours */
    ab_sort_root(worker);
}

/* What the macros want to know, without all the rest. */
typedef struct Sight {
    const TurfGame *game;
    const void     *root_state, *context;
    unsigned        without;
} Sight;

static int measure(const TurfGame *game, const void *state, TurfSide side, unsigned without)
{
    Sight sight = {.game = game, .without = without, .root_state = state};
    STATE root;
    ROOT(&sight, &root);
    return MEASURE(&sight, &root, side);
}

static int value_when_over(const TurfGame *game, const void *state, TurfSide side)
{
    Sight sight = {.game = game, .root_state = state};
    STATE root;
    ROOT(&sight, &root);
    return VALUE_WHEN_OVER(&sight, &root, side);
}

extern const AbGame AB_NAME;
const AbGame        AB_NAME = {
           .how = AB_HOW,
           .unit = AB_UNIT,
           .search_root = search_root,
           .measure = measure,
           .value_when_over = value_when_over,
};
