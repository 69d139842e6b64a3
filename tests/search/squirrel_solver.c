/* SquirrelWar's solver: the searches for different processors visit the same nodes. (Values are
 * compared with brute force in tests/games/squirrel.c.) */
#include "support.h"

#include "base/cpu.h"
#include "base/rng.h"
#include "search/squirrel_search.h"

#include <stdlib.h>

static SwPosition reach(uint64_t number, int n_empty)
{
    TurfRng    rng = rng_stream((uint64_t)n_empty, number);
    SwPosition position;
    squirrel_war.start(&position, "random", &rng);
    while (sw_count(sw_empty(&position.board)) > n_empty) {
        uint32_t empty = sw_empty(&position.board);
        sw_apply(&position.board,
                 bits_lowest(bits_nth(empty, rng_below(&rng, (uint32_t)sw_count(empty)))));
    }
    return position;
}

/* The answer to one test, and how many nodes it took. */
static int test_with(SwTest *test, const SwPosition *position, size_t n_bytes, int beta,
                     uint64_t *nodes)
{
    SwShared *shared = calloc(1, sizeof *shared);
    SwWorker  worker = {.shared = shared};
    uint32_t  empty = sw_empty(&position->board);
    assert_non_null(shared);
    assert_true(sw_table_init(&shared->table, n_bytes));
    sw_board_init(&shared->board, &position->values);
    sw_table_prepare(&shared->table, empty, SIZE_MAX);
    shared->n_threads = 1;
    SwNode node = sw_node_from_state(&shared->board, &position->board);
    int    value = test(&worker, &node, sw_count(empty), beta + (beta + shared->board.total) % 2);
    *nodes = worker.nodes;
    sw_table_free(&shared->table);
    free(shared);
    return value;
}

static void processors_search_the_same_nodes(void **unused)
{
    (void)unused;
#ifdef TURF_X86_KERNELS
    SwTest *other = cpu_has_v3() ? sw_test_v3 : NULL;
#else
    SwTest *other = NULL;
#endif
    if (!other)
        skip();
    for (uint64_t i = 0; i < 60; i++) {
        SwPosition position = reach(i, 4 + (int)(i % 11));
        size_t     n_bytes = i % 2 ? 1 << 12 : 1 << 18;
        int        beta = (int)(i * 37 % 400) - 200;
        uint64_t   nodes, same_nodes;
        int        value = test_with(sw_test_portable, &position, n_bytes, beta, &nodes);
        assert_int_equal(test_with(other, &position, n_bytes, beta, &same_nodes), value);
        assert_int_equal(nodes, same_nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_search_the_same_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
