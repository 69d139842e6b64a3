/* Practice against bots of the league; see league_practice.h. A browser sends the name of a team,
 * which is looked up, and never a command. */
#include "web/league_practice.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "league/league_terms.h"
#include "web/league_service.h"
#include "web/server.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "league/";

bool is_practice(const char *id) { return id && !strncmp(id, prefix, sizeof prefix - 1); }

/* May visitors play against it? The version that plays, or NULL. */
static const LeagueVersion *version_of(const League *league, const LeagueTeam *team)
{
    if (!team || !team->allows_practice || team->current == NO_VERSION)
        return NULL;
    const LeagueVersion *version = &league->versions[team->current];
    TurfError            unused;
    bool is_left_out = version_is_home(version) || league_is_strange(league, version, &unused);
    return is_left_out ? NULL : version;
}

void practice_add(Server *server, const TurfGame *game, json_t **list)
{
    TurfError error;
    if (!league_service_lock(server, &error))
        return;
    const League *league = &server->league->watch.league;
    for (size_t i = 0; league->plan.game == game && i < league->n_teams; i++)
        if (version_of(league, &league->teams[i]))
            json_add(list,
                     json_pack("{s:o,s:s,s:s,s:[]}", "id",
                               json_sprintf("%s%s", prefix, league->teams[i].name), "summary",
                               "the bot of a team of the league", "kind", "league", "options"));
    league_service_unlock(server);
}

/* What is copied out of the league, so that it need not stay locked. */
typedef struct Copied {
    PracticeBot bot;
    char       *folder;
    Plan        rules; /* its limits alone */
} Copied;

static void release(Copied *copied)
{
    free(copied->bot.spec);
    free(copied->bot.name);
    free(copied->folder);
}

static bool copy(Server *server, const TurfGame *game, const char *id, Copied *copied,
                 TurfError *error)
{
    TurfError why;
    *copied = (Copied){.folder = NULL};
    if (!league_service_lock(server, &why))
        return why.code == TURF_ERROR_NOT_FOUND
                   ? error_not_found(error, "there is no league on this server")
                   : error_set(error, why.code, "%s", why.text);
    const League        *league = &server->league->watch.league;
    const LeagueVersion *version =
        league->plan.game == game ? version_of(league, league_team(league, id + sizeof prefix - 1))
                                  : NULL;
    bool is_good = version || error_not_found(error,
                                              "there is no such team that plays %s and lets "
                                              "others practise against its bot",
                                              game->title);
    if (is_good) {
        const PlayerKind *kind = player_kind_named(game, version->spec, &why);
        copied->bot = (PracticeBot){.spec = strdup(version->spec),
                                    .name = strdup(version->name),
                                    .is_external = kind && kind->is_external};
        copied->folder = version->folder ? strdup(version->folder) : NULL;
        copied->rules.bot_mib = league->plan.bot_mib;
        copied->rules.bot_processes = league->plan.bot_processes;
        copied->rules.bot_cpu_seconds = league->plan.bot_cpu_seconds;
        is_good = (copied->bot.spec && copied->bot.name && !copied->folder == !version->folder) ||
                  error_no_memory(error);
    }
    league_service_unlock(server);
    if (!is_good)
        release(copied);
    return is_good;
}

bool practice_find(Server *server, const TurfGame *game, const char *id, PracticeBot *bot,
                   TurfError *error)
{
    Copied copied;
    if (!copy(server, game, id, &copied, error))
        return false;
    *bot = copied.bot;
    free(copied.folder);
    return true;
}

TurfPlayer *practice_open(Server *server, const TurfGame *game, const char *id,
                          const atomic_bool *stop, TurfError *error)
{
    Copied copied;
    if (!copy(server, game, id, &copied, error))
        return NULL;
    TurfPlayer *player = player_open_any(game, copied.bot.spec, error);
    if (player) {
        player->terms.process.folder = copied.folder; /* until it has started */
        bool is_good =
            league_terms_set_one(player, &copied.rules, &server->options->bot_terms, error) &&
            player_begin_game(player, stop, error);
        player->terms.process.folder = NULL;
        if (!is_good) {
            turf_player_free(player);
            player = NULL;
        }
    }
    release(&copied);
    return player;
}
