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

/* The position after `index` plies, with the one that led there. */
static json_t *frame_view(const MoveHistory *history, const Finish *finish, size_t index)
{
    TurfState state;
    json_t   *move = json_null();
    if (index > 0) {
        const Ply *ply = &history->plies[index - 1].ply;
        history_position_at(history, index - 1, &state);
        move = view_of_move(history->game, &state, ply, WITH_BETWEEN);
    }
    history_position_at(history, index, &state);
    json_t *frame = json_pack("{s:I,s:o}", "ply", (json_int_t)index, "move", move);
    view_add(&frame, history->game, &state, index == history->n_plies ? finish : NULL);
    return frame;
}

json_t *history_frames_view(const MoveHistory *history, const Finish *finish, int64_t from,
                            int64_t n)
{
    json_t *frames = json_array();
    size_t  n_bytes = 0;
    for (int64_t i = from; i < from + n && i <= (int64_t)history->n_plies; i++) {
        if (n_bytes >= MAX_FRAMES_BYTES)
            break;
        json_t *frame = frame_view(history, finish, (size_t)i);
        n_bytes += json_dumpb(frame, NULL, 0, JSON_COMPACT);
        json_add(&frames, frame);
    }
    return json_pack("{s:I,s:I,s:o}", "from", (json_int_t)from, "n_frames",
                     (json_int_t)history->n_plies + 1, "frames", frames);
}
