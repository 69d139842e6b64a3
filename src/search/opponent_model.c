/* Bayesian opponent model, and swindles by beam search against predicted replies. */
#include "search/opponent_model.h"

#include "base/clock.h"
#include "search/lookahead.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- inference ---------------------------------------------------------------------------- */

/* SLIP_RATE: how often a predictable opponent deviates from its kind. CHANCE_HIT_RATE: how often an
 * unpredictable one plays what a kind would play; 0.36 to 0.49 for strong searches. */
#define SLIP_RATE 0.05
#define CHANCE_HIT_RATE 0.4

void opponent_reset(OpponentModel *opponent)
{
    opponent->has_position = false;
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        opponent->belief[kind] = kind == 0 ? 0.5 : 0.5 / MAX_OPPONENT_DEPTH;
}

/* The moves of an opponent of a given depth. */
static size_t predict(const TurfGame *game, const void *state, int depth, bool want_all,
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

/* The probability that an opponent of this kind plays that move. */
static double likelihood(const TurfGame *game, const void *before, int kind, TurfMove played)
{
    TurfMove moves[TURF_MAX_MOVES];
    if (kind == 0)
        return CHANCE_HIT_RATE;
    double n_moves = (double)game->moves(before, moves);
    size_t n_predicted = predict(game, before, kind, true, moves), i = 0;
    while (i < n_predicted && moves[i] != played)
        i++;
    return SLIP_RATE / n_moves + (i < n_predicted ? (1 - SLIP_RATE) / (double)n_predicted : 0);
}

void opponent_observe(OpponentModel *opponent, const TurfGame *game, const void *state)
{
    TurfMove played =
        opponent->has_position ? find_move(game, &opponent->position, state) : UINT32_MAX;
    double sum = 0;
    if (played == UINT32_MAX) {
        opponent_reset(opponent);
        return;
    }
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        sum += opponent->belief[kind] *= likelihood(game, &opponent->position, kind, played);
    for (int kind = 0; kind < N_OPPONENT_KINDS; kind++)
        opponent->belief[kind] /= sum;
}

void opponent_note_move(OpponentModel *opponent, const TurfGame *game, const void *state,
                        TurfMove move)
{
    TurfEnding ending;
    memcpy(&opponent->position, state, game->state_size);
    game->apply(&opponent->position, move);
    opponent->has_position = !game->is_over(&opponent->position, &ending);
}

int opponent_depth(const OpponentModel *opponent)
{
    int likeliest = 1;
    for (int kind = 2; kind < N_OPPONENT_KINDS; kind++)
        if (opponent->belief[kind] > opponent->belief[likeliest])
            likeliest = kind;
    return opponent->belief[likeliest] > 0.5 ? likeliest : 0;
}

/* ---- swindles ----------------------------------------------------------------------------- */

/* With known replies the rest of the game is a single-agent search. Beam search, to the end of the
 * game each time, with the beam width doubled until the limits are reached. */
enum { MAX_BEAM_WIDTH = 512 };

/* The cost of a prediction by depth, in units of that at depth 2. */
static const uint64_t cost_of_reply[N_OPPONENT_KINDS] = {0, 1, 1, 4, 16};

/* A move of the player and the predicted reply. */
typedef struct Exchange {
    TurfMove move, reply;
    TurfMove first; /* the move at the root that led here */
    uint32_t from;  /* index of the position it was made in */
    int      value;
    bool     is_over;
    uint64_t hash;
} Exchange;

typedef struct Search {
    const TurfGame    *game;
    const SwindlePlan *plan;
    TurfSide           side;
    uint64_t           n_predicted;
    unsigned char     *states[2];              /* the beam, and the next one */
    TurfMove           firsts[MAX_BEAM_WIDTH]; /* root moves that led to them */
    size_t             n_states, max_exchanges;
    Exchange          *exchanges;
} Search;

static void *state_at(const Search *search, int which, size_t i)
{
    return search->states[which] + i * search->game->state_size;
}

static bool must_stop(const Search *search)
{
    const SwindlePlan *plan = search->plan;
    return (plan->n_replies && search->n_predicted >= plan->n_replies) ||
           (plan->deadline_ns && clock_ns() >= plan->deadline_ns) ||
           (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed));
}

static int evaluate(const Search *search, const void *state, bool is_over)
{
    const TurfGame *game = search->game;
    if (!is_over)
        return search->plan->measure(game, state, search->side, search->plan->without, NULL);
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
        predict(game, &after, search->plan->opponent_depth, false, replies);
        search->n_predicted += cost_of_reply[search->plan->opponent_depth];
        tried.reply = replies[0];
        game->apply(&after, tried.reply);
        tried.is_over = game->is_over(&after, &ending);
    }
    tried.value = evaluate(search, &after, tried.is_over);
    tried.hash = game->hash(&after);
    return tried;
}

/* Descending by value, ties by order of generation. */
static int by_value(const void *a, const void *b)
{
    const Exchange *one = a, *two = b;
    if (one->value != two->value)
        return one->value < two->value ? 1 : -1;
    if (one->from != two->from)
        return one->from > two->from ? 1 : -1;
    return (one->move > two->move) - (one->move < two->move);
}

/* Expands every position of the beam. Finished games update `best`. False if stopped. */
static bool try_all(Search *search, bool is_root, Swindle *best, size_t *n_tried)
{
    TurfMove moves[TURF_MAX_MOVES];
    *n_tried = 0;
    for (size_t s = 0; s < search->n_states; s++) {
        const void *state = state_at(search, 0, s);
        size_t      n_moves = search->game->moves(state, moves);
        for (size_t i = 0; i < n_moves && *n_tried < search->max_exchanges; i++) {
            if (must_stop(search))
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

/* Makes the best `width` distinct exchanges the next beam. */
static void keep_best(Search *search, size_t n_tried, size_t width)
{
    uint64_t kept[MAX_BEAM_WIDTH];
    size_t   n_kept = 0;
    TurfMove firsts[MAX_BEAM_WIDTH];
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

/* One beam search to the end of the game. */
static void beam_search(Search *search, const void *root, size_t width, Swindle *best)
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
    search.max_exchanges = MAX_BEAM_WIDTH * game->moves(state, moves);
    search.states[0] = malloc(MAX_BEAM_WIDTH * game->state_size);
    search.states[1] = malloc(MAX_BEAM_WIDTH * game->state_size);
    search.exchanges = malloc(search.max_exchanges * sizeof *search.exchanges);
    /* If out of memory there is no swindle. */
    bool has_room = search.states[0] && search.states[1] && search.exchanges;
    for (size_t width = 1; has_room && width <= MAX_BEAM_WIDTH && !must_stop(&search); width *= 2)
        beam_search(&search, state, width, &best);
    free(search.states[0]);
    free(search.states[1]);
    free(search.exchanges);
    return best;
}
