/* The analyst judges by the alpha-beta search with the networks, as the strongest players do, and
 * solves SquirrelWar and Amoeba Wars near the end. All moves of a position are compared in one
 * search, to the same depth: searches of two positions are not comparable to a few percent. */
#include "live/analyst.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/amoeba_wars.h"
#include "search/alphabeta.h"
#include "search/amoeba_solver.h"
#include "search/squirrel_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 8 << 20, SOLVER_BYTES = 8 << 20, AMOEBA_SOLVER_BYTES = 1 << 20 };

struct Analyst {
    const TurfGame *game;
    TtTable         table;
    SwSolver       *solver;        /* SquirrelWar only */
    AsSolver       *amoeba_solver; /* Amoeba Wars only */
    AbResult        found;
};

bool analyst_knows(const TurfGame *game, TurfError *why_not)
{
    if (!game_is_simultaneous(game))
        return true;
    return error_invalid(why_not,
                         "%s cannot be analysed: both sides move at once, so a move is good or bad "
                         "only together with the other side's; 'turf replay' shows the game",
                         game->title);
}

static int exact_squares(const TurfGame *game, const AnalystLimits *limits);

Analyst *analyst_new(const TurfGame *game, const AnalystLimits *limits, TurfError *error)
{
    if (!analyst_knows(game, error))
        return NULL;
    Analyst *analyst = calloc(1, sizeof *analyst);
    bool     is_good = analyst && tt_init(&analyst->table, TABLE_BYTES);
    if (is_good && game == &squirrel_war) {
        int n_more = exact_squares(game, limits) - ANALYST_EXACT_SQUARES;
        analyst->solver = sw_solver_new((size_t)SOLVER_BYTES << n_more, 1);
        is_good = analyst->solver != NULL;
    }
    if (is_good && game == &amoeba_wars) {
        analyst->amoeba_solver = as_solver_new(AMOEBA_SOLVER_BYTES, 1);
        is_good = analyst->amoeba_solver != NULL;
    }
    if (!is_good) {
        analyst_free(analyst);
        error_no_memory(error);
        return NULL;
    }
    analyst->game = game;
    return analyst;
}

void analyst_free(Analyst *analyst)
{
    if (!analyst)
        return;
    tt_release(&analyst->table);
    sw_solver_free(analyst->solver);
    as_solver_free(analyst->amoeba_solver);
    free(analyst);
}

const TurfGame *analyst_game(const Analyst *analyst) { return analyst->game; }

/* ---- chances ------------------------------------------------------------------------------ */

/* The chance of winning with a lead. A lead that tells wins 85 games in 100 between good players;
 * docs/analysis.md has how that was measured. Only exact operations, so that it is the same on
 * every machine. */
static double chance_of_lead(double lead, double telling)
{
    return 0.5 + 0.5 * lead / sqrt(lead * lead + telling * telling);
}

static double chance_of_sign(int value) { return 0.5 * (1 + (value > 0) - (value < 0)); }

static double telling_lead(const TurfGame *game, const TurfState *state)
{
    enum { DEFAULT_TELLING_LEAD = 8 };
    return game->telling_lead ? (double)game->telling_lead(state) / GAME_UNIT
                              : DEFAULT_TELLING_LEAD;
}

bool judgement_is_decided(const Judgement *judgement, const AnalystLine *line)
{
    return judgement->is_exact || line->value >= GAME_DECIDED || line->value <= -GAME_DECIDED;
}

void judgement_prove(AnalystLine *line, int result)
{
    line->value = result > 0 ? GAME_WON : -GAME_WON;
    line->chance = chance_of_sign(result);
}

static void set_value(const Judgement *judgement, AnalystLine *line, int value, double telling)
{
    line->value = value;
    if (judgement_is_decided(judgement, line))
        line->chance = chance_of_sign(value);
    else
        line->chance = chance_of_lead((double)value / judgement->unit, telling);
}

