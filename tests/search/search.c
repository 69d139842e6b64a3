/* The searches: fixed depths against plain minimax, limits, tables, threads, trees, levels. */
#include "support.h"

#include "base/clock.h"
#include "games/amoeba_wars.h"
#include "games/squirrel_war.h"
#include "players/budget.h"
#include "players/player.h"
#include "search/alphabeta.h"
#include "search/mcts.h"
#include "search/squirrel_solver.h"

#include <string.h>

typedef struct Case {
    const TurfGame *game;
    const char     *start;
    uint32_t        max_moves; /* maximum number of random moves before the search */
    int             deepest;
    uint64_t        n_positions;
} Case;

static const Case cases[] = {
    {&war_of_life, NULL, 10, 2, 2000},  {&war_of_life, NULL, 10, 3, 12},
    {&amoeba_wars, "3x3", 14, 4, 1000}, {&amoeba_wars, "4x4", 20, 4, 800},
    {&amoeba_wars, NULL, 70, 3, 300},   {&amoeba_wars, "9x9", 80, 2, 100},
    {&squirrel_war, NULL, 22, 2, 2000}, {&squirrel_war, NULL, 22, 4, 40},
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

/* A position of a random game that is not over. */
static TurfState reach(const Case *c, uint64_t number)
{
    TurfState  position = {{0}};
    TurfEnding ending;
    TurfMove   moves[TURF_MAX_MOVES];
    TurfRng    rng = rng_stream((uint64_t)(c - cases), number);
    do {
        assert_true(turf_start(c->game, c->start, &rng, &position, NULL));
        for (uint32_t k = rng_below(&rng, c->max_moves);
             k > 0 && !c->game->is_over(&position, &ending); k--) {
            size_t n_moves = c->game->moves(&position, moves);
            c->game->apply(&position, moves[rng_below(&rng, (uint32_t)n_moves)]);
        }
    } while (c->game->is_over(&position, &ending));
    return position;
}

/* Reference minimax: no cut-offs, windows or sign changes. */
static int plain_value(const AbGame *how, const TurfGame *game, const TurfState *state,
                       TurfSide side, int depth)
{
    TurfEnding ending;
    TurfMove   moves[TURF_MAX_MOVES];
    if (game->is_over(state, &ending))
        return how->value_when_over(game, state, side);
    if (depth == 0)
        return how->measure(game, state, side, 0, NULL);
    size_t n_moves = game->moves(state, moves);
    bool   is_maximum = (TurfSide)game->to_move(state) == side;
    int    best = 0;
    for (size_t i = 0; i < n_moves; i++) {
        TurfState child = *state;
        game->apply(&child, moves[i]);
        int value = plain_value(how, game, &child, side, depth - 1);
        if (i == 0 || (is_maximum ? value > best : value < best))
            best = value;
    }
    return best;
}

static size_t plain_best(const AbGame *how, const TurfGame *game, const TurfState *state, int depth,
                         int *value, TurfMove *best)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->moves(state, moves), n_best = 0;
    for (size_t i = 0; i < n_moves; i++) {
        TurfState child = *state;
        game->apply(&child, moves[i]);
        int of_move = plain_value(how, game, &child, (TurfSide)game->to_move(state), depth - 1);
        if (n_best == 0 || of_move > *value) {
            *value = of_move;
            n_best = 0;
        }
        if (of_move == *value)
            best[n_best++] = moves[i];
    }
    return n_best;
}

static const AbPlan plain_plan = {.n_threads = 1, .multi_pv = 1};

static void assert_same_moves(const AbResult *result, const TurfMove *wanted, size_t n_wanted)
{
    assert_int_equal(result->n_best, n_wanted);
    assert_int_equal(result->moves[0].move, wanted[0]);
    for (size_t i = 0; i < n_wanted; i++) {
        size_t at = 0;
        while (at < result->n_best && result->moves[at].move != wanted[i])
            at++;
        assert_true(at < result->n_best);
    }
}

