#include "support.h"

#include <stdlib.h>
#include <string.h>

WolState board_from(const char *picture)
{
    char      rows[128];
    size_t    n = 0;
    WolState  state;
    TurfError error = {0};
    for (; *picture && n < sizeof rows - 1; picture++)
        rows[n++] = *picture == ' ' ? '/' : *picture;
    rows[n] = '\0';
    if (!war_of_life.parse(&state, rows, &error))
        fail_msg("%s: %s", rows, error.text);
    return state;
}

void assert_board(const WolState *state, const char *picture)
{
    WolState wanted = board_from(picture);
    assert_int_equal(state->pieces[0], wanted.pieces[0]);
    assert_int_equal(state->pieces[1], wanted.pieces[1]);
}

SlowBoard slow_from(const WolState *state)
{
    SlowBoard board = {.to_move = state->to_move ? 'r' : 'b', .moves_made = (int)state->moves_made};
    for (int i = 0; i < 64; i++)
        board.cell[i / 8 + 1][i % 8 + 1] = state->pieces[0] >> i & 1   ? 'b'
                                           : state->pieces[1] >> i & 1 ? 'r'
                                                                       : '.';
    return board;
}

WolState fast_from(const SlowBoard *board)
{
    WolState state = {.to_move = board->to_move == 'r', .moves_made = (uint32_t)board->moves_made};
    for (int i = 0; i < 64; i++) {
        char c = board->cell[i / 8 + 1][i % 8 + 1];
        if (c != '.')
            state.pieces[c == 'r'] |= UINT64_C(1) << i;
    }
    return state;
}

TurfMove fast_move(SlowMove move)
{
    return wol_move(8 * (move.r1 - 1) + move.c1 - 1, 8 * (move.r2 - 1) + move.c2 - 1);
}

TurfEnding fast_ending(SlowEnding ending)
{
    static const TurfEnding endings[] = {TURF_N_ENDINGS, TURF_WON_BY_FIRST, TURF_WON_BY_SECOND,
                                         TURF_DRAWN,     TURF_STALEMATE,    TURF_EXHAUSTED};
    return endings[ending];
}

/* A random set of cells; the density varies from empty to full. */
static uint64_t any_set(TurfRng *rng)
{
    uint64_t a = rng_next(rng), b = rng_next(rng), c = rng_next(rng);
    switch (rng_below(rng, 8)) {
    case 0: return a & b & c;
    case 1: return a & b;
    case 2: return a & (b | c);
    case 3: return a | (b & c);
    case 4: return a | b;
    case 5: return a | b | c;
    case 6: return c & 1 ? 0 : ~UINT64_C(0);
    default: return a;
    }
}

WolState any_board(TurfRng *rng)
{
    WolState state = {.to_move = rng_below(rng, 2), .moves_made = rng_below(rng, WOL_LONGEST + 1)};
    uint64_t taken = any_set(rng), blue = any_set(rng);
    state.pieces[0] = taken & blue;
    state.pieces[1] = taken & ~blue;
    return state;
}

WolState board_from_play(TurfRng *rng)
{
    for (;;) {
        WolState   state = wol_random_start(rng);
        uint32_t   n_moves = rng_below(rng, 20);
        TurfEnding ending;
        TurfMove   move;
        for (; n_moves > 0 && !wol_is_over(&state, &ending); n_moves--) {
            if (!wol_draw_move(&state, rng_next(rng), &move))
                break;
            wol_apply(&state, move);
        }
        if (!wol_is_over(&state, &ending))
            return state;
    }
}

TurfMove chosen_by(const TurfPlayer *player, const TurfState *state, TurfRng *rng)
{
    TurfMove  move = 0;
    TurfError error = {.text = ""};
    if (!turf_player_choose(player, state, rng, &move, &error))
        fail_msg("%s", error.text);
    return move;
}

FILE *oracle_open(const char *name)
{
    const char *folder = getenv("TURF_ORACLES");
    char        path[4096];
    if (!folder || !*folder)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("TURF_ORACLES is set, but %s cannot be read", path);
    return file;
}

json_t *json_line(FILE *file)
{
    json_error_t where;
    json_t      *json = json_loadf(file, JSON_DISABLE_EOF_CHECK, &where);
    return json;
}

uint64_t cells_of(const json_t *list)
{
    uint64_t set = 0;
    size_t   i;
    json_t  *cell;
    json_array_foreach(list, i, cell)
    {
        json_int_t row = json_integer_value(json_array_get(cell, 0)),
                   column = json_integer_value(json_array_get(cell, 1));
        set |= UINT64_C(1) << (8 * (row - 1) + column - 1);
    }
    return set;
}

uint64_t scaled(uint64_t n)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return n / 20 + 1;
#else
    return n;
#endif
}
