/* The analyst: marks are what a solver or plain minimax says, and the same every time. */
#include "support.h"

#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"
#include "live/analysis_view.h"
#include "search/alphabeta.h"
#include "search/amoeba_solver.h"
#include "search/squirrel_solver.h"

#include <stdlib.h>
#include <string.h>

static Analyst *analyst_for(const TurfGame *game)
{
    TurfError error;
    Analyst  *analyst = analyst_new(game, &(AnalystLimits){0}, &error);
    if (!analyst)
        fail_msg("%s", error.text);
    return analyst;
}

static TurfMove some_move(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    return game_random_move(game, state, rng);
}

/* A position after so many random moves, or before the end of the game. */
static TurfState some_position(const TurfGame *game, TurfRng *rng, int n_moves)
{
    TurfState state = {{0}}, next;
    TurfError error;
    assert_true(turf_start(game, NULL, rng, &state, &error));
    for (int i = 0; i < n_moves; i++) {
        next = state;
        game->apply(&next, some_move(game, &state, rng));
        if (game->is_over(&next, &(TurfEnding){0}))
            break;
        state = next;
    }
    return state;
}

/* As many random moves as fit. */
static MoveHistory random_game(const TurfGame *game, TurfRng *rng, size_t max)
{
    MoveHistory history;
    TurfState   start = some_position(game, rng, 0);
    history_init(&history, game, &start);
    while (history.n_plies < max && !game->is_over(&history.state, &(TurfEnding){0})) {
        Ply ply = {.side = (int)game->to_move(&history.state),
                   .move = some_move(game, &history.state, rng)};
        assert_true(history_add(&history, &ply, 0));
    }
    return history;
}

static Verdict judge_move(Analyst *analyst, const TurfState *state, TurfMove move,
                          const AnalystLimits *limits, Judgement *before)
{
    TurfState child = *state;
    Judgement after;
    Verdict   verdict;
    analyst_game(analyst)->apply(&child, move);
    assert_true(analyst_judge(analyst, state, &move, limits, NULL, before));
    assert_true(analyst_judge(analyst, &child, NULL, limits, NULL, &after));
    assert_true(verdict_of_move(analyst, state, limits, NULL, before, &after, &verdict));
    return verdict;
}

/* ---- the search ---------------------------------------------------------------------------- */

static void a_watched_move_has_the_value_of_minimax(void **unused)
{
    (void)unused;
    TurfRng  rng = turf_rng(1);
    TtTable  table;
    AbResult result, reply;
    assert_true(tt_init(&table, 1 << 20));
    for (uint64_t i = 0; i < scaled(60); i++) {
        TurfState state = some_position(&war_of_life, &rng, 4), child = state;
        TurfMove  move = some_move(&war_of_life, &state, &rng);
        AbPlan    plan = {
               .depth = 3, .n_threads = 1, .multi_pv = 2, .has_watched = true, .watched = move};
        const AbGame *how = ab_game_for(&war_of_life, &state);
        ab_search(how, &war_of_life, &state, &plan, &table, &result);
        war_of_life.apply(&child, move);
        if (war_of_life.is_over(&child, &(TurfEnding){0}))
            continue;
        plan = (AbPlan){.depth = 2, .n_threads = 1, .multi_pv = 1};
        ab_search(how, &war_of_life, &child, &plan, &table, &reply);
        size_t at = 0;
        while (result.moves[at].move != move)
            at++;
        assert_true(result.moves[at].is_exact);
        assert_int_equal(result.moves[at].value, -reply.value);
    }
    tt_release(&table);
}