void judgement_settle(Judgement *judgement)
{
    AnalystLine *lines = judgement->lines;
    for (size_t i = 1; i < judgement->n_lines; i++) {
        AnalystLine moved = lines[i];
        size_t      at = i;
        for (; at > 0 && moved.value > lines[at - 1].value; at--)
            lines[at] = lines[at - 1];
        lines[at] = moved;
    }
    int sign = judgement->mover == TURF_MOVER_FIRST ? 1 : -1;
    judgement->chance = sign > 0 ? lines[0].chance : 1 - lines[0].chance;
    judgement->lead = sign * (double)lines[0].value / judgement->unit;
}

/* ---- by search ---------------------------------------------------------------------------- */

static void take_line(Judgement *judgement, AnalystLine *line, const AbMove *found, double telling)
{
    line->moves[0] = found->move;
    line->n_moves = 1;
    for (size_t i = 0; i < found->n_replies && line->n_moves < ANALYST_LINE_MOVES; i++)
        line->moves[line->n_moves++] = found->replies[i];
    set_value(judgement, line, found->value, telling);
}

static const AbGame *instance_for(const TurfGame *game, const TurfState *state)
{
    const AbGame *by_network = ab_game_with_network(game, state);
    return by_network ? by_network : ab_game_for(game, state);
}

static bool judge_by_search(Analyst *analyst, const TurfState *state, const TurfMove *played,
                            const AnalystLimits *limits, const atomic_bool *stop,
                            Judgement *judgement)
{
    const TurfGame *game = analyst->game;
    AbResult       *found = &analyst->found;
    const AbGame   *how = instance_for(game, state);
    double          telling = telling_lead(game, state);
    AbPlan          plan = {.nodes = limits->nodes,
                            .stop = stop,
                            .n_threads = 1,
                            .network = network_default(game),
                            .multi_pv = ANALYST_LINES,
                            .has_watched = played != NULL,
                            .watched = played ? *played : 0};
    if (limits->time_ms)
        plan.deadline_ns = clock_ns() + limits->time_ms * 1000000;
    else if (!limits->nodes)
        plan.nodes = ANALYST_DEFAULT_NODES;
    ab_search(how, game, state, &plan, &analyst->table, found);
    if (stop && atomic_load(stop))
        return false;
    judgement->unit = how->unit;
    judgement->depth = found->depth;
    judgement->nodes = found->nodes;
    for (size_t i = 0; i < found->n_moves && found->moves[i].is_exact; i++) {
        if (judgement->n_lines < ANALYST_LINES)
            take_line(judgement, &judgement->lines[judgement->n_lines++], &found->moves[i],
                      telling);
        if (played && found->moves[i].move == *played)
            take_line(judgement, &judgement->played, &found->moves[i], telling);
    }
    return true;
}

TurfMove analyst_best_to_depth(Analyst *analyst, const TurfState *state, int depth)
{
    const TurfGame *game = analyst->game;
    const AbGame   *how = instance_for(game, state);
    AbPlan plan = {.depth = depth, .n_threads = 1, .network = network_default(game), .multi_pv = 1};
    ab_search(how, game, state, &plan, &analyst->table, &analyst->found);
    return analyst->found.moves[0].move;
}

/* ---- SquirrelWar, solved ------------------------------------------------------------------ */

/* On 5x5. */
static int exact_squares(const TurfGame *game, const AnalystLimits *limits)
{
    /* Each square more takes about 2.3 times as long. */
    int64_t  ms = 200;
    uint64_t nodes = 1000000;
    int      n_squares = ANALYST_EXACT_SQUARES;
    if (game != &squirrel_war)
        return 0;
    while (n_squares < ANALYST_MAX_EXACT_SQUARES &&
           (limits->time_ms ? limits->time_ms >= ms : limits->nodes >= nodes)) {
        n_squares++;
        ms = ms * 23 / 10;
        nodes = nodes * 23 / 10;
    }
    return n_squares;
}

int analyst_exact_squares(const TurfGame *game, const TurfState *start, const AnalystLimits *limits)
{
    bool is_solved = game == &squirrel_war && sw_is_five((const void *)start);
    return is_solved ? exact_squares(game, limits) : 0;
}

