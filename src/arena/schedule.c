/* Schedules: all ordered pairs, a gauntlet, Swiss rounds, a knock-out, or the pairs of a league.
 *
 * Swiss pairing: entrants with equal points meet, the upper half of a points group against the
 * lower, and rematches are avoided while that is possible. Partners are found by
 * backtracking from the top of the standings. A round is a function of the results before it, so
 * an interrupted run is resumed with the same pairings. */
#include "arena/schedule.h"

#include "base/error.h"

#include <stdlib.h>

/* ---- Swiss rounds ------------------------------------------------------------------------- */

/* After so many tries the search is repeated with one more meeting allowed. */
enum { MAX_TRIES = 20000 };

typedef struct Standing {
    size_t   entrant;
    uint64_t half_points;
    uint64_t n_byes, n_first;
} Standing;

/* The search for the partners of one round. */
typedef struct SwissRound {
    size_t         n_entrants;
    Standing      *standings; /* best first */
    unsigned char *n_met;     /* n_entrants x n_entrants: how often two entrants have met */
    bool          *is_taken;  /* by rank, the index in `standings` */
    size_t        *partner;   /* by rank: the partner's rank, or SIZE_MAX */
    unsigned       max_met;   /* entrants that have met this often are not paired again */
    long           n_tries;
    bool           is_out_of_memory;
} SwissRound;

uint64_t swiss_max_rounds(size_t n_entrants) { return n_entrants - (n_entrants % 2 == 0); }

/* log2 of the entrants leaves one unbeaten; one more round orders the rest. */
uint64_t swiss_default_rounds(size_t n_entrants)
{
    uint64_t n_rounds = 1;
    for (size_t n = 1; n < n_entrants; n *= 2)
        n_rounds++;
    return n_rounds < swiss_max_rounds(n_entrants) ? n_rounds : swiss_max_rounds(n_entrants);
}

static int by_points(const void *left, const void *right)
{
    const Standing *a = left, *b = right;
    if (a->half_points != b->half_points)
        return a->half_points < b->half_points ? 1 : -1;
    return (a->entrant > b->entrant) - (a->entrant < b->entrant);
}

static unsigned char *met(const SwissRound *swiss, size_t a, size_t b)
{
    return &swiss->n_met[a * swiss->n_entrants + b];
}

static void count_pairing(SwissRound *swiss, const PairingRecord *pairing,
                          const TurfTotals sides[2])
{
    uint64_t won = 0, lost = 0, drawn = 0;
    for (int i = 0; i < 2; i++) {
        won += sides[i].endings[TURF_WON_BY_FIRST];
        lost += sides[i].endings[TURF_WON_BY_SECOND];
        drawn += sides[i].endings[TURF_DRAWN] + sides[i].endings[TURF_STALEMATE] +
                 sides[i].endings[TURF_EXHAUSTED];
    }
    swiss->standings[pairing->first].half_points += 2 * won + drawn;
    swiss->standings[pairing->second].half_points += 2 * lost + drawn;
    swiss->standings[pairing->first].n_first++;
    ++*met(swiss, pairing->first, pairing->second);
    ++*met(swiss, pairing->second, pairing->first);
}

/* An entrant without a pairing in a round had a bye, which scores like winning every game. */
static void count_byes(SwissRound *swiss, const Plan *plan, const PairingRecord *earlier,
                       size_t n_earlier, uint64_t n_rounds, bool *has_played)
{
    for (uint64_t round = 1; round <= n_rounds; round++) {
        for (size_t i = 0; i < swiss->n_entrants; i++)
            has_played[i] = false;
        for (size_t i = 0; i < n_earlier; i++)
            if ((uint64_t)earlier[i].round == round)
                has_played[earlier[i].first] = has_played[earlier[i].second] = true;
        for (size_t i = 0; i < swiss->n_entrants; i++)
            if (!has_played[i]) {
                swiss->standings[i].n_byes++;
                swiss->standings[i].half_points += 2 * plan->n_games;
            }
    }
}

