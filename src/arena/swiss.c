#include "arena/swiss.h"

#include "arena/schedule.h"

#include <stdlib.h>

/* Searching for partners gives up after so many tries, and then lets some meet again. */
enum { MAX_TRIES = 20000 };

typedef struct Standing {
    size_t   entrant;
    uint64_t half_points;
    uint64_t n_byes, n_first;
} Standing;

/* The search for a round: who is free, in the order of the standings. */
typedef struct Table {
    size_t         n_entrants;
    Standing      *standings; /* best first */
    unsigned char *n_met;     /* n_entrants squared, by entrant */
    bool          *is_taken;  /* by place in the standings */
    size_t        *partner;   /* likewise */
    unsigned       most_met;  /* who has met this often may not meet again */
    long           n_tries;
    bool           is_short; /* of memory: then it has no partners, instead of others */
} Table;

uint64_t swiss_max_rounds(size_t n_entrants) { return n_entrants - (n_entrants % 2 == 0); }

/* Enough to tell one winner from all others, and one more for the rest of the order. */
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

static unsigned char *met(const Table *table, size_t a, size_t b)
{
    return &table->n_met[a * table->n_entrants + b];
}

static void count_pairing(Table *table, const PairingRecord *pairing, const TurfTotals sides[2])
{
    uint64_t won = 0, lost = 0, drawn = 0;
    for (int i = 0; i < 2; i++) {
        won += sides[i].endings[TURF_WON_BY_FIRST];
        lost += sides[i].endings[TURF_WON_BY_SECOND];
        drawn += sides[i].endings[TURF_DRAWN] + sides[i].endings[TURF_STALEMATE] +
                 sides[i].endings[TURF_EXHAUSTED];
    }
    table->standings[pairing->first].half_points += 2 * won + drawn;
    table->standings[pairing->second].half_points += 2 * lost + drawn;
    table->standings[pairing->first].n_first++;
    ++*met(table, pairing->first, pairing->second);
    ++*met(table, pairing->second, pairing->first);
}

/* Whoever was in no pairing of a round sat it out. */
static void count_byes(Table *table, const Plan *plan, const PairingRecord *earlier,
                       size_t n_earlier, uint64_t n_rounds, bool *was_there)
{
    for (uint64_t round = 1; round <= n_rounds; round++) {
        for (size_t i = 0; i < table->n_entrants; i++)
            was_there[i] = false;
        for (size_t i = 0; i < n_earlier; i++)
            if ((uint64_t)earlier[i].round == round)
                was_there[earlier[i].first] = was_there[earlier[i].second] = true;
        for (size_t i = 0; i < table->n_entrants; i++)
            if (!was_there[i]) {
                table->standings[i].n_byes++;
                table->standings[i].half_points += 2 * plan->n_games;
            }
    }
}

/* The last of those who have sat out least. */
static void choose_bye(Table *table)
{
    size_t chosen = table->n_entrants - 1;
    for (size_t i = table->n_entrants; i-- > 0;)
        if (table->standings[i].n_byes < table->standings[chosen].n_byes)
            chosen = i;
    table->is_taken[chosen] = true;
}

/* The places of those whom the one at `place` may meet, the best choice first: the middle of its
 * own points group and downwards, so that the upper half meets the lower; then the rest of the
 * group upwards from there; then those with fewer points in their order. */
static size_t list_partners(const Table *table, size_t place, size_t *places)
{
    size_t free_places[MAX_ENTRANTS], n_free = 0, n_group = 0, n = 0;
    for (size_t i = place + 1; i < table->n_entrants; i++)
        if (!table->is_taken[i]) {
            n_group += table->standings[i].half_points == table->standings[place].half_points;
            free_places[n_free++] = i;
        }
    size_t middle =
        (n_group + 1) / 2 - (n_group > 0); /* of a group that has the one at `place` at its head */
    for (size_t i = middle; i < n_group; i++)
        places[n++] = free_places[i];
    for (size_t i = middle; i-- > 0;)
        places[n++] = free_places[i];
    for (size_t i = n_group; i < n_free; i++)
        places[n++] = free_places[i];
    size_t n_allowed = 0;
    for (size_t i = 0; i < n; i++)
        if (*met(table, table->standings[place].entrant, table->standings[places[i]].entrant) <
            table->most_met)
            places[n_allowed++] = places[i];
    return n_allowed;
}

/* Finds partners for everybody from the first free place on; goes back where that leads nowhere. */
static bool find_partners(Table *table, size_t place)
{
    while (place < table->n_entrants && table->is_taken[place])
        place++;
    if (place == table->n_entrants)
        return true;
    size_t *places = malloc(table->n_entrants * sizeof *places);
    size_t  n_places = places ? list_partners(table, place, places) : 0;
    bool    is_found = false;
    table->is_short = table->is_short || !places;
    table->is_taken[place] = true;
    for (size_t i = 0;
         i < n_places && !is_found && !table->is_short && table->n_tries++ < MAX_TRIES; i++) {
        table->is_taken[places[i]] = true;
        table->partner[place] = places[i];
        is_found = find_partners(table, place + 1);
        if (!is_found)
            table->is_taken[places[i]] = false;
    }
    if (!is_found) {
        table->is_taken[place] = false;
        table->partner[place] = SIZE_MAX;
    }
    free(places);
    return is_found;
}

/* Who has been first less often is first. */
static PairingRecord pairing_of(const Table *table, const Plan *plan, uint64_t round, size_t place)
{
    const Standing *one = &table->standings[place],
                   *other = &table->standings[table->partner[place]];
    bool is_turned = other->n_first < one->n_first;
    return (PairingRecord){.round = (int)round,
                           .first = is_turned ? other->entrant : one->entrant,
                           .second = is_turned ? one->entrant : other->entrant,
                           .n_games = plan->n_games,
                           .swaps_sides = true};
}

static size_t pair_up(Table *table, const Plan *plan, uint64_t round, const PairingRecord *earlier,
                      TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t n = table->n_entrants, n_pairings = 0;
    for (size_t i = 0; i < n; i++) {
        table->standings[i] = (Standing){.entrant = i};
        table->partner[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < n_earlier; i++)
        count_pairing(table, &earlier[i], totals[i]);
    count_byes(table, plan, earlier, n_earlier, round - 1, table->is_taken);
    qsort(table->standings, n, sizeof *table->standings, by_points);
    for (size_t i = 0; i < n; i++)
        table->is_taken[i] = false;
    if (n % 2)
        choose_bye(table);
    table->most_met = 0;
    do {
        table->most_met++;
        table->n_tries = 0;
    } while (!find_partners(table, 0) && table->most_met < round);
    for (size_t i = 0; i < n && !table->is_short; i++)
        if (table->partner[i] != SIZE_MAX)
            pairings[n_pairings++] = pairing_of(table, plan, round, i);
    return n_pairings;
}

size_t swiss_round(const Plan *plan, uint64_t round, const PairingRecord *earlier,
                   TurfTotals (*totals)[2], size_t n_earlier, PairingRecord *pairings)
{
    size_t n = plan->n_entrants, n_pairings = 0;
    Table  table = {.n_entrants = n,
                    .standings = calloc(n, sizeof *table.standings),
                    .n_met = calloc(n, n),
                    .is_taken = calloc(n, sizeof *table.is_taken),
                    .partner = calloc(n, sizeof *table.partner)};
    if (table.standings && table.n_met && table.is_taken && table.partner)
        n_pairings = pair_up(&table, plan, round, earlier, totals, n_earlier, pairings);
    free(table.standings);
    free(table.n_met);
    free(table.is_taken);
    free(table.partner);
    return n_pairings;
}
