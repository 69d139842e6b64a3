/* Terms of bots that strangers entered; see league_terms.h. The sandbox shows a bot the folder of
 * its own files, so files of others that lie there are hidden one by one. */
#include "league/league_terms.h"

#include "arena/plan_signature.h"
#include "base/error.h"
#include "bots/command_line.h"

#include <stdlib.h>
#include <string.h>

void league_terms_release(LeagueTerms *terms)
{
    for (size_t i = 0; terms->hidden && i < terms->n_players; i++)
        free(terms->hidden[i]);
    for (size_t i = 0; i < terms->n_paths; i++)
        free(terms->paths[i]);
    free(terms->hidden);
    free(terms->paths);
    free(terms->owners);
    *terms = (LeagueTerms){0};
}

/* ---- what is hidden ------------------------------------------------------------------------ */

typedef struct Naming {
    LeagueTerms *terms;
    size_t       player;
    bool         has_failed;
} Naming;

static bool add_path(LeagueTerms *terms, size_t player, const char *path)
{
    if (terms->n_paths == terms->room) {
        size_t room = terms->room ? 2 * terms->room : 16;
        char **paths = realloc(terms->paths, room * sizeof *paths);
        terms->paths = paths ? paths : terms->paths;
        size_t *owners = paths ? realloc(terms->owners, room * sizeof *owners) : NULL;
        terms->owners = owners ? owners : terms->owners;
        if (!owners)
            return false;
        terms->room = room;
    }
    char *copy = strdup(path);
    if (!copy)
        return false;
    terms->paths[terms->n_paths] = copy;
    terms->owners[terms->n_paths++] = player;
    return true;
}

static void note_path(void *context, const char *path, bool is_program)
{
    Naming *naming = context;
    char    prefix[PATH_MAX], real[PATH_MAX];
    if (!strncmp(path, "/usr/", strlen("/usr/")) ||
        (is_program && command_has_prefix(path, prefix)))
        return;
    naming->has_failed |= !add_path(naming->terms, naming->player, path);
    if (realpath(path, real) && strcmp(real, path) != 0)
        naming->has_failed |= !add_path(naming->terms, naming->player, real);
}

/* Notes the files that the command of a player names. */
static bool note_command(LeagueTerms *terms, size_t i, const TurfPlayer *player)
{
    Naming      naming = {terms, i, false};
    char      **words, folder[PATH_MAX];
    const char *where = player->terms.process.folder;
    if (!realpath(where ? where : ".", folder) || !command_read(player->command, &words, NULL))
        return true; /* it cannot be started either */
    command_each_path(words, folder, note_path, &naming);
    command_free(words);
    return !naming.has_failed;
}

static size_t length_of(const char *const *list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

/* Is a path that another player names one of this player's own too, as a helper of both? */
static bool is_own(const LeagueTerms *terms, size_t player, const char *path)
{
    for (size_t i = 0; i < terms->n_paths; i++)
        if (terms->owners[i] == player && !strcmp(terms->paths[i], path))
            return true;
    return false;
}

static const char **hidden_from(const LeagueTerms *terms, size_t player, const BotTerms *common)
{
    size_t       n_common = length_of(common->sandbox.hidden), n = 0;
    const char **list = calloc(n_common + terms->n_paths + 1, sizeof *list);
    for (size_t i = 0; list && i < n_common; i++)
        list[n++] = common->sandbox.hidden[i];
    for (size_t i = 0; list && i < terms->n_paths; i++)
        if (terms->owners[i] != player && !is_own(terms, player, terms->paths[i]))
            list[n++] = terms->paths[i];
    return list;
}

/* ---- terms --------------------------------------------------------------------------------- */

static int64_t lower(int64_t limit, uint64_t of_league)
{
    bool is_lower = of_league > 0 && (limit == 0 || (int64_t)of_league < limit);
    return is_lower ? (int64_t)of_league : limit;
}

bool league_terms_set_one(TurfPlayer *player, const Plan *rules, const BotTerms *common,
                          TurfError *error)
{
    if (player->kind->plays_alone)
        return error_invalid(error, "%s opens a port, and a server plays no such bots",
                             player->name);
    if (!player->kind->starts_process)
        return true;
    if (!common->is_sandboxed)
        return error_invalid(error,
                             "%s is a bot, and bots of a league play only in the sandbox, which "
                             "this server does not have; install bubblewrap and start it again, "
                             "without --sandbox off",
                             player->name);
    const char *folder = player->terms.process.folder;
    player->terms = *common;
    player->terms.process.folder = folder;
    player->terms.is_reused |= rules->is_reusing > 0;
    ProcessTerms *process = &player->terms.process;
    process->max_mib = lower(process->max_mib, rules->bot_mib);
    process->max_processes = lower(process->max_processes, rules->bot_processes);
    process->max_cpu_seconds = lower(process->max_cpu_seconds, rules->bot_cpu_seconds);
    return true;
}

bool league_terms_set(LeagueTerms *terms, Run *run, const BotTerms *common, TurfError *error)
{
    size_t n = run->plan.n_entrants;
    *terms = (LeagueTerms){.hidden = calloc(n + 1, sizeof *terms->hidden), .n_players = n};
    bool is_good = terms->hidden || error_no_memory(error);
    for (size_t i = 0; i < n && is_good; i++)
        is_good = league_terms_set_one(run->plan.players[i], &run->plan, common, error);
    for (size_t i = 0; i < n && is_good; i++)
        if (run->plan.players[i]->kind->starts_process)
            is_good = note_command(terms, i, run->plan.players[i]) || error_no_memory(error);
    for (size_t i = 0; i < n && is_good; i++) {
        if (!run->plan.players[i]->kind->starts_process)
            continue;
        terms->hidden[i] = hidden_from(terms, i, common);
        run->plan.players[i]->terms.sandbox.hidden = terms->hidden[i];
        is_good = terms->hidden[i] || error_no_memory(error);
    }
    return is_good;
}

/* ---- trust --------------------------------------------------------------------------------- */

static bool check_run(const League *league, int64_t run, TurfError *error)
{
    RunRecord record;
    Plan      plan;
    char      signature[SIGNATURE_BYTES + 1];
    if (!runs_find(league->store, run, &record, error))
        return false;
    bool is_good = runs_signature(league->store, run, signature, sizeof signature, error) &&
                   plan_from_json(&plan, record.plan, error);
    if (is_good) {
        if (plan_has_bots(&plan) && !plan_is_own(record.plan, signature))
            is_good =
                error_invalid(error, "the round that is unfinished was begun by somebody else, and "
                                     "would start programs; if you trust them, 'turf league play "
                                     "--trust' finishes it");
        plan_release(&plan);
    }
    run_record_release(&record);
    return is_good;
}

bool league_check_trust(const League *league, int64_t run, TurfError *error)
{
    for (size_t i = 0; i < league->n_versions; i++) {
        const LeagueVersion *version = &league->versions[i];
        *error = (TurfError){0};
        if (version->retired == 0 && league_is_strange(league, version, error))
            return error->code ? false
                               : error_invalid(error,
                                               "%s was added by somebody else, and would start a "
                                               "program; if you trust it, add it again",
                                               version->name);
    }
    return run == 0 || check_run(league, run, error);
}
