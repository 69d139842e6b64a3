/* Move histories as the page sees them. */
#ifndef TURF_WEB_HISTORY_VIEWS_H
#define TURF_WEB_HISTORY_VIEWS_H

#include "live/move_history.h"
#include "web/views.h"

/* The plies without their effects; and the scores of every position, the start first. */
json_t *history_plies_view(const MoveHistory *history);
json_t *history_scores_view(const MoveHistory *history);
/* Positions `from` to `from + n - 1`, or fewer if they are large, with the plies that led to them.
 * What they are made of is copied first, so that a live game is not locked meanwhile. */
typedef struct Frames {
    MoveHistory range;
    size_t      first; /* plies before the range */
    int64_t     from, n;
    size_t      n_plies; /* of the whole game */
    bool        is_over;
    Finish      finish; /* if it is over */
} Frames;

/* `finish` is how the game ended, or NULL. False without memory. */
bool    frames_copy(Frames *frames, const MoveHistory *history, const Finish *finish, int64_t from,
                    int64_t n);
json_t *frames_view(const Frames *frames);
void    frames_release(Frames *frames);

#endif
