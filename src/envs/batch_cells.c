/* Batches of AI Battleground, where an action is a set of cells, compiled for several instruction
 * sets; KERNEL is its name. Both sides' sets of all games are checked before any game moves on.
 *
 * A BgState has room for the largest board, and a thousand of them do not fit into a cache, so a
 * place keeps no more words than its board needs. All games of a batch have the same config. */
#include "base/error.h"
#include "base/expand.h"
#include "envs/env_batch.h"
#include "games/battleground.h"
#include "games/bg_rules.inc.h"

#include <string.h>

/* The sets of cells of a place, those of each kind for both sides. */
enum { LIVE, REACH = 2, LISTED = 4, N_SETS = 6 };

typedef struct Place {
    int32_t  remaining[2], iteration, unused;
    int64_t  live_sum[2];
    uint64_t words[]; /* of N_SETS sets: the rows of the first stripe, then of the second */
} Place;

/* The words of a set by stripes; the second is the first again where there is one only. */
typedef struct Set {
    uint64_t *of[BG_MAX_STRIPES];
} Set;

static const BgConfig *config_of(const TurfBatch *batch)
{
    const void    *start = &batch->start;
    const BgState *state = start;
    return &state->config;
}

static inline size_t n_set_words(const BgConfig *config)
{
    return (size_t)(config->rows * bg_n_stripes(config));
}

static size_t place_size(const TurfState *start)
{
    const BgState  *state = (const void *)start;
    const BgConfig *config = &state->config;
    return sizeof(Place) + N_SETS * n_set_words(config) * sizeof(uint64_t);
}

static Place *place_at(const TurfBatch *batch, size_t index) { return batch_state(batch, index); }

static inline Set set_of(const BgConfig *config, Place *place, int which)
{
    uint64_t *words = place->words + (size_t)which * n_set_words(config);
    return (Set){{words, words + (bg_n_stripes(config) - 1) * config->rows}};
}

static inline int count(const BgConfig *config, Place *place, int which)
{
    const uint64_t *words = place->words + (size_t)which * n_set_words(config);
    int             n_cells = 0;
    for (size_t i = 0; i < n_set_words(config); i++)
        n_cells += bits_count(words[i]);
    return n_cells;
}

static void load(TurfBatch *batch, size_t index, const TurfState *from)
{
    const BgState *state = (const BgState *)(const void *)from;
    Place         *place = place_at(batch, index);
    memcpy(place->remaining, state->remaining, sizeof place->remaining);
    memcpy(place->live_sum, state->live_sum, sizeof place->live_sum);
    place->iteration = state->iteration;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&state->config); stripe++)
            memcpy(set_of(&state->config, place, LIVE + side).of[stripe],
                   state->cells[side].stripes[stripe],
                   (size_t)state->config.rows * sizeof(uint64_t));
}

static void save(const TurfBatch *batch, size_t index, TurfState *to)
{
    BgState       *state = (BgState *)(void *)to;
    Place         *place = place_at(batch, index);
    const BgConfig config = *config_of(batch);
    state->config = config;
    memcpy(state->remaining, place->remaining, sizeof place->remaining);
    memcpy(state->live_sum, place->live_sum, sizeof place->live_sum);
    state->iteration = place->iteration;
    for (int side = 0; side < 2; side++)
        for (int stripe = 0; stripe < bg_n_stripes(&config); stripe++)
            memcpy(state->cells[side].stripes[stripe],
                   set_of(&config, place, LIVE + side).of[stripe],
                   (size_t)config.rows * sizeof(uint64_t));
}

/* ---- sets as bytes ------------------------------------------------------------------------ */

/* The pieces of a row that stand in one word are joined to words of 64 cells, as they are in the
 * arrays: that takes nine stores of 64 bytes on 24x24, where row by row takes 24. */
static void show_set(const BgConfig *config, Set set, uint8_t *bytes)
{
    uint64_t word = 0;
    unsigned n_bits = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            uint64_t piece = set.of[stripe][row];
            unsigned width = (unsigned)stripe_width(config, stripe);
            word |= piece << n_bits;
            if (n_bits + width < 64) {
                n_bits += width;
                continue;
            }
            expand_64(word, bytes);
            bytes += 64;
            word = n_bits > 0 ? piece >> (64 - n_bits) : 0;
            n_bits += width - 64;
        }
    expand(word, n_bits, bytes);
}

