/* Leagues in memory: reading the tables, adding and retiring versions, and the results of each two
 * versions. Changes are written first and then read back, so that memory never says more than the
 * file. */
#include "league/league.h"

#include "arena/plan_signature.h"
#include "base/error.h"
#include "base/utf8.h"
#include "bots/home_bots.h"
#include "games/totals.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------ */

static void release_teams(League *league)
{
    for (size_t i = 0; i < league->n_teams; i++) {
        free(league->teams[i].name);
        free(league->teams[i].token_hash);
    }
    for (size_t i = 0; i < league->n_versions; i++) {
        LeagueVersion *version = &league->versions[i];
        free(version->name);
        free(version->spec);
        free(version->folder);
        free(version->signature);
    }
    free(league->teams);
    free(league->versions);
    league->teams = NULL;
    league->versions = NULL;
    league->n_teams = league->n_versions = 0;
}

void league_release(League *league)
{
    release_teams(league);
    plan_release(&league->plan);
    free(league->results);
    *league = (League){0};
}

static char *version_name(const char *team, int number)
{
    char *name = NULL;
    if (number == 1)
        return strdup(team);
    return asprintf(&name, "%s v%d", team, number) < 0 ? NULL : name;
}

static size_t team_index(const League *league, int64_t id)
{
    size_t low = 0, high = league->n_teams; /* sorted by id */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (league->teams[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < league->n_teams && league->teams[low].id == id ? low : league->n_teams;
}

/* Takes the texts of the records over. */
static bool take_teams(League *league, TeamRecord *teams, size_t n_teams, TurfError *error)
{
    league->teams = calloc(n_teams + 1, sizeof *league->teams);
    if (!league->teams)
        return error_no_memory(error);
    for (size_t i = 0; i < n_teams; i++) {
        league->teams[i] = (LeagueTeam){.id = teams[i].id,
                                        .name = teams[i].name,
                                        .token_hash = teams[i].token_hash,
                                        .allows_practice = teams[i].allows_practice,
                                        .current = NO_VERSION};
        teams[i].name = teams[i].token_hash = NULL;
        league->n_teams++;
        if (!player_is_good_name(league->teams[i].name, strlen(league->teams[i].name)))
            return store_damage(league->store, "a team's name cannot be shown", error);
    }
    return true;
}

static bool take_version(League *league, VersionRecord *record, TurfError *error)
{
    size_t index = league->n_versions, team = team_index(league, record->team);
    if (team == league->n_teams)
        return store_damage(league->store, "a version belongs to no team", error);
    league->versions[league->n_versions++] =
        (LeagueVersion){.id = record->id,
                        .team = team,
                        .number = record->number,
                        .name = version_name(league->teams[team].name, record->number),
                        .spec = record->spec,
                        .folder = record->folder,
                        .signature = record->signature,
                        .created = record->created,
                        .retired = record->retired,
                        .submission = record->submission};
    record->spec = record->folder = record->signature = NULL;
    league->teams[team].n_versions++;
    if (record->retired == 0)
        league->teams[team].current = index;
    return league->versions[index].name || error_no_memory(error);
}

static bool read_teams(League *league, TurfError *error)
{
    TeamRecord    *teams = NULL;
    VersionRecord *versions = NULL;
    size_t         n_teams = 0, n_versions = 0;
    bool           is_good = leagues_teams(league->store, &teams, &n_teams, error) &&
                   leagues_versions(league->store, &versions, &n_versions, error) &&
                   take_teams(league, teams, n_teams, error);
    if (is_good) {
        league->versions = calloc(n_versions + 1, sizeof *league->versions);
        is_good = league->versions || error_no_memory(error);
    }
    for (size_t i = 0; i < n_versions && is_good; i++)
        is_good = take_version(league, &versions[i], error);
    teams_free(teams, n_teams);
    versions_free(versions, n_versions);
    return is_good;
}

static bool read_league(League *league, TurfError *error)
{
    LeagueRecord record;
    if (!leagues_read(league->store, &record, error))
        return false;
    plan_release(&league->plan);
    bool is_good = plan_from_json(&league->plan, record.plan, error);
    free(record.plan);
    if (is_good && (league->plan.schedule != SCHEDULE_PAIRS || league->plan.n_entrants > 0 ||
                    !league->plan.swaps_sides))
        is_good = store_damage(league->store, "the plan of a league is that of a run", error);
    league->audience = record.audience;
    league->is_frozen = record.is_frozen;
    league->wish = record.wish;
    league->created = record.created;
    return is_good && read_teams(league, error);
}

bool league_reload(League *league, TurfError *error)
{
    release_teams(league);
    return read_league(league, error);
}

static bool read_rounds(League *league, TurfError *error)
{
    RoundRecord *rounds;
    size_t       n_rounds;
    if (!leagues_rounds(league->store, &rounds, &n_rounds, error))
        return false;
    league->next_round = 1;
    league->unfinished = league->unfinished_final = league->final = 0;
    for (size_t i = 0; i < n_rounds; i++) {
        league->next_round = rounds[i].round + 1;
        if (!rounds[i].is_finished)
            *(rounds[i].is_final ? &league->unfinished_final : &league->unfinished) = rounds[i].run;
        else if (rounds[i].is_final)
            league->final = rounds[i].run;
    }
    free(rounds);
    return true;
}

static bool count_visited(void *league, const char *first, const char *second, bool is_swapped,
                          const TurfTotals *totals)
{
    return league_count(league, first, second, is_swapped, totals);
}

bool league_read_from(League *league, int64_t round, TurfError *error)
{
    return read_rounds(league, error) &&
           leagues_each_result(league->store, round, count_visited, league, error);
}

bool league_open(League *league, Store *store, TurfError *error)
{
    *league = (League){.store = store};
    if (read_league(league, error) && leagues_check(store, error) &&
        league_read_from(league, 1, error))
        return true;
    league_release(league);
    return false;
}

/* ---- finding ------------------------------------------------------------------------------ */

const LeagueTeam *league_team(const League *league, const char *name)
{
    for (size_t i = 0; i < league->n_teams; i++)
        if (!strcmp(league->teams[i].name, name))
            return &league->teams[i];
    return NULL;
}

const LeagueVersion *league_version(const League *league, const char *name)
{
    for (size_t i = 0; i < league->n_versions; i++)
        if (!strcmp(league->versions[i].name, name))
            return &league->versions[i];
    return NULL;
}

bool version_is_home(const LeagueVersion *version)
{
    return !strncmp(version->spec, "home:", strlen("home:"));
}

bool league_may_play(const League *league, const LeagueVersion *version)
{
    return !version_is_home(version) || home_is_connected(league->teams[version->team].name);
}

/* ---- changing ----------------------------------------------------------------------------- */

bool league_new(Store *store, Plan *plan, LeagueAudience audience, TurfError *error)
{
    LeagueRecord there, league = {.plan = plan_to_json(plan), .audience = audience};
    TurfError    why;
    char         quoted[ERROR_QUOTE_BYTES];
    plan_release(plan);
    if (!league.plan)
        return error_no_memory(error);
    bool is_there = leagues_read(store, &there, &why), is_good = false;
    if (is_there) {
        free(there.plan);
        error_invalid(error, "there is a league in '%s' already; name another file",
                      error_quote(quoted, store_path(store)));
    } else if (why.code != TURF_ERROR_NOT_FOUND) {
        error_set(error, why.code, "%s", why.text);
    } else if (store_begin(store, error)) {
        is_good = leagues_add(store, &league, error) && store_commit(store, error);
        if (!is_good)
            store_undo(store);
    }
    free(league.plan);
    return is_good;
}

static bool check_is_open(const League *league, TurfError *error)
{
    return !league->is_frozen ||
           error_invalid(error, "the league is frozen: no version may come or go; 'turf league "
                                "thaw' opens it again");
}

/* "anna v2" is what the second version of anna is called. */
static bool looks_like_version(const char *name)
{
    size_t length = strlen(name), digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    return digits < length && digits >= 2 && name[digits - 1] == 'v' && name[digits - 2] == ' ';
}

/* The plan of the league with this version as its only entrant: what is signed, so that neither
 * the command nor the sandbox can be changed by somebody else. Freed by the caller. */
static char *text_to_sign(const League *league, const char *name, const char *spec,
                          const char *folder)
{
    Plan          plan = league->plan;
    EntrantRecord entrant = {(char *)(uintptr_t)name, (char *)(uintptr_t)spec,
                             (char *)(uintptr_t)folder, 0};
    plan.entrants = &entrant;
    plan.n_entrants = 1;
    return plan_to_json(&plan);
}

/* Does it start a program or open a port? */
static bool needs_trust(const League *league, const char *spec)
{
    TurfError         unused;
    const PlayerKind *kind = player_kind_named(league->plan.game, spec, &unused);
    return kind && kind->is_external && !kind->home_seat;
}

bool league_is_strange(const League *league, const LeagueVersion *version, TurfError *error)
{
    if (!needs_trust(league, version->spec))
        return false;
    char *text = text_to_sign(league, version->name, version->spec, version->folder);
    if (!text)
        return !error_no_memory(error);
    bool is_own = version->signature && plan_is_own(text, version->signature);
    free(text);
    return !is_own;
}

/* In a transaction. */
static bool write_version(League *league, const TurfPlayer *player, const char *folder,
                          const LeagueTeam *team, TurfError *error)
{
    char          signature[SIGNATURE_BYTES] = "";
    TeamRecord    new_team = {.name = player->name};
    VersionRecord version = {.number = team ? (int)team->n_versions + 1 : 1,
                             .spec = player->spec,
                             .folder = (char *)(uintptr_t)folder};
    if (!team && !leagues_add_team(league->store, &new_team, error))
        return false;
    version.team = team ? team->id : new_team.id;
    if (version.number > MAX_LEAGUE_VERSIONS)
        return error_invalid(error, "%s has %d versions already", player->name,
                             MAX_LEAGUE_VERSIONS);
    char *name = version_name(player->name, version.number);
    char *text = name ? text_to_sign(league, name, player->spec, folder) : NULL;
    bool  is_good = text || error_no_memory(error);
    if (is_good && needs_trust(league, player->spec) && plan_sign(text, signature))
        version.signature = signature;
    free(name);
    free(text);
    return is_good && leagues_retire(league->store, version.team, error) &&
           leagues_add_version(league->store, &version, error);
}

/* Begins a transaction and reads the league again inside it: another program may have changed it.
 */
static bool begin_change(League *league, TurfError *error)
{
    if (!store_begin(league->store, error))
        return false;
    if (league_reload(league, error))
        return true;
    store_undo(league->store);
    return false;
}

static bool end_change(League *league, bool is_good, TurfError *error)
{
    if (!is_good) {
        store_undo(league->store);
        return false;
    }
    return store_commit(league->store, error) && league_reload(league, error);
}

static bool check_team_name(const char *name, TurfError *error)
{
    enum { ROOM_FOR_VERSION = 8 };
    char quoted[ERROR_QUOTE_BYTES];
    error_quote(quoted, name);
    if (!player_is_good_name(name, strlen(name)))
        return error_invalid(error, "'%s' is no name for a team", quoted);
    if (looks_like_version(name))
        return error_invalid(error,
                             "'%s' would be a version of another team; choose a name that does "
                             "not end in v and a number",
                             quoted);
    if (strlen(name) > utf8_prefix(name, MAX_NAME_LETTERS - ROOM_FOR_VERSION))
        return error_invalid(error, "'%s' is too long: a team's name has at most %d letters",
                             quoted, MAX_NAME_LETTERS - ROOM_FOR_VERSION);
    return true;
}

bool league_invite(League *league, const char *name, const char *token_hash, TurfError *error)
{
    if (!check_team_name(name, error) || !begin_change(league, error))
        return false;
    const LeagueTeam *team = league_team(league, name);
    TeamRecord        new_team = {.name = (char *)(uintptr_t)name,
                                  .token_hash = (char *)(uintptr_t)token_hash};
    bool              is_good = team ? leagues_set_token(league->store, team->id, token_hash, error)
                                     : leagues_add_team(league->store, &new_team, error);
    return end_change(league, is_good, error);
}

bool league_add(League *league, const TurfPlayer *player, const char *folder, TurfError *error)
{
    return league_add_submitted(league, player, folder, NULL, error);
}

bool league_add_submitted(League *league, const TurfPlayer *player, const char *folder,
                          SubmissionRecord *submission, TurfError *error)
{
    if (!check_team_name(player->name, error) || !begin_change(league, error))
        return false;
    const LeagueTeam *team = league_team(league, player->name);
    size_t            n_active = 0;
    for (size_t i = 0; i < league->n_teams; i++)
        n_active += league->teams[i].current != NO_VERSION;
    bool is_good = check_is_open(league, error);
    if (is_good && n_active >= MAX_STORED_ENTRANTS && (!team || team->current == NO_VERSION))
        is_good =
            error_invalid(error, "a league has at most %d teams at a time", MAX_STORED_ENTRANTS);
    int number = team ? (int)team->n_versions + 1 : 1;
    is_good = is_good && write_version(league, player, folder, team, error);
    if (is_good && submission) {
        submission->status = SUBMISSION_ACCEPTED;
        submission->version = number;
        is_good = submissions_update(league->store, submission, error);
    }
    return end_change(league, is_good, error);
}

/* NULL: the error says that there is none of that name. */
static const LeagueTeam *find_team(const League *league, const char *name, TurfError *error)
{
    char              quoted[ERROR_QUOTE_BYTES];
    const LeagueTeam *team = league_team(league, name);
    if (!team)
        error_not_found(error, "there is no team '%s'; 'turf league table' lists them",
                        error_quote(quoted, name));
    return team;
}

bool league_set_practice(League *league, const char *name, bool allows_practice, TurfError *error)
{
    if (!begin_change(league, error))
        return false;
    const LeagueTeam *team = find_team(league, name, error);
    return end_change(league,
                      team && leagues_set_practice(league->store, team->id, allows_practice, error),
                      error);
}

bool league_set_audience(League *league, LeagueAudience audience, TurfError *error)
{
    return begin_change(league, error) &&
           end_change(league, leagues_set_audience(league->store, audience, error), error);
}

bool league_set_wish(League *league, LeagueWish wish, TurfError *error)
{
    return begin_change(league, error) &&
           end_change(league, leagues_set_wish(league->store, wish, error), error);
}

bool league_retire(League *league, const char *name, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (!begin_change(league, error))
        return false;
    const LeagueTeam *team = find_team(league, name, error);
    bool              is_good = team && check_is_open(league, error);
    if (is_good && team->current == NO_VERSION)
        is_good = error_invalid(error, "'%s' is retired already", error_quote(quoted, name));
    return end_change(league, is_good && leagues_retire(league->store, team->id, error), error);
}

bool league_freeze(League *league, bool is_frozen, TurfError *error)
{
    if (!begin_change(league, error))
        return false;
    bool is_good = true;
    if (league->is_frozen == is_frozen)
        is_good = error_invalid(error, is_frozen ? "the league is frozen already"
                                                 : "the league is not frozen");
    return end_change(league, is_good && leagues_set_frozen(league->store, is_frozen, error),
                      error);
}

/* ---- results ------------------------------------------------------------------------------ */

/* The index of the result of two versions, or where it belongs. */
static size_t place_of(const League *league, size_t first, size_t second)
{
    size_t low = 0, high = league->n_results;
    while (low < high) {
        size_t              middle = (low + high) / 2;
        const LeagueResult *result = &league->results[middle];
        if (result->first < first || (result->first == first && result->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static LeagueResult *result_of(League *league, size_t first, size_t second)
{
    size_t place = place_of(league, first, second);
    if (place < league->n_results && league->results[place].first == first &&
        league->results[place].second == second)
        return &league->results[place];
    if (league->n_results == league->result_room) {
        size_t        room = league->result_room ? 2 * league->result_room : 64;
        LeagueResult *larger = realloc(league->results, room * sizeof *larger);
        if (!larger)
            return NULL;
        league->results = larger;
        league->result_room = room;
    }
    LeagueResult *result = &league->results[place];
    memmove(result + 1, result, (league->n_results - place) * sizeof *result);
    league->n_results++;
    *result = (LeagueResult){first, second, {TOTALS_NONE, TOTALS_NONE}};
    return result;
}

bool league_count(League *league, const char *first, const char *second, bool is_swapped,
                  const TurfTotals *totals)
{
    const LeagueVersion *one = league_version(league, first),
                        *other = league_version(league, second);
    LeagueResult *result = NULL;
    if (one && other)
        result =
            result_of(league, (size_t)(one - league->versions), (size_t)(other - league->versions));
    if (!result)
        return false;
    totals_add(&result->totals[is_swapped], totals);
    return true;
}

uint64_t league_n_games(const League *league)
{
    uint64_t n_games = 0;
    for (size_t i = 0; i < league->n_results; i++)
        n_games += league->results[i].totals[0].n_games + league->results[i].totals[1].n_games;
    return n_games;
}

static bool is_listed(const void *context, const char *name)
{
    const LeagueVersion *version = league_version(context, name);
    return version && version->retired == 0;
}

Standings *league_standings(const League *league, bool lists_all)
{
    PairingResult *results = calloc(league->n_results + 1, sizeof *results);
    if (!results)
        return NULL;
    for (size_t i = 0; i < league->n_results; i++) {
        const LeagueResult *result = &league->results[i];
        results[i] = (PairingResult){
            {league->versions[result->first].name, league->versions[result->second].name},
            {result->totals[0], result->totals[1]}};
    }
    Standings *standings =
        standings_new_of(results, league->n_results, lists_all ? NULL : is_listed, league);
    free(results);
    return standings;
}
