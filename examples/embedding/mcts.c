/* Monte Carlo tree search for any game of turf where sides take turns, using only turf.h. It plays
 * Amoeba Wars against turf's own players:
 *
 *     cc mcts.c $(pkg-config --cflags --libs turf) -lm -o mcts && ./mcts */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <turf.h>

enum { N_PLAYOUTS = 300, N_GAMES = 20 };

/* A node knows the side that moved into it, and sums up results for that side. The children of a
 * node stand one after the other. */
typedef struct Node {
    TurfMove move;
    TurfSide side;
    int      n_visits, first_child, n_children;
    double   sum; /* of the rewards: 1 won, 0 drawn, -1 lost */
} Node;

typedef struct Tree {
    const TurfGame *game;
    TurfRng        *rng;
    Node           *nodes;
    int             n_nodes, n_room;
} Tree;

static void check(bool is_ok, const TurfError *error)
{
    if (is_ok)
        return;
    fprintf(stderr, "mcts: %s\n", error->text);
    exit(1);
}

static void expand(Tree *tree, int at, const TurfState *state)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = turf_moves(tree->game, state, moves);
    while (tree->n_nodes + (int)n_moves > tree->n_room)
        tree->nodes = realloc(tree->nodes, (size_t)(tree->n_room *= 2) * sizeof(Node));
    if (!tree->nodes)
        exit(1);
    tree->nodes[at].first_child = tree->n_nodes;
    tree->nodes[at].n_children = (int)n_moves;
    for (size_t i = 0; i < n_moves; i++)
        tree->nodes[tree->n_nodes++] =
            (Node){.move = moves[i], .side = (TurfSide)turf_to_move(tree->game, state)};
}

/* UCT: the child with the highest average, plus a bonus if it was seldom tried. */
static int select_child(const Tree *tree, int at)
{
    const Node *node = &tree->nodes[at];
    double      highest = -INFINITY;
    int         best = node->first_child;
    for (int i = node->first_child; i < node->first_child + node->n_children; i++) {
        const Node *child = &tree->nodes[i];
        double      score = INFINITY;
        if (child->n_visits > 0)
            score = child->sum / child->n_visits +
                    sqrt(2 * log(node->n_visits + 1.0) / child->n_visits);
        if (score > highest)
            highest = score, best = i;
    }
    return best;
}

/* One playout: down the tree, one more level, a random game, and back up. */
static void play_out(Tree *tree, const TurfState *root)
{
    TurfState state = *root;
    TurfError error;
    TurfMove  move;
    int       path[512], n_path = 0, at = 0;
    for (path[n_path++] = at; !turf_is_over(tree->game, &state, NULL); path[n_path++] = at) {
        if (tree->nodes[at].n_children == 0)
            expand(tree, at, &state);
        at = select_child(tree, at);
        check(turf_play(tree->game, &state, tree->nodes[at].move, &error), &error);
        if (tree->nodes[at].n_visits == 0) {
            path[n_path++] = at;
            break;
        }
    }
    while (turf_random_move(tree->game, &state, tree->rng, &move, NULL))
        check(turf_play(tree->game, &state, move, &error), &error);
    for (int i = 0; i < n_path; i++) {
        Node *node = &tree->nodes[path[i]];
        node->n_visits++;
        node->sum += turf_reward(tree->game, &state, node->side);
    }
}

/* The player: it is called from several threads at once, so each call has a tree of its own. */
static TurfMove choose(void *context, const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    Tree tree = {.game = game, .rng = rng, .n_nodes = 1, .n_room = 4096};
    int  most = 0;
    (void)context;
    tree.nodes = calloc((size_t)tree.n_room, sizeof(Node));
    if (!tree.nodes)
        exit(1);
    for (int i = 0; i < N_PLAYOUTS; i++)
        play_out(&tree, state);
    for (int i = 1; i <= tree.nodes[0].n_children; i++)
        if (tree.nodes[i].n_visits > tree.nodes[most ? most : 1].n_visits || !most)
            most = i;
    TurfMove move = tree.nodes[most].move;
    free(tree.nodes);
    return move;
}

int main(void)
{
    static const char *const rivals[] = {"random", "land-grab"};
    TurfError                error;
    const TurfGame          *game = turf_game_find("amoeba-wars", &error);
    TurfPlayer *mine = game ? turf_player_custom(game, "mcts", choose, NULL, &error) : NULL;
    check(mine, &error);
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        TurfPlayer    *rival = turf_player_open(game, rivals[i], &error);
        TurfPairing    pairing = {{mine, rival}, N_GAMES, true};
        TurfRunOptions options = {.seed = 1, .start = "5x5"};
        TurfTotals     totals;
        check(rival && turf_run(game, &pairing, 1, &options, &totals, &error), &error);
        printf("mcts won %d and lost %d of %d games against %s\n",
               (int)totals.endings[TURF_WON_BY_FIRST], (int)totals.endings[TURF_WON_BY_SECOND],
               (int)totals.n_games, turf_player_name(rival));
        turf_player_free(rival);
    }
    turf_player_free(mine);
    return 0;
}
