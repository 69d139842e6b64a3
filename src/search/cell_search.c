/* Greedy choice of cells followed by local search, over several scenarios at once.
 *
 * A candidate's gain is kept until a flipped cell's footprint touches its own; only then is it
 * evaluated again (see projection.h). Invariant: at any time the chosen cells are a legal choice,
 * so the search can stop anywhere. */
#include "search/cell_search.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* The horizon and the discount per step, tuned by matches (docs/strength-battleground.md). A longer
 * horizon is worse, because the opponent does not stand still meanwhile. */
enum { N_STEPS = 7, FIRST_WEIGHT = 1000, DECAY_PERCENT = 80, END_TURNS = 5 };

enum { POLL_NODES = 32, CELLS_PER_NODE = 64 };

typedef struct Candidate {
    int16_t   row, col;
    bool      is_chosen;
    int64_t   gain;
    Footprint footprint; /* the union over all scenarios */
} Candidate;

/* One prediction of the opponent's cells, and the projection of the board it leads to. */
typedef struct Scenario {
    int32_t    weight;
    BgSet      enemies; /* the predicted cells */
    Projection projection;
} Scenario;

struct CellSearch {
    const ProjectionKernel *kernel;
    const BgState          *state;
    const CellSearchLimits *limits;
    int64_t                 n_nodes, next_poll;
    bool                    is_out_of_time; /* or out of nodes */
    TurfSide                side;           /* the side that is choosing */
    size_t                  n_scenarios, n_candidates;
    Scenario                scenarios[N_GUESSES];
    Candidate               candidates[TURF_MAX_CELLS];
};

CellSearch *cell_search_new(void)
{
    CellSearch *search = malloc(sizeof *search);
    if (search)
        search->kernel = projection_kernel();
    return search;
}

void cell_search_free(CellSearch *search) { free(search); }

/* ---- limits ------------------------------------------------------------------------------- */

static bool is_out_of_time(CellSearch *search)
{
    const CellSearchLimits *limits = search->limits;
    if (search->is_out_of_time || search->n_nodes >= limits->n_nodes)
        return search->is_out_of_time = true;
    if (search->n_nodes < search->next_poll)
        return false;
    search->next_poll = search->n_nodes + POLL_NODES;
    bool is_late = limits->deadline_ns && clock_ns() >= limits->deadline_ns;
    search->is_out_of_time =
        is_late || (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed));
    return search->is_out_of_time;
}

/* ---- scenarios ---------------------------------------------------------------------------- */

static int turns_left(const BgState *state)
{
    return state->config.max_game_iterations - state->iteration;
}

/* Discounts the steps. None count beyond the end of the game; close to it, if the last turn
 * decides, only that one does. */
static void set_weights(Projection *projection, const BgState *state)
{
    int     n_left = turns_left(state);
    bool    only_end_counts = n_left <= END_TURNS && state->config.scoring == BG_LAST_TURN;
    int32_t weight = FIRST_WEIGHT;
    projection->n_steps = n_left < N_STEPS ? n_left : N_STEPS;
    for (int step = 1; step <= projection->n_steps; step++) {
        projection->weights[step] = only_end_counts && step < n_left ? 0 : weight;
        weight = weight * DECAY_PERCENT / 100;
    }
}

/* Adds the scenario in which the other side places these cells. */
static void add_scenario(CellSearch *search, const CellList *guess, int32_t weight)
{
    Scenario *scenario = &search->scenarios[search->n_scenarios++];
    BgState   state = *search->state;
    TurfSide  enemy = (TurfSide)!search->side;
    scenario->weight = weight;
    memset(&scenario->enemies, 0, sizeof scenario->enemies);
    for (size_t i = 0; i < guess->n_cells; i++) {
        bg_add(&scenario->enemies, guess->cells[i].row, guess->cells[i].col);
        bg_add(&state.cells[enemy], guess->cells[i].row, guess->cells[i].col);
    }
    set_weights(&scenario->projection, &state);
    projection_begin(search->kernel, &scenario->projection, &state);
}

/* A cell that both sides pick stays dead, which is modelled by taking the enemy's away. (Not exact
 * where the config gives such cells to player 2.) */
