/* turf league: the organiser's commands. A table says which words and options each takes; playing
 * is in cmd_league_play.c. */
#include "cmd/cmd_league.h"

#include "base/error.h"
#include "base/suggest.h"
#include "cmd/console.h"
#include "cmd/options.h"
#include "cmd/plan_options.h"
#include "league/league_round.h"
#include "league/league_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------ */

Store *league_open_or_die(League *league, const char *path, StoreMode mode)
{
    TurfError error;
    Store    *store = store_open(path, mode, &error);
    if (!store && error.code == TURF_ERROR_NOT_FOUND)
        die("%s; type: turf league new %s GAME", error.text, path);
    if (!store || !league_open(league, store, &error))
        die("%s", error.text);
    return store;
}

void league_close(League *league)
{
    Store *store = league->store;
    league_release(league);
    store_close(store);
}

/* ---- new ---------------------------------------------------------------------------------- */

static LeagueAudience read_audience(const char *name)
{
    LeagueAudience audience = AUDIENCE_GAMES;
    char           quoted[ERROR_QUOTE_BYTES];
    if (!audience_named(name, &audience))
        die("the audience of a league sees nothing, table or games, not '%s'",
            error_quote(quoted, name));
    return audience;
}

static int make_league(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const char     *path = arguments->words[1];
    TurfError       error;
    Plan            plan = plan_begin(read_game(arguments->words[2]), SCHEDULE_PAIRS, settings, 2);
    LeagueAudience  audience = read_audience(settings->audience ? settings->audience : "games");
    plan.swaps_sides = true;
    plan_read_all_starts(&plan, settings);
    if (!settings->is_quiet && !plan_has_random_start(&plan) && plan.n_starts < 2)
        fprintf(stderr, "turf: every game of this league begins from one position; give many with "
                        "--starts FILE, or bots that do not vary repeat their games\n");
    Store *store = store_open(path, STORE_MAKE, &error);
    if (!store || !league_new(store, &plan, audience, &error))
        die("%s", error.text);
    store_close(store);
    if (!settings->is_quiet)
        fprintf(stderr, "turf: now type: turf league add %s NAME=PLAYER\n", path);
    return EXIT_FINE;
}

/* ---- add and retire ------------------------------------------------------------------------ */

static void add_player(League *league, const TurfPlayer *player, const Settings *settings)
{
    TurfError   error;
    const char *folder = player->terms.process.folder;
    char        here[PATH_MAX];
    if (player->kind->starts_process && !folder && !(folder = realpath(".", here)))
        die("the current folder cannot be found");
    if (!league_add(league, player, folder, &error))
        die("%s", error.text);
    const LeagueTeam *team = league_team(league, player->name);
    if (!settings->is_quiet && team)
        fprintf(stderr, "turf: %s plays%s\n", league->versions[team->current].name,
                team->n_versions > 1 ? ", and the version before no more" : "");
}

/* Players are opened before the first is added: a mistake in the last adds none. */
static int add_teams(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    League          league;
    TurfError       error;
    if (arguments->n_words == 2 && !settings->entrants)
        die("name the players: turf league add %s NAME=PLAYER, or --entrants FILE",
            arguments->words[1]);
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    Plan entered = {.game = league.plan.game, .schedule = SCHEDULE_PAIRS};
    for (int i = 2; i < arguments->n_words; i++) {
        const char *spec = arguments->words[i];
        TurfPlayer *player =
            strcmp(spec, "human") ? turf_player_open(entered.game, spec, &error) : NULL;
        if (!strcmp(spec, "human"))
            die("human is a person, who can play only in 'turf play %s'", entered.game->name);
        if (!player)
            die("%s", error.text);
        if (plan_has_name(&entered, player->name))
            die("two players are called %s; give one a name of its own, like other=%s",
                player->name, player->spec);
        if (!plan_add_player(&entered, player))
            die("out of memory");
    }
    if (settings->entrants)
        plan_read_list(&entered, settings->entrants, plan_read_entrants);
    for (size_t i = 0; i < entered.n_entrants; i++)
        add_player(&league, entered.players[i], settings);
    plan_release(&entered);
    league_close(&league);
    return EXIT_FINE;
}

static int retire_teams(const Arguments *arguments)
{
    League    league;
    TurfError error;
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    for (int i = 2; i < arguments->n_words; i++)
        if (!league_retire(&league, arguments->words[i], &error))
            die("%s", error.text);
    league_close(&league);
    return EXIT_FINE;
}

static int set_frozen(const Arguments *arguments, bool is_frozen)
{
    League    league;
    TurfError error;
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    if (!league_freeze(&league, is_frozen, &error))
        die("%s", error.text);
    league_close(&league);
    return EXIT_FINE;
}

static int set_audience(const Arguments *arguments)
{
    League         league;
    TurfError      error;
    LeagueAudience audience = read_audience(arguments->words[2]);
    (void)league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    if (!league_set_audience(&league, audience, &error))
        die("%s", error.text);
    league_close(&league);
    return EXIT_FINE;
}

static int freeze(const Arguments *arguments) { return set_frozen(arguments, true); }
static int thaw(const Arguments *arguments) { return set_frozen(arguments, false); }