static void lines_are_legal_and_the_best_comes_first(void **unused)
{
    (void)unused;
    const AnalystLimits limits = {.nodes = 3000};
    TurfRng             rng = turf_rng(2);
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        if (!analyst_knows(game, &(TurfError){0}))
            continue;
        Analyst *analyst = analyst_for(game);
        for (int i = 0; i < 12; i++) {
            TurfState state = some_position(game, &rng, 2 * i);
            Judgement judgement;
            assert_true(analyst_judge(analyst, &state, NULL, &limits, NULL, &judgement));
            assert_true(judgement.n_lines > 0);
            for (size_t k = 0; k < judgement.n_lines; k++) {
                const AnalystLine *line = &judgement.lines[k];
                TurfState          at = state;
                assert_true(k == 0 || line->value <= judgement.lines[k - 1].value);
                assert_true(line->chance >= 0 && line->chance <= 1);
                for (size_t n = 0; n < line->n_moves; n++) {
                    assert_true(game->is_legal(&at, line->moves[n], NULL));
                    game->apply(&at, line->moves[n]);
                }
            }
        }
        analyst_free(analyst);
    }
}

/* ---- marks --------------------------------------------------------------------------------- */

static Mark mark_by_solver(SwSolver *solver, const SwPosition *position, TurfMove move)
{
    SwState        child = position->board;
    SwSolution     best, played = {.lower = 0};
    SwSolveOptions options = {.skip_pv = true};
    assert_true(sw_solver_solve(solver, &position->values, &position->board, &options, &best));
    sw_apply(&child, (int)move);
    assert_true(sw_solver_solve(solver, &position->values, &child, &options, &played));
    int value = -played.lower;
    if (value == best.lower)
        return MARK_BEST;
    return (value > 0) - (value < 0) == (best.lower > 0) - (best.lower < 0) ? MARK_GOOD
                                                                            : MARK_BLUNDER;
}

static void marks_in_squirrel_war_equal_the_solvers(void **unused)
{
    (void)unused;
    const char         *wanted = getenv("TURF_ANALYSIS_POSITIONS");
    uint64_t            n = wanted ? strtoull(wanted, NULL, 10) : scaled(60);
    int                 n_marks[N_MARKS] = {0};
    TurfRng             rng = turf_rng(3);
    Analyst            *analyst = analyst_for(&squirrel_war);
    SwSolver           *solver = sw_solver_new(1 << 24, 1);
    const AnalystLimits limits = {.nodes = 1000};
    for (uint64_t i = 0; i < n; i++) {
        int       n_moves = SW_SQUARES - ANALYST_EXACT_SQUARES + (int)rng_below(&rng, 12);
        TurfState state = some_position(&squirrel_war, &rng, n_moves);
        TurfMove  move = some_move(&squirrel_war, &state, &rng);
        Judgement before;
        Verdict   verdict = judge_move(analyst, &state, move, &limits, &before);
        assert_true(verdict.is_exact);
        assert_int_equal(verdict.mark, mark_by_solver(solver, (const void *)&state, move));
        n_marks[verdict.mark]++;
    }
    assert_true(n_marks[MARK_BEST] > 0 && n_marks[MARK_GOOD] > 0);
    sw_solver_free(solver);
    analyst_free(analyst);
}

/* The value of a move to the side that makes it; by end=stuck 1 or -1. */
static int amoeba_value(AsSolver *solver, const TurfState *state, const TurfMove *move)
{
    AwState    at;
    AsSolution solution;
    memcpy(&at, state, sizeof at);
    unsigned mover = at.header.to_move;
    if (move)
        aw_apply(&at, *move);
    assert_true(as_solver_solve(solver, &at, &(AsOptions){.skip_line = true}, &solution));
    return at.header.to_move == mover ? solution.lower : -solution.lower;
}