static void fixed_depth_search_equals_minimax_with_and_without_table(void **state)
{
    (void)state;
    /* No table, a single cluster that is overwritten constantly, and a large one. */
    static const size_t sizes[] = {0, 64, 1 << 20};
    static AbResult     result;
    TtTable             tables[3];
    for (int t = 0; t < 3; t++)
        assert_true(tt_init(&tables[t], sizes[t]));
    for (const Case *c = cases; c < cases + N_CASES; c++)
        for (uint64_t i = 0, n = scaled(c->n_positions); i < n; i++) {
            TurfState     position = reach(c, i);
            const AbGame *how = ab_game_for(c->game, &position);
            AbPlan        plan = plain_plan;
            TurfMove      wanted[TURF_MAX_MOVES];
            int           value = 0;
            plan.depth = 1 + (int)(i % (uint64_t)c->deepest);
            size_t n_wanted = plain_best(how, c->game, &position, plan.depth, &value, wanted);
            for (int t = 0; t < 3; t++) {
                plan.want_all = i % 2;
                ab_search(how, c->game, &position, &plan, &tables[t], &result);
                assert_int_equal(result.value, value);
                assert_int_equal(result.depth, plan.depth);
                assert_same_moves(&result, wanted, plan.want_all ? n_wanted : 1);
            }
        }
    for (int t = 0; t < 3; t++)
        tt_release(&tables[t]);
}

static void table_and_rules_instances_find_the_same(void **state)
{
    (void)state;
    static AbResult by_table, by_rules;
    TtTable         table;
    assert_true(tt_init(&table, 1 << 18));
    for (const Case *c = cases; c < cases + N_CASES; c++) {
        if (c->game == &squirrel_war) /* another measure */
            continue;
        for (uint64_t i = 0; i < 30; i++) {
            TurfState position = reach(c, i);
            AbPlan    plan = plain_plan;
            plan.depth = 4;
            ab_search(&ab_table, c->game, &position, &plan, &table, &by_table);
            ab_search(ab_game_for(c->game, &position), c->game, &position, &plan, &table,
                      &by_rules);
            assert_int_equal(by_table.value, by_rules.value);
            assert_int_equal(by_table.moves[0].move, by_rules.moves[0].move);
        }
    }
    tt_release(&table);
}

/* A game without its own measure is measured by the lead, in the same unit. */
static void without_a_measure_alphabeta_and_minimax_agree_on_values(void **state)
{
    (void)state;
    for (size_t g = 0; turf_game_at(g); g++) {
        TurfGame plain = *turf_game_at(g);
        if (game_is_simultaneous(&plain) || !plain.is_on_points)
            continue;
        plain.measure = NULL;
        TurfPlayer *minimax = turf_player_open(&plain, "minimax:depth=4", NULL);
        TurfPlayer *alphabeta = turf_player_open(&plain, "alphabeta:depth=4", NULL);
        assert_true(minimax && alphabeta);
        for (uint64_t i = 0; i < 4; i++) {
            TurfState   position;
            TurfMove    moves[TURF_MAX_MOVES];
            TurfRng     rng = rng_stream(g, i);
            TurnContext turn = {.rng = &rng};
            TurfEnding  ending;
            assert_true(turf_start(&plain, NULL, &rng, &position, NULL));
            for (uint64_t k = 0; k < 4 * i && !plain.is_over(&position, &ending); k++) {
                size_t n_moves = plain.moves(&position, moves);
                plain.apply(&position, moves[rng_below(&rng, (uint32_t)n_moves)]);
            }
            if (plain.is_over(&position, &ending))
                continue;
            Choice by_minimax = player_choose_move(minimax, &position, false, &turn, moves);
            Choice by_alphabeta = player_choose_move(alphabeta, &position, false, &turn, moves);
            assert_true(by_minimax.has_value && by_alphabeta.has_value);
            assert_int_equal(by_alphabeta.value, by_minimax.value);
        }
        turf_player_free(minimax);
        turf_player_free(alphabeta);
    }
}

/* Also in games where a side moves several times in a row: the position at the end of the PV has
 * the value of the search. */
