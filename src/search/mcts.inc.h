/* The body of the Monte Carlo tree search, included after the macros that alphabeta.inc.h
 * describes, and
 *
 *   MCTS_NAME                       the MctsGame to define
 *   RANDOM_MOVE(search, state, rng) any legal move
 *   PLAYOUT_MOVES                   length of a playout, at the end of which the measure counts
 *   MCTS_SCALE                      the measure that stands for a winning chance of 3/4
 *   MCTS_MINIMAX_WEIGHT             weight of the minimax value against the playouts
 *   MCTS_EXPLORATION                the exploration constant of UCT */

enum { MCTS_MAX_PATH = 128 };

/* The measure as a winning chance between 0 and 1. */
static inline float chance_of(int value)
{
    return 0.5F + 0.5F * (float)value / (float)((value < 0 ? -value : value) + MCTS_SCALE);
}

/* Won, drawn or lost. */
static inline float chance_when_over(int value)
{
    if (value == 0)
        return 0.5F;
    return value > 0 ? 1.0F : 0.0F;
}

/* A playout: the chance that `side` wins. */
static float play_out(MctsSearch *search, STATE *state, TurfSide side)
{
    for (int i = 0; i < PLAYOUT_MOVES && !IS_OVER(search, state); i++)
        APPLY(search, state, RANDOM_MOVE(search, state, &search->rng));
    return IS_OVER(search, state) ? chance_when_over(VALUE_WHEN_OVER(search, state, side))
                                  : chance_of(MEASURE(search, state, side));
}

/* Implicit minimax backup: the best child's value, as seen by the side that moved to `node`. */
static void update_minimax(MctsTree *tree, MctsNode *node)
{
    const MctsNode *child = &tree->nodes[node->first_child];
    float           best = 0;
    for (int i = 0; i < node->n_children; i++)
        best = child[i].minimax > best ? child[i].minimax : best;
    node->minimax = child->side == node->side ? best : 1 - best;
}

/* Adds the children of a node with their static evaluations; false if the pool is full. */
static bool expand(MctsSearch *search, const STATE *state, MctsNode *node)
{
    MctsTree *tree = search->tree;
    TurfMove  moves[MAX_MOVES];
    size_t    n_moves = MOVES(search, state, moves);
    TurfSide  side = TO_MOVE(search, state);
    if (tree->n_nodes + n_moves > tree->max_nodes)
        return false;
    node->first_child = tree->n_nodes;
    node->n_children = (uint16_t)n_moves;
    tree->n_nodes += (uint32_t)n_moves;
    for (size_t i = 0; i < n_moves; i++) {
        MctsNode *child = &tree->nodes[node->first_child + i];
        STATE     after;
        COPY(search, &after, state);
        APPLY(search, &after, moves[i]);
        bool is_over = IS_OVER(search, &after);
        *child = (MctsNode){.move = (uint16_t)moves[i], .side = (uint8_t)side, .is_over = is_over};
        child->minimax = is_over ? chance_when_over(VALUE_WHEN_OVER(search, &after, side))
                                 : chance_of(MEASURE(search, &after, side));
    }
    update_minimax(tree, node);
    return true;
}

/* UCT selection. An unvisited child counts by its static evaluation, so that the search need not
 * try every move once. */
static MctsNode *select_child(MctsTree *tree, const MctsNode *node)
{
    MctsNode *child = &tree->nodes[node->first_child], *best = child;
    float highest = -1, exploration = MCTS_EXPLORATION * sqrtf(logf((float)node->n_visits + 1.0F));
    for (int i = 0; i < node->n_children; i++) {
        float n = (float)child[i].n_visits;
        float worth = child[i].n_visits && !child[i].is_over
                          ? (1 - MCTS_MINIMAX_WEIGHT) * child[i].sum / n +
                                MCTS_MINIMAX_WEIGHT * child[i].minimax
                          : child[i].minimax;
        float score = worth + exploration / sqrtf(n + 1.0F);
        if (score > highest) {
            highest = score;
            best = &child[i];
        }
    }
    return best;
}

/* Selection, expansion, playout and backpropagation. A leaf is expanded on its second visit. */
static void simulate_once(MctsSearch *search, const STATE *root)
{
    MctsTree *tree = search->tree;
    MctsNode *path[MCTS_MAX_PATH + 1] = {&tree->nodes[1]}, *node = path[0];
    int       n_path = 1;
    STATE     state;
    COPY(search, &state, root);
    while (!node->is_over && n_path < MCTS_MAX_PATH) {
        bool is_new = node->first_child == 0;
        if (is_new && ((node->n_visits == 0 && n_path > 1) || !expand(search, &state, node)))
            break;
        node = select_child(tree, node);
        APPLY(search, &state, node->move);
        path[n_path++] = node;
    }
    TurfSide side = (TurfSide)node->side;
    float    chance = node->is_over ? node->minimax : play_out(search, &state, side);
    while (n_path-- > 0) {
        node = path[n_path];
        node->n_visits++;
        node->sum += node->side == side ? chance : 1 - chance;
        if (node->first_child)
            update_minimax(tree, node);
    }
}

static void simulate(MctsSearch *search, uint64_t n_sims)
{
    STATE root;
    ROOT(search, &root);
    for (uint64_t i = 0; i < n_sims; i++)
        simulate_once(search, &root);
    search->context = NULL; /* ROOT may have set it to a local */
}

extern const MctsGame MCTS_NAME;
const MctsGame        MCTS_NAME = {.how = AB_HOW, .simulate = simulate};
