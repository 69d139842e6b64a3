#include "search/cell_search.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Looking further is worse, because the opponent does not keep still meanwhile; what is sooner
 * counts more. Found by matches: see docs/strength-battleground.md. */
enum { N_STEPS = 7, FIRST_WEIGHT = 1000, PERCENT_KEPT = 80, END_TURNS = 5 };

enum { NODES_BETWEEN_CLOCKS = 32, CELLS_PER_NODE = 64 };

typedef struct Candidate {
    int16_t   row, col;
    bool      is_chosen;
    int64_t   gain;
    Footprint footprint; /* in all worlds together */
} Candidate;

/* One guess, and what becomes of the position then. */
typedef struct World {
    int32_t    trust;
    BgSet      enemies; /* the cells that the guess places */
    Projection projection;
} World;

struct CellSearch {
    const ProjectionKernel *kernel;
    const BgState          *state;
    const CellSearchLimits *limits;
    int64_t                 n_nodes, clock_at_node;
    bool                    is_out; /* of time */
    TurfSide                side;   /* for which cells are being chosen now */
    size_t                  n_worlds, n_candidates;
    World                   worlds[N_GUESSES];
    Candidate               candidates[TURF_MAX_CELLS];
};

CellSearch *cell_search_new(void)
{
    CellSearch *cell_search = malloc(sizeof *cell_search);
    if (cell_search)
        cell_search->kernel = projection_kernel();
    return cell_search;
}

void cell_search_free(CellSearch *cell_search) { free(cell_search); }

/* ---- limits ------------------------------------------------------------------------------- */

static bool is_out(CellSearch *cell_search)
{
    const CellSearchLimits *limits = cell_search->limits;
    if (cell_search->is_out || cell_search->n_nodes >= limits->n_nodes)
        return cell_search->is_out = true;
    if (cell_search->n_nodes < cell_search->clock_at_node)
        return false;
    cell_search->clock_at_node = cell_search->n_nodes + NODES_BETWEEN_CLOCKS;
    bool is_late = limits->deadline_ns && clock_ns() >= limits->deadline_ns;
    cell_search->is_out =
        is_late || (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed));
    return cell_search->is_out;
}

/* ---- worlds ------------------------------------------------------------------------------- */

static int turns_left(const BgState *state)
{
    return state->config.max_game_iterations - state->iteration;
}

/* Steps beyond the end of the game count for nothing, and just before it only the end does. */
static void set_weights(Projection *projection, const BgState *state)
{
    int     n_left = turns_left(state);
    bool    is_end_all = n_left <= END_TURNS && state->config.scoring == BG_LAST_TURN;
    int32_t weight = FIRST_WEIGHT;
    projection->n_steps = n_left < N_STEPS ? n_left : N_STEPS;
    for (int step = 1; step <= projection->n_steps; step++) {
        projection->weights[step] = is_end_all && step < n_left ? 0 : weight;
        weight = weight * PERCENT_KEPT / 100;
    }
}

/* A world in which the other side, seen from the one that chooses, places these cells. */
static void add_world(CellSearch *cell_search, const CellList *guess, int32_t trust)
{
    World   *world = &cell_search->worlds[cell_search->n_worlds++];
    BgState  state = *cell_search->state;
    TurfSide enemy = (TurfSide)!cell_search->side;
    world->trust = trust;
    memset(&world->enemies, 0, sizeof world->enemies);
    for (size_t i = 0; i < guess->n_cells; i++) {
        bg_add(&world->enemies, guess->cells[i].row, guess->cells[i].col);
        bg_add(&state.cells[enemy], guess->cells[i].row, guess->cells[i].col);
    }
    set_weights(&world->projection, &state);
    projection_begin(cell_search->kernel, &world->projection, &state);
}

/* A cell that the enemy picks too stays dead. (Where the config gives it to player 2 this is a
 * little wrong.) */
static TurfSide flipped_side(const CellSearch *cell_search, const World *world,
                             const Candidate *candidate)
{
    bool is_collision = bg_has(&world->enemies, candidate->row, candidate->col);
    return is_collision ? (TurfSide)!cell_search->side : cell_search->side;
}

