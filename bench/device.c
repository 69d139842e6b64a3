/* Games on a device: how the speed depends on the size of work-groups and on the rounds between two
 * fillings of their pools; then every game that devices play. Beside each other the same games by
 * the processor, which must have the same totals. */
#include "base/clock.h"
#include "base/error.h"
#include "bench.h"
#include "games/streams.h"
#include "games/totals.h"
#include "games/wol_kernels.h"
#include "gpu/device.h"

#include <stdlib.h>
#include <string.h>

#define TRIAL_SECONDS 1.0

static DeviceGames games_of(const char *game, const DevicePlayer *first, const DevicePlayer *second)
{
    DeviceGames games = {.game = turf_game_find(game, NULL),
                         .start_streams = start_streams(1),
                         .step = 1,
                         .players = {*first, *second}};
    for (int side = 0; side < 2; side++)
        games.side_streams[side] = side_streams(1, "random", "random", (TurfSide)side);
    return games;
}

/* Games a second of launches that grow to a quarter of the time. */
static double rate_of(Device *device, const DeviceGames *games)
{
    DeviceRange range = {0, 1000};
    TurfTotals  totals;
    TurfError   error;
    double      rate = 0, seconds = 0;
    bool        is_warm = false;
    while (seconds < TRIAL_SECONDS) {
        if (!device_play(device, games, &range, 1, &totals, &error))
            die("%s", error.text);
        if (is_warm) {
            seconds += totals.seconds;
            double now = (double)range.n / totals.seconds;
            rate = now > rate ? now : rate;
        }
        is_warm = true;
        double fits = (double)range.n / totals.seconds * TRIAL_SECONDS / 4;
        range.first += range.n;
        range.n = fits < 8 * (double)range.n ? (uint64_t)fits + 1 : 8 * range.n;
    }
    return rate;
}

static Device *open_or_die(const char *name, const DeviceTuning *tuning)
{
    TurfError error;
    Device   *device = device_open(name, tuning, &error);
    if (!device)
        die("%s", error.text);
    return device;
}

/* The same games on the device and by the processor. */
static void check(const char *name)
{
    enum { N_GAMES = 1000000 };
    DevicePlayer random = {0};
    DeviceGames  games = games_of("war-of-life", &random, &random);
    RandomGames  batch = {.n_games = N_GAMES,
                          .start_streams = games.start_streams,
                          .side_streams = {games.side_streams[0], games.side_streams[1]}};
    DeviceRange  range = {0, N_GAMES};
    TurfTotals   wanted = TOTALS_NONE, totals;
    TurfError    error;
    Device      *device = open_or_die(name, NULL);
    wol_kernel_best()->play(&batch, &wanted);
    if (!device_play(device, &games, &range, 1, &totals, &error))
        die("%s", error.text);
    totals.seconds = 0;
    if (memcmp(&totals, &wanted, sizeof totals))
        die("%s plays other games than the processor", device_info(device)->name);
    device_close(device);
}

/* Each differs from the first in one respect or two. */
static const DeviceTuning tunings[] = {
    {.group = 256, .pool = 512, .rounds = 10},
    {.group = 64, .pool = 128, .rounds = 10},
    {.group = 128, .pool = 256, .rounds = 10},
    {.group = 512, .pool = 1024, .rounds = 10},
    {.group = 256, .pool = 256, .rounds = 4},
    {.group = 256, .pool = 768, .rounds = 16},
    {.group = 128, .pool = 512, .rounds = 22},
    {.group = 256, .pool = 512, .rounds = 10, .registers = 48},
    {.group = 256, .pool = 512, .rounds = 10, .registers = 64},
    {.group = 256, .pool = 512, .rounds = 10, .registers = 80},
    {.group = 256, .pool = 512, .rounds = 10, .chunk = 16384},
};

static void bench_tunings(Bench *bench, const char *name)
{
    DevicePlayer random = {0};
    DeviceGames  games = games_of("war-of-life", &random, &random);
    for (size_t i = 0; i < sizeof tunings / sizeof *tunings; i++) {
        const DeviceTuning *tuning = &tunings[i];
        Device             *device = open_or_die(name, tuning);
        char                how[96];
        int length = snprintf(how, sizeof how, "groups of %u, pool of %u, %u rounds", tuning->group,
                              tuning->pool, tuning->rounds);
        if (tuning->registers)
            snprintf(how + length, sizeof how - (size_t)length, ", %u registers",
                     tuning->registers);
        if (tuning->chunk)
            snprintf(how + length, sizeof how - (size_t)length, ", chunks of %u", tuning->chunk);
        bench_add(bench, "war-of-life: random games", how, "games/s", rate_of(device, &games));
        device_close(device);
    }
}

static void bench_strategies(Bench *bench, Device *device)
{
    static const struct {
        const char  *name;
        DevicePlayer player;
    } players[] = {
        {"random", {0}},
        {"bloodlust", {.opponent_weight = -1, .depth = 1}},
        {"self-preservation", {.own_weight = 1, .depth = 1}},
        {"land-grab", {.own_weight = 1, .opponent_weight = -1, .depth = 1}},
        {"land-grab:ties=random",
         {.own_weight = 1, .opponent_weight = -1, .depth = 1, .has_random_ties = true}},
        {"minimax", {.own_weight = 1, .opponent_weight = -1, .depth = 2}},
    };
    enum { N_PLAYERS = sizeof players / sizeof *players };
    for (int i = 0; i < N_PLAYERS; i++)
        for (int j = i; j < N_PLAYERS; j += i == 0 ? 1 : N_PLAYERS) {
            DeviceGames games = games_of("war-of-life", &players[i].player, &players[j].player);
            char        how[96];
            snprintf(how, sizeof how, "%s, %s", players[i].name, players[j].name);
            bench_add(bench, "war-of-life", how, "games/s", rate_of(device, &games));
        }
}

void bench_device(Bench *bench)
{
    const char  *name = bench->device ? bench->device : "gpu";
    DevicePlayer random = {0};
    DeviceGames  amoeba = games_of("amoeba-wars", &random, &random);
    TurfState    start;
    TurfRng      rng = turf_rng(1);
    Device      *device = open_or_die(name, NULL);
    bench->slow_rate = 0;
    check(name);
    bench_tunings(bench, name);
    bench_strategies(bench, device);
    if (!turf_start(amoeba.game, NULL, &rng, &start, NULL))
        die("out of memory");
    amoeba.start = &start;
    bench_add(bench, "amoeba-wars: random games", "8x8", "games/s", rate_of(device, &amoeba));
    device_close(device);
}
