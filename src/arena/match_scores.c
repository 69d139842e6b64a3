#include "arena/match_scores.h"

#include "base/stats.h"
#include "games/totals.h"

#include <stdlib.h>
#include <string.h>

bool match_scores_note(Run *run, const GameRecord *record)
{
    if (run->plan.schedule != SCHEDULE_MATCH || !run->plan.swaps_sides || record->is_sample)
        return true;
    if (record->game >= run->n_points) {
        uint64_t room = 2 * record->game + 64;
        uint8_t *larger = realloc(run->points, room);
        if (!larger)
            return false;
        memset(larger + run->n_points, 0, room - run->n_points);
        run->points = larger;
        run->n_points = room;
    }
    TurfEnding ending = game_record_ending(record);
    run->points[record->game] = ending == TURF_WON_BY_FIRST    ? 3
                                : ending == TURF_WON_BY_SECOND ? 1
                                                               : 2;
    return true;
}

ScoreCounts match_scores(const Run *run)
{
    ScoreCounts pairs = {.n_kinds = SPRT_PAIR_KINDS};
    uint64_t    n_noted = 0;
    for (uint64_t g = 0; g + 1 < run->n_points; g += 2) {
        uint8_t one = run->points[g], other = run->points[g + 1];
        n_noted += (one > 0 ? 1u : 0u) + (other > 0 ? 1u : 0u);
        if (one > 0 && other > 0)
            pairs.counts[one + other - 2]++;
    }
    if (n_noted > 0 && n_noted == run_n_played(run))
        return pairs;
    TurfTotals sum = totals_of_sides(run->totals[0]);
    return (ScoreCounts){.n_kinds = SPRT_GAME_KINDS,
                         .counts = {sum.endings[TURF_WON_BY_SECOND], stats_draws(&sum),
                                    sum.endings[TURF_WON_BY_FIRST]}};
}
