/* Move histories. The invariant: `state` is the position after `n_plies`, every kept ply is legal
 * where it stands, and checkpoints[k] is the position after (k + 1) * CHECKPOINT_PLIES plies, for
 * all that lie within `n_kept`. */
#include "live/move_history.h"

#include "base/checked_json.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void history_init(MoveHistory *history, const TurfGame *game, const TurfState *start)
{
    *history = (MoveHistory){.game = game, .start = *start, .state = *start};
}

static void forget_plies_after(MoveHistory *history, size_t n_plies)
{
    while (history->n_kept > n_plies)
        free(history->plies[--history->n_kept].cells);
}

void history_release(MoveHistory *history)
{
    forget_plies_after(history, 0);
    free(history->plies);
    free(history->checkpoints);
    history->plies = NULL;
    history->checkpoints = NULL;
    history->n_plies = history->room = history->checkpoint_room = history->n_cells = 0;
}

/* ---- adding ------------------------------------------------------------------------------- */

static bool make_room(MoveHistory *history)
{
    size_t n_checkpoints = (history->n_plies + 1) / CHECKPOINT_PLIES;
    if (n_checkpoints > history->checkpoint_room) {
        size_t     room = 2 * n_checkpoints;
        TurfState *checkpoints = realloc(history->checkpoints, room * sizeof *checkpoints);
        if (!checkpoints)
            return false;
        history->checkpoints = checkpoints;
        history->checkpoint_room = room;
    }
    if (history->n_plies < history->room)
        return true;
    size_t     room = history->room ? 2 * history->room : 32;
    PlayedPly *plies = realloc(history->plies, room * sizeof *plies);
    if (!plies)
        return false;
    history->plies = plies;
    history->room = room;
    return true;
}

/* The cells of both sides, in one piece of memory. */
static bool copy_cells(const Ply *ply, PlayedPly *played)
{
    size_t n_cells[2] = {ply->actions[0].n_cells, ply->actions[1].n_cells};
    size_t n_both = n_cells[0] + n_cells[1];
    played->cells = malloc((n_both ? n_both : 1) * sizeof *played->cells);
    if (!played->cells)
        return false;
    for (int side = 0; side < 2; side++) {
        TurfCell *cells = played->cells + (side ? n_cells[0] : 0);
        if (n_cells[side])
            memcpy(cells, ply->actions[side].cells, n_cells[side] * sizeof *cells);
        played->ply.actions[side] = (TurfAction){cells, n_cells[side]};
    }
    return true;
}

static size_t n_cells_of(const PlayedPly *played)
{
    return played->ply.actions[0].n_cells + played->ply.actions[1].n_cells;
}

bool history_add(MoveHistory *history, const Ply *ply, int64_t ms)
{
    PlayedPly played = {.ply = {.side = ply->side, .move = ply->move}, .ms = ms};
    if (!make_room(history) || (ply->side == SIDE_BOTH && !copy_cells(ply, &played)))
        return false;
    ply_apply(history->game, &history->state, ply);
    for (int side = 0; side < 2; side++)
        played.scores[side] = history->game->own(&history->state, (TurfSide)side);
    forget_plies_after(history, history->n_plies);
    history->plies[history->n_plies++] = played;
    history->n_kept = history->n_plies;
    history->n_cells += n_cells_of(&played);
    if (history->n_plies % CHECKPOINT_PLIES == 0)
        history->checkpoints[history->n_plies / CHECKPOINT_PLIES - 1] = history->state;
    return true;
}

/* Without replaying the plies. */
bool history_copy(MoveHistory *copy, const MoveHistory *history)
{
    size_t n_plies = history->n_plies, n_checkpoints = n_plies / CHECKPOINT_PLIES;
    history_init(copy, history->game, &history->start);
    copy->plies = calloc(n_plies + 1, sizeof *copy->plies);
    copy->checkpoints = calloc(n_checkpoints + 1, sizeof *copy->checkpoints);
    bool is_good = copy->plies && copy->checkpoints;
    for (; is_good && copy->n_kept < n_plies; copy->n_kept++) {
        const PlayedPly *played = &history->plies[copy->n_kept];
        PlayedPly       *copied = &copy->plies[copy->n_kept];
        *copied = *played;
        is_good = !played->cells || copy_cells(&played->ply, copied);
    }
    if (!is_good) {
        history_release(copy);
        return false;
    }
    if (n_checkpoints)
        memcpy(copy->checkpoints, history->checkpoints, n_checkpoints * sizeof *copy->checkpoints);
    copy->state = history->state;
    copy->n_plies = n_plies;
    copy->n_cells = history->n_cells;
    copy->room = n_plies + 1;
    copy->checkpoint_room = n_checkpoints + 1;
    return true;
}

