#include "arena/trial.h"

#include "base/stats.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

bool trial_note(Event *event, const GameRecord *record)
{
    if (event->plan.schedule != SCHEDULE_MATCH || !event->plan.swaps_sides || record->is_sample)
        return true;
    if (record->game >= event->n_points) {
        uint64_t room = 2 * record->game + 64;
        uint8_t *larger = realloc(event->points, room);
        if (!larger)
            return false;
        memset(larger + event->n_points, 0, room - event->n_points);
        event->points = larger;
        event->n_points = room;
    }
    TurfEnding ending = game_record_ending(record);
    event->points[record->game] = ending == TURF_WON_BY_FIRST ? 3 : ending == TURF_WON_BY_SECOND ? 1 : 2;
    return true;
}

ScoreCounts trial_scores(const Event *event)
{
    ScoreCounts pairs = {.n_kinds = SPRT_PAIR_KINDS};
    uint64_t    n_noted = 0;
    for (uint64_t g = 0; g + 1 < event->n_points; g += 2) {
        uint8_t one = event->points[g], other = event->points[g + 1];
        n_noted += (one > 0 ? 1u : 0u) + (other > 0 ? 1u : 0u);
        if (one > 0 && other > 0)
            pairs.counts[one + other - 2]++;
    }
    if (n_noted > 0 && n_noted == event_n_played(event))
        return pairs;
    TurfTotals sum = totals_of_sides(event->totals[0]);
    return (ScoreCounts){
        .n_kinds = SPRT_GAME_KINDS,
        .counts = {sum.endings[TURF_WON_BY_SECOND], stats_draws(&sum), sum.endings[TURF_WON_BY_FIRST]}};
}
