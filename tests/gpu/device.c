/* Games on a device: the same totals as the processor's, and none lost when the device fails. Runs
 * on whatever speaks OpenCL, such as PoCL; the faults are put into its functions when they are
 * loaded (--wrap=opencl_load). */
#include "support.h"

#include "arena/run_play.h"
#include "games/streams.h"
#include "games/totals.h"
#include "games/wol_kernels.h"
#include "gpu/device.h"
#include "gpu/opencl.h"

#include <stdlib.h>
#include <string.h>

/* ---- faults ------------------------------------------------------------------------------- */

static int                        n_good_reads; /* then all fail; -1: none does */
static cl_api_clEnqueueReadBuffer real_read;

static cl_int CL_API_CALL read_or_fail(cl_command_queue queue, cl_mem buffer, cl_bool is_blocking,
                                       size_t offset, size_t size, void *to, cl_uint n_events,
                                       const cl_event *events, cl_event *event)
{
    if (n_good_reads == 0)
        return CL_OUT_OF_RESOURCES;
    n_good_reads -= n_good_reads > 0;
    return real_read(queue, buffer, is_blocking, offset, size, to, n_events, events, event);
}

bool __real_opencl_load(OpenclApi *api, TurfError *error);
bool __wrap_opencl_load(OpenclApi *api, TurfError *error);
bool __wrap_opencl_load(OpenclApi *api, TurfError *error)
{
    if (!__real_opencl_load(api, error))
        return false;
    real_read = api->clEnqueueReadBuffer;
    api->clEnqueueReadBuffer = read_or_fail;
    return true;
}

/* ---- the device --------------------------------------------------------------------------- */

static Device *open_first(void)
{
    DeviceInfo *list;
    size_t      n;
    TurfError   error;
    n_good_reads = -1;
    if (!devices_list(&list, &n, &error) || n == 0) {
        free(list);
        print_message("# there is no device to test with\n");
        skip();
    }
    DeviceTuning tuning = {.chunk = 200}; /* many chunks of few games */
    Device      *device = device_open(list[0].name, &tuning, &error);
    free(list);
    if (!device)
        fail_msg("%s", error.text);
    return device;
}

static const char *const players[] = {"random",
                                      "bloodlust",
                                      "self-preservation",
                                      "land-grab",
                                      "bloodlust:ties=random",
                                      "self-preservation:ties=random",
                                      "land-grab:ties=random"};
enum { N_PLAYERS = sizeof players / sizeof *players, N_PAIRINGS = N_PLAYERS * N_PLAYERS };

typedef struct Table {
    TurfPlayer *players[N_PLAYERS];
    TurfPairing pairings[N_PAIRINGS];
} Table;

static Table every_pairing(uint64_t n_games, bool swaps_sides)
{
    Table table;
    for (int i = 0; i < N_PLAYERS; i++) {
        table.players[i] = turf_player_open(&war_of_life, players[i], NULL);
        assert_non_null(table.players[i]);
    }
    for (int p = 0; p < N_PAIRINGS; p++)
        table.pairings[p] =
            (TurfPairing){.players = {table.players[p / N_PLAYERS], table.players[p % N_PLAYERS]},
                          .n_games = n_games,
                          .swap_sides = swaps_sides};
    return table;
}

static void release(Table *table)
{
    for (int i = 0; i < N_PLAYERS; i++)
        turf_player_free(table->players[i]);
}

static void play(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
                 uint64_t seed, const char *start, Device *device, TurfTotals *totals)
{
    TurfRunOptions options = {.seed = seed, .n_jobs = 2, .start = start};
    TurfError      error;
    if (!run_pairings(game, pairings, n_pairings, &options, device, totals, &error))
        fail_msg("%s", error.text);
    for (size_t p = 0; p < n_pairings; p++)
        totals[p].seconds = 0;
}

static void compare(const TurfGame *game, const TurfPairing *pairings, size_t n_pairings,
                    uint64_t seed, const char *start, Device *device)
{
    TurfTotals wanted[N_PAIRINGS], totals[N_PAIRINGS];
    play(game, pairings, n_pairings, seed, start, NULL, wanted);
    play(game, pairings, n_pairings, seed, start, device, totals);
    for (size_t p = 0; p < n_pairings; p++)
        if (memcmp(&totals[p], &wanted[p], sizeof *totals))
            fail_msg("seed %llu: %s against %s differs", (unsigned long long)seed,
                     turf_player_name(pairings[p].players[0]),
                     turf_player_name(pairings[p].players[1]));
}

/* ---- tests -------------------------------------------------------------------------------- */

static void every_pairing_has_the_same_totals_as_on_the_processor(void **state)
{
    (void)state;
    Device *device = open_first();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Table table = every_pairing(seed == 1 ? 150 : 40, false);
        compare(&war_of_life, table.pairings, N_PAIRINGS, seed, NULL, device);
        release(&table);
    }
    assert_null(device_fault(device));
    device_close(device);
}

