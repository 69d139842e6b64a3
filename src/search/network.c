/* Reading network files. A network is checked before it is used: its checksum, and that no sum in
 * the hidden layer can leave 16 bits, whatever the position. */
#include "search/network.h"

#include "base/error.h"
#include "base/hash.h"
#include "games/game.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, MAX_SCALE = 4096, PLANE_CELLS = 64, MAX_STATES = 4, MAX_BOARDS = 2 };

/* The sizes of a game's network, and which inputs can be set together: each board of 64 cells has
 * planes, and a cell is in one of some states, each a set of planes (bits). */
typedef struct Shape {
    const TurfGame *game;
    const Network  *network; /* that is compiled in */
    uint32_t        n_inputs, n_buckets, n_scalars;
    uint8_t         states[MAX_BOARDS][MAX_STATES];
} Shape;

extern const Network network_war_of_life, network_amoeba_wars;

static const Shape shapes[] = {
    {&war_of_life, &network_war_of_life, 256, 8, 0, {{1, 2}, {4, 8}}},
    {&amoeba_wars, &network_amoeba_wars, 448, 12, 4, {{1 | 64, 2 | 32, 4, 8 | 16}}},
};

static const Shape *shape_of(const TurfGame *game)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (shapes[i].game == game)
            return &shapes[i];
    return NULL;
}

const Network *network_default(const TurfGame *game)
{
    const Shape *shape = shape_of(game);
    return shape ? shape->network : NULL;
}

/* ---- checks ------------------------------------------------------------------------------- */

static int magnitude(int a) { return a < 0 ? -a : a; }

/* The largest sum of a hidden unit over the states of one cell. */
static int max_of_cell(const Network *network, const uint8_t states[MAX_STATES], size_t cell,
                       size_t unit)
{
    int max = 0;
    for (int i = 0; i < MAX_STATES; i++) {
        int sum = 0;
        for (size_t plane = 0; states[i] >> plane; plane++)
            if (states[i] >> plane & 1)
                sum += magnitude(network->inputs[PLANE_CELLS * plane + cell][unit]);
        max = sum > max ? sum : max;
    }
    return max;
}

static bool fits_16_bits(const Network *network, const Shape *shape, size_t unit)
{
    int sum = magnitude(network->biases[unit]);
    for (int board = 0; board < MAX_BOARDS; board++)
        for (size_t cell = 0; cell < PLANE_CELLS; cell++)
            sum += max_of_cell(network, shape->states[board], cell, unit);
    for (size_t bucket = 0; bucket < shape->n_buckets; bucket++)
        if (magnitude(network->outputs[bucket][unit]) * NETWORK_ONE > INT16_MAX)
            return false;
    return sum <= INT16_MAX;
}

static bool is_within_range(const Network *network, const Shape *shape)
{
    for (size_t unit = 0; unit < NETWORK_HIDDEN; unit++)
        if (!fits_16_bits(network, shape, unit))
            return false;
    return network->scale > 0 && network->scale <= MAX_SCALE;
}

/* ---- files -------------------------------------------------------------------------------- */

/* All numbers are little-endian. */
typedef struct Header {
    char     magic[8];
    uint32_t version;
    char     game[20];
    uint32_t n_inputs, n_hidden, n_buckets, n_scalars, scale;
    uint32_t unused;
    uint64_t checksum; /* of what follows */
} Header;

static_assert(sizeof(Header) == 64, "no padding");

typedef struct NetworkFile {
    Header        header;
    unsigned char weights[sizeof(Network)]; /* more than any file has */
} NetworkFile;

/* Takes the next part of the weights, of one size for each row. */
static const unsigned char *take(const unsigned char *from, void *to, size_t n_bytes)
{
    memcpy(to, from, n_bytes);
    return from + n_bytes;
}

