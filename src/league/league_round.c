/* Rounds: from the results of a league to candidates, from their pairs to a plan, and from a run
 * back to results. Starts of a round depend on the league's seed and the number of the round. */
#include "league/league_round.h"

#include "arena/schedule.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "games/streams.h"
#include "games/totals.h"
#include "league/matchmaking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small league plays several starts in a round, so that the workers have something to do. */
enum { MIN_ROUND_STARTS = 8, MAX_ROUND_STARTS = 100000 };

/* ---- candidates --------------------------------------------------------------------------- */

TurfTotals league_totals(const League *league, size_t version)
{
    TurfTotals sum = TOTALS_NONE;
    for (size_t i = 0; i < league->n_results; i++) {
        const LeagueResult *result = &league->results[i];
        TurfTotals          both = totals_of_sides(result->totals);
        if (result->second == version)
            both = totals_exchanged(&both);
        if (result->first == version || result->second == version)
            totals_add(&sum, &both);
    }
    return sum;
}

bool league_rests(const League *league, size_t version)
{
    TurfTotals totals = league_totals(league, version);
    return totals.n_games >= GAMES_BEFORE_REST && stats_forfeits(&totals, 0) == totals.n_games;
}

/* What matchmaking works on. */
typedef struct Field {
    size_t     n;                /* versions that play */
    size_t    *versions, *place; /* place: of each version of the league among them */
    double    *elos;             /* of each version of the league */
    Candidate *candidates;
    uint32_t  *played;
} Field;

static void field_release(Field *field)
{
    free(field->versions);
    free(field->place);
    free(field->elos);
    free(field->candidates);
    free(field->played);
}

/* The ratings so far, in whole points: the fit uses functions that are not the same in every C
 * library. One that lost every game is somewhere below the others. */
static bool fill_elos(const League *league, double *elos)
{
    enum { BELOW_THE_LAST = 200 };
    Standings *standings = league_standings(league, true);
    double     lowest = 0;
    if (!standings)
        return false;
    for (size_t i = 0; i < standings->n; i++)
        if (standings->list[i].rating.status == RATED)
            lowest = fmin(lowest, standings->list[i].rating.elo.value);
    for (size_t i = 0; i < standings->n; i++) {
        const Standing      *standing = &standings->list[i];
        const LeagueVersion *version = league_version(league, standing->name);
        double              *elo = &elos[version - league->versions];
        if (standing->rating.status == RATED)
            *elo = round(standing->rating.elo.value);
        else if (standing->rating.status == UNRATED_LOST_EVERY)
            *elo = round(lowest) - BELOW_THE_LAST;
    }
    standings_free(standings);
    return true;
}

/* Games that were played to their end tell who is stronger. */
static uint32_t telling_games(const LeagueResult *result)
{
    TurfTotals both = totals_of_sides(result->totals);
    return (uint32_t)(both.n_games - stats_forfeits(&both, 0) - stats_forfeits(&both, 1));
}

/* A game against a version that plays no more tells how strong the other is, as if its rating were
 * known. */
static void fill_field(const League *league, Field *field)
{
    for (size_t i = 0; i < league->n_versions; i++) {
        field->place[i] = NO_VERSION;
        if (league->versions[i].retired == 0) {
            field->place[i] = field->n;
            field->versions[field->n++] = i;
        }
    }
    for (size_t i = 0; i < field->n; i++)
        field->candidates[i] = (Candidate){
            .elo = field->elos[field->versions[i]],
            .n_games = league_totals(league, field->versions[i]).n_games,
            .is_resting = league_rests(league, field->versions[i]) ||
                          !league_may_play(league, &league->versions[field->versions[i]])};
    for (size_t i = 0; i < league->n_results; i++) {
        const LeagueResult *result = &league->results[i];
        size_t              a = field->place[result->first], b = field->place[result->second];
        uint32_t            n = telling_games(result);
        double              told =
            n * matchmaking_information(field->elos[result->first] - field->elos[result->second]);
        if (a != NO_VERSION && b != NO_VERSION) {
            field->played[a * field->n + b] += n;
            field->played[b * field->n + a] += n;
        } else if (a != NO_VERSION) {
            field->candidates[a].precision += told;
        } else if (b != NO_VERSION) {
            field->candidates[b].precision += told;
        }
    }
}

