/* The networks: the same integers as the slow reference, on every instance; files
 * that are wrong or damaged. */
#include "support.h"

#include "base/hash.h"
#include "games/amoeba_wars.h"
#include "games/war_of_life.h"
#include "network_slow.h"
#include "search/alphabeta.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const AbGame ab_wol_net_portable, ab_aw_net_portable;

/* The file of a game's network in the source tree. */
static const char *network_path(const TurfGame *game)
{
    static char path[4096];
    const char *folder = getenv("TURF_NETWORKS");
    snprintf(path, sizeof path, "%s/%s.net", folder ? folder : "networks", game->name);
    return path;
}

static SlowBoard slow_board(const WolState *state)
{
    SlowBoard board = {.to_move = state->to_move ? 'r' : 'b'};
    for (int cell = 0; cell < 64; cell++) {
        char *at = &board.cell[cell / 8 + 1][cell % 8 + 1];
        *at = '.';
        if (state->pieces[0] >> cell & 1)
            *at = 'b';
        if (state->pieces[1] >> cell & 1)
            *at = 'r';
    }
    return board;
}

/* Boards of any density, not only those of games. */
static WolState random_board(TurfRng *rng)
{
    uint64_t taken = rng_next(rng), colour = rng_next(rng);
    for (uint32_t k = rng_below(rng, 4); k > 0; k--)
        taken = rng_below(rng, 4) ? taken & rng_next(rng) : taken | rng_next(rng);
    return (WolState){.pieces = {taken & colour, taken & ~colour}, .to_move = rng_below(rng, 2)};
}

static void values_equal_the_slow_reference(void **unused)
{
    (void)unused;
    SlowNetwork   *slow = slow_network_open(network_path(&war_of_life));
    const AbGame  *fast = ab_game_with_network(&war_of_life, NULL);
    const Network *network = network_default(&war_of_life);
    TurfRng        rng = turf_rng(18);
    for (int i = 0; i < 20000; i++) {
        WolState  state = random_board(&rng);
        SlowBoard board = slow_board(&state);
        TurfSide  side = (TurfSide)state.to_move;
        int       value = fast->measure(&war_of_life, &state, side, 0, network);
        assert_int_equal(value, slow_network_value(slow, &board));
        assert_int_equal(value,
                         ab_wol_net_portable.measure(&war_of_life, &state, side, 0, network));
        assert_int_equal(-value, fast->measure(&war_of_life, &state, (TurfSide)!side, 0, network));
    }
    slow_network_free(slow);
}

/* A position of a random game on 8x8, in both forms. */
static void random_dish(TurfRng *rng, AwState *state, SlowDish *dish)
{
    TurfState  start;
    TurfMove   moves[TURF_MAX_MOVES];
    TurfEnding ending;
    slow_dish_start(dish, AW_SMALL_SIZE, AW_SMALL_SIZE);
    assert_true(turf_start(&amoeba_wars, NULL, rng, &start, NULL));
    memcpy(state, &start, sizeof *state);
    for (uint32_t k = rng_below(rng, 70); k > 0; k--) {
        size_t   n_moves = amoeba_wars.moves(state, moves);
        TurfMove move = moves[rng_below(rng, (uint32_t)n_moves)];
        AwState  next = *state;
        amoeba_wars.apply(&next, move);
        if (amoeba_wars.is_over(&next, &ending))
            return;
        *state = next;
        slow_dish_play(dish, (SlowCell){aw_row(move), aw_column(move)});
    }
}

static void amoeba_values_equal_the_slow_reference(void **unused)
{
    (void)unused;
    SlowNetwork   *slow = slow_network_open(network_path(&amoeba_wars));
    const Network *network = network_default(&amoeba_wars);
    TurfRng        rng = turf_rng(20);
    for (int i = 0; i < 5000; i++) {
        AwState  state;
        SlowDish dish;
        random_dish(&rng, &state, &dish);
        const AbGame *fast = ab_game_with_network(&amoeba_wars, &state);
        TurfSide      side = (TurfSide)state.header.to_move;
        int           value = fast->measure(&amoeba_wars, &state, side, 0, network);
        assert_int_equal(value, slow_dish_network_value(slow, &dish));
        assert_int_equal(value, ab_aw_net_portable.measure(&amoeba_wars, &state, side, 0, network));
    }
    slow_network_free(slow);
}

static void other_sizes_of_amoeba_wars_are_judged_by_hand(void **unused)
{
    (void)unused;
    static const char *const sizes[] = {"7x7", "9x9"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        TurfState state;
        TurfRng   rng = turf_rng(1);
        assert_true(turf_start(&amoeba_wars, sizes[i], &rng, &state, NULL));
        assert_null(ab_game_with_network(&amoeba_wars, &state));
    }
}