static void pv_reaches_the_value(void **state)
{
    (void)state;
    static AbResult result;
    TtTable         table;
    int             n_whole_turns = 0;
    assert_true(tt_init(&table, 1 << 20));
    for (const Case *c = cases; c < cases + N_CASES; c++)
        for (uint64_t i = 0; i < 60; i++) {
            TurfState     position = reach(c, i), at = position;
            TurfSide      side = (TurfSide)c->game->to_move(&position);
            const AbGame *how = ab_game_for(c->game, &position);
            AbPlan        plan = plain_plan;
            TurfEnding    ending;
            plan.depth = 5;
            ab_search(how, c->game, &position, &plan, &table, &result);
            assert_int_equal(result.pv[0], result.moves[0].move);
            int n_own = 0;
            for (int k = 0; k < result.pv_length; k++) {
                n_own += (TurfSide)c->game->to_move(&at) == side;
                assert_true(turf_play(c->game, &at, result.pv[k], NULL));
            }
            bool is_over = c->game->is_over(&at, &ending);
            assert_true(is_over || result.pv_length == plan.depth);
            assert_int_equal(result.value, is_over ? how->value_when_over(c->game, &at, side)
                                                   : how->measure(c->game, &at, side, 0, NULL));
            n_whole_turns +=
                c->game == &amoeba_wars && result.pv_length == 5 && (n_own == 3 || n_own == 2);
        }
    assert_true(n_whole_turns > 20);
    tt_release(&table);
}

/* Every table entry is exact for its depth, whichever thread stored it. */
static void value_does_not_depend_on_threads(void **state)
{
    (void)state;
    static AbResult alone, together;
    TtTable         table;
    assert_true(tt_init(&table, 1 << 20));
    for (const Case *c = cases; c < cases + N_CASES; c++)
        for (uint64_t i = 0; i < 8; i++) {
            TurfState position = reach(c, i);
            AbPlan    plan = plain_plan;
            plan.depth = 5;
            ab_search(ab_game_for(c->game, &position), c->game, &position, &plan, &table, &alone);
            plan.n_threads = 3;
            ab_search(ab_game_for(c->game, &position), c->game, &position, &plan, &table,
                      &together);
            assert_int_equal(together.value, alone.value);
            assert_int_equal(together.moves[0].move, alone.moves[0].move);
        }
    tt_release(&table);
}

static void limits_stop_a_search(void **state)
{
    (void)state;
    static AbResult result;
    TtTable         table;
    atomic_bool     stop = true;
    assert_true(tt_init(&table, 1 << 18));
    for (const Case *c = cases; c < cases + N_CASES; c++) {
        TurfState     position = reach(c, 3);
        const AbGame *how = ab_game_for(c->game, &position);
        AbPlan        plan = plain_plan;
        plan.nodes = 3000;
        ab_search(how, c->game, &position, &plan, &table, &result);
        assert_true(result.nodes < 3000 + TURF_MAX_MOVES);
        assert_true(c->game->is_legal(&position, result.moves[0].move, NULL));
        uint64_t nodes = result.nodes;
        TurfMove move = result.moves[0].move;
        ab_search(how, c->game, &position, &plan, &table, &result);
        assert_int_equal(result.nodes, nodes); /* independent of earlier searches */
        assert_int_equal(result.moves[0].move, move);

        /* The first iteration is always completed, so that there is a move. */
        AbPlan stopped = plain_plan, late = plain_plan;
        stopped.stop = &stop;
        late.deadline_ns = 1;
        const AbPlan *ended[] = {&stopped, &late};
        for (int k = 0; k < 2; k++) {
            ab_search(how, c->game, &position, ended[k], &table, &result);
            assert_true(result.nodes < 3 * TURF_MAX_MOVES);
            assert_true(c->game->is_legal(&position, result.moves[0].move, NULL));
        }
    }
    tt_release(&table);
}

static void table_respects_its_size_limit(void **state)
{
    (void)state;
#ifdef TURF_ONE_BUCKET
    skip();
#endif
    for (size_t n_bytes = 64; n_bytes <= 5 << 20; n_bytes = n_bytes * 5 / 3) {
        TtTable table;
        assert_true(tt_init(&table, n_bytes));
        assert_true(tt_bytes(&table) <= n_bytes);
        assert_true(tt_bytes(&table) > n_bytes / 2);
        tt_release(&table);
    }
}

static void cleared_table_finds_nothing(void **state)
{
    (void)state;
    TtTable table;
    TtData  note;
    assert_true(tt_init(&table, 4096));
    for (int generation = 0; generation < 600; generation++) {
        assert_false(tt_probe(&table, 12345, &note));
        tt_store(&table, 12345, &(TtData){-321, 7, TT_EXACT, 4095});
        assert_true(tt_probe(&table, 12345, &note));
        assert_int_equal(note.value, -321);
        assert_int_equal(note.depth, 7);
        assert_int_equal(note.bound, TT_EXACT);
        assert_int_equal(note.move, 4095);
        tt_clear(&table);
    }
    tt_release(&table);
}

