/* Move histories as the page sees them. */
#ifndef TURF_WEB_HISTORY_VIEWS_H
#define TURF_WEB_HISTORY_VIEWS_H

#include "live/move_history.h"
#include "web/views.h"

/* The plies without their effects; and the scores of every position, the start first. */
json_t *history_plies_view(const MoveHistory *history);
json_t *history_scores_view(const MoveHistory *history);
/* Positions `from` to `from + n - 1`, or fewer if they are large, with the plies that led to them;
 * `finish` is how the game ended, or NULL. */
json_t *history_frames_view(const MoveHistory *history, const Finish *finish, int64_t from,
                            int64_t n);

#endif