/* The bytes of a board that are not 0, as a set. */
static void read_set(const BgConfig *config, const uint8_t *bytes, Set set)
{
    size_t   n_left = (size_t)(config->rows * config->cols);
    uint64_t word = 0;
    unsigned n_bits = 0; /* of `word` */
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            unsigned width = (unsigned)stripe_width(config, stripe);
            uint64_t all = ~UINT64_C(0) >> (64 - width);
            if (n_bits >= width) {
                set.of[stripe][row] = word & all;
                word = width < 64 ? word >> width : 0;
                n_bits -= width;
                continue;
            }
            unsigned n = n_left < 64 ? (unsigned)n_left : 64, n_used = width - n_bits;
            uint64_t next = collect(bytes, n);
            bytes += n;
            n_left -= n;
            set.of[stripe][row] = (word | next << n_bits) & all;
            word = n_used < 64 ? next >> n_used : 0;
            n_bits = n - n_used;
        }
}

static void show(TurfBatch *batch, size_t index)
{
    const BgConfig        *config = config_of(batch);
    const TurfBatchArrays *arrays = &batch->rows.arrays;
    Place                 *place = place_at(batch, index);
    int32_t               *numbers = arrays->numbers + index * batch->shape.n_numbers;
    Set                    live[2] = {set_of(config, place, LIVE), set_of(config, place, LIVE + 1)};
    for (size_t side = 0; side < 2; side++) {
        size_t                row = (2 * index + side) * batch->shape.n_actions;
        Set                   reach = set_of(config, place, REACH + (int)side);
        const uint64_t *const own[] = {live[side].of[0], live[side].of[1]};
        const uint64_t *const other[] = {live[!side].of[0], live[!side].of[1]};
        find_reach(config, own, other, reach.of);
        show_set(config, live[side], arrays->observations + row);
        show_set(config, reach, arrays->masks + row);
    }
    numbers[0] = place->remaining[0];
    numbers[1] = place->remaining[1];
    numbers[2] = place->iteration;
    arrays->to_move[index] = TURF_MOVER_BOTH;
}

/* ---- actions ------------------------------------------------------------------------------ */

static bool is_within_reach(const BgConfig *config, const Place *place, int side)
{
    size_t          n_words = n_set_words(config);
    const uint64_t *listed = place->words + (size_t)(LISTED + side) * n_words;
    const uint64_t *reach = place->words + (size_t)(REACH + side) * n_words;
    uint64_t        outside = 0;
    for (size_t i = 0; i < n_words; i++)
        outside |= listed[i] & ~reach[i];
    return outside == 0;
}

static size_t list_cells(const BgConfig *config, Set set, TurfCell *cells)
{
    size_t n_cells = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
            for (uint64_t left = set.of[stripe][row]; left; left = bits_rest(left))
                cells[n_cells++] = (TurfCell){row, BG_STRIPE_COLS * stripe + bits_lowest(left)};
    return n_cells;
}

/* Why an action is not legal, in the words of the rules. */
static bool say_illegal(const TurfBatch *batch, size_t index, TurfSide side, TurfError *error)
{
    Set       listed = set_of(config_of(batch), place_at(batch, index), LISTED + (int)side);
    TurfCell  cells[TURF_MAX_CELLS];
    TurfState state = {{0}};
    TurfError why;
    save(batch, index, &state);
    TurfAction  action = {cells, list_cells(config_of(batch), listed, cells)};
    const void *position = &state;
    if (bg_is_legal(position, side, &action, &why))
        return true;
    return error_invalid(error, "game %zu, player %d: %.300s", index, side + 1, why.text);
}