static bool field_init(const League *league, Field *field, TurfError *error)
{
    size_t n_active = 0;
    for (size_t i = 0; i < league->n_versions; i++)
        n_active += league->versions[i].retired == 0;
    *field = (Field){.versions = calloc(n_active + 1, sizeof *field->versions),
                     .place = calloc(league->n_versions + 1, sizeof *field->place),
                     .elos = calloc(league->n_versions + 1, sizeof *field->elos),
                     .candidates = calloc(n_active + 1, sizeof *field->candidates),
                     .played = calloc(n_active * n_active + 1, sizeof *field->played)};
    if (field->versions && field->place && field->elos && field->candidates && field->played &&
        fill_elos(league, field->elos)) {
        fill_field(league, field);
        return true;
    }
    field_release(field);
    return error_no_memory(error);
}

/* ---- the plan of a round ------------------------------------------------------------------- */

static bool add_version(Plan *plan, const LeagueVersion *version)
{
    return plan_add_entrant(plan, version->name, version->spec, version->folder);
}

/* A plan with the rules of the league, and without entrants, pairs and starts. */
static bool copy_rules(const League *league, Plan *plan)
{
    *plan = league->plan;
    plan->starts = NULL;
    plan->n_starts = 0;
    plan->sandbox = league->plan.sandbox ? strdup(league->plan.sandbox) : NULL;
    return plan->sandbox || !league->plan.sandbox;
}

/* Starts are used in turn: those of this round follow those of the last. */
static bool add_starts(const League *league, Plan *plan, uint64_t n_wanted)
{
    size_t n = league->plan.n_starts;
    for (uint64_t i = 0; i < n_wanted && i < n; i++)
        if (!plan_add_start(plan,
                            league->plan.starts[((uint64_t)league->next_round * n_wanted + i) % n]))
            return false;
    return true;
}

/* How many starts each pair plays, from both sides. */
static uint64_t starts_per_pair(const RoundSize *size, size_t n_pairs)
{
    uint64_t n_starts = (MIN_ROUND_STARTS + n_pairs - 1) / n_pairs, n_max = size->max_games;
    if (n_max == 0)
        return n_starts;
    if (size->is_filled)
        n_starts = n_max / (2 * n_pairs);
    else if (n_starts > (n_max + 1) / 2)
        n_starts = (n_max + 1) / 2;
    if (n_starts > MAX_ROUND_STARTS)
        return MAX_ROUND_STARTS;
    return n_starts > 0 ? n_starts : 1;
}

static uint64_t seed_of_round(const League *league)
{
    uint64_t streams = rng_stream_family(league->plan.seed, STREAM_OF_ROUNDS);
    return rng_stream(streams, (uint64_t)league->next_round).state & INT64_MAX;
}

static bool fill_plan(const League *league, const Field *field, const RoundSize *size,
                      PlanPair *pairs, Plan *plan, TurfError *error)
{
    size_t   n_able = 0, n_pairs;
    uint64_t n_starts;
    for (size_t i = 0; i < field->n; i++)
        n_able += !field->candidates[i].is_resting;
    if (n_able < 2)
        return error_invalid(error,
                             field->n < 2
                                 ? "the league needs two teams; type: turf league add "
                                   "%s NAME=PLAYER"
                                 : "fewer than two teams of '%s' have a bot that can play: one "
                                   "at home must be connected, and one that forfeits "
                                   "every game rests until its next version",
                             store_path(league->store));
    n_starts = starts_per_pair(size, n_able / 2);
    if (!matchmaking_pairs(field->candidates, field->n, field->played, 2 * n_starts, pairs,
                           &n_pairs))
        return error_no_memory(error);
    uint64_t n_max = size->max_games / (2 * n_starts);
    if (size->max_games > 0 && !size->is_filled && n_pairs > n_max)
        n_pairs = n_max > 0 ? (size_t)n_max : 1;
    plan->n_games = plan->n_recorded = 2 * n_starts;
    plan->seed = seed_of_round(league);
    bool is_good = add_starts(league, plan, n_starts);
    for (size_t i = 0; i < field->n && is_good; i++)
        is_good = add_version(plan, &league->versions[field->versions[i]]);
    for (size_t i = 0; i < n_pairs && is_good; i++)
        is_good = plan_add_pair(plan, pairs[i].first, pairs[i].second);
    return is_good || error_no_memory(error);
}