static TurfSide flipped_side(const CellSearch *search, const Scenario *scenario,
                             const Candidate *candidate)
{
    bool is_collision = bg_has(&scenario->enemies, candidate->row, candidate->col);
    return is_collision ? (TurfSide)!search->side : search->side;
}

static void merge_footprint(Footprint *footprint, const Footprint *by)
{
    footprint->n_above = by->n_above > footprint->n_above ? by->n_above : footprint->n_above;
    footprint->n_below = by->n_below > footprint->n_below ? by->n_below : footprint->n_below;
    for (int stripe = 0; stripe < BG_MAX_STRIPES; stripe++)
        footprint->cols[stripe] |= by->cols[stripe];
}

/* Computes a candidate's gain for the choosing side: of placing it, or of removing it if it is
 * already chosen. */
static void evaluate(CellSearch *search, Candidate *candidate)
{
    int64_t gain = 0;
    candidate->footprint = (Footprint){0};
    for (size_t i = 0; i < search->n_scenarios; i++) {
        const Scenario *scenario = &search->scenarios[i];
        Footprint       footprint;
        gain += scenario->weight * search->kernel->gain(&scenario->projection,
                                                        flipped_side(search, scenario, candidate),
                                                        candidate->row, candidate->col, &footprint);
        merge_footprint(&candidate->footprint, &footprint);
        search->n_nodes++;
    }
    candidate->gain = search->side == TURF_FIRST ? gain : -gain;
}

static void flip(CellSearch *search, Candidate *candidate)
{
    candidate->is_chosen = !candidate->is_chosen;
    for (size_t i = 0; i < search->n_scenarios; i++) {
        Scenario *scenario = &search->scenarios[i];
        projection_flip(search->kernel, &scenario->projection,
                        flipped_side(search, scenario, candidate), candidate->row, candidate->col);
    }
}

/* ---- choosing ----------------------------------------------------------------------------- */

static void begin_choosing(CellSearch *search, TurfSide side)
{
    const BgConfig *config = &search->state->config;
    BgSet           reach;
    bg_reach(search->state, side, &reach);
    search->side = side;
    search->n_scenarios = search->n_candidates = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
            for (uint64_t left = reach.stripes[stripe][row]; left; left = bits_rest(left))
                search->candidates[search->n_candidates++] =
                    (Candidate){.row = (int16_t)row,
                                .col = (int16_t)(BG_STRIPE_COLS * stripe + bits_lowest(left))};
}

/* Returns the candidate with the largest gain above `min`, the first of equals; NULL if there is
 * none or time is up. Evaluates those that the flip may have changed, or all if flipped is NULL. */
static Candidate *find_best(CellSearch *search, const Candidate *flipped, int64_t min)
{
    Candidate *best = NULL;
    search->n_nodes += (int64_t)search->n_candidates / CELLS_PER_NODE;
    for (size_t i = 0; i < search->n_candidates; i++) {
        Candidate *candidate = &search->candidates[i];
        if (candidate->is_chosen)
            continue;
        if (!flipped ||
            projection_touches(&search->state->config, candidate->row, &candidate->footprint,
                               flipped->row, &flipped->footprint)) {
            if (is_out_of_time(search))
                return NULL;
            evaluate(search, candidate);
        }
        if (candidate->gain > (best ? best->gain : min))
            best = candidate;
    }
    return best;
}

static size_t max_cells(const CellSearch *search)
{
    int32_t remaining = search->state->remaining[search->side];
    if (remaining <= 0)
        return 0;
    return remaining > CELL_SEARCH_MAX_CELLS ? CELL_SEARCH_MAX_CELLS : (size_t)remaining;
}

/* Places the best cell again and again while it gains anything. Saving cells for later turns was
 * tried and is worse, even for the last turn, which has no reply: cells placed earlier grow. */
static size_t choose_greedily(CellSearch *search, Candidate **chosen)
{
    size_t     n_chosen = 0, max = max_cells(search);
    Candidate *last = NULL;
    while (n_chosen < max && (last = find_best(search, last, 0))) {
        flip(search, last);
        chosen[n_chosen++] = last;
    }
    return n_chosen;
}

/* Local search (coordinate ascent): removes one cell at a time and replaces it by the best one,
 * until no replacement improves the choice or time is up. */