/* ---- players ------------------------------------------------------------------------------ */

static TurfPlayer *open_player(const TurfGame *game, const char *spec)
{
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(game, spec, &error);
    if (!player)
        fail_msg("'%s': %s", spec, error.text);
    return player;
}

/* The games in which sides take turns; NULL past the last. */
static const TurfGame *turn_game(size_t index)
{
    for (size_t g = 0; turf_game_at(g); g++)
        if (!game_is_simultaneous(turf_game_at(g)) && index-- == 0)
            return turf_game_at(g);
    return NULL;
}

static void squirrel_war_is_exact_from_sixteen_squares_on(void **state)
{
    (void)state;
    TurfPlayer *player = open_player(&squirrel_war, "alphabeta:nodes=1000000");
    SwSolver   *solver = sw_solver_new(16 << 20, 1);
    TurfMove    moves[TURF_MAX_MOVES];
    assert_non_null(solver);
    for (uint64_t i = 0; i < 12; i++) {
        TurfRng    rng = rng_stream(77, i);
        SwPosition position;
        SwSolution before, after;
        squirrel_war.start(&position, "random", &rng);
        while (sw_count(sw_empty(&position.board)) > (i < 2 ? 16 : 12)) {
            size_t n_moves = squirrel_war.moves(&position, moves);
            squirrel_war.apply(&position, moves[rng_below(&rng, (uint32_t)n_moves)]);
        }
        Choice choice =
            player_choose_move(player, &position, false, &(TurnContext){.rng = &rng}, moves);
        assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &before));
        assert_int_equal(choice.value, before.lower);
        sw_apply(&position.board, (int)moves[0]);
        assert_true(sw_solver_solve(solver, &position.values, &position.board, NULL, &after));
        assert_int_equal(-after.lower, before.lower);
        int square = sw_solver_winning_square(solver, &position.values, &position.board,
                                              &(SwSolveOptions){0});
        assert_int_equal(square >= 0, after.lower > 0);
    }
    sw_solver_free(solver);
    turf_player_free(player);
}

/* Plays a game with one player on both sides and returns its moves. */
static size_t play_through(TurfPlayer *player, uint64_t seed, TurfMove *played, size_t max)
{
    const TurfGame *game = player->game;
    TurfRng         rng = turf_rng(seed);
    TurfState       position = {{0}};
    TurfEnding      ending;
    TurfError       error;
    size_t          n = 0;
    assert_true(player_begin_game(player, NULL, &error));
    assert_true(turf_start(game, NULL, &rng, &position, NULL));
    for (; n < max && !game->is_over(&position, &ending); n++) {
        played[n] = chosen_by(player, &position, &rng);
        assert_true(turf_play(game, &position, played[n], &error));
    }
    return n;
}

static void same_seed_grows_the_same_tree(void **state)
{
    (void)state;
    for (size_t g = 0; turn_game(g); g++) {
        TurfPlayer *one = open_player(turn_game(g), "mcts:sims=150,hash=4");
        TurfPlayer *two = open_player(turn_game(g), "mcts:sims=150,hash=4");
        TurfMove    first[60], second[60];
        (void)play_through(two, 9, second, 20); /* an earlier game must make no difference */
        size_t n = play_through(one, 5, first, 60);
        assert_int_equal(play_through(two, 5, second, 60), n);
        assert_memory_equal(first, second, n * sizeof *first);
        turf_player_free(one);
        turf_player_free(two);
    }
}

