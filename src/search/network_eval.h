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

/* The output of a bucket: its bias, and weights times squares of the clipped sums. */
static inline int64_t network_output(const Network *network, const NetworkSums *sums,
                                     unsigned bucket)
{
    alignas(64) int16_t hidden[NETWORK_HIDDEN];
    const int16_t      *weights = network->outputs[bucket];
    int32_t             sum = 0;
    memcpy(hidden, sums, sizeof hidden);
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        int16_t active = hidden[i] > 0 ? hidden[i] : 0;
        active = active < NETWORK_ONE ? active : NETWORK_ONE;
        int16_t weighted = (int16_t)(active * weights[i]);
        sum += (int32_t)weighted * active;
    }
    return (int64_t)sum + network->output_biases[bucket];
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