static size_t weights_size(const Shape *shape)
{
    return 2 * NETWORK_HIDDEN * (shape->n_inputs + 1 + shape->n_buckets) +
           4 * shape->n_buckets * (shape->n_scalars + 1);
}

static bool check_header(const NetworkFile *file, size_t n_bytes, const Shape *shape,
                         TurfError *error)
{
    const Header *header = &file->header;
    if (n_bytes < sizeof *header || memcmp(header->magic, "TURFNET", 8) != 0)
        return error_invalid(error, "it is not a network file of turf");
    if (header->version != VERSION)
        return error_invalid(error, "its version is %u, and this turf reads version %d",
                             header->version, VERSION);
    if (strncmp(header->game, shape->game->name, sizeof header->game) != 0)
        return error_invalid(error, "it is a network for %.20s, not for %s", header->game,
                             shape->game->name);
    if (header->n_inputs != shape->n_inputs || header->n_hidden != NETWORK_HIDDEN ||
        header->n_buckets != shape->n_buckets || header->n_scalars != shape->n_scalars)
        return error_invalid(error,
                             "it has %u inputs, %u hidden units, %u buckets and %u scalars; turf "
                             "needs %u, %d, %u and %u",
                             header->n_inputs, header->n_hidden, header->n_buckets,
                             header->n_scalars, shape->n_inputs, NETWORK_HIDDEN, shape->n_buckets,
                             shape->n_scalars);
    if (n_bytes != sizeof *header + weights_size(shape))
        return error_invalid(error, "it is damaged: it should have %zu bytes",
                             sizeof *header + weights_size(shape));
    if (header->checksum != hash_bytes(file->weights, weights_size(shape)))
        return error_invalid(error, "it is damaged: its checksum is wrong");
    return true;
}

static bool unpack(const NetworkFile *file, const Shape *shape, Network *network, TurfError *error)
{
    const unsigned char *at = file->weights;
    memset(network, 0, sizeof *network);
    at = take(at, network->inputs, shape->n_inputs * sizeof network->inputs[0]);
    at = take(at, network->biases, sizeof network->biases);
    at = take(at, network->outputs, shape->n_buckets * sizeof network->outputs[0]);
    for (size_t bucket = 0; bucket < shape->n_buckets; bucket++)
        at = take(at, network->scalars[bucket], 4 * shape->n_scalars);
    (void)take(at, network->output_biases, 4 * shape->n_buckets);
    network->scale = (int32_t)file->header.scale;
    return is_within_range(network, shape) ||
           error_invalid(error, "its weights or its scale are out of range");
}

static bool read_file(const char *path, const Shape *shape, NetworkFile *file, TurfError *error)
{
    FILE *in = fopen(path, "rbe");
    if (!in)
        return error_system(error, errno, "%s", strerror(errno));
    size_t n_bytes = fread(file, 1, sizeof *file, in);
    bool   has_failed = ferror(in) != 0;
    int    why = errno;
    (void)fclose(in);
    if (has_failed)
        return error_system(error, why, "%s", strerror(why));
    return check_header(file, n_bytes, shape, error);
}

Network *network_open(const TurfGame *game, const char *path, TurfError *error)
{
    const Shape *shape = shape_of(game);
    NetworkFile *file = calloc(1, sizeof *file);
    Network     *network = aligned_alloc(alignof(Network), sizeof *network);
    TurfError    why;
    char         quoted[ERROR_QUOTE_BYTES];
    bool         is_good = file && network;
    if (!is_good)
        error_fill(&why, TURF_ERROR_NO_MEMORY, "out of memory");
    else if (!shape)
        is_good = error_invalid(&why, "no network judges positions of %s", game->name);
    else
        is_good = read_file(path, shape, file, &why) && unpack(file, shape, network, &why);
    free(file);
    if (is_good)
        return network;
    free(network);
    error_fill(error, why.code, "the network '%s' cannot be used: %.250s",
               error_quote(quoted, path), why.text);
    return NULL;
}