static void amoeba_wars_is_exact_near_the_end_and_equal_to_the_solver(void **unused)
{
    (void)unused;
    static const char *const starts[] = {"4x4", "6x6", "5x5,chains,end=stuck", "3x4,steps=2"};
    const AnalystLimits      limits = {.nodes = 200000};
    TurfRng                  rng = turf_rng(9);
    Analyst                 *analyst = analyst_for(&amoeba_wars);
    AsSolver                *solver = as_solver_new(1 << 22, 1);
    int                      n_exact = 0;
    for (uint64_t i = 0; i < scaled(80); i++) {
        TurfState state = {{0}};
        Judgement judgement;
        assert_true(turf_start(&amoeba_wars, starts[i % 4], &rng, &state, &(TurfError){0}));
        for (uint32_t left = rng_below(&rng, 40); left > 0; left--) {
            TurfState next = state;
            amoeba_wars.apply(&next, some_move(&amoeba_wars, &state, &rng));
            if (amoeba_wars.is_over(&next, &(TurfEnding){0}))
                break;
            state = next;
        }
        TurfMove move = some_move(&amoeba_wars, &state, &rng);
        Verdict  verdict = judge_move(analyst, &state, move, &limits, &judgement);
        if (!judgement.is_exact)
            continue;
        bool is_stuck_lost = i % 4 == 2;
        int  best = amoeba_value(solver, &state, NULL), value = amoeba_value(solver, &state, &move);
        int  won = is_stuck_lost ? GAME_WON : 1;
        assert_int_equal(judgement.lines[0].value, best * won);
        assert_int_equal(judgement.played.value, value * won);
        assert_true(verdict.is_exact);
        assert_int_equal(verdict.mark == MARK_BEST, value == best);
        n_exact++;
    }
    assert_true((uint64_t)n_exact > scaled(80) / 8);
    as_solver_free(solver);
    analyst_free(analyst);
}

static int result_for(const TurfGame *game, const TurfState *state, TurfMover side)
{
    TurfEnding ending;
    if (!game->is_over(state, &ending))
        return 0;
    return turf_reward(game, state, (TurfSide)side);
}

/* War of Life: a move after which one's last piece dies, where another survives. */
static void losing_at_once_is_a_blunder_and_winning_at_once_is_best(void **unused)
{
    (void)unused;
    const AnalystLimits limits = {.nodes = 2000};
    Analyst            *analyst = analyst_for(&war_of_life);
    TurfRng             rng = turf_rng(4);
    int                 n_lost = 0, n_won = 0;
    for (int i = 0; i < 4000 && (n_lost < 3 || n_won < 3); i++) {
        TurfState state = some_position(&war_of_life, &rng, 40);
        TurfMove  moves[TURF_MAX_MOVES];
        size_t    n_moves = war_of_life.moves(&state, moves);
        TurfMover mover = war_of_life.to_move(&state);
        for (size_t m = 0; m < n_moves; m++) {
            TurfState child = state;
            Judgement before;
            war_of_life.apply(&child, moves[m]);
            int result = result_for(&war_of_life, &child, mover);
            if (result == 0 || (result > 0 ? n_won : n_lost) >= 3)
                continue;
            Verdict verdict = judge_move(analyst, &state, moves[m], &limits, &before);
            if (result > 0) {
                assert_int_equal(verdict.mark, MARK_BEST);
                assert_true(verdict.after == 1);
                n_won++;
            } else if (before.lines[0].chance > 0.3) {
                assert_int_equal(verdict.mark, MARK_BLUNDER);
                assert_int_not_equal(before.lines[0].moves[0], moves[m]);
                n_lost++;
            }
            break;
        }
    }
    assert_true(n_lost > 0 && n_won > 0);
    analyst_free(analyst);
}

/* ---- whole games --------------------------------------------------------------------------- */

static char *analysed(const MoveHistory *history, const AnalystLimits *limits)
{
    TurfError error;
    Analysis  analysis;
    Analyst  *analyst = analyst_for(history->game);
    assert_true(analysis_init(&analysis, history, limits, &error));
    json_t *json = json_array();
    while (!analysis_is_done(&analysis))
        assert_true(analysis_step(&analysis, analyst, NULL));
    assert_int_equal(analysis_n_verdicts(&analysis), history->n_plies);
    for (size_t i = 0; i < history->n_plies; i++)
        json_array_append_new(json, analysis_ply_json(&analysis, i));
    json_array_append_new(json, analysis_summary_json(&analysis));
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    analysis_release(&analysis);
    analyst_free(analyst);
    return text;
}

