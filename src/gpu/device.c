/* Devices: finding and opening them, compiling kernels for them, and playing games on them.
 *
 * A launch is cut into chunks, one for each work-group, and a range of games is some chunks of its
 * own, so that each range gets its totals. Kernels are compiled by the driver when they are first
 * needed. Takes no locks: one thread uses a Device. */
#include "gpu/device.h"

#include "base/clock.h"
#include "base/error.h"
#include "games/amoeba_wars.h"
#include "games/streams.h"
#include "games/totals.h"
#include "games/war_of_life.h"
#include "gpu/launch.h"
#include "gpu/opencl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The numbers of gpu/device_c.h. */
static_assert(TURF_WON_BY_FIRST == 0 && TURF_WON_BY_SECOND == 1 && TURF_DRAWN == 2 &&
                  TURF_STALEMATE == 3 && TURF_EXHAUSTED == 4 && TURF_N_ENDINGS == 5,
              "kernels number endings as turf.h does");
static_assert((int)WOL_LONGEST <= (int)CHUNK_MAX_LENGTH, "kernels count games of any length");

extern const char kernel_wol[], kernel_aw[];

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 32 };

typedef enum KernelId {
    WOL_TWO_RANDOM,
    WOL_TWO_STRATEGIES,
    WOL_ONE_RANDOM,
    WOL_WITH_MINIMAX,
    AW_RANDOM,
    N_KERNELS
} KernelId;

static const struct {
    const char *source, *name, *option;
} kernels[N_KERNELS] = {
    [WOL_TWO_RANDOM] = {kernel_wol, "wol_games", "-DCAST=TWO_RANDOM"},
    [WOL_TWO_STRATEGIES] = {kernel_wol, "wol_games", "-DCAST=TWO_STRATEGIES"},
    [WOL_ONE_RANDOM] = {kernel_wol, "wol_games", "-DCAST=ONE_RANDOM"},
    [WOL_WITH_MINIMAX] = {kernel_wol, "wol_games", "-DCAST=WITH_MINIMAX"},
    [AW_RANDOM] = {kernel_aw, "aw_random", ""},
};

/* The buffers of a launch: the kernels' first arguments. */
typedef enum BufferId { FIRSTS, COUNTS, TOTALS, N_BUFFERS } BufferId;

static const size_t bytes_per_chunk[N_BUFFERS] = {
    [FIRSTS] = sizeof(cl_ulong),
    [COUNTS] = sizeof(cl_uint),
    [TOTALS] = CHUNK_FIELDS * sizeof(cl_uint),
};

struct Device {
    OpenclApi        cl;
    cl_device_id     id;
    DeviceInfo       info;
    DeviceTuning     tuning; /* all set */
    TurfError        fault;  /* its code is TURF_OK until a call fails */
    cl_context       context;
    cl_command_queue queue;
    cl_program       programs[N_KERNELS];
    cl_kernel        kernels[N_KERNELS]; /* NULL: not compiled yet */

    size_t room;               /* chunks that the buffers have room for */
    cl_mem buffers[N_BUFFERS]; /* on the device */
    void  *copies[N_BUFFERS];  /* and here */
};

/* ---- finding ------------------------------------------------------------------------------ */

typedef struct Found {
    cl_device_id id;
    DeviceInfo   info;
} Found;

static DeviceInfo describe(const OpenclApi *cl, cl_platform_id platform, cl_device_id id)
{
    DeviceInfo     info = {.name = "unknown", .driver = "unknown"};
    cl_device_type type = 0;
    cl_uint        n_units = 0;
    cl_ulong       memory = 0;
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof info.name - 1, info.name, NULL);
    (void)cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info.driver - 1, info.driver,
                                NULL);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof n_units, &n_units, NULL);
    (void)cl->clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    error_flatten(info.name);
    error_flatten(info.driver);
    info.is_gpu = type & CL_DEVICE_TYPE_GPU;
    info.n_units = n_units;
    info.memory = memory;
    return info;
}