/* ---- table --------------------------------------------------------------------------------- */

void league_print(const League *league, const Settings *settings)
{
    if (settings->wants_json)
        print_json(league_json(league, settings->wants_all), JSON_COMPACT);
    else if (!league_print_table(league, settings->wants_all, stdout))
        die("out of memory");
}

static bool wants_csv(const Settings *settings)
{
    const char *dot = settings->output ? strrchr(settings->output, '.') : NULL;
    char        quoted[ERROR_QUOTE_BYTES];
    if (settings->format && strcmp(settings->format, "csv") && strcmp(settings->format, "text"))
        die("--format must be csv or text, not '%s'", error_quote(quoted, settings->format));
    if (settings->format)
        return !strcmp(settings->format, "csv");
    return dot && !strcmp(dot, ".csv");
}

static int print_table(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    League          league;
    bool            is_csv = wants_csv(settings);
    if (settings->output && settings->wants_json)
        die("--json goes to standard output: leave -o out");
    (void)league_open_or_die(&league, arguments->words[1], STORE_READ);
    if (settings->output) {
        OutputFile output = output_open(settings->output);
        if (!(is_csv ? league_write_grades(&league, output.stream)
                     : league_print_table(&league, settings->wants_all, output.stream)))
            die("out of memory");
        output_close(&output);
    } else if (is_csv) {
        if (!league_write_grades(&league, stdout))
            die("out of memory");
    } else {
        league_print(&league, settings);
    }
    league_close(&league);
    return EXIT_FINE;
}

/* ---- merge --------------------------------------------------------------------------------- */

static int merge_shards(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    League          league;
    MergeShards     shards;
    TurfError       error;
    Store          *store = league_open_or_die(&league, arguments->words[1], STORE_WRITE);
    if (!store_lock_league(store, &error) ||
        !league_merge(&league, arguments->words + 2, (size_t)arguments->n_words - 2, &shards,
                      &error))
        die("%s", error.text);
    bool is_whole = league.unfinished == 0;
    if (!is_whole)
        fprintf(stderr,
                "turf: games of the round are missing; 'turf league play %s' plays them first\n",
                arguments->words[1]);
    league_print(&league, settings);
    free(shards.is_there);
    league_close(&league);
    return is_whole ? EXIT_FINE : EXIT_FAULTS;
}

/* ---- the command --------------------------------------------------------------------------- */

typedef struct LeagueCommand {
    const char *name, *usage, *options;
    int         min_words, max_words; /* with its name */
    int (*run)(const Arguments *arguments);
} LeagueCommand;

static const LeagueCommand commands[] = {
    {"new", "FILE GAME",
     "seed start starts size time move-cap sandbox bot-memory bot-processes bot-cpu reuse "
     "audience quiet",
     3, 3, make_league},
    {"add", "FILE NAME=PLAYER...", "entrants quiet", 2, 1026, add_teams},
    {"retire", "FILE NAME...", "quiet", 3, 1026, retire_teams},
    {"invite", "FILE TEAM", "url quiet", 3, 3, league_invite_team},
    {"submit", "FILE TEAM PATH", "json quiet", 4, 4, league_submit},
    {"play", "FILE", "for games jobs shard allow-write allow-read bot-env trust all json quiet", 2,
     2, league_play},
    {"merge", "FILE SHARD...", "all json quiet", 3, 100000, merge_shards},
    {"table", "FILE", "all json format output quiet", 2, 2, print_table},
    {"freeze", "FILE", "quiet", 2, 2, freeze},
    {"thaw", "FILE", "quiet", 2, 2, thaw},
    {"audience", "FILE nothing|table|games", "quiet", 3, 3, set_audience},
    {"final", "FILE",
     "best schedule games seed starts jobs allow-write allow-read bot-env trust no-times json "
     "quiet",
     2, 2, league_play_final},
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const LeagueCommand *find_command(const char *name)
{
    const char *names[N_COMMANDS];
    char        quoted[ERROR_QUOTE_BYTES], meant[SUGGESTION_BYTES];
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (!strcmp(name, commands[i].name))
            return &commands[i];
        names[i] = commands[i].name;
    }
    suggestion(meant, name, names, N_COMMANDS, "'");
    die("unknown league command '%s'%s", error_quote(quoted, name),
        *meant ? meant : "; 'turf help league' lists them");
}

static void check_options(const LeagueCommand *command, const Settings *settings)
{
    const Command taken = {.options = command->options};
    for (size_t i = 0; option_at(i); i++)
        if (option_is_given(option_at(i), settings) && !option_is_taken(option_at(i), &taken))
            die("'turf league %s' takes no --%s; 'turf help league' lists what does", command->name,
                option_at(i)->name);
}

int cmd_league(const Arguments *arguments)
{
    const LeagueCommand *command = find_command(arguments->words[0]);
    check_options(command, &arguments->settings);
    if (arguments->n_words < command->min_words)
        die("too few arguments; type: turf league %s %s", command->name, command->usage);
    if (arguments->n_words > command->max_words)
        die("too many arguments; type: turf league %s %s", command->name, command->usage);
    return command->run(arguments);
}