static void win_in_one_is_found(void **state)
{
    (void)state;
    static const char *const specs[] = {"mcts:sims=60,hash=2", "alphabeta:depth=1,hash=1",
                                        "alphabeta:nodes=100,hash=1"};
    int                      n_found = 0;
    for (int s = 0; s < 3; s++) {
        TurfPlayer *player = open_player(&war_of_life, specs[s]);
        for (uint64_t i = 0; i < 300; i++) {
            TurfState  position = reach(&cases[0], i);
            TurfMove   moves[TURF_MAX_MOVES];
            TurfRng    rng = turf_rng(i);
            size_t     n_moves = war_of_life.moves(&position, moves);
            TurfEnding ending,
                wanted = war_of_life.to_move(&position) ? TURF_WON_BY_SECOND : TURF_WON_BY_FIRST;
            bool has_win = false;
            for (size_t m = 0; m < n_moves; m++) {
                TurfState child = position;
                war_of_life.apply(&child, moves[m]);
                has_win |= war_of_life.is_over(&child, &ending) && ending == wanted;
            }
            if (!has_win)
                continue;
            n_found++;
            war_of_life.apply(&position, chosen_by(player, &position, &rng));
            assert_true(war_of_life.is_over(&position, &ending));
            assert_int_equal(ending, wanted);
        }
        turf_player_free(player);
    }
    assert_true(n_found > 30);
}

static void tree_keeps_its_subtree_and_respects_its_size_limit(void **state)
{
    (void)state;
    for (size_t g = 0; turn_game(g); g++) {
        const TurfGame *game = turn_game(g);
        MctsTree        tree;
        TurfState       position = {{0}};
        TurfEnding      ending;
        TurfRng         rng = turf_rng(3);
        MctsPlan        plan = {.n_sims = 2000, .seed = 4};
        assert_true(mcts_init(&tree, 1 << 18));
        assert_true(turf_start(game, NULL, &rng, &position, NULL));
        const MctsGame *how = mcts_game_for(game, &position);
        for (int i = 0; i < 6 && !game->is_over(&position, &ending); i++) {
            assert_int_equal(mcts_search(how, game, &position, &plan, &tree), 2000);
            assert_true(tree.n_nodes <= tree.max_nodes);
            assert_true(2 * tree.max_nodes * sizeof(MctsNode) <= 1 << 18);
            /* The root was the most visited child of the last root. */
            assert_true(i == 0 || tree.nodes[1].n_visits > 2000);
            game->apply(&position, mcts_best_child(&tree, &tree.nodes[1])->move);
        }
        mcts_release(&tree);
    }
}

static void levels_play_in_every_game(void **state)
{
    (void)state;
    for (size_t g = 0; turn_game(g); g++)
        for (int level = 1; level <= 10; level++) {
            char     spec[16];
            TurfMove played[200];
            snprintf(spec, sizeof spec, "level=%d", level);
            TurfPlayer *player = open_player(turn_game(g), spec);
            snprintf(spec, sizeof spec, "level:%d", level);
            assert_string_equal(turf_player_name(player), spec);
            assert_string_equal(player->spec, spec);
            assert_true(play_through(player, 1, played, level < 8 ? 200 : 1) > 0);
            turf_player_free(player);
        }
    TurfPlayer *named = open_player(&war_of_life, "easy=level=2");
    assert_string_equal(turf_player_name(named), "easy");
    assert_string_equal(named->spec, "level:2");
    turf_player_free(named);
    static const char *const bad[] = {"level",    "level:",  "level=0",
                                      "level=11", "level=x", "level:3,ties=first"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TurfError error = {0};
        assert_null(turf_player_open(&war_of_life, bad[i], &error));
        assert_non_null(strstr(error.text, "from 1 to 10"));
    }
}

/* level:8 of AI Battleground is settler, which is the same every turn; the levels beside it are
 * not. In a game it is one of them, from the first turn to the last. */
static void levels_that_spread_are_one_player_for_a_whole_game(void **state)
{
    (void)state;
    enum { GAMES = 200, TURNS = 8 };
    const TurfGame *game = &ai_battleground;
    TurfPlayer     *level = open_player(game, "level:8"), *settler = open_player(game, "settler");
    TurfError       error;
    TurfState       start;
    TurfCell        cells[TURF_MAX_CELLS], expected[TURF_MAX_CELLS];
    TurnContext     unused = {.rng = NULL};
    int             n_like_settler = 0;
    assert_true(turf_start(game, NULL, NULL, &start, &error));
    size_t n_expected = settler->kind->choose_cells(settler, &start, TURF_FIRST, &unused, expected);
    for (uint64_t i = 0; i < GAMES; i++) {
        TurfRng     rng = turf_rng(i + 1);
        TurnContext turn = {.rng = &rng};
        bool        is_alike = true;
        assert_true(player_begin_game(level, NULL, &error));
        for (int k = 0; k < TURNS; k++) {
            size_t n = player_choose_cells(level, &start, TURF_FIRST, &turn, cells);
            is_alike = is_alike && n == n_expected && !memcmp(cells, expected, n * sizeof *cells);
        }
        n_like_settler += is_alike;
    }
    assert_in_range(n_like_settler, GAMES * 40 / 100, GAMES * 65 / 100);
    assert_false(player_is_deterministic(level));
    turf_player_free(level);
    turf_player_free(settler);
}

