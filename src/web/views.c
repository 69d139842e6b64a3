#include "web/views.h"

#include "base/bits.h"
#include "base/checked_json.h"
#include "games/amoeba_wars.h"
#include "games/battleground.h"
#include "games/squirrel_war.h"
#include "games/war_of_life.h"

#include <stdlib.h>
#include <string.h>

/* ---- endings ------------------------------------------------------------------------------ */

json_t *finish_json(const Finish *finish)
{
    if (!finish)
        return json_null();
    json_t *json = json_pack("{s:s,s:s,s:o}", "outcome", finish->outcome, "reason", finish->reason,
                             "text", json_sentence(finish->text));
    json_put(&json, "winner", finish->winner >= 0 ? json_integer(finish->winner) : json_null());
    return json;
}

/* ---- moves -------------------------------------------------------------------------------- */

json_t *ply_text(const TurfGame *game, const TurfState *state, const Ply *ply)
{
    char text[64];
    text[0] = '\0';
    if (ply->side == SIDE_BOTH) {
        snprintf(text, 64, "%zu and %zu cells", ply->actions[0].n_cells, ply->actions[1].n_cells);
    } else if (ply->side != SIDE_NOBODY && game == &war_of_life) {
        int from = (int)ply->move / 64, to = (int)ply->move % 64;
        snprintf(text, 64, "%d,%d to %d,%d", from / 8 + 1, from % 8 + 1, to / 8 + 1, to % 8 + 1);
    } else if (ply->side != SIDE_NOBODY) {
        char name[32];
        turf_move_to_text(game, state, ply->move, name);
        snprintf(text, 64, "%s", name);
    }
    /* A move has a name, or there was no memory to make it. */
    return text[0] || ply->side == SIDE_NOBODY ? json_string(text) : NULL;
}

static void append_cell(json_t **list, int row, int col)
{
    json_t *cell = json_array();
    json_add(&cell, json_integer(row));
    json_add(&cell, json_integer(col));
    json_add(list, cell);
}

static json_t *cells_of_bits(uint64_t set, int columns)
{
    json_t *list = json_array();
    for (; set; set = bits_rest(set))
        append_cell(&list, bits_lowest(set) / columns, bits_lowest(set) % columns);
    return list;
}

static json_t *cells_of_action(const TurfAction *action)
{
    json_t *list = json_array();
    for (size_t i = 0; i < action->n_cells; i++)
        append_cell(&list, action->cells[i].row, action->cells[i].col);
    return list;
}

/* What is alive in one board and not in the other. */
static json_t *cells_of_difference(const BgState *has, const BgState *lacks)
{
    json_t *list = json_array();
    for (int row = 0; row < has->config.rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(&has->config); stripe++) {
            uint64_t more =
                (has->cells[0].stripes[stripe][row] | has->cells[1].stripes[stripe][row]) &
                ~(lacks->cells[0].stripes[stripe][row] | lacks->cells[1].stripes[stripe][row]);
            for (; more; more = bits_rest(more))
                append_cell(&list, row, BG_STRIPE_COLS * stripe + bits_lowest(more));
        }
    return list;
}

json_t *view_of_board(const TurfGame *game, const void *state)
{
    json_t *json = game->to_json(state), *board = json_incref(json_object_get(json, "board"));
    json_decref(json);
    return board;
}

static json_t *wol_effect(const WolState *before, const Ply *ply, Detail detail)
{
    WolState moved = *before;
    if (ply->side != SIDE_NOBODY)
        wol_slide(&moved, ply->move);
    WolState cranked = moved;
    wol_turn_crank(&cranked);
    uint64_t was = ~wol_empty(&moved), is = ~wol_empty(&cranked);
    json_t  *born_to = json_array();
    for (uint64_t born = is & ~was; born; born = bits_rest(born))
        json_add(&born_to, json_integer(cranked.pieces[1] >> bits_lowest(born) & 1));
    json_t *effect =
        json_pack("{s:s,s:o,s:o,s:o}", "kind", "crank", "born", cells_of_bits(is & ~was, 8),
                  "born_to", born_to, "died", cells_of_bits(was & ~is, 8));
    if (detail == WITH_BETWEEN)
        json_put(&effect, "between", view_of_board(&war_of_life, &moved));
    return effect;
}

static json_t *sw_effect(const SwPosition *before, const Ply *ply)
{
    int      square = (int)ply->move;
    uint32_t taken = sw_taken(&before->board, square);
    return json_pack("{s:s,s:o,s:i}", "kind", sw_is_raid(&before->board, square) ? "raid" : "sneak",
                     "taken", cells_of_bits(taken, SW_SIDE), "points",
                     sw_sum(&before->values, taken | sw_bit(square)));
}

static json_t *aw_effect(const AwState *before, TurfMove move)
{
    int  row = aw_row(move), column = aw_column(move), enemy = !before->header.to_move;
    bool is_kill = aw_is_small(before)
                       ? aw_small_has(before->small.live[enemy], 8 * row + column)
                       : aw_large_has(before->large.live[enemy], AW_MAX_SIZE * row + column);
    return json_pack("{s:s}", "kind", is_kill ? "kill" : "spread");
}