bool league_plan_round(const League *league, const RoundSize *size, Plan *plan, TurfError *error)
{
    Field field;
    if (!field_init(league, &field, error))
        return false;
    PlanPair *pairs = calloc(MAX_NEWCOMER_PAIRS * field.n + 1, sizeof *pairs);
    bool      is_good = (copy_rules(league, plan) && pairs) || error_no_memory(error);
    is_good = is_good && fill_plan(league, &field, size, pairs, plan, error);
    free(pairs);
    field_release(&field);
    if (!is_good)
        plan_release(plan);
    return is_good;
}

/* ---- beginning and ending ------------------------------------------------------------------ */

static bool note_before(LeagueRound *round, TurfError *error)
{
    round->n_before = round->run.n_pairings;
    round->before = calloc(round->n_before + 1, sizeof *round->before);
    if (!round->before)
        return error_no_memory(error);
    memcpy(round->before, round->run.totals, round->n_before * sizeof *round->before);
    return true;
}

static void round_release(LeagueRound *round)
{
    if (round->run.store && round->run.run_id > 0)
        store_unlock_run(round->run.store, round->run.run_id);
    run_release(&round->run);
    free(round->before);
    *round = (LeagueRound){0};
}

static bool continue_round(League *league, int64_t run_id, LeagueRound *round, TurfError *error)
{
    RunRecord record;
    if (!runs_find(league->store, run_id, &record, error))
        return false;
    bool is_good = run_resume(&round->run, league->store, &record, true, error);
    round->run.is_league_final = run_id == league->unfinished_final;
    run_record_release(&record);
    return is_good;
}

/* Takes the plan over. */
static bool begin_new(League *league, Plan *plan, bool is_final, LeagueRound *round,
                      TurfError *error)
{
    if (!run_init(&round->run, plan, true, error))
        return false;
    round->run.league_round = league->next_round;
    round->run.is_league_final = is_final;
    if (!run_begin(&round->run, league->store, error))
        return false;
    league->next_round++;
    *(is_final ? &league->unfinished_final : &league->unfinished) = round->run.run_id;
    return true;
}

bool league_begin_round(League *league, const RoundSize *size, LeagueRound *round, TurfError *error)
{
    Plan plan;
    bool is_good;
    *round = (LeagueRound){0};
    if (league->unfinished)
        is_good = continue_round(league, league->unfinished, round, error);
    else
        is_good = league_plan_round(league, size, &plan, error) &&
                  begin_new(league, &plan, false, round, error);
    if (is_good && note_before(round, error))
        return true;
    round_release(round);
    return false;
}

/* What was added to `before`; lengths and times are not needed. */
static TurfTotals difference(const TurfTotals *after, const TurfTotals *before)
{
    TurfTotals more = TOTALS_NONE;
    more.n_games = after->n_games - before->n_games;
    for (int e = 0; e < TURF_N_ENDINGS; e++)
        more.endings[e] = after->endings[e] - before->endings[e];
    for (int p = 0; p < 2; p++)
        for (int f = 0; f < TURF_N_FORFEITS; f++)
            more.forfeits[p][f] = after->forfeits[p][f] - before->forfeits[p][f];
    return more;
}

