#include "arena/schedule.h"

#include "arena/swiss.h"
#include "base/error.h"

bool schedule_check(const Plan *plan, TurfError *error)
{
    size_t min = plan->schedule == SCHEDULE_ROUND_ROBIN ? 1 : 2;
    if (plan->n_entrants < min)
        return error_invalid(error, "a %s needs %zu players or more", schedule_name(plan->schedule),
                             min);
    if (plan->n_entrants > MAX_ENTRANTS)
        return error_invalid(error, "%zu players are too many; %d can take part", plan->n_entrants,
                             MAX_ENTRANTS);
    if (plan->schedule != SCHEDULE_SWISS)
        return true;
    if (plan->n_games % 2)
        return error_invalid(
            error,
            "in a Swiss event each start is played from both sides, so -n is even: try -n %llu",
            (unsigned long long)plan->n_games + 1);
    if (plan->n_rounds > swiss_max_rounds(plan->n_entrants))
        return error_invalid(error, "%zu players can meet in %llu rounds at the most",
                             plan->n_entrants,
                             (unsigned long long)swiss_max_rounds(plan->n_entrants));
    return true;
}

size_t schedule_n_pairings(const Plan *plan)
{
    size_t n = plan->n_entrants;
    switch (plan->schedule) {
    case SCHEDULE_MATCH: return 1;
    case SCHEDULE_ROUND_ROBIN: return n * n;
    case SCHEDULE_GAUNTLET: return 2 * (n - 1);
    default: return n / 2 * (size_t)plan->n_rounds;
    }
}

size_t schedule_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t n_entrants = plan->n_entrants, n = schedule_n_pairings(plan);
    if (plan->schedule == SCHEDULE_SWISS)
        return swiss_round(plan, round, earlier, totals, n_earlier, pairings);
    for (size_t i = 0; i < n; i++) {
        PairingRecord *pairing = &pairings[i];
        *pairing =
            (PairingRecord){.round = 1, .n_games = plan->n_games, .swaps_sides = plan->swaps_sides};
        if (plan->schedule == SCHEDULE_MATCH) {
            pairing->second = 1;
        } else if (plan->schedule == SCHEDULE_ROUND_ROBIN) {
            pairing->first = i / n_entrants;
            pairing->second = i % n_entrants;
        } else if (i % 2 == 0) {
            pairing->second = i / 2 + 1;
        } else {
            pairing->first = i / 2 + 1;
        }
    }
    return n;
}