bool history_copy_range(MoveHistory *copy, const MoveHistory *history, size_t first, size_t n)
{
    TurfState state;
    history_position_at(history, first, &state);
    history_init(copy, history->game, &state);
    for (size_t i = first; i < first + n && i < history->n_plies; i++)
        if (!history_add(copy, &history->plies[i].ply, history->plies[i].ms)) {
            history_release(copy);
            return false;
        }
    return true;
}

size_t history_n_bytes(const MoveHistory *history)
{
    return history->room * sizeof *history->plies +
           history->checkpoint_room * sizeof *history->checkpoints +
           history->n_cells * sizeof(TurfCell);
}

bool history_add_json(MoveHistory *history, const json_t *move, int64_t ms, TurfError *error)
{
    Ply       ply;
    TurfCell *cells = NULL;
    if (game_is_simultaneous(history->game)) {
        cells = malloc(2 * TURF_MAX_CELLS * sizeof *cells);
        if (!cells)
            return error_no_memory(error);
    }
    bool is_good = ply_from_json(history->game, &history->state, move, cells, &ply, error) &&
                   (history_add(history, &ply, ms) || error_no_memory(error));
    free(cells);
    return is_good;
}

/* Times are in microseconds; of two sides that move at once, the slower counts. */
static int64_t time_ms(const json_t *time)
{
    enum { MAX_PLY_MS = 86400000 }; /* a record may claim anything */
    json_int_t first = json_integer_value(json_is_array(time) ? json_array_get(time, 0) : time);
    json_int_t second = json_integer_value(json_array_get(time, 1));
    json_int_t ms = (first > second ? first : second) / 1000;
    if (ms < 0)
        return 0;
    return ms < MAX_PLY_MS ? ms : MAX_PLY_MS;
}

bool history_read(MoveHistory *history, const TurfGame *game, const json_t *start,
                  const json_t *moves, const json_t *times, TurfError *error)
{
    TurfState state;
    TurfError why = {0};
    memset(&state, 0, sizeof state);
    history_init(history, game, &state);
    if (!game->from_json(&state, start, &why)) {
        error_fill(error, why.code, "the start of the record is wrong: %.300s", why.text);
        return false;
    }
    history_init(history, game, &state);
    for (size_t i = 0; i < json_array_size(moves); i++)
        if (!history_add_json(history, json_array_get(moves, i), time_ms(json_array_get(times, i)),
                              &why)) {
            error_fill(error, why.code, "move %zu of the record is wrong: %.300s", i + 1, why.text);
            history_release(history);
            return false;
        }
    return true;
}

/* ---- going back and forth ----------------------------------------------------------------- */

void history_position_at(const MoveHistory *history, size_t n_plies, TurfState *state)
{
    size_t from = n_plies / CHECKPOINT_PLIES;
    *state = from ? history->checkpoints[from - 1] : history->start;
    for (size_t i = from * CHECKPOINT_PLIES; i < n_plies; i++)
        ply_apply(history->game, state, &history->plies[i].ply);
}

void history_seek(MoveHistory *history, size_t n_plies)
{
    history_position_at(history, n_plies, &history->state);
    for (; history->n_plies > n_plies; history->n_plies--)
        history->n_cells -= n_cells_of(&history->plies[history->n_plies - 1]);
    for (; history->n_plies < n_plies; history->n_plies++)
        history->n_cells += n_cells_of(&history->plies[history->n_plies]);
}

/* ---- as JSON ------------------------------------------------------------------------------ */

/* Moves are written alike in every position of a game, so the start stands for all of them. */
json_t *history_move_json(const MoveHistory *history, size_t index)
{
    return ply_to_json(history->game, &history->start, &history->plies[index].ply);
}

json_t *history_moves_json(const MoveHistory *history)
{
    json_t *list = json_array();
    for (size_t i = 0; i < history->n_plies; i++)
        json_add(&list, history_move_json(history, i));
    return list;
}