static bool count_round(League *league, const LeagueRound *round, TurfError *error)
{
    const Run *run = &round->run;
    for (size_t i = 0; i < round->n_before; i++)
        for (int side = 0; side < 2; side++) {
            TurfTotals more = difference(&run->totals[i][side], &round->before[i][side]);
            if (more.n_games > 0 &&
                !league_count(league, run->plan.entrants[run->schedule[i].first].name,
                              run->plan.entrants[run->schedule[i].second].name, side == 1, &more))
                return error_no_memory(error);
        }
    return true;
}

static bool add_ratings(const League *league, const Standings *standings, TurfError *error)
{
    for (size_t i = 0; i < standings->n; i++) {
        const Standing *standing = &standings->list[i];
        const Rating   *rating = &standing->rating;
        RatingRecord    record = {.version = league_version(league, standing->name)->id,
                                  .round = league->next_round - 1,
                                  .elo = rating->elo.value,
                                  .low = rating->elo.low,
                                  .high = rating->elo.high,
                                  .has_low = rating->has_low,
                                  .has_high = rating->has_high,
                                  .n_games = standing->totals.n_games};
        if (rating->status == RATED && !leagues_add_rating(league->store, &record, error))
            return false;
    }
    return true;
}

/* Notes the ratings of the versions that play, after the last round. A program that is killed just
 * before leaves a gap. */
static bool note_ratings(const League *league, TurfError *error)
{
    Standings *standings = league_standings(league, false);
    bool       is_good = standings || error_no_memory(error);
    if (is_good && (is_good = store_begin(league->store, error))) {
        is_good = add_ratings(league, standings, error) && store_commit(league->store, error);
        if (!is_good)
            store_undo(league->store);
    }
    standings_free(standings);
    return is_good;
}

bool league_end_round(League *league, LeagueRound *round, TurfError *error)
{
    bool is_final = round->run.is_league_final, is_good = true;
    if (!is_final)
        is_good = count_round(league, round, error);
    bool is_done = run_is_whole(&round->run);
    if (!is_done && round->run.leaves_out) /* the next round has other pairs */
        is_done = is_good = runs_set_finished(league->store, round->run.run_id, error) && is_good;
    if (is_done) {
        if (is_final)
            league->final = round->run.run_id;
        *(is_final ? &league->unfinished_final : &league->unfinished) = 0;
        is_good = is_good && (is_final || note_ratings(league, error));
    }
    round_release(round);
    return is_good;
}

bool league_play_round(LeagueRound *round, const RoundsTerms *terms, uint64_t *n_played,
                       TurfError *error)
{
    Run     *run = &round->run;
    uint64_t n_before = run_n_played(run);
    bool     is_good =
        terms->prepare(terms->context, run, error) && run_play(run, &terms->hooks, error);
    *n_played += run_n_played(run) - n_before;
    return is_good;
}

/* The error of playing is told rather than that of ending. */
static bool play_one(League *league, const RoundsTerms *terms, uint64_t *n_played, TurfError *error)
{
    LeagueRound round;
    TurfError   unused;
    RoundSize   size = {.max_games = terms->max_games ? terms->max_games - *n_played : 0};
    if ((terms->check && !terms->check(terms->context, league, error)) ||
        !league_begin_round(league, &size, &round, error))
        return false;
    bool is_good = league_play_round(&round, terms, n_played, error);
    is_good = league_end_round(league, &round, is_good ? error : &unused) && is_good;
    if (terms->finish)
        terms->finish(terms->context);
    return is_good;
}

bool league_play_rounds(League *league, const RoundsTerms *terms, uint64_t *n_played,
                        TurfError *error)
{
    while (!terms->is_over(terms->context) &&
           (terms->max_games == 0 || *n_played < terms->max_games))
        if (!play_one(league, terms, n_played, error) || !league_reload(league, error))
            return false;
    return true;
}

/* ---- shards ------------------------------------------------------------------------------- */