static void improve_choice(CellSearch *search, Candidate **chosen, size_t n_chosen)
{
    size_t n_unchanged = 0;
    for (size_t i = 0; n_unchanged < n_chosen && !is_out_of_time(search); i = (i + 1) % n_chosen) {
        Candidate *old = chosen[i];
        flip(search, old);
        evaluate(search, old);
        Candidate *best = find_best(search, old, INT64_MIN);
        chosen[i] = best ? best : old;
        n_unchanged = chosen[i] == old ? n_unchanged + 1 : 1;
        flip(search, chosen[i]);
        find_best(search, chosen[i], INT64_MIN); /* brings all gains up to date */
    }
}

static void write_list(Candidate *const *chosen, size_t n_chosen, CellList *list)
{
    list->n_cells = n_chosen;
    for (size_t i = 0; i < n_chosen; i++)
        list->cells[i] = (TurfCell){chosen[i]->row, chosen[i]->col};
}

/* The greedy choice of a side against one guess. */
static void best_response(CellSearch *search, TurfSide side, const CellList *guess, CellList *list)
{
    Candidate *chosen[CELL_SEARCH_MAX_CELLS];
    begin_choosing(search, side);
    add_scenario(search, guess, 1);
    write_list(chosen, choose_greedily(search, chosen), list);
}

/* Fills in all guesses. result->choice holds our best response to GUESS_NOTHING. */
static void predict_opponent(CellSearch *search, TurfSide side, CellSearchResult *result)
{
    TurfSide enemy = (TurfSide)!side;
    CellList ours, *guesses = result->guesses;
    best_response(search, enemy, &guesses[GUESS_NOTHING], &guesses[GUESS_PLAIN]);
    best_response(search, enemy, &result->choice, &guesses[GUESS_ANSWER]);
    best_response(search, side, &guesses[GUESS_PLAIN], &ours);
    best_response(search, enemy, &ours, &guesses[GUESS_SECOND_ANSWER]);
}

static bool is_same_list(const CellList *list, const CellList *other)
{
    return list->n_cells == other->n_cells &&
           !memcmp(list->cells, other->cells, list->n_cells * sizeof *list->cells);
}

/* Adds the scenario of a guess; equal guesses share one, with the sum of their weights. */
static void add_guess(CellSearch *search, const CellList *guesses, int guess,
                      const int32_t weights[N_GUESSES])
{
    int32_t weight_sum = 0;
    for (int other = 0; other < N_GUESSES; other++) {
        bool is_same = is_same_list(&guesses[guess], &guesses[other]);
        if (is_same && other < guess)
            return;
        weight_sum += is_same ? weights[other] : 0;
    }
    if (weight_sum > 0)
        add_scenario(search, &guesses[guess], weight_sum);
}

/* Chooses anew against all guesses. If time runs out before the greedy choice is complete, the
 * first choice, against GUESS_NOTHING, stays. */
static void choose_against_guesses(CellSearch *search, TurfSide side,
                                   const int32_t weights[N_GUESSES], CellSearchResult *result)
{
    Candidate *chosen[CELL_SEARCH_MAX_CELLS];
    predict_opponent(search, side, result);
    begin_choosing(search, side);
    for (int guess = 0; guess < N_GUESSES; guess++)
        add_guess(search, result->guesses, guess, weights);
    size_t n_chosen = choose_greedily(search, chosen);
    if (!is_out_of_time(search)) {
        improve_choice(search, chosen, n_chosen);
        write_list(chosen, n_chosen, &result->choice);
    }
}

void cell_search_choose(CellSearch *search, const BgState *state, TurfSide side,
                        const int32_t weights[N_GUESSES], const CellSearchLimits *limits,
                        CellSearchResult *result)
{
    search->state = state;
    search->limits = limits;
    search->n_nodes = search->next_poll = 0;
    search->is_out_of_time = false;
    for (int guess = 0; guess < N_GUESSES; guess++)
        result->guesses[guess].n_cells = 0;
    best_response(search, side, &result->guesses[GUESS_NOTHING], &result->choice);
    if (bg_live(state, (TurfSide)!side) > 0) /* otherwise it cannot place any */
        choose_against_guesses(search, side, weights, result);
    result->n_nodes = search->n_nodes;
}
