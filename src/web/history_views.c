/* Move histories as JSON for the page: the list of plies, the curve of scores, frames to step
 * through. One response has at most MAX_FRAMES_BYTES of frames; a client asks again for the rest.
 */
#include "web/history_views.h"

#include "base/checked_json.h"

enum { MAX_FRAMES_BYTES = 1 << 20 };

static json_t *ply_view(const MoveHistory *history, size_t index)
{
    const PlayedPly *played = &history->plies[index];
    return json_pack("{s:I,s:o,s:o,s:o,s:[i,i],s:I}", "ply", (json_int_t)index + 1, "side",
                     view_of_side(played->ply.side), "move", history_move_json(history, index),
                     "text", ply_text(history->game, &history->start, &played->ply), "scores",
                     played->scores[0], played->scores[1], "ms", (json_int_t)played->ms);
}

json_t *history_plies_view(const MoveHistory *history)
{
    json_t *list = json_array();
    for (size_t i = 0; i < history->n_plies; i++)
        json_add(&list, ply_view(history, i));
    return list;
}

json_t *history_scores_view(const MoveHistory *history)
{
    json_t *list = json_array();
    json_add(&list, view_of_scores(history->game, &history->start));
    for (size_t i = 0; i < history->n_plies; i++)
        json_add(&list,
                 json_pack("[i,i]", history->plies[i].scores[0], history->plies[i].scores[1]));
    return list;
}

/* ---- frames ------------------------------------------------------------------------------- */

bool frames_copy(Frames *frames, const MoveHistory *history, const Finish *finish, int64_t from,
                 int64_t n)
{
    size_t n_plies = history->n_plies, first = from > 0 ? (size_t)from - 1 : 0;
    *frames = (Frames){.from = from, .n = n, .n_plies = n_plies, .is_over = finish != NULL};
    if (finish)
        frames->finish = *finish;
    frames->first = first < n_plies ? first : n_plies;
    return history_copy_range(&frames->range, history, frames->first, (size_t)n);
}

void frames_release(Frames *frames) { history_release(&frames->range); }

/* Adds a position, with the ply that led there. */
static void add_frame(const Frames *frames, json_t **list, const TurfState *state, json_t *move,
                      size_t *n_bytes)
{
    size_t  index = (size_t)frames->from + json_array_size(*list);
    bool    is_last = index == frames->n_plies && frames->is_over;
    json_t *frame = json_pack("{s:I,s:o}", "ply", (json_int_t)index, "move", move);
    view_add(&frame, frames->range.game, state, is_last ? &frames->finish : NULL);
    *n_bytes += json_dumpb(frame, NULL, 0, JSON_COMPACT);
    json_add(list, frame);
}

/* Goes forward from the first position, so that each ply is applied once. */
json_t *frames_view(const Frames *frames)
{
    const MoveHistory *range = &frames->range;
    TurfState          state = range->start;
    json_t            *list = json_array();
    size_t             n_bytes = 0;
    if (frames->from == 0)
        add_frame(frames, &list, &state, json_null(), &n_bytes);
    for (size_t i = 0; i < range->n_plies && n_bytes < MAX_FRAMES_BYTES; i++) {
        const Ply *ply = &range->plies[i].ply;
        if (!list || json_array_size(list) == (size_t)frames->n)
            break;
        json_t *move = view_of_move(range->game, &state, ply, WITH_BETWEEN);
        ply_apply(range->game, &state, ply);
        add_frame(frames, &list, &state, move, &n_bytes);
    }
    return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)frames->from, "n_frames",
                     (json_int_t)frames->n_plies + 1, "frames", list);
}