/* Everything but the entrants and pairs follows from the league and the number of the round. */
static bool accept_plan(void *context, const Plan *plan, TurfError *error)
{
    const League *league = context;
    bool          is_ours = plan->schedule == SCHEDULE_PAIRS && plan->game == league->plan.game;
    if (!is_ours)
        return error_invalid(error, "these are not shards of a round of a league of %s",
                             league->plan.game->name);
    if (plan->seed != seed_of_round(league))
        return error_invalid(error,
                             "these are shards of another round than the next, which is %lld; "
                             "perhaps they were merged already",
                             (long long)league->next_round);
    for (size_t i = 0; i < plan->n_entrants; i++) {
        const LeagueVersion *version = league_version(league, plan->entrants[i].name);
        if (!version || strcmp(version->spec, plan->entrants[i].spec))
            return error_invalid(error, "%s of these shards is not of this league",
                                 plan->entrants[i].name);
    }
    return true;
}

bool league_merge(League *league, const char *const *paths, size_t n_paths, MergeShards *shards,
                  TurfError *error)
{
    Store     *store = league->store;
    MergeRound round = {league->next_round, accept_plan, league};
    *shards = (MergeShards){0};
    if (league->unfinished)
        return error_invalid(error, "round %lld is not finished; 'turf league play' finishes it",
                             (long long)league->next_round - 1);
    if (!merge_round(paths, n_paths, store, &round, shards, error))
        return false;
    league_release(league);
    return league_open(league, store, error) &&
           (league->unfinished != 0 || note_ratings(league, error));
}

/* ---- the final ----------------------------------------------------------------------------- */

static bool add_every_pair(Plan *plan)
{
    for (size_t i = 0; i < plan->n_entrants; i++)
        for (size_t j = i + 1; j < plan->n_entrants; j++)
            if (!plan_add_pair(plan, i, j))
                return false;
    return true;
}

static bool fill_final(const League *league, const FinalTerms *terms, const Standings *standings,
                       Plan *plan)
{
    bool is_good = copy_rules(league, plan);
    plan->schedule = terms->schedule;
    plan->n_games = plan->n_recorded = terms->n_games;
    plan->seed = terms->seed;
    char *const *starts = terms->n_starts > 0 ? terms->starts : league->plan.starts;
    size_t       n_starts = terms->n_starts > 0 ? terms->n_starts : league->plan.n_starts;
    for (size_t i = 0; i < n_starts && is_good; i++)
        is_good = plan_add_start(plan, starts[i]);
    for (size_t i = 0; i < standings->n && plan->n_entrants < terms->n_best && is_good; i++)
        if (standings->list[i].rating.status == RATED &&
            league_may_play(league, league_version(league, standings->list[i].name)))
            is_good = add_version(plan, league_version(league, standings->list[i].name));
    if (is_good && terms->schedule == SCHEDULE_PAIRS)
        is_good = add_every_pair(plan);
    if (terms->schedule == SCHEDULE_SWISS && plan->n_entrants > 1)
        plan->n_rounds = swiss_default_rounds(plan->n_entrants);
    return is_good;
}

static bool plan_final(const League *league, const FinalTerms *terms, Plan *plan, TurfError *error)
{
    Standings *standings = league_standings(league, false);
    bool       is_good =
        (standings && fill_final(league, terms, standings, plan)) || error_no_memory(error);
    standings_free(standings);
    if (is_good && plan->n_entrants < 2)
        is_good = error_invalid(error, "a final needs two teams with a rating; 'turf league play' "
                                       "rates them");
    if (!is_good)
        plan_release(plan);
    return is_good;
}

bool league_begin_final(League *league, const FinalTerms *terms, LeagueRound *round,
                        TurfError *error)
{
    Plan plan = {0};
    bool is_good;
    *round = (LeagueRound){0};
    if (league->unfinished_final)
        is_good = continue_round(league, league->unfinished_final, round, error);
    else
        is_good =
            plan_final(league, terms, &plan, error) && begin_new(league, &plan, true, round, error);
    if (is_good && note_before(round, error))
        return true;
    round_release(round);
    return false;
}
