/* The kernels of src/gpu compiled as CUDA, to see whether CUDA is faster than OpenCL on the same
 * card. Not part of turf; bench/cuda/build compiles it with nvcc.
 *
 * games GROUPS: plays games of War of Life in launches of so many work-groups, and prints totals
 * and speed. CAST says which players: TWO_RANDOM, TWO_STRATEGIES or WITH_MINIMAX; GROUP, POOL and
 * ROUNDS are as in wol_device.cl. */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned int uint;

#define TURF_DEVICE
#define INLINE static __device__ __forceinline__
#define KERNEL extern "C" __global__ __launch_bounds__(GROUP) void
#define SHARED __shared__
#define __local
#define __global
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(fence) __syncthreads()
#define get_local_id(dimension) threadIdx.x
#define get_group_id(dimension) blockIdx.x
#define atomic_inc(at) atomicAdd(at, 1u)
#define atomic_add atomicAdd
#define atomic_min atomicMin
#define atomic_max atomicMax
static __device__ __forceinline__ uint popcount(uint32_t set) { return __popc(set); }
static __device__ __forceinline__ uint popcount(uint64_t set) { return __popcll(set); }

#include "wol_device.cu"
#undef __global

/* FNV-1a and the streams of games/streams.h, for the host. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static uint64_t family(uint64_t parent, uint64_t word)
{
    return mix(mix(parent + 0x9e3779b97f4a7c15ull) ^ word);
}
static uint64_t hash(const char *text)
{
    uint64_t word = 0xcbf29ce484222325ull;
    for (; *text; text++)
        word = (word ^ (unsigned char)*text) * 0x100000001b3ull;
    return word;
}

static void fail(const char *what, cudaError_t code)
{
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void measure(const char *what, const WolRules &rules, uint n_groups, uint n_games)
{
    std::vector<uint64_t> firsts(n_groups);
    std::vector<uint>     counts(n_groups, n_games), totals(n_groups * CHUNK_FIELDS);
    uint64_t             *device_firsts;
    uint                 *device_counts, *device_totals;
    for (uint i = 0; i < n_groups; i++)
        firsts[i] = (uint64_t)i * n_games;
    cudaMalloc(&device_firsts, n_groups * sizeof(uint64_t));
    cudaMalloc(&device_counts, n_groups * sizeof(uint));
    cudaMalloc(&device_totals, totals.size() * sizeof(uint));
    cudaMemcpy(device_firsts, firsts.data(), n_groups * sizeof(uint64_t), cudaMemcpyHostToDevice);
    cudaMemcpy(device_counts, counts.data(), n_groups * sizeof(uint), cudaMemcpyHostToDevice);
    double best = 1e9;
    for (int turn = 0; turn < 3; turn++) {
        auto begin = std::chrono::steady_clock::now();
        wol_games<<<n_groups, GROUP>>>(device_firsts, device_counts, device_totals, rules);
        cudaError_t code = cudaDeviceSynchronize();
        if (code != cudaSuccess)
            fail(what, code);
        double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        best = seconds < best ? seconds : best;
    }
    cudaMemcpy(totals.data(), device_totals, totals.size() * sizeof(uint), cudaMemcpyDeviceToHost);
    uint64_t sums[CHUNK_FIELDS] = {0}, all = 0;
    for (size_t i = 0; i < totals.size(); i++)
        sums[i % CHUNK_FIELDS] += totals[i];
    for (int e = 0; e < TURF_N_ENDINGS; e++)
        all += sums[e];
    printf("%-36s group %4u pool %4u rounds %2u: %.4g games/s; %llu games, %llu %llu %llu %llu "
           "%llu, length %llu\n",
           what, (uint)GROUP, (uint)POOL, (uint)ROUNDS, (double)all / best, (unsigned long long)all,
           (unsigned long long)sums[0], (unsigned long long)sums[1], (unsigned long long)sums[2],
           (unsigned long long)sums[3], (unsigned long long)sums[4],
           (unsigned long long)sums[CHUNK_LENGTH_SUM]);
    fflush(stdout);
    cudaFree(device_firsts);
    cudaFree(device_counts);
    cudaFree(device_totals);
}

int main(int argc, char **argv)
{
    uint     n_groups = argc > 1 ? (uint)atoi(argv[1]) : 8192;
    WolRules rules = {};
    uint64_t streams = family(family(family(1, 2), hash("random")), hash("random"));
    rules.start_streams = family(1, 1);
    rules.side_streams[0] = family(streams, 0);
    rules.side_streams[1] = family(streams, 1);
    rules.step = 1;
    if (CAST == TWO_RANDOM) {
        measure("random, random", rules, n_groups, 65536);
        return 0;
    }
    if (CAST == WITH_MINIMAX) {
        for (int side = 0; side < 2; side++)
            rules.players[side] = {~0ull, ~0ull, 2, 0};
        measure("minimax", rules, n_groups / 4, 256);
        return 0;
    }
    static const struct {
        const char *name;
        uint64_t    own, other;
        uint32_t    ties;
    } players[] = {{"bloodlust", 0, ~0ull, 0},
                   {"self-preservation", ~0ull, 0, 0},
                   {"land-grab", ~0ull, ~0ull, 0},
                   {"land-grab:ties=random", ~0ull, ~0ull, 1}};
    for (const auto &player : players) {
        for (int side = 0; side < 2; side++)
            rules.players[side] = {player.own, player.other, 1, player.ties};
        measure(player.name, rules, n_groups / 4, 8192);
    }
    return 0;
}