static void widen(Footprint *footprint, const Footprint *by)
{
    footprint->n_above = by->n_above > footprint->n_above ? by->n_above : footprint->n_above;
    footprint->n_below = by->n_below > footprint->n_below ? by->n_below : footprint->n_below;
    for (int stripe = 0; stripe < BG_MAX_STRIPES; stripe++)
        footprint->cols[stripe] |= by->cols[stripe];
}

/* What a candidate is worth to the side that chooses; for one that is chosen, what taking it back
 * is worth. */
static void try_out(CellSearch *cell_search, Candidate *candidate)
{
    int64_t gain = 0;
    candidate->footprint = (Footprint){0};
    for (size_t i = 0; i < cell_search->n_worlds; i++) {
        const World *world = &cell_search->worlds[i];
        Footprint    footprint;
        gain += world->trust * cell_search->kernel->gain(
                                   &world->projection, flipped_side(cell_search, world, candidate),
                                   candidate->row, candidate->col, &footprint);
        widen(&candidate->footprint, &footprint);
        cell_search->n_nodes++;
    }
    candidate->gain = cell_search->side == TURF_FIRST ? gain : -gain;
}

static void flip(CellSearch *cell_search, Candidate *candidate)
{
    candidate->is_chosen = !candidate->is_chosen;
    for (size_t i = 0; i < cell_search->n_worlds; i++) {
        World *world = &cell_search->worlds[i];
        projection_flip(cell_search->kernel, &world->projection,
                        flipped_side(cell_search, world, candidate), candidate->row,
                        candidate->col);
    }
}

/* ---- choosing ----------------------------------------------------------------------------- */

static void begin_choosing(CellSearch *cell_search, TurfSide side)
{
    const BgConfig *config = &cell_search->state->config;
    BgSet           reach;
    bg_reach(cell_search->state, side, &reach);
    cell_search->side = side;
    cell_search->n_worlds = cell_search->n_candidates = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
            for (uint64_t left = reach.stripes[stripe][row]; left; left = bits_rest(left))
                cell_search->candidates[cell_search->n_candidates++] =
                    (Candidate){.row = (int16_t)row,
                                .col = (int16_t)(BG_STRIPE_COLS * stripe + bits_lowest(left))};
}

/* Tries out again what a flip may have changed; all candidates if there was none yet. Returns the
 * best that is worth more than `least`, the first of equals; NULL if there is none, or no time. */
static Candidate *find_best(CellSearch *cell_search, const Candidate *flipped, int64_t min)
{
    Candidate *best = NULL;
    cell_search->n_nodes += (int64_t)cell_search->n_candidates / CELLS_PER_NODE;
    for (size_t i = 0; i < cell_search->n_candidates; i++) {
        Candidate *candidate = &cell_search->candidates[i];
        if (candidate->is_chosen)
            continue;
        if (!flipped ||
            projection_touches(&cell_search->state->config, candidate->row, &candidate->footprint,
                               flipped->row, &flipped->footprint)) {
            if (is_out(cell_search))
                return NULL;
            try_out(cell_search, candidate);
        }
        if (candidate->gain > (best ? best->gain : min))
            best = candidate;
    }
    return best;
}

static size_t affordable(const CellSearch *cell_search)
{
    int32_t remaining = cell_search->state->remaining[cell_search->side];
    return remaining > CELL_SEARCH_MAX_CELLS ? CELL_SEARCH_MAX_CELLS
           : remaining > 0                   ? (size_t)remaining
                                             : 0;
}

/* One cell after the other, each the best, as long as it is worth anything. Keeping cells for
 * later, even for the last turn, which nobody can answer, does worse: what lives sooner grows. */
static size_t choose_greedily(CellSearch *cell_search, Candidate **chosen)
{
    size_t     n_chosen = 0, max = affordable(cell_search);
    Candidate *last = NULL;
    while (n_chosen < max && (last = find_best(cell_search, last, 0))) {
        flip(cell_search, last);
        chosen[n_chosen++] = last;
    }
    return n_chosen;
}

/* Takes one cell after the other back and puts the best in its place, until each is the best beside
 * the others. What is chosen is good at any time, so nothing is lost when time runs out. */