/* A line from a solved position on, after its first move. */
static bool take_solved(SwSolver *solver, const SwPosition *position, int square, AnalystLine *line,
                        const SwSolveOptions *options)
{
    SwState    child = position->board;
    SwSolution solution = {.pv_length = 0};
    sw_apply(&child, square);
    line->moves[0] = (TurfMove)square;
    line->n_moves = 1;
    if (sw_empty(&child) && !sw_solver_solve(solver, &position->values, &child, options, &solution))
        return false;
    for (int i = 0; i < solution.pv_length && line->n_moves < ANALYST_LINE_MOVES; i++)
        line->moves[line->n_moves++] = (TurfMove)solution.pv[i];
    return true;
}

typedef struct SolvedMove {
    int square, value;
} SolvedMove;

static int by_value(const void *a, const void *b)
{
    const SolvedMove *one = a, *two = b;
    if (one->value != two->value)
        return two->value - one->value;
    return one->square - two->square;
}

/* The value of every move, by proof, the best first. */
static bool solve_moves(SwSolver *solver, const SwPosition *position, SwSolveOptions *options,
                        SolvedMove *moves, size_t *n_moves, uint64_t *nodes)
{
    SwSolution solution;
    *n_moves = 0;
    for (uint32_t left = sw_empty(&position->board); left; left &= left - 1) {
        SwState child = position->board;
        sw_apply(&child, sw_lowest(left));
        if (!sw_solver_solve(solver, &position->values, &child, options, &solution))
            return false;
        *nodes += solution.nodes;
        moves[(*n_moves)++] = (SolvedMove){sw_lowest(left), -solution.lower};
    }
    qsort(moves, *n_moves, sizeof *moves, by_value);
    return true;
}

static bool judge_by_proof(Analyst *analyst, const SwPosition *position, const TurfMove *played,
                           const atomic_bool *stop, Judgement *judgement)
{
    SwSolveOptions options = {.stop = stop, .skip_pv = true};
    SwSolution     solution;
    SolvedMove     moves[SW_SQUARES];
    size_t         n_moves;
    judgement->is_exact = true;
    judgement->unit = 1;
    judgement->depth = sw_count(sw_empty(&position->board));
    /* First the position itself, so that the table serves all that follow from it. */
    if (!sw_solver_solve(analyst->solver, &position->values, &position->board, &options,
                         &solution) ||
        !solve_moves(analyst->solver, position, &options, moves, &n_moves, &judgement->nodes))
        return false;
    judgement->nodes += solution.nodes;
    options.skip_pv = false;
    for (size_t i = 0; i < n_moves; i++) {
        bool         is_played = played && moves[i].square == (int)*played;
        AnalystLine *line = NULL;
        if (judgement->n_lines < ANALYST_LINES)
            line = &judgement->lines[judgement->n_lines++];
        else if (is_played)
            line = &judgement->played;
        if (!line)
            continue;
        set_value(judgement, line, moves[i].value, 0);
        if (!take_solved(analyst->solver, position, moves[i].square, line, &options))
            return false;
        if (is_played)
            judgement->played = *line;
    }
    return true;
}

/* ---- Amoeba Wars, solved ------------------------------------------------------------------- */

/* How many open cells are worth an attempt: each takes about twice as long. */
static int amoeba_reach(const AnalystLimits *limits)
{
    enum { NODES = 20000, MS = 10 };
    int      n_open = 10;
    uint64_t nodes = limits->nodes ? limits->nodes : ANALYST_DEFAULT_NODES;
    uint64_t times = limits->time_ms ? (uint64_t)limits->time_ms / MS : nodes / NODES;
    for (; times > 1; times /= 2)
        n_open++;
    return n_open;
}