/* With an odd number, the lowest ranked of those with the fewest byes has a bye. */
static void choose_bye(SwissRound *swiss)
{
    size_t chosen = swiss->n_entrants - 1;
    for (size_t i = swiss->n_entrants; i-- > 0;)
        if (swiss->standings[i].n_byes < swiss->standings[chosen].n_byes)
            chosen = i;
    swiss->is_taken[chosen] = true;
}

/* Lists the ranks that `rank` may be paired with, best choice first: from the middle of its points
 * group down, so that the upper half meets the lower; then from there up; then lower groups. */
static size_t list_partners(const SwissRound *swiss, size_t rank, size_t *ranks)
{
    size_t free_ranks[MAX_ENTRANTS], n_free = 0, n_group = 0, n = 0;
    for (size_t i = rank + 1; i < swiss->n_entrants; i++)
        if (!swiss->is_taken[i]) {
            n_group += swiss->standings[i].half_points == swiss->standings[rank].half_points;
            free_ranks[n_free++] = i;
        }
    size_t middle = (n_group + 1) / 2 - (n_group > 0); /* of a group headed by `rank` */
    for (size_t i = middle; i < n_group; i++)
        ranks[n++] = free_ranks[i];
    for (size_t i = middle; i-- > 0;)
        ranks[n++] = free_ranks[i];
    for (size_t i = n_group; i < n_free; i++)
        ranks[n++] = free_ranks[i];
    size_t n_allowed = 0;
    for (size_t i = 0; i < n; i++)
        if (*met(swiss, swiss->standings[rank].entrant, swiss->standings[ranks[i]].entrant) <
            swiss->max_met)
            ranks[n_allowed++] = ranks[i];
    return n_allowed;
}

/* Pairs all entrants from `rank` down, by backtracking. */
static bool find_partners(SwissRound *swiss, size_t rank)
{
    while (rank < swiss->n_entrants && swiss->is_taken[rank])
        rank++;
    if (rank == swiss->n_entrants)
        return true;
    size_t *ranks = malloc(swiss->n_entrants * sizeof *ranks);
    size_t  n_partners = ranks ? list_partners(swiss, rank, ranks) : 0;
    bool    is_found = false;
    swiss->is_out_of_memory = swiss->is_out_of_memory || !ranks;
    swiss->is_taken[rank] = true;
    for (size_t i = 0;
         i < n_partners && !is_found && !swiss->is_out_of_memory && swiss->n_tries++ < MAX_TRIES;
         i++) {
        swiss->is_taken[ranks[i]] = true;
        swiss->partner[rank] = ranks[i];
        is_found = find_partners(swiss, rank + 1);
        if (!is_found)
            swiss->is_taken[ranks[i]] = false;
    }
    if (!is_found) {
        swiss->is_taken[rank] = false;
        swiss->partner[rank] = SIZE_MAX;
    }
    free(ranks);
    return is_found;
}

/* The one that was listed first less often is listed first. */
static PairingRecord pairing_of(const SwissRound *swiss, const Plan *plan, uint64_t round,
                                size_t rank)
{
    const Standing *one = &swiss->standings[rank], *other = &swiss->standings[swiss->partner[rank]];
    if (other->n_first < one->n_first) {
        const Standing *swap = one;
        one = other;
        other = swap;
    }
    return (PairingRecord){.round = (int)round,
                           .first = one->entrant,
                           .second = other->entrant,
                           .n_games = plan->n_games,
                           .swaps_sides = true};
}

