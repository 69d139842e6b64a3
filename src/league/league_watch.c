/* Following a league; see league_watch.h. Versions are only ever added, so the indices in the
 * settled results stay good. */
#include "league/league_watch.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void league_watch_release(LeagueWatch *watch)
{
    if (watch->is_open)
        league_release(&watch->league);
    free(watch->settled);
    *watch = (LeagueWatch){0};
}

/* Puts the results back to those that are settled. */
static bool restore_settled(LeagueWatch *watch, TurfError *error)
{
    League *league = &watch->league;
    if (watch->n_settled > league->result_room) {
        LeagueResult *larger = realloc(league->results, watch->n_settled * sizeof *larger);
        if (!larger)
            return error_no_memory(error);
        league->results = larger;
        league->result_room = watch->n_settled;
    }
    if (watch->n_settled > 0)
        memcpy(league->results, watch->settled, watch->n_settled * sizeof *watch->settled);
    league->n_results = watch->n_settled;
    return true;
}

/* Notes the results that will not change any more: those read so far, if every round is finished.
 * A round that is being played is followed by none but finals, so one is all that is read again.
 */
static bool settle(LeagueWatch *watch, TurfError *error)
{
    const League *league = &watch->league;
    if (league->unfinished || league->next_round == watch->settled_round)
        return true;
    LeagueResult *settled = malloc((league->n_results + 1) * sizeof *settled);
    if (!settled)
        return error_no_memory(error);
    if (league->n_results > 0)
        memcpy(settled, league->results, league->n_results * sizeof *settled);
    free(watch->settled);
    watch->settled = settled;
    watch->n_settled = league->n_results;
    watch->settled_round = league->next_round;
    return true;
}

static bool read_new(LeagueWatch *watch, TurfError *error)
{
    return league_reload(&watch->league, error) && restore_settled(watch, error) &&
           league_read_from(&watch->league, watch->settled_round, error);
}

bool league_watch_refresh(LeagueWatch *watch, Store *store, TurfError *error)
{
    if (!store_begin_read(store, error))
        return false;
    bool is_good = true;
    if (watch->is_open) {
        is_good = read_new(watch, error);
    } else if ((is_good = league_open(&watch->league, store, error))) {
        watch->is_open = true;
        watch->settled_round = 1;
    }
    is_good = is_good && settle(watch, error);
    store_undo(store);
    if (!is_good)
        league_watch_release(watch);
    return is_good;
}