static void portable_and_fast_instance_search_alike(void **unused)
{
    (void)unused;
    TtTable table;
    TurfRng rng = turf_rng(19);
    AbPlan  plan = {.nodes = 20000, .n_threads = 1, .multi_pv = 1};
    plan.network = network_default(&war_of_life);
    const AbGame *fast = ab_game_with_network(&war_of_life, NULL);
    assert_true(tt_init(&table, 1 << 20));
    for (int i = 0; i < 20; i++) {
        WolState state = wol_random_start(&rng);
        AbResult results[2];
        ab_search(fast, &war_of_life, &state, &plan, &table, &results[0]);
        ab_search(&ab_wol_net_portable, &war_of_life, &state, &plan, &table, &results[1]);
        assert_int_equal(results[0].value, results[1].value);
        assert_int_equal(results[0].moves[0].move, results[1].moves[0].move);
        assert_int_equal(results[0].depth, results[1].depth);
    }
    tt_release(&table);
}

/* ---- files -------------------------------------------------------------------------------- */

enum { MAX_BYTES = 1 << 16, HEADER_BYTES = 64, CHECKSUM_AT = 56, SCALE_AT = 48 };

typedef struct Bytes {
    unsigned char at[MAX_BYTES];
    size_t        n;
} Bytes;

static Bytes read_network(void)
{
    static Bytes bytes;
    FILE        *file = fopen(network_path(&war_of_life), "rb");
    assert_non_null(file);
    bytes.n = fread(bytes.at, 1, sizeof bytes.at, file);
    fclose(file);
    return bytes;
}

/* Writes the bytes to a file, tries to open it, and checks the error. */
static void assert_refused(const Bytes *bytes, const TurfGame *game, const char *saying)
{
    char      path[] = "/tmp/turf-network-XXXXXX";
    int       fd = mkstemp(path);
    TurfError error;
    assert_true(fd >= 0 && write(fd, bytes->at, bytes->n) == (ssize_t)bytes->n);
    close(fd);
    assert_null(network_open(game, path, &error));
    unlink(path);
    assert_int_equal(error.code, TURF_ERROR_INVALID);
    if (!strstr(error.text, saying))
        fail_msg("'%s' does not say '%s'", error.text, saying);
}

static void renew_checksum(Bytes *bytes)
{
    uint64_t checksum = hash_bytes(bytes->at + HEADER_BYTES, bytes->n - HEADER_BYTES);
    memcpy(bytes->at + CHECKSUM_AT, &checksum, sizeof checksum);
}

static void shipped_network_can_be_read_as_a_file(void **unused)
{
    (void)unused;
    TurfError error;
    Network  *network = network_open(&war_of_life, network_path(&war_of_life), &error);
    assert_non_null(network);
    assert_memory_equal(network, network_default(&war_of_life), sizeof *network);
    free(network);
}

static void wrong_and_damaged_files_are_rejected(void **unused)
{
    (void)unused;
    const Bytes good = read_network();
    Bytes       bad = good;
    bad.n = 0;
    assert_refused(&bad, &war_of_life, "not a network file");
    bad = good;
    bad.at[0] = 'X';
    assert_refused(&bad, &war_of_life, "not a network file");
    bad = good;
    bad.at[8] = 2;
    assert_refused(&bad, &war_of_life, "version is 2");
    assert_refused(&good, &amoeba_wars, "for war-of-life, not for amoeba-wars");
    assert_refused(&good, &squirrel_war, "no network judges positions of squirrel-war");
    bad = good;
    bad.at[36]++;
    assert_refused(&bad, &war_of_life, "hidden units");
    bad = good;
    bad.n--;
    assert_refused(&bad, &war_of_life, "damaged");
    bad = good;
    bad.at[bad.n++] = 0;
    assert_refused(&bad, &war_of_life, "damaged");
    bad = good;
    bad.at[HEADER_BYTES + 1000] ^= 1;
    assert_refused(&bad, &war_of_life, "checksum");
}

static void weights_that_could_overflow_are_rejected(void **unused)
{
    (void)unused;
    Bytes bad = read_network();
    for (size_t i = 0; i < 2U * 256 * NETWORK_HIDDEN; i += 2) {
        bad.at[HEADER_BYTES + i] = 0;
        bad.at[HEADER_BYTES + i + 1] = 2; /* 512 */
    }
    renew_checksum(&bad);
    assert_refused(&bad, &war_of_life, "out of range");
    bad = read_network();
    memset(bad.at + SCALE_AT, 0, 4);
    assert_refused(&bad, &war_of_life, "out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_equal_the_slow_reference),
        cmocka_unit_test(amoeba_values_equal_the_slow_reference),
        cmocka_unit_test(other_sizes_of_amoeba_wars_are_judged_by_hand),
        cmocka_unit_test(portable_and_fast_instance_search_alike),
        cmocka_unit_test(shipped_network_can_be_read_as_a_file),
        cmocka_unit_test(wrong_and_damaged_files_are_rejected),
        cmocka_unit_test(weights_that_could_overflow_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
