#include "search/opponent_model.h"

#include "base/clock.h"
#include "search/lookahead.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding the rival out ---------------------------------------------------------------- */

/* A kind of rival plays otherwise than foretold in so many cases; and one that cannot be foretold
 * hits so often on what a kind would play, because moves that look good often are: strong searches
 * do in 0.36 to 0.49. */
#define SLIPS 0.05
#define CHANCE_HITS 0.4

void opponent_reset(OpponentModel *opponent)
{
    opponent->has_left = false;
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        opponent->belief[kind] = kind == 0 ? 0.5 : 0.5 / MAX_OPPONENT_DEPTH;
}

static size_t foretell(const TurfGame *game, const void *state, int depth, bool want_all,
                       TurfMove *replies)
{
    Lookahead plan = {.own_weight = 1, .opponent_weight = -1, .depth = depth};
    return lookahead_for(game)(game, state, &plan, want_all, replies).n_best;
}

/* The move that leads from one position to another; UINT32_MAX if there is none. */
static TurfMove find_move(const TurfGame *game, const void *before, const void *after)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->moves(before, moves);
    for (size_t i = 0; i < n_moves; i++) {
        TurfState child;
        memcpy(&child, before, game->state_size);
        game->apply(&child, moves[i]);
        if (!memcmp(&child, after, game->state_size))
            return moves[i];
    }
    return UINT32_MAX;
}

/* How likely a rival of this kind was to play that. */
static double likelihood(const TurfGame *game, const void *before, int kind, TurfMove played)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (kind == 0)
        return CHANCE_HITS;
    double n_moves = (double)game->moves(before, moves);
    size_t n_foretold = foretell(game, before, kind, true, moves), i = 0;
    while (i < n_foretold && moves[i] != played)
        i++;
    return SLIPS / n_moves + (i < n_foretold ? (1 - SLIPS) / (double)n_foretold : 0);
}

void opponent_observe(OpponentModel *opponent, const TurfGame *game, const void *state)
{
    TurfMove played = opponent->has_left ? find_move(game, &opponent->left, state) : UINT32_MAX;
    double   sum = 0;
    if (played == UINT32_MAX) {
        opponent_reset(opponent);
        return;
    }
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        sum += opponent->belief[kind] *= likelihood(game, &opponent->left, kind, played);
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        opponent->belief[kind] /= sum;
}

void opponent_note_move(OpponentModel *opponent, const TurfGame *game, const void *state,
                        TurfMove move)
{
    TurfEnding ending;
    memcpy(&opponent->left, state, game->state_size);
    game->apply(&opponent->left, move);
    opponent->has_left = !game->is_over(&opponent->left, &ending);
}

int opponent_depth(const OpponentModel *opponent)
{
    int likeliest = 1;
    for (int kind = 2; kind < N_OPPONENT_KINDS; kind++)
        if (opponent->belief[kind] > opponent->belief[likeliest])
            likeliest = kind;
    return opponent->belief[likeliest] > 0.5 ? likeliest : 0;
}

/* ---- making use of it --------------------------------------------------------------------- */

/* Against replies that are known the rest of the game is a path to be found: from each move to the
 * next only the most promising positions are kept, first one, then ever more of them, and each time
 * to the end of the game. */
enum { WIDEST = 512 };

/* What it takes to foretell a reply from so many moves ahead, beside one from two. */
static const uint64_t cost_of_reply[N_OPPONENT_KINDS] = {0, 1, 1, 4, 16};

/* A move of the player with the reply to it. */
typedef struct Exchange {
    TurfMove move, reply;
    TurfMove first; /* the move at the root that led here */
    uint32_t from;  /* the number of the position before */
    int      value;
    bool     is_over;
    uint64_t hash;
} Exchange;

typedef struct Search {
    const TurfGame    *game;
    const SwindlePlan *plan;
    TurfSide           side;
    uint64_t           n_foretold;
    unsigned char     *states[2]; /* the positions that were kept, and room for the next ones */
    TurfMove           firsts[WIDEST]; /* the moves at the root that led to them */
    size_t             n_states, max_exchanges;
    Exchange          *exchanges;
} Search;

static void *state_at(const Search *search, int which, size_t i)
{
    return search->states[which] + i * search->game->state_size;
}

static bool must_give_up(const Search *search)
{
    const SwindlePlan *plan = search->plan;
    return (plan->n_replies && search->n_foretold >= plan->n_replies) ||
           (plan->deadline_ns && clock_ns() >= plan->deadline_ns) ||
           (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed));
}

static int worth(const Search *search, const void *state, bool is_over)
{
    const TurfGame *game = search->game;
    if (!is_over)
        return search->plan->measure(game, state, search->side, search->plan->without);
    return search->plan->unit *
           (game->own(state, search->side) - game->own(state, (TurfSide)!search->side));
}

