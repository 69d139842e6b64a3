/* The final: its bracket as reports have it, or its standings. Reads the run, without opening its
 * players. */
#include "web/league_final_view.h"

#include "arena/run.h"
#include "base/checked_json.h"
#include "base/error.h"
#include "report/bracket.h"

#include <stdlib.h>
#include <string.h>

static Standings *standings_of(const Run *run)
{
    PairingResult *results = calloc(run->n_pairings + 1, sizeof *results);
    if (!results)
        return NULL;
    for (size_t i = 0; i < run->n_pairings; i++)
        results[i] = (PairingResult){{run->plan.entrants[run->schedule[i].first].name,
                                      run->plan.entrants[run->schedule[i].second].name},
                                     {run->totals[i][0], run->totals[i][1]}};
    SwissEvent swiss = {run->plan.entrants, run->plan.n_entrants, run->schedule};
    bool       is_swiss = run->plan.schedule == SCHEDULE_SWISS;
    Standings *standings = standings_new(results, run->n_pairings, is_swiss ? &swiss : NULL);
    free(results);
    return standings;
}

/* The team of a version; NULL for NULL. */
static const char *team_of(const League *league, const char *name)
{
    const LeagueVersion *version = name ? league_version(league, name) : NULL;
    return version ? league->teams[version->team].name : NULL;
}

static json_t *final_json(const League *league, const Run *run, bool is_finished)
{
    bool        is_knock_out = run->plan.schedule == SCHEDULE_KNOCK_OUT;
    const char *schedule = run->plan.schedule == SCHEDULE_SWISS ? "swiss" : "round-robin";
    json_t     *bracket = is_knock_out ? bracket_json(run) : json_null();
    Standings  *standings = standings_of(run);
    const char *champion = json_string_value(json_object_get(bracket, "winner"));
    if (!is_knock_out && is_finished && standings && standings->n > 0)
        champion = standings->list[0].name;
    json_t *json = json_pack(
        "{s:I,s:b,s:s,s:o,s:o,s:I,s:I,s:s?}", "run", (json_int_t)run->run_id, "is_finished",
        (int)is_finished, "schedule", is_knock_out ? "knock-out" : schedule, "bracket", bracket,
        "standings", standings_json(standings, run->plan.game), "n_games",
        (json_int_t)run_n_games(run), "n_played", (json_int_t)run_n_played(run), "champion",
        is_finished ? team_of(league, champion) : NULL);
    standings_free(standings);
    return json;
}

json_t *league_final_view(const League *league, TurfError *error)
{
    int64_t   id = league->unfinished_final ? league->unfinished_final : league->final;
    RunRecord record;
    Run       run;
    json_t   *json = NULL;
    if (id == 0)
        return json_null();
    if (!runs_find(league->store, id, &record, error))
        return NULL;
    if (run_resume(&run, league->store, &record, false, error)) {
        json = final_json(league, &run, record.is_finished);
        run_release(&run);
        if (!json)
            error_no_memory(error);
    }
    run_record_release(&record);
    return json;
}