static void a_limit_of_nodes_gives_the_same_analysis_every_time(void **unused)
{
    (void)unused;
    const AnalystLimits limits = {.nodes = 2000};
    TurfRng             rng = turf_rng(5);
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        if (!analyst_knows(game, &(TurfError){0}))
            continue;
        MoveHistory history = random_game(game, &rng, 20);
        char       *once = analysed(&history, &limits), *again = analysed(&history, &limits);
        assert_string_equal(once, again);
        free(once);
        free(again);
        history_release(&history);
    }
}

static void accuracy_is_the_mean_of_what_the_moves_kept(void **unused)
{
    (void)unused;
    const AnalystLimits limits = {.nodes = 2000};
    TurfRng             rng = turf_rng(6);
    TurfError           error;
    Analysis            analysis;
    AnalysisSummary     summary;
    MoveHistory         history = random_game(&amoeba_wars, &rng, 30);
    Analyst            *analyst = analyst_for(&amoeba_wars);
    double              sums[2] = {0};
    int                 n_moves[2] = {0};
    assert_true(analysis_init(&analysis, &history, &limits, &error));
    while (!analysis_is_done(&analysis))
        assert_true(analysis_step(&analysis, analyst, NULL));
    analysis_sum_up(&analysis, &summary);
    for (size_t i = 0; i < history.n_plies; i++) {
        const Verdict *verdict = &analysis.verdicts[i];
        double         kept = 1 - (verdict->best - verdict->after);
        assert_int_equal(verdict->side, history.plies[i].ply.side);
        assert_int_equal(verdict->mark >= MARK_BLUNDER, verdict->loss >= 0.2);
        sums[verdict->side] += kept * kept * kept * kept;
        n_moves[verdict->side]++;
    }
    for (int side = 0; side < 2; side++) {
        assert_int_equal(summary.n_moves[side], n_moves[side]);
        assert_true(summary.accuracy[side] - 100 * sums[side] / n_moves[side] < 1e-9);
        assert_true(summary.accuracy[side] - 100 * sums[side] / n_moves[side] > -1e-9);
    }
    analysis_release(&analysis);
    analyst_free(analyst);
    history_release(&history);
}

static void a_stopped_step_can_be_repeated(void **unused)
{
    (void)unused;
    const AnalystLimits limits = {.nodes = 5000};
    atomic_bool         stop = true;
    TurfRng             rng = turf_rng(7);
    TurfError           error;
    Analysis            analysis;
    MoveHistory         history = random_game(&squirrel_war, &rng, 25);
    Analyst            *analyst = analyst_for(&squirrel_war);
    assert_true(analysis_init(&analysis, &history, &limits, &error));
    assert_false(analysis_step(&analysis, analyst, &stop));
    assert_int_equal(analysis.n_judged, 0);
    assert_true(analysis_step(&analysis, analyst, NULL));
    assert_int_equal(analysis.n_judged, 1);
    analysis_release(&analysis);
    analyst_free(analyst);
    history_release(&history);
}

static void games_with_simultaneous_moves_are_refused(void **unused)
{
    (void)unused;
    TurfError error;
    assert_null(analyst_new(&ai_battleground, &(AnalystLimits){0}, &error));
    assert_int_equal(error.code, TURF_ERROR_INVALID);
    assert_non_null(strstr(error.text, "both sides move at once"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watched_move_has_the_value_of_minimax),
        cmocka_unit_test(lines_are_legal_and_the_best_comes_first),
        cmocka_unit_test(marks_in_squirrel_war_equal_the_solvers),
        cmocka_unit_test(amoeba_wars_is_exact_near_the_end_and_equal_to_the_solver),
        cmocka_unit_test(losing_at_once_is_a_blunder_and_winning_at_once_is_best),
        cmocka_unit_test(a_limit_of_nodes_gives_the_same_analysis_every_time),
        cmocka_unit_test(accuracy_is_the_mean_of_what_the_moves_kept),
        cmocka_unit_test(a_stopped_step_can_be_repeated),
        cmocka_unit_test(games_with_simultaneous_moves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