/* Solves the position after a move, whose line it becomes. */
static bool solve_line(AsSolver *solver, const AwState *state, TurfMove move,
                       const AsOptions *options, AnalystLine *line, uint64_t *nodes)
{
    AwState    child = *state;
    AsSolution solution;
    AsOptions  rest = *options;
    aw_apply(&child, move);
    if (options->nodes && *nodes >= options->nodes)
        return false;
    rest.nodes -= options->nodes ? *nodes : 0;
    if (!as_solver_solve(solver, &child, &rest, &solution))
        return false;
    *nodes += solution.nodes;
    *line = (AnalystLine){.moves = {move}, .n_moves = 1};
    for (int i = 0; i < solution.line_length && line->n_moves < ANALYST_LINE_MOVES; i++)
        line->moves[line->n_moves++] = solution.line[i];
    line->value = child.header.to_move == state->header.to_move ? solution.lower : -solution.lower;
    if (state->header.rules & AW_STUCK)
        line->value = line->value > 0 ? GAME_WON : -GAME_WON;
    return true;
}

/* Puts a line among the best. */
static void insert_line(Judgement *judgement, const AnalystLine *line)
{
    size_t at = judgement->n_lines;
    while (at > 0 && judgement->lines[at - 1].value < line->value)
        at--;
    if (at == ANALYST_LINES)
        return;
    judgement->n_lines += judgement->n_lines < ANALYST_LINES;
    for (size_t i = judgement->n_lines - 1; i > at; i--)
        judgement->lines[i] = judgement->lines[i - 1];
    judgement->lines[at] = *line;
}

/* All moves by proof, if that takes no more than a search would; else the judgement is as it was.
 * The table is empty at first, so that nothing but the position decides. */
static bool judge_amoeba_by_proof(Analyst *analyst, const AwState *state, const TurfMove *played,
                                  const AnalystLimits *limits, const atomic_bool *stop,
                                  Judgement *judgement)
{
    Judgement exact = *judgement;
    TurfMove  moves[TURF_MAX_MOVES];
    AsOptions options = {.stop = stop, .nodes = limits->nodes};
    if (!aw_is_small(state) || as_n_open(state) > amoeba_reach(limits))
        return false;
    if (limits->time_ms)
        options.deadline_ns = clock_ns() + limits->time_ms * 1000000 / 2;
    else if (!limits->nodes)
        options.nodes = ANALYST_DEFAULT_NODES;
    as_solver_forget(analyst->amoeba_solver);
    exact.is_exact = true;
    exact.depth = as_n_open(state);
    size_t n_moves = amoeba_wars.moves(state, moves);
    for (size_t i = 0; i < n_moves; i++) {
        AnalystLine line;
        if (!solve_line(analyst->amoeba_solver, state, moves[i], &options, &line, &exact.nodes))
            return false;
        line.chance = chance_of_sign(line.value);
        insert_line(&exact, &line);
        if (played && moves[i] == *played)
            exact.played = line;
    }
    *judgement = exact;
    return true;
}

/* ---- any position ------------------------------------------------------------------------- */

static void judge_end(const TurfGame *game, const TurfState *state, TurfEnding ending,
                      Judgement *judgement)
{
    int result = (ending == TURF_WON_BY_FIRST) - (ending == TURF_WON_BY_SECOND);
    judgement->mover = TURF_MOVER_NONE;
    judgement->is_exact = true;
    judgement->chance = chance_of_sign(result);
    judgement->lead = game->own(state, TURF_FIRST) - game->own(state, TURF_SECOND);
}

bool analyst_judge(Analyst *analyst, const TurfState *state, const TurfMove *played,
                   const AnalystLimits *limits, const atomic_bool *stop, Judgement *judgement)
{
    const TurfGame *game = analyst->game;
    TurfEnding      ending;
    *judgement = (Judgement){.unit = 1};
    if (game->is_over(state, &ending)) {
        judge_end(game, state, ending, judgement);
        return true;
    }
    judgement->mover = game->to_move(state);
    const SwPosition *position = (const void *)state;
    int               n_exact = analyst_exact_squares(game, state, limits);
    bool              is_good;
    if (game == &amoeba_wars &&
        judge_amoeba_by_proof(analyst, (const void *)state, played, limits, stop, judgement))
        is_good = true;
    else if (n_exact > 0 && sw_count(sw_empty(&position->board)) <= n_exact)
        is_good = judge_by_proof(analyst, position, played, stop, judgement);
    else
        is_good = judge_by_search(analyst, state, played, limits, stop, judgement);
    if (is_good)
        judgement_settle(judgement);
    return is_good;
}