static void settle(CellSearch *cell_search, Candidate **chosen, size_t n_chosen)
{
    size_t n_settled = 0;
    for (size_t i = 0; n_settled < n_chosen && !is_out(cell_search); i = (i + 1) % n_chosen) {
        Candidate *old = chosen[i];
        flip(cell_search, old);
        try_out(cell_search, old);
        Candidate *best = find_best(cell_search, old, INT64_MIN);
        chosen[i] = best ? best : old;
        n_settled = chosen[i] == old ? n_settled + 1 : 1;
        flip(cell_search, chosen[i]);
        find_best(cell_search, chosen[i],
                  INT64_MIN); /* for the gains, which are those of now again */
    }
}

static void write_list(Candidate *const *chosen, size_t n_chosen, CellList *list)
{
    list->n_cells = n_chosen;
    for (size_t i = 0; i < n_chosen; i++)
        list->cells[i] = (TurfCell){chosen[i]->row, chosen[i]->col};
}

/* What is best for a side if the other one does as guessed. */
static void answer(CellSearch *cell_search, TurfSide side, const CellList *guess, CellList *list)
{
    Candidate *chosen[CELL_SEARCH_MAX_CELLS];
    begin_choosing(cell_search, side);
    add_world(cell_search, guess, 1);
    write_list(chosen, choose_greedily(cell_search, chosen), list);
}

/* The opponent's cells by every guess; the choice is ours if it does nothing. */
static void guess_all(CellSearch *cell_search, TurfSide side, CellSearchResult *result)
{
    TurfSide enemy = (TurfSide)!side;
    CellList ours, *guesses = result->guesses;
    answer(cell_search, enemy, &guesses[GUESS_NOTHING], &guesses[GUESS_PLAIN]);
    answer(cell_search, enemy, &result->choice, &guesses[GUESS_ANSWER]);
    answer(cell_search, side, &guesses[GUESS_PLAIN], &ours);
    answer(cell_search, enemy, &ours, &guesses[GUESS_SECOND_ANSWER]);
}

static bool is_same_list(const CellList *list, const CellList *other)
{
    return list->n_cells == other->n_cells &&
           !memcmp(list->cells, other->cells, list->n_cells * sizeof *list->cells);
}

/* Adds the world of a guess; guesses that come to the same share one. */
static void believe(CellSearch *cell_search, const CellList *guesses, int guess,
                    const int32_t trust[N_GUESSES])
{
    int32_t all_trust = 0;
    for (int other = 0; other < N_GUESSES; other++) {
        bool is_same = is_same_list(&guesses[guess], &guesses[other]);
        if (is_same && other < guess)
            return;
        all_trust += is_same ? trust[other] : 0;
    }
    if (all_trust > 0)
        add_world(cell_search, &guesses[guess], all_trust);
}

/* Chooses again, against all guesses. */
static void weigh_guesses(CellSearch *cell_search, TurfSide side, const int32_t trust[N_GUESSES],
                          CellSearchResult *result)
{
    Candidate *chosen[CELL_SEARCH_MAX_CELLS];
    guess_all(cell_search, side, result);
    begin_choosing(cell_search, side);
    for (int guess = 0; guess < N_GUESSES; guess++)
        believe(cell_search, result->guesses, guess, trust);
    size_t n_chosen = choose_greedily(cell_search, chosen);
    if (!is_out(
            cell_search)) { /* half a choice is worse than the whole one that was made on the way */
        settle(cell_search, chosen, n_chosen);
        write_list(chosen, n_chosen, &result->choice);
    }
}

void cell_search_choose(CellSearch *cell_search, const BgState *state, TurfSide side,
                        const int32_t trust[N_GUESSES], const CellSearchLimits *limits,
                        CellSearchResult *result)
{
    cell_search->state = state;
    cell_search->limits = limits;
    cell_search->n_nodes = cell_search->clock_at_node = 0;
    cell_search->is_out = false;
    for (int guess = 0; guess < N_GUESSES; guess++)
        result->guesses[guess].n_cells = 0;
    answer(cell_search, side, &result->guesses[GUESS_NOTHING], &result->choice);
    if (bg_live(state, (TurfSide)!side) > 0) /* who has no cells can place none any more */
        weigh_guesses(cell_search, side, trust, result);
    result->n_nodes = cell_search->n_nodes;
}