static size_t pair_up(SwissRound *swiss, const Plan *plan, uint64_t round,
                      const PairingRecord *earlier, TurfTotals (*totals)[2], size_t n_earlier,
                      PairingRecord *pairings)
{
    size_t n = swiss->n_entrants, n_pairings = 0;
    for (size_t i = 0; i < n; i++) {
        swiss->standings[i] = (Standing){.entrant = i};
        swiss->partner[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < n_earlier; i++)
        count_pairing(swiss, &earlier[i], totals[i]);
    count_byes(swiss, plan, earlier, n_earlier, round - 1, swiss->is_taken);
    qsort(swiss->standings, n, sizeof *swiss->standings, by_points);
    for (size_t i = 0; i < n; i++)
        swiss->is_taken[i] = false;
    if (n % 2)
        choose_bye(swiss);
    swiss->max_met = 0;
    do {
        swiss->max_met++;
        swiss->n_tries = 0;
    } while (!find_partners(swiss, 0) && swiss->max_met < round);
    for (size_t i = 0; i < n && !swiss->is_out_of_memory; i++)
        if (swiss->partner[i] != SIZE_MAX)
            pairings[n_pairings++] = pairing_of(swiss, plan, round, i);
    return n_pairings;
}

static size_t swiss_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                          TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t     n = plan->n_entrants, n_pairings = 0;
    SwissRound swiss = {.n_entrants = n,
                        .standings = calloc(n, sizeof *swiss.standings),
                        .n_met = calloc(n, n),
                        .is_taken = calloc(n, sizeof *swiss.is_taken),
                        .partner = calloc(n, sizeof *swiss.partner)};
    if (swiss.standings && swiss.n_met && swiss.is_taken && swiss.partner)
        n_pairings = pair_up(&swiss, plan, round, earlier, totals, n_earlier, pairings);
    free(swiss.standings);
    free(swiss.n_met);
    free(swiss.is_taken);
    free(swiss.partner);
    return n_pairings;
}

/* ---- knock-out ---------------------------------------------------------------------------- */

/* The smallest power of two that holds all entrants. */
static size_t bracket_size(size_t n_entrants)
{
    size_t size = 1;
    while (size < n_entrants)
        size *= 2;
    return size;
}

/* The first two seeds can meet in the last round only, the first four in the last two, and so on:
 * each doubling of the bracket puts beside seed s the one that makes the sum of all pairs equal. */
static size_t seed_places(size_t n_entrants, size_t *places)
{
    size_t size = 1;
    places[0] = 0;
    for (; size < n_entrants; size *= 2)
        for (size_t i = size; i-- > 0;) {
            size_t seed = places[i];
            places[2 * i] = seed;
            places[2 * i + 1] = 2 * size - 1 - seed;
        }
    for (size_t i = 0; i < size; i++)
        if (places[i] >= n_entrants)
            places[i] = BRACKET_NOBODY;
    return size;
}

static uint64_t half_points(const TurfTotals sides[2], TurfEnding win)
{
    uint64_t points = 0;
    for (int i = 0; i < 2; i++)
        points += 2 * sides[i].endings[win] + sides[i].endings[TURF_DRAWN] +
                  sides[i].endings[TURF_STALEMATE] + sides[i].endings[TURF_EXHAUSTED];
    return points;
}

/* Who goes on of two neighbours? */
static size_t winner_of(size_t a, size_t b, uint64_t round, const PairingRecord *earlier,
                        TurfTotals (*totals)[2], size_t n_earlier)
{
    if (a == BRACKET_NOBODY || b == BRACKET_NOBODY)
        return a == BRACKET_NOBODY ? b : a;
    for (size_t i = 0; i < n_earlier; i++) {
        const PairingRecord *pairing = &earlier[i];
        bool                 is_theirs = (pairing->first == a && pairing->second == b) ||
                         (pairing->first == b && pairing->second == a);
        if ((uint64_t)pairing->round != round || !is_theirs)
            continue;
        uint64_t first = half_points(totals[i], TURF_WON_BY_FIRST),
                 second = half_points(totals[i], TURF_WON_BY_SECOND);
        if (first == 0 && second == 0)
            return BRACKET_NOBODY; /* not played yet */
        if (first == second)
            return a < b ? a : b;
        return first > second ? pairing->first : pairing->second;
    }
    return BRACKET_NOBODY;
}

size_t knock_out_places(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                        TurfTotals (*totals)[2], size_t n_earlier, size_t *places)
{
    size_t size = seed_places(plan->n_entrants, places);
    for (uint64_t r = 1; r < round && size > 1; r++, size /= 2)
        for (size_t i = 0; i < size / 2; i++)
            places[i] = winner_of(places[2 * i], places[2 * i + 1], r, earlier, totals, n_earlier);
    return size;
}