static size_t find_all(const OpenclApi *cl, Found found[MAX_DEVICES])
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint        n_platforms = opencl_platforms(cl, platforms, MAX_PLATFORMS);
    size_t         n_found = 0;
    for (cl_uint p = 0; p < n_platforms; p++) {
        cl_device_id ids[MAX_DEVICES];
        cl_uint      n = 0;
        if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &n) !=
            CL_SUCCESS)
            continue;
        for (cl_uint i = 0; i < n && i < MAX_DEVICES && n_found < MAX_DEVICES; i++)
            found[n_found++] = (Found){ids[i], describe(cl, platforms[p], ids[i])};
    }
    return n_found;
}

bool devices_list(DeviceInfo **list, size_t *n, TurfError *error)
{
    OpenclApi cl;
    Found     found[MAX_DEVICES];
    *list = NULL;
    *n = 0;
    if (!opencl_load(&cl, error))
        return false;
    size_t n_found = find_all(&cl, found);
    *list = calloc(n_found + 1, sizeof **list);
    if (!*list)
        return error_no_memory(error);
    for (; *n < n_found; ++*n)
        (*list)[*n] = found[*n].info;
    return true;
}

static const Found *choose(const Found *found, size_t n_found, const char *name, TurfError *error)
{
    bool wants_gpu = !strcmp(name, "gpu");
    char quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < n_found; i++) {
        const DeviceInfo *info = &found[i].info;
        if (wants_gpu ? info->is_gpu
                      : strcasestr(info->name, name) || strcasestr(info->driver, name))
            return &found[i];
    }
    if (wants_gpu)
        (void)error_not_found(error, "there is no GPU with a driver for OpenCL");
    else
        (void)error_invalid(error, "there is no device '%s'; 'turf devices' lists them",
                            error_quote(quoted, name));
    return NULL;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* A processor that speaks OpenCL works on one item of a group after the other. */
static DeviceTuning tuning_for(const DeviceInfo *info, const DeviceTuning *wanted)
{
    DeviceTuning tuning = wanted ? *wanted : (DeviceTuning){0};
    if (!tuning.group)
        tuning.group = info->is_gpu ? 128 : 16;
    if (!tuning.pool)
        tuning.pool = 4 * tuning.group;
    if (!tuning.rounds)
        tuning.rounds = 22;
    if (!tuning.chunk || tuning.chunk > CHUNK_MAX_GAMES)
        tuning.chunk = CHUNK_MAX_GAMES;
    return tuning;
}

Device *device_open(const char *name, const DeviceTuning *tuning, TurfError *error)
{
    Found   found[MAX_DEVICES];
    cl_int  code = CL_SUCCESS;
    Device *device = calloc(1, sizeof *device);
    if (!device) {
        (void)error_no_memory(error);
        return NULL;
    }
    const Found *chosen = NULL;
    if (opencl_load(&device->cl, error))
        chosen = choose(found, find_all(&device->cl, found), name, error);
    if (!chosen) {
        free(device);
        return NULL;
    }
    device->id = chosen->id;
    device->info = chosen->info;
    device->tuning = tuning_for(&device->info, tuning);
    device->context = device->cl.clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (!device->context) {
        (void)opencl_fail(error, "clCreateContext", code);
        device_close(device);
        return NULL;
    }
    device->queue = device->cl.clCreateCommandQueue(device->context, device->id, 0, &code);
    if (!device->queue) {
        (void)opencl_fail(error, "clCreateCommandQueue", code);
        device_close(device);
        return NULL;
    }
    return device;
}

static void release_buffers(Device *device)
{
    for (int i = 0; i < N_BUFFERS; i++) {
        if (device->buffers[i])
            (void)device->cl.clReleaseMemObject(device->buffers[i]);
        free(device->copies[i]);
        device->buffers[i] = NULL;
        device->copies[i] = NULL;
    }
    device->room = 0;
}

void device_close(Device *device)
{
    if (!device)
        return;
    const OpenclApi *cl = &device->cl;
    release_buffers(device);
    for (int i = 0; i < N_KERNELS; i++) {
        if (device->kernels[i])
            (void)cl->clReleaseKernel(device->kernels[i]);
        if (device->programs[i])
            (void)cl->clReleaseProgram(device->programs[i]);
    }
    if (device->queue)
        (void)cl->clReleaseCommandQueue(device->queue);
    if (device->context)
        (void)cl->clReleaseContext(device->context);
    free(device);
}