static bool read_cells(TurfBatch *batch, BatchRange range, const uint8_t *cells, TurfError *error)
{
    const BgConfig config = *config_of(batch);
    for (size_t i = range.begin; i < range.end; i++)
        for (int side = 0; side < 2; side++) {
            Place *place = place_at(batch, i);
            read_set(&config, cells + (2 * i + (size_t)side) * batch->shape.n_actions,
                     set_of(&config, place, LISTED + side));
            if (is_within_reach(&config, place, side) &&
                count(&config, place, LISTED + side) <= place->remaining[side])
                continue;
            if (!say_illegal(batch, i, (TurfSide)side, error))
                return false;
        }
    return true;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* bg_colonise with sets: all listed cells were dead, so one in both lists is a collision. */
static inline void colonise(const BgConfig *config, Place *place)
{
    size_t          n_words = n_set_words(config);
    uint64_t       *first = place->words, *second = first + n_words;
    const uint64_t *listed1 = place->words + LISTED * n_words, *listed2 = listed1 + n_words;
    bool            is_cancelled = config->collisions == BG_CANCEL;
    for (size_t i = 0; i < n_words; i++) {
        uint64_t both = listed1[i] & listed2[i];
        first[i] |= listed1[i] & ~both;
        second[i] |= is_cancelled ? listed2[i] & ~both : listed2[i];
    }
}

static inline void charge(const BgConfig *config, Place *place, int side)
{
    int64_t left = place->remaining[side] - (int64_t)count(config, place, LISTED + side) +
                   config->cell_gain_per_turn;
    place->remaining[side] =
        left < config->max_cell_capacity ? (int32_t)left : config->max_cell_capacity;
}

/* bg_play with the listed sets. */
static inline void play(const BgConfig *config, Place *place)
{
    Set first = set_of(config, place, LIVE), second = set_of(config, place, LIVE + 1);
    colonise(config, place);
    for (int side = 0; side < 2; side++)
        charge(config, place, side);
    step_board(config, first.of, second.of);
    place->iteration++;
    for (int side = 0; side < 2 && config->scoring == BG_SUM; side++)
        place->live_sum[side] += count(config, place, LIVE + side);
}

static TurfEnding ending_at(const BgConfig *config, Place *place)
{
    if (config->scoring == BG_SUM)
        return ending_of_lead(place->live_sum[0] - place->live_sum[1]);
    return ending_of_lead(count(config, place, LIVE) - count(config, place, LIVE + 1));
}

static void step(TurfBatch *batch, BatchRange range)
{
    const BgConfig config = *config_of(batch);
    for (size_t i = range.begin; i < range.end; i++) {
        Place *place = place_at(batch, i);
        play(&config, place);
        if (place->iteration < config.max_game_iterations) {
            batch_go_on(&batch->rows, i);
            show(batch, i);
            continue;
        }
        batch_finish(&batch->rows, i, TURF_FIRST, ending_at(&config, place));
        batch_begin(batch, i);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* How many cells of a set stand in its words up to each one, in the order of the board. */
typedef struct Tally {
    uint16_t up_to[BG_MAX_STRIPES * BG_MAX_SIDE];
    size_t   n_words;
} Tally;

static inline uint32_t tally(const BgConfig *config, Set set, Tally *counts)
{
    uint32_t n_cells = 0;
    size_t   at = 0;
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            n_cells += (uint32_t)bits_count(set.of[stripe][row]);
            counts->up_to[at++] = (uint16_t)n_cells;
        }
    counts->n_words = at;
    return n_cells;
}

/* The n-th cell of a set, row by row, as an index of the board. */
static inline size_t nth_cell(const BgConfig *config, Set set, const Tally *counts, uint32_t n)
{
    uint16_t before = 0, wanted = (uint16_t)n;
    for (size_t i = 0; i < counts->n_words; i++)
        before = (uint16_t)(before + (counts->up_to[i] <= wanted));
    int n_stripes = bg_n_stripes(config), row = before / n_stripes, stripe = before % n_stripes;
    uint32_t rest = n - (before > 0 ? counts->up_to[before - 1] : 0U);
    int      col = BG_STRIPE_COLS * stripe + bits_lowest(bits_nth(set.of[stripe][row], rest));
    return (size_t)(row * config->cols + col);
}

/* As the player "random" draws: the beginning of a Fisher-Yates shuffle of the cells in reach. The
 * list is not written down: `moved` has the few entries that have changed. */
static void draw(const BgConfig *config, Place *place, int side, TurfRng *rng, uint8_t *bytes)
{
    Set      reach = set_of(config, place, REACH + side);
    Tally    counts;
    uint32_t n_reach = tally(config, reach, &counts), max = (uint32_t)place->remaining[side];
    struct {
        uint32_t at, value;
    } moved[TURF_MAX_CELLS];
    uint32_t n_cells = rng_below(rng, (max < n_reach ? max : n_reach) + 1);
    for (uint32_t i = 0; i < n_cells; i++) {
        uint32_t at = i + rng_below(rng, n_reach - i), pick = at, first = i;
        for (uint32_t k = 0; k < i; k++) {
            pick = moved[k].at == at ? moved[k].value : pick;
            first = moved[k].at == i ? moved[k].value : first;
        }
        moved[i].at = at;
        moved[i].value = first;
        bytes[nth_cell(config, reach, &counts, pick)] = 1;
    }
}

static void sample(TurfBatch *batch, BatchRange range, uint8_t *cells)
{
    const BgConfig config = *config_of(batch);
    size_t         n_cells = batch->shape.n_actions;
    for (size_t i = range.begin; i < range.end; i++) {
        memset(cells + 2 * i * n_cells, 0, 2 * n_cells);
        for (size_t side = 0; side < 2; side++)
            draw(&config, place_at(batch, i), (int)side, &batch->rows.rng[i][side],
                 cells + (2 * i + side) * n_cells);
    }
}

extern const BatchKind KERNEL;
const BatchKind        KERNEL = {.state_size_for = place_size,
                                 .load = load,
                                 .save = save,
                                 .show = show,
                                 .read_cells = read_cells,
                                 .step_cells = step,
                                 .sample_cells = sample};
