/* Evaluating a network. Included by the searches, and compiled for several processors: the
 * compiler's vector extension makes the same integers of it everywhere.
 *
 * The first layer is a sum of rows, one for each input that is set. In War of Life the crank
 * changes the board everywhere, so nothing is kept from position to position; sums of four cells
 * from a table, and differences to a sibling's sums, were tried and gained nothing. */
#ifndef TURF_SEARCH_NETWORK_EVAL_H
#define TURF_SEARCH_NETWORK_EVAL_H

#include "base/bits.h"
#include "search/network.h"

#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#ifdef __AVX2__
enum { NETWORK_VECTOR_BYTES = 32 };
#else
enum { NETWORK_VECTOR_BYTES = 16 };
#endif
enum { NETWORK_VECTORS = NETWORK_HIDDEN * 2 / NETWORK_VECTOR_BYTES };

/* Unsigned, so that sums wrap by definition; network.c checks that they never do. */
typedef uint16_t NetworkVector __attribute__((vector_size(NETWORK_VECTOR_BYTES)));

typedef struct NetworkSums {
    NetworkVector vectors[NETWORK_VECTORS];
} NetworkSums;

/* Adds a plane of inputs, the `plane`-th of 64 cells. */
static inline void network_add(const Network *network, int plane, uint64_t set, NetworkSums *sums)
{
    const int16_t(*rows)[NETWORK_HIDDEN] = network->inputs + 64 * plane;
    for (; set; set = bits_rest(set)) {
        const NetworkVector *row = (const void *)rows[bits_lowest(set)];
        for (int i = 0; i < NETWORK_VECTORS; i++)
            sums->vectors[i] += row[i];
    }
}

/* The weights times squares of the clipped sums. */
#ifdef __wasm_simd128__
/* By hand, since what clang makes of loops for WebAssembly is not trusted (src/wasm/meson.build).
 */
static inline int32_t network_weigh(const NetworkSums *sums, const int16_t *weights)
{
    v128_t zero = wasm_i16x8_const_splat(0), one = wasm_i16x8_const_splat(NETWORK_ONE);
    v128_t total = zero;
    for (int i = 0; i < NETWORK_VECTORS; i++) {
        v128_t active = wasm_i16x8_max(wasm_v128_load(&sums->vectors[i]), zero);
        active = wasm_i16x8_min(active, one);
        v128_t weighted = wasm_i16x8_mul(active, wasm_v128_load(weights + 8 * i));
        total = wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(weighted, active));
    }
    return wasm_i32x4_extract_lane(total, 0) + wasm_i32x4_extract_lane(total, 1) +
           wasm_i32x4_extract_lane(total, 2) + wasm_i32x4_extract_lane(total, 3);
}
#else
static inline int32_t network_weigh(const NetworkSums *sums, const int16_t *weights)
{
    alignas(64) int16_t hidden[NETWORK_HIDDEN];
    int32_t             sum = 0;
    memcpy(hidden, sums, sizeof hidden);
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        int16_t active = hidden[i] > 0 ? hidden[i] : 0;
        active = active < NETWORK_ONE ? active : NETWORK_ONE;
        int16_t weighted = (int16_t)(active * weights[i]);
        sum += (int32_t)weighted * active;
    }
    return sum;
}
#endif

/* The output of a bucket. */
static inline int64_t network_output(const Network *network, const NetworkSums *sums,
                                     unsigned bucket)
{
    return (int64_t)network_weigh(sums, network->outputs[bucket]) + network->output_biases[bucket];
}

/* The output as a value, well below that of a decided game. */
static inline int network_scaled(const Network *network, int64_t output)
{
    enum { MAX_VALUE = 8000 };
    int64_t value = output * network->scale / NETWORK_SUM_ONE;
    if (value > MAX_VALUE)
        return MAX_VALUE;
    return value < -MAX_VALUE ? -MAX_VALUE : (int)value;
}

#endif