const DeviceInfo *device_info(const Device *device) { return &device->info; }

const char *device_fault(const Device *device)
{
    return device->fault.code == TURF_OK ? NULL : device->fault.text;
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* The first line of the compiler's messages. */
static bool fail_to_build(const Device *device, cl_program program, cl_int code, TurfError *error)
{
    size_t length = 0;
    char  *log = NULL;
    (void)device->cl.clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                           &length);
    if (length > 0 && (log = calloc(length + 1, 1)))
        (void)device->cl.clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, length,
                                               log, NULL);
    const char *first = log ? log + strspn(log, " \r\n") : "";
    (void)error_io(error, "its driver cannot compile the games (OpenCL error %d): %.*s", code,
                   (int)strcspn(first, "\r\n"), first);
    free(log);
    return false;
}

static bool compile(Device *device, KernelId id, TurfError *error)
{
    const OpenclApi    *cl = &device->cl;
    const DeviceTuning *tuning = &device->tuning;
    const char         *source = kernels[id].source;
    char                options[128];
    cl_int              code = CL_SUCCESS;
    if (device->kernels[id])
        return true;
    cl_program program = cl->clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (!program)
        return opencl_fail(error, "clCreateProgramWithSource", code);
    device->programs[id] = program;
    (void)snprintf(options, sizeof options,
                   "-cl-std=CL1.2 -DTURF_DEVICE -DGROUP=%uu -DPOOL=%uu -DROUNDS=%uu %s",
                   tuning->group, tuning->pool, tuning->rounds, kernels[id].option);
    if (tuning->registers && strstr(device->info.driver, "NVIDIA"))
        (void)snprintf(options + strlen(options), sizeof options - strlen(options),
                       " -cl-nv-maxrregcount=%u", tuning->registers);
    code = cl->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS)
        return fail_to_build(device, program, code, error);
    device->kernels[id] = cl->clCreateKernel(program, kernels[id].name, &code);
    return device->kernels[id] || opencl_fail(error, "clCreateKernel", code);
}

/* ---- playing ------------------------------------------------------------------------------ */

static int deepest(const DeviceGames *games)
{
    int first = games->players[0].depth, second = games->players[1].depth;
    return first > second ? first : second;
}

bool device_plays(const DeviceGames *games)
{
    enum { MAX_DEPTH = 2 };
    if (games->game == &amoeba_wars)
        return deepest(games) == 0 && games->start && aw_is_small((const AwState *)games->start);
    if (games->game != &war_of_life || deepest(games) > MAX_DEPTH)
        return false;
    if (!games->start)
        return true;
    const WolState *start = (const WolState *)games->start;
    return start->moves_made == 0 && start->to_move == TURF_FIRST && start->pieces[0] &&
           start->pieces[1];
}

static KernelId kernel_for(const DeviceGames *games)
{
    if (games->game == &amoeba_wars)
        return AW_RANDOM;
    if (deepest(games) == 0)
        return WOL_TWO_RANDOM;
    if (deepest(games) == 2)
        return WOL_WITH_MINIMAX;
    bool has_random = games->players[0].depth == 0 || games->players[1].depth == 0;
    return has_random ? WOL_ONE_RANDOM : WOL_TWO_STRATEGIES;
}

static WolPlayer wol_player(const DevicePlayer *player)
{
    return (WolPlayer){.counts_own = player->own_weight ? ~UINT64_C(0) : 0,
                       .counts_other = player->opponent_weight ? ~UINT64_C(0) : 0,
                       .depth = (uint32_t)player->depth,
                       .has_random_ties = player->has_random_ties};
}