/* Cells that both picked. */
static json_t *collisions_of(const BgConfig *config, const TurfAction actions[2])
{
    BgSet   picked[2];
    json_t *list = json_array();
    memset(picked, 0, sizeof picked);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < actions[side].n_cells; i++)
            bg_add(&picked[side], actions[side].cells[i].row, actions[side].cells[i].col);
    for (int row = 0; row < config->rows; row++)
        for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
            uint64_t both = picked[0].stripes[stripe][row] & picked[1].stripes[stripe][row];
            for (; both; both = bits_rest(both))
                append_cell(&list, row, BG_STRIPE_COLS * stripe + bits_lowest(both));
        }
    return list;
}

static json_t *bg_effect(const BgState *before, const Ply *ply, Detail detail)
{
    BgState placed = *before;
    bg_colonise(&placed, ply->actions);
    BgState stepped = placed;
    bg_step(&stepped);
    json_t *effect = json_pack("{s:s,s:[o,o],s:o,s:o,s:o}", "kind", "step", "placed",
                               cells_of_action(&ply->actions[0]), cells_of_action(&ply->actions[1]),
                               "collisions", collisions_of(&before->config, ply->actions), "born",
                               cells_of_difference(&stepped, &placed), "died",
                               cells_of_difference(&placed, &stepped));
    if (detail == WITH_BETWEEN)
        json_put(&effect, "between", view_of_board(&ai_battleground, &placed));
    return effect;
}

static json_t *effect_of(const TurfGame *game, const TurfState *before, const Ply *ply,
                         Detail detail)
{
    if (game == &war_of_life)
        return wol_effect((const WolState *)before, ply, detail);
    if (game == &squirrel_war)
        return sw_effect((const SwPosition *)before, ply);
    if (game == &amoeba_wars)
        return aw_effect((const AwState *)before, ply->move);
    return bg_effect((const BgState *)before, ply, detail);
}

/* The cells that a move is about, in the order in which a person would point at them. */
static json_t *cells_of_ply(const TurfGame *game, const Ply *ply)
{
    json_t *list = json_array();
    int     move = (int)ply->move;
    if (ply->side == SIDE_NOBODY)
        return list;
    if (ply->side == SIDE_BOTH) {
        for (int side = 0; side < 2; side++)
            json_add_all(&list, cells_of_action(&ply->actions[side]));
    } else if (game == &war_of_life) {
        append_cell(&list, move / 64 / 8, move / 64 % 8);
        append_cell(&list, move % 64 / 8, move % 8);
    } else if (game == &amoeba_wars) {
        append_cell(&list, aw_row(ply->move), aw_column(ply->move));
    } else {
        append_cell(&list, move / SW_SIDE, move % SW_SIDE);
    }
    return list;
}

json_t *view_of_side(int side)
{
    return side == SIDE_BOTH     ? json_string("both")
           : side == SIDE_NOBODY ? json_null()
                                 : json_integer(side);
}

json_t *view_of_move(const TurfGame *game, const TurfState *before, const Ply *ply, Detail detail)
{
    TurfState after = *before;
    ply_apply(game, &after, ply);
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "move", ply_to_json(game, before, ply), "text",
                     ply_text(game, before, ply), "side", view_of_side(ply->side), "cells",
                     cells_of_ply(game, ply), "scores", view_of_scores(game, &after), "effect",
                     effect_of(game, before, ply, detail));
}

/* ---- positions ---------------------------------------------------------------------------- */

json_t *view_of_mover(const TurfGame *game, const TurfState *state)
{
    TurfMover mover = game->to_move(state);
    return mover == TURF_MOVER_NOBODY
               ? json_null()
               : view_of_side(mover == TURF_MOVER_BOTH ? SIDE_BOTH : (int)mover);
}

json_t *view_of_scores(const TurfGame *game, const TurfState *state)
{
    return json_pack("[i,i]", game->own(state, TURF_FIRST), game->own(state, TURF_SECOND));
}

void view_add(json_t **json, const TurfGame *game, const TurfState *state, const Finish *finish)
{
    Finish by_rules;
    if (!finish && finish_by_rules(game, state, &by_rules))
        finish = &by_rules;
    json_put(json, "position", game->to_json(state));
    json_put(json, "mover", finish ? json_null() : view_of_mover(game, state));
    json_put(json, "scores", view_of_scores(game, state));
    json_put(json, "moves_left", json_integer(game->moves_left ? game->moves_left(state) : 1));
    json_put(json, "over", finish_json(finish));
}

json_t *view_of_moves(const TurfGame *game, const TurfState *state)
{
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->to_move(state) == TURF_MOVER_NOBODY ? 0 : game->moves(state, moves);
    json_t  *list = json_array();
    for (size_t i = 0; i < n_moves; i++) {
        Ply ply = {.side = (int)game->to_move(state), .move = moves[i]};
        json_add(&list, view_of_move(game, state, &ply, WITHOUT_BETWEEN));
    }
    return list;
}

json_t *view_of_reach(const TurfState *state)
{
    const BgState *board = (const BgState *)state;
    BgSet          reach[2];
    bg_reach(board, TURF_FIRST, &reach[0]);
    bg_reach(board, TURF_SECOND, &reach[1]);
    json_t *rows = json_array();
    for (int row = 0; row < board->config.rows; row++) {
        char text[BG_MAX_SIDE];
        for (int col = 0; col < board->config.cols; col++)
            text[col] = ".123"[bg_has(&reach[0], row, col) + 2 * bg_has(&reach[1], row, col)];
        json_add(&rows, json_stringn(text, (size_t)board->config.cols));
    }
    return rows;
}
