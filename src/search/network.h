/* Learned evaluations: small neural networks, as data.
 *
 * The inputs are sets of cells (planes), one bit to a cell. There is one hidden layer, activated by
 * the square of the value clipped to 0..1 (SCReLU), and one output for each bucket of positions:
 * the logit of winning, for the side to move. A game may add scalars, such as the lead, straight to
 * the output. All sums are of integers, so a position has the same value on every processor.
 *
 * A network file has a header (magic, version, game, sizes, FNV-1a checksum), then the weights;
 * docs/networks.md describes it. Those in networks/ are compiled in. */
#ifndef TURF_SEARCH_NETWORK_H
#define TURF_SEARCH_NETWORK_H

#include "turf.h"

#include <stdalign.h>

enum {
    NETWORK_HIDDEN = 32,
    NETWORK_ONE = 256,       /* 1.0 in the hidden layer */
    NETWORK_OUTPUT_ONE = 64, /* 1.0 in the weights of the output */
    NETWORK_SUM_ONE = NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE, /* 1.0 in the output */
    NETWORK_MAX_INPUTS = 448,
    NETWORK_MAX_BUCKETS = 12,
    NETWORK_MAX_SCALARS = 4
};

/* A game uses the first of each. */
typedef struct Network {
    alignas(64) int16_t inputs[NETWORK_MAX_INPUTS][NETWORK_HIDDEN];
    alignas(64) int16_t biases[NETWORK_HIDDEN];
    alignas(64) int16_t outputs[NETWORK_MAX_BUCKETS][NETWORK_HIDDEN];
    int32_t scalars[NETWORK_MAX_BUCKETS][NETWORK_MAX_SCALARS];
    int32_t output_biases[NETWORK_MAX_BUCKETS];
    int32_t scale; /* the value of a logit */
} Network;

/* The network of a game that is compiled in; NULL: it has none. */
const Network *network_default(const TurfGame *game);

/* Reads a file for `game`. The caller frees the network with free(); NULL: see `error`. */
Network *network_open(const TurfGame *game, const char *path, TurfError *error);

#endif