static Exchange exchange(Search *search, const void *state, TurfMove move)
{
    const TurfGame *game = search->game;
    Exchange        tried = {.move = move};
    TurfState       after;
    TurfMove        replies[TURF_MAX_MOVES];
    TurfEnding      ending;
    memcpy(&after, state, game->state_size);
    game->apply(&after, move);
    tried.is_over = game->is_over(&after, &ending);
    if (!tried.is_over) {
        foretell(game, &after, search->plan->opponent_depth, false, replies);
        search->n_foretold += cost_of_reply[search->plan->opponent_depth];
        tried.reply = replies[0];
        game->apply(&after, tried.reply);
        tried.is_over = game->is_over(&after, &ending);
    }
    tried.value = worth(search, &after, tried.is_over);
    tried.hash = game->hash(&after);
    return tried;
}

/* The better first, and of equal ones that which comes first. */
static int by_value(const void *a, const void *b)
{
    const Exchange *one = a, *two = b;
    if (one->value != two->value)
        return one->value < two->value ? 1 : -1;
    if (one->from != two->from)
        return one->from > two->from ? 1 : -1;
    return (one->move > two->move) - (one->move < two->move);
}

/* Tries every move in every position that was kept. Paths that end are compared with the best so
 * far. */
static bool try_all(Search *search, bool is_root, Swindle *best, size_t *n_tried)
{
    TurfMove moves[TURF_MAX_MOVES];
    *n_tried = 0;
    for (size_t s = 0; s < search->n_states; s++) {
        const void *state = state_at(search, 0, s);
        size_t      n_moves = search->game->moves(state, moves);
        for (size_t i = 0; i < n_moves && *n_tried < search->max_exchanges; i++) {
            if (must_give_up(search))
                return false;
            Exchange tried = exchange(search, state, moves[i]);
            tried.from = (uint32_t)s;
            tried.first = is_root ? moves[i] : search->firsts[s];
            if (!tried.is_over)
                search->exchanges[(*n_tried)++] = tried;
            else if (!best->is_found || tried.value > best->hope)
                *best = (Swindle){.is_found = true, .move = tried.first, .hope = tried.value};
        }
    }
    return true;
}

/* Keeps the best; of several ways to the same position, one. */
static void keep_best(Search *search, size_t n_tried, size_t width)
{
    uint64_t kept[WIDEST];
    size_t   n_kept = 0;
    TurfMove firsts[WIDEST];
    qsort(search->exchanges, n_tried, sizeof *search->exchanges, by_value);
    for (size_t i = 0; i < n_tried && n_kept < width; i++) {
        const Exchange *tried = &search->exchanges[i];
        size_t          same = 0;
        while (same < n_kept && kept[same] != tried->hash)
            same++;
        if (same < n_kept)
            continue;
        void *state = state_at(search, 1, n_kept);
        memcpy(state, state_at(search, 0, tried->from), search->game->state_size);
        search->game->apply(state, tried->move);
        search->game->apply(state, tried->reply);
        firsts[n_kept] = tried->first;
        kept[n_kept++] = tried->hash;
    }
    memcpy(search->firsts, firsts, n_kept * sizeof *firsts);
    search->n_states = n_kept;
    unsigned char *swap = search->states[0];
    search->states[0] = search->states[1];
    search->states[1] = swap;
}

/* One search to the end of the game, so many positions wide. */
static void follow(Search *search, const void *root, size_t width, Swindle *best)
{
    size_t n_tried = 0;
    memcpy(state_at(search, 0, 0), root, search->game->state_size);
    search->n_states = 1;
    for (bool is_root = true; search->n_states > 0; is_root = false) {
        if (!try_all(search, is_root, best, &n_tried))
            return;
        keep_best(search, n_tried, width);
    }
}

Swindle opponent_swindle(const TurfGame *game, const void *state, const SwindlePlan *plan)
{
    TurfMove moves[TURF_MAX_MOVES];
    Swindle  best = {0};
    Search   search = {.game = game, .plan = plan, .side = (TurfSide)game->to_move(state)};
    search.max_exchanges = WIDEST * game->moves(state, moves);
    search.states[0] = malloc(WIDEST * game->state_size);
    search.states[1] = malloc(WIDEST * game->state_size);
    search.exchanges = malloc(search.max_exchanges * sizeof *search.exchanges);
    /* Without the memory there is just no swindle. */
    bool has_room = search.states[0] && search.states[1] && search.exchanges;
    for (size_t width = 1; has_room && width <= WIDEST && !must_give_up(&search); width *= 2)
        follow(&search, state, width, &best);
    free(search.states[0]);
    free(search.states[1]);
    free(search.exchanges);
    return best;
}