static size_t knock_out_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                              TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t places[MAX_ENTRANTS], n_pairings = 0;
    size_t size = knock_out_places(plan, round, earlier, totals, n_earlier, places);
    for (size_t i = 0; i + 1 < size; i += 2) {
        size_t a = places[i], b = places[i + 1];
        if (a != BRACKET_NOBODY && b != BRACKET_NOBODY)
            pairings[n_pairings++] = (PairingRecord){.round = (int)round,
                                                     .first = a < b ? a : b,
                                                     .second = a < b ? b : a,
                                                     .n_games = plan->n_games,
                                                     .swaps_sides = true};
    }
    return n_pairings;
}

/* ---- all schedules ------------------------------------------------------------------------ */

bool schedule_check(const Plan *plan, TurfError *error)
{
    size_t min = plan->schedule == SCHEDULE_ROUND_ROBIN ? 1 : 2;
    if (plan->n_entrants < min)
        return error_invalid(error, "a %s needs at least %zu players",
                             schedule_name(plan->schedule), min);
    if (plan->n_entrants > MAX_ENTRANTS)
        return error_invalid(error, "too many players: %zu; a tournament has at most %d",
                             plan->n_entrants, MAX_ENTRANTS);
    if (plan->schedule == SCHEDULE_PAIRS && (plan->n_pairs == 0 || !plan->swaps_sides))
        return error_invalid(error, "a list of pairs needs at least one, with sides swapped");
    if (!schedule_has_rounds(plan))
        return true;
    if (plan->n_games % 2)
        return error_invalid(
            error,
            "a %s tournament plays each start from both sides, so -n must be even: try -n %llu",
            plan->schedule == SCHEDULE_SWISS ? "Swiss" : "knock-out",
            (unsigned long long)plan->n_games + 1);
    if (plan->schedule == SCHEDULE_SWISS && plan->n_rounds > swiss_max_rounds(plan->n_entrants))
        return error_invalid(error, "%zu players can meet in at most %llu rounds", plan->n_entrants,
                             (unsigned long long)swiss_max_rounds(plan->n_entrants));
    return true;
}

bool schedule_has_rounds(const Plan *plan)
{
    return plan->schedule == SCHEDULE_SWISS || plan->schedule == SCHEDULE_KNOCK_OUT;
}

uint64_t schedule_n_rounds(const Plan *plan)
{
    uint64_t n_rounds = 1;
    if (plan->schedule == SCHEDULE_SWISS)
        return plan->n_rounds;
    if (plan->schedule == SCHEDULE_KNOCK_OUT)
        for (size_t size = bracket_size(plan->n_entrants); size > 2; size /= 2)
            n_rounds++;
    return n_rounds;
}

size_t schedule_n_pairings(const Plan *plan)
{
    size_t n = plan->n_entrants;
    switch (plan->schedule) {
    case SCHEDULE_MATCH: return 1;
    case SCHEDULE_ROUND_ROBIN: return n * n;
    case SCHEDULE_GAUNTLET: return 2 * (n - 1);
    case SCHEDULE_KNOCK_OUT: return n - 1;
    case SCHEDULE_PAIRS: return plan->n_pairs;
    default: return n / 2 * (size_t)plan->n_rounds;
    }
}

size_t schedule_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t n_entrants = plan->n_entrants, n = schedule_n_pairings(plan);
    if (plan->schedule == SCHEDULE_SWISS)
        return swiss_round(plan, round, earlier, totals, n_earlier, pairings);
    if (plan->schedule == SCHEDULE_KNOCK_OUT)
        return knock_out_round(plan, round, earlier, totals, n_earlier, pairings);
    for (size_t i = 0; i < n; i++) {
        PairingRecord *pairing = &pairings[i];
        *pairing =
            (PairingRecord){.round = 1, .n_games = plan->n_games, .swaps_sides = plan->swaps_sides};
        if (plan->schedule == SCHEDULE_MATCH) {
            pairing->second = 1;
        } else if (plan->schedule == SCHEDULE_PAIRS) {
            pairing->first = plan->pairs[i].first;
            pairing->second = plan->pairs[i].second;
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