static cl_int set_rules(Device *device, KernelId id, const DeviceGames *games)
{
    if (id == AW_RANDOM) {
        AwRules rules = {.side_streams = {games->side_streams[0], games->side_streams[1]},
                         .step = games->step,
                         .offset = games->offset,
                         .start = ((const AwState *)games->start)->small};
        return device->cl.clSetKernelArg(device->kernels[id], N_BUFFERS, sizeof rules, &rules);
    }
    WolRules rules = {.start_streams = games->start_streams,
                      .side_streams = {games->side_streams[0], games->side_streams[1]},
                      .step = games->step,
                      .offset = games->offset};
    if (games->start) {
        rules.blue = ((const WolState *)games->start)->pieces[0];
        rules.red = ((const WolState *)games->start)->pieces[1];
    }
    for (int side = 0; side < 2; side++)
        rules.players[side] = wol_player(&games->players[side]);
    return device->cl.clSetKernelArg(device->kernels[id], N_BUFFERS, sizeof rules, &rules);
}

static bool make_room(Device *device, size_t n_chunks, TurfError *error)
{
    if (n_chunks <= device->room)
        return true;
    size_t room = n_chunks + n_chunks / 2 + 64;
    release_buffers(device);
    for (int i = 0; i < N_BUFFERS; i++) {
        cl_int code = CL_SUCCESS;
        device->copies[i] = calloc(room, bytes_per_chunk[i]);
        if (!device->copies[i])
            return error_no_memory(error);
        device->buffers[i] = device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                                       room * bytes_per_chunk[i], NULL, &code);
        if (!device->buffers[i])
            return opencl_fail(error, "clCreateBuffer", code);
    }
    device->room = room;
    return true;
}

/* Few games are cut finer, so that every unit of the device has some. */
static uint64_t chunk_length(const Device *device, const DeviceRange *ranges, size_t n_ranges)
{
    enum { CHUNKS_PER_UNIT = 32, SHORTEST_CHUNK_PER_ITEM = 8 };
    uint64_t n_games = 0, shortest = (uint64_t)SHORTEST_CHUNK_PER_ITEM * device->tuning.group;
    for (size_t i = 0; i < n_ranges; i++)
        n_games += ranges[i].n;
    uint64_t length = n_games / ((uint64_t)CHUNKS_PER_UNIT * (device->info.n_units + 1)) + 1;
    length = length > shortest ? length : shortest;
    return length < device->tuning.chunk ? length : device->tuning.chunk;
}

static size_t count_chunks(const DeviceRange *ranges, size_t n_ranges, uint64_t length)
{
    size_t n_chunks = 0;
    for (size_t i = 0; i < n_ranges; i++)
        n_chunks += (size_t)((ranges[i].n + length - 1) / length);
    return n_chunks;
}

static void cut(const Device *device, const DeviceRange *ranges, size_t n_ranges, uint64_t length)
{
    cl_ulong *firsts = device->copies[FIRSTS];
    cl_uint  *counts = device->copies[COUNTS];
    size_t    chunk = 0;
    for (size_t i = 0; i < n_ranges; i++)
        for (uint64_t at = 0; at < ranges[i].n; at += length, chunk++) {
            uint64_t left = ranges[i].n - at;
            firsts[chunk] = ranges[i].first + at;
            counts[chunk] = (cl_uint)(left < length ? left : length);
        }
}