static void swapped_sides_and_named_starts_have_the_same_totals(void **state)
{
    (void)state;
    Device *device = open_first();
    Table   table = every_pairing(41, true);
    compare(&war_of_life, table.pairings, N_PAIRINGS, 7, NULL, device);
    compare(&war_of_life, table.pairings, N_PAIRINGS, 7, "cross", device);
    release(&table);
    assert_null(device_fault(device));
    device_close(device);
}

static void minimax_has_the_same_totals(void **state)
{
    (void)state;
    static const char *const described[] = {"random", "bloodlust", "land-grab:ties=random",
                                            "minimax", "minimax:ties=random"};
    enum { N_DESCRIBED = sizeof described / sizeof *described };
    Device     *device = open_first();
    TurfPlayer *opened[N_DESCRIBED];
    TurfPairing pairings[2 * N_DESCRIBED];
    for (int i = 0; i < N_DESCRIBED; i++)
        opened[i] = turf_player_open(&war_of_life, described[i], NULL);
    for (int p = 0; p < 2 * N_DESCRIBED; p++)
        pairings[p] = (TurfPairing){
            .players = {opened[3 + p % 2], opened[p / 2]}, .n_games = 60, .swap_sides = true};
    for (uint64_t seed = 1; seed <= 3; seed++)
        compare(&war_of_life, pairings, 2 * N_DESCRIBED, seed, NULL, device);
    for (int i = 0; i < N_DESCRIBED; i++)
        turf_player_free(opened[i]);
    assert_null(device_fault(device));
    device_close(device);
}

static void amoeba_wars_has_the_same_totals(void **state)
{
    (void)state;
    static const char *const starts[] = {NULL, "6x6"};
    Device                  *device = open_first();
    TurfPlayer              *random = turf_player_open(&amoeba_wars, "random", NULL);
    TurfPairing              pairing = {.players = {random, random}, .n_games = 3000};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        compare(&amoeba_wars, &pairing, 1, i + 1, starts[i], device);
    turf_player_free(random);
    assert_null(device_fault(device));
    device_close(device);
}

/* Random games, however they are cut into ranges. */
static void ranges_add_up_to_the_whole(void **state)
{
    (void)state;
    enum { N_GAMES = 5000, N_RANGES = 6 };
    static const uint64_t ends[N_RANGES] = {1, 64, 65, 1000, 1000, N_GAMES};
    Device               *device = open_first();
    DeviceGames           games = {
                  .game = &war_of_life, .start_streams = 1, .side_streams = {2, 3}, .step = 1};
    RandomGames batch = {.first_game = 100,
                         .n_games = N_GAMES,
                         .start_streams = games.start_streams,
                         .side_streams = {games.side_streams[0], games.side_streams[1]}};
    DeviceRange ranges[N_RANGES];
    TurfTotals  wanted = TOTALS_NONE, sum = TOTALS_NONE, totals[N_RANGES];
    TurfError   error;
    wol_kernel_best()->play(&batch, &wanted);
    for (int i = 0; i < N_RANGES; i++) {
        uint64_t begin = i > 0 ? ends[i - 1] : 0;
        ranges[i] = (DeviceRange){100 + begin, ends[i] - begin};
    }
    assert_true(device_play(device, &games, ranges, N_RANGES, totals, &error));
    for (int i = 0; i < N_RANGES; i++) {
        assert_int_equal(totals[i].n_games, ranges[i].n);
        totals_add(&sum, &totals[i]);
    }
    sum.seconds = 0;
    assert_memory_equal(&sum, &wanted, sizeof sum);
    device_close(device);
}

static void a_device_that_fails_in_mid_run_loses_no_game(void **state)
{
    (void)state;
    Table      table = every_pairing(3000, false);
    TurfTotals wanted[2], totals[2];
    play(&war_of_life, table.pairings, 2, 5, NULL, NULL, wanted);
    for (int n_good = 0; n_good < 4; n_good++) {
        Device *device = open_first();
        n_good_reads = n_good;
        play(&war_of_life, table.pairings, 2, 5, NULL, device, totals);
        assert_memory_equal(totals, wanted, sizeof totals);
        if (n_good < 2)
            assert_non_null(strstr(device_fault(device), "OpenCL error"));
        device_close(device);
    }
    release(&table);
}

static void games_that_devices_cannot_play_are_left_to_the_processor(void **state)
{
    (void)state;
    Device     *device = open_first();
    TurfPlayer *minimax = turf_player_open(&war_of_life, "minimax:depth=3", NULL),
               *random = turf_player_open(&war_of_life, "random", NULL);
    TurfPairing pairings[] = {{.players = {minimax, random}, .n_games = 20},
                              {.players = {random, random}, .n_games = 500}};
    compare(&war_of_life, pairings, 2, 3, NULL, device);
    turf_player_free(minimax);
    turf_player_free(random);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pairing_has_the_same_totals_as_on_the_processor),
        cmocka_unit_test(swapped_sides_and_named_starts_have_the_same_totals),
        cmocka_unit_test(minimax_has_the_same_totals),
        cmocka_unit_test(amoeba_wars_has_the_same_totals),
        cmocka_unit_test(ranges_add_up_to_the_whole),
        cmocka_unit_test(a_device_that_fails_in_mid_run_loses_no_game),
        cmocka_unit_test(games_that_devices_cannot_play_are_left_to_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