/* ---- time --------------------------------------------------------------------------------- */

static void clock_is_never_used_up(void **state)
{
    (void)state;
    TurfPlayer *free_one = open_player(&war_of_life, "alphabeta"),
               *timed = open_player(&war_of_life, "alphabeta:time=50");
    for (int64_t gains = 1; gains <= 5; gains++) {
        int64_t     now_ns = clock_ns(), gain_ns = 100000000, left_ns = gains * gain_ns;
        TurnContext turn = {.deadline_ns = now_ns + left_ns, .time_gain_ms = 100};
        Budget      budget = budget_for(free_one, &turn);
        int64_t     spends_ns = budget.deadline_ns - now_ns;
        assert_true(budget.deadline_ns < turn.deadline_ns);
        assert_true(spends_ns >= gain_ns / 3);
        assert_true(budget.enough_ns < budget.deadline_ns);
        assert_true(budget_for(timed, &turn).deadline_ns < turn.deadline_ns);
    }
    /* Without a clock: the default budget, or the player's own; with less time left, less. */
    int64_t     now_ns = clock_ns();
    TurnContext calm = {.deadline_ns = 0}, hurried = {.deadline_ns = now_ns + 1000000};
    assert_true(budget_for(free_one, &calm).deadline_ns >= now_ns + 100000000);
    assert_true(budget_for(timed, &calm).deadline_ns >= now_ns + 50000000);
    assert_true(budget_for(timed, &hurried).deadline_ns < hurried.deadline_ns ||
                clock_ns() > hurried.deadline_ns);
    turf_player_free(free_one);
    turf_player_free(timed);
}

/* Worst case: every turn uses its whole budget. */
static void clock_with_increment_lasts_forever(void **state)
{
    (void)state;
    TurfPlayer *player = open_player(&war_of_life, "alphabeta");
    int64_t     gain_ns = 300000000, left_ns = 5 * gain_ns;
    for (int turn = 0; turn < 500; turn++) {
        int64_t now_ns = clock_ns();
        left_ns = left_ns + gain_ns < 5 * gain_ns ? left_ns + gain_ns : 5 * gain_ns;
        Budget budget = budget_for(
            player, &(TurnContext){.deadline_ns = now_ns + left_ns, .time_gain_ms = 300});
        int64_t spent_ns = budget.deadline_ns - now_ns;
        assert_true(spent_ns >= gain_ns / 2);
        left_ns -= spent_ns;
        assert_true(left_ns >= gain_ns / 2);
    }
    turf_player_free(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_depth_search_equals_minimax_with_and_without_table),
        cmocka_unit_test(table_and_rules_instances_find_the_same),
        cmocka_unit_test(without_a_measure_alphabeta_and_minimax_agree_on_values),
        cmocka_unit_test(pv_reaches_the_value),
        cmocka_unit_test(value_does_not_depend_on_threads),
        cmocka_unit_test(limits_stop_a_search),
        cmocka_unit_test(table_respects_its_size_limit),
        cmocka_unit_test(cleared_table_finds_nothing),
        cmocka_unit_test(squirrel_war_is_exact_from_sixteen_squares_on),
        cmocka_unit_test(same_seed_grows_the_same_tree),
        cmocka_unit_test(win_in_one_is_found),
        cmocka_unit_test(tree_keeps_its_subtree_and_respects_its_size_limit),
        cmocka_unit_test(levels_play_in_every_game),
        cmocka_unit_test(levels_that_spread_are_one_player_for_a_whole_game),
        cmocka_unit_test(clock_is_never_used_up),
        cmocka_unit_test(clock_with_increment_lasts_forever),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