static bool launch(Device *device, KernelId id, size_t n_chunks, TurfError *error)
{
    const OpenclApi *cl = &device->cl;
    size_t           group = device->tuning.group, n_items = n_chunks * group;
    cl_int           code = CL_SUCCESS;
    for (int i = 0; i < N_BUFFERS && code == CL_SUCCESS; i++) {
        code = cl->clSetKernelArg(device->kernels[id], (cl_uint)i, sizeof(cl_mem),
                                  &device->buffers[i]);
        if (i != TOTALS && code == CL_SUCCESS)
            code = cl->clEnqueueWriteBuffer(device->queue, device->buffers[i], CL_FALSE, 0,
                                            n_chunks * bytes_per_chunk[i], device->copies[i], 0,
                                            NULL, NULL);
    }
    if (code != CL_SUCCESS)
        return opencl_fail(error, "clEnqueueWriteBuffer", code);
    code = cl->clEnqueueNDRangeKernel(device->queue, device->kernels[id], 1, NULL, &n_items, &group,
                                      0, NULL, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(error, "clEnqueueNDRangeKernel", code);
    code = cl->clEnqueueReadBuffer(device->queue, device->buffers[TOTALS], CL_TRUE, 0,
                                   n_chunks * bytes_per_chunk[TOTALS], device->copies[TOTALS], 0,
                                   NULL, NULL);
    return code == CL_SUCCESS || opencl_fail(error, "clEnqueueReadBuffer", code);
}

static TurfTotals totals_of_chunk(const cl_uint *fields)
{
    TurfTotals totals = TOTALS_NONE;
    for (int e = 0; e < TURF_N_ENDINGS; e++) {
        totals.endings[e] = fields[e];
        totals.n_games += fields[e];
    }
    totals.length_sum = fields[CHUNK_LENGTH_SUM];
    totals.length_square_sum = fields[CHUNK_SQUARE_SUM];
    totals.shortest = fields[CHUNK_SHORTEST];
    totals.longest = fields[CHUNK_LONGEST];
    return totals;
}

/* Adds up the chunks of each range. A driver may go wrong without an error, so the games are
 * counted. */
static bool add_up(const Device *device, const DeviceRange *ranges, size_t n_ranges,
                   uint64_t length, double seconds, TurfTotals *totals, TurfError *error)
{
    const cl_uint *fields = device->copies[TOTALS];
    uint64_t       n_games = 0;
    for (size_t i = 0; i < n_ranges; i++)
        n_games += ranges[i].n;
    for (size_t i = 0; i < n_ranges; i++) {
        totals[i] = TOTALS_NONE;
        for (uint64_t at = 0; at < ranges[i].n; at += length, fields += CHUNK_FIELDS) {
            TurfTotals chunk = totals_of_chunk(fields);
            totals_add(&totals[i], &chunk);
        }
        if (totals[i].n_games != ranges[i].n)
            return error_io(error, "it played %llu games instead of %llu",
                            (unsigned long long)totals[i].n_games, (unsigned long long)ranges[i].n);
        totals[i].seconds = n_games > 0 ? seconds * (double)ranges[i].n / (double)n_games : 0;
    }
    return true;
}

static bool play(Device *device, const DeviceGames *games, const DeviceRange *ranges,
                 size_t n_ranges, TurfTotals *totals, TurfError *error)
{
    KernelId id = kernel_for(games);
    uint64_t length = chunk_length(device, ranges, n_ranges);
    size_t   n_chunks = count_chunks(ranges, n_ranges, length);
    if (n_chunks == 0)
        return add_up(device, ranges, n_ranges, length, 0, totals, error);
    if (!compile(device, id, error) || !make_room(device, n_chunks, error))
        return false;
    int64_t begin_ns = clock_ns();
    cl_int  code = set_rules(device, id, games);
    if (code != CL_SUCCESS)
        return opencl_fail(error, "clSetKernelArg", code);
    cut(device, ranges, n_ranges, length);
    return launch(device, id, n_chunks, error) &&
           add_up(device, ranges, n_ranges, length, clock_seconds_since(begin_ns), totals, error);
}

bool device_play(Device *device, const DeviceGames *games, const DeviceRange *ranges,
                 size_t n_ranges, TurfTotals *totals, TurfError *error)
{
    if (device->fault.code == TURF_OK &&
        play(device, games, ranges, n_ranges, totals, &device->fault))
        return true;
    return error_set(error, device->fault.code, "%s", device->fault.text);
}

double device_trial(Device *device, double seconds, TurfError *error)
{
    DeviceGames games = {.game = &war_of_life,
                         .start_streams = start_streams(1),
                         .side_streams = {side_streams(1, "random", "random", TURF_FIRST),
                                          side_streams(1, "random", "random", TURF_SECOND)},
                         .step = 1};
    DeviceRange range = {0, 1000};
    TurfTotals  totals;
    if (!device_play(device, &games, &range, 1, &totals, error)) /* compiles */
        return 0;
    int64_t begin_ns = clock_ns();
    double  rate = 0;
    while (clock_seconds_since(begin_ns) < seconds) {
        range.first += range.n;
        if (!device_play(device, &games, &range, 1, &totals, error))
            return 0;
        rate = (double)range.n / totals.seconds;
        uint64_t fits = (uint64_t)(rate * seconds / 2);
        range.n = fits < 4 * range.n ? fits + 1 : 4 * range.n;
    }
    return rate;
}
