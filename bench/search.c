/* The speed of the searches, and their signature: the node counts for fixed positions and depths,
 * which only a change of search or measure can change. */
#include "base/rng.h"
#include "bench.h"
#include "search/alphabeta.h"

#include <time.h>

enum { N_POSITIONS = 24, TABLE_MIB = 4 };

typedef struct SearchCase {
    const TurfGame *game;
    int             depth;
    uint32_t        max_moves; /* maximum number of random moves before the search */
} SearchCase;

static const SearchCase cases[] = {
    {&war_of_life, 5, 8}, {&amoeba_wars, 6, 60}, {&squirrel_war, 6, 12}};

enum { N_CASES = sizeof cases / sizeof cases[0] };

/* A position of a random game; false if the game ended before it. */
static bool reach(const SearchCase *of, uint64_t number, TurfState *state)
{
    TurfRng    rng = rng_stream(of->max_moves, number);
    TurfEnding ending;
    TurfMove   moves[TURF_MAX_MOVES];
    *state = (TurfState){{0}};
    game_start(of->game, NULL, &rng, state, NULL);
    for (uint32_t left = rng_below(&rng, of->max_moves);
         left > 0 && !of->game->is_over(state, &ending); left--) {
        size_t n_moves = of->game->moves(state, moves);
        of->game->apply(state, moves[rng_below(&rng, (uint32_t)n_moves)]);
    }
    return !of->game->is_over(state, &ending);
}

typedef enum Instance { BY_TABLE, BY_RULES, BY_NETWORK } Instance;

typedef struct SearchBench {
    const SearchCase *of;
    Instance          instance;
    TtTable           table;
} SearchBench;

/* NULL: there is no such instance, or it is not comparable with the others. */
static const AbGame *instance_of(const SearchCase *of, Instance instance, const TurfState *state)
{
    switch (instance) {
    case BY_TABLE: return of->game == &squirrel_war ? NULL : &ab_table; /* another measure */
    case BY_RULES: return ab_game_for(of->game, state);
    default: return ab_game_with_network(of->game, state);
    }
}

static uint64_t search_one(void *context, uint64_t round)
{
    SearchBench *bench = context;
    TurfState    state;
    AbPlan       plan = {.depth = bench->of->depth,
                         .n_threads = 1,
                         .multi_pv = 1,
                         .network = network_default(bench->of->game)};
    AbResult     result;
    if (!reach(bench->of, round % N_POSITIONS, &state))
        return 0;
    ab_search(instance_of(bench->of, bench->instance, &state), bench->of->game, &state, &plan,
              &bench->table, &result);
    return result.nodes;
}

static double nodes_per_second(SearchBench *bench)
{
    for (uint64_t number = 0; number < N_POSITIONS; number++)
        (void)search_one(bench, number); /* warm the table's pages */
    return bench_rate(search_one, bench);
}

static void open_table(SearchBench *bench)
{
    if (!tt_init(&bench->table, (size_t)TABLE_MIB << 20))
        die("out of memory for a table of %d MiB", TABLE_MIB);
}

/* ---- evaluations --------------------------------------------------------------------------- */

enum { N_EVALUATED = 512 };

typedef struct EvaluationBench {
    const TurfGame *game;
    const AbGame   *how;
    TurfState       states[N_POSITIONS];
    size_t          n_states;
    volatile int    sum; /* so that nothing is optimised away */
} EvaluationBench;

static uint64_t evaluate(void *context, uint64_t round)
{
    EvaluationBench *bench = context;
    const Network   *network = network_default(bench->game);
    int              sum = 0;
    (void)round;
    for (size_t i = 0; i < N_EVALUATED; i++)
        sum += bench->how->measure(bench->game, &bench->states[i % bench->n_states], TURF_FIRST, 0,
                                   network);
    bench->sum = sum;
    return N_EVALUATED;
}

/* The hand-made evaluation beside the network's, where a game has one. */
static void bench_evaluations(Bench *bench, const SearchCase *of)
{
    EvaluationBench evaluation = {.game = of->game};
    char            what[64];
    for (uint64_t number = 0; number < N_POSITIONS; number++)
        evaluation.n_states += reach(of, number, &evaluation.states[evaluation.n_states]);
    snprintf(what, sizeof what, "%s: evaluation", of->game->name);
    for (Instance instance = BY_RULES; instance <= BY_NETWORK; instance++) {
        evaluation.how = instance_of(of, instance, &evaluation.states[0]);
        if (network_default(of->game) && evaluation.how)
            bench_add(bench, what, evaluation.how->how, "positions/s",
                      bench_rate(evaluate, &evaluation));
    }
}

void bench_searches(Bench *bench)
{
    bench->slow_rate = 0;
    for (size_t i = 0; i < N_CASES; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s: alphabeta, depth %d", cases[i].game->name, cases[i].depth);
        for (Instance instance = BY_TABLE; instance <= BY_NETWORK; instance++) {
            SearchBench   search = {.of = &cases[i], .instance = instance};
            TurfState     state;
            const AbGame *how = NULL;
            if (reach(&cases[i], 0, &state))
                how = instance_of(&cases[i], instance, &state);
            if (!how)
                continue;
            open_table(&search);
            bench_add(bench, what, how->how, "nodes/s", nodes_per_second(&search));
            tt_release(&search.table);
        }
        bench_evaluations(bench, &cases[i]);
    }
}

void bench_signature(bool wants_json)
{
    static const char *const titles[] = {"what", "depth", "positions", "nodes"};
    Table                   *table = table_new("lrrr", titles);
    json_t                  *list = json_array();
    for (size_t i = 0; i < N_CASES; i++) {
        SearchBench search = {.of = &cases[i], .instance = BY_RULES};
        uint64_t    n_nodes = 0;
        open_table(&search);
        for (uint64_t number = 0; number < N_POSITIONS; number++)
            n_nodes += search_one(&search, number);
        tt_release(&search.table);
        table_add(table, "%s", cases[i].game->name);
        table_add(table, "%d", cases[i].depth);
        table_add(table, "%d", N_POSITIONS);
        table_add(table, "%llu", (unsigned long long)n_nodes);
        json_array_append_new(list, json_pack("{s:s,s:i,s:i,s:I}", "what", cases[i].game->name,
                                              "depth", cases[i].depth, "positions", N_POSITIONS,
                                              "nodes", (json_int_t)n_nodes));
    }
    if (wants_json)
        print_json(json_incref(list), JSON_INDENT(2));
    else
        table_print(table, TABLE_TEXT, stdout);
    json_decref(list);
    table_free(table);
}
