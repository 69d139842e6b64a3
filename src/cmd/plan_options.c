/* From the options of match, tournament and run to a Plan. Errors end the program, except those of
 * the list readers, which return them. */
#include "cmd/plan_options.h"

#include "arena/schedule.h"
#include "base/error.h"
#include "cmd/console.h"
#include "players/player.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An SPRT ends when it accepts a hypothesis, so its default is more games than most need. */
enum {
    DEFAULT_GAMES = 1000,
    DEFAULT_SWISS_GAMES = 2,
    DEFAULT_SPRT_GAMES = 100000,
    MAX_SHARDS = 100000
};

/* ---- lists of players and starts ---------------------------------------------------------- */

/* Two players of one name cannot be told apart; but a match may be of a player against itself. */
static bool is_confusing(const Plan *plan, const TurfPlayer *player)
{
    if (plan->schedule != SCHEDULE_MATCH)
        return plan_has_name(plan, player->name);
    return plan->n_entrants == 1 && !strcmp(plan->entrants[0].name, player->name) &&
           strcmp(plan->entrants[0].spec, player->spec) != 0;
}

/* Opens a player and adds it. */
static bool add_spec(Plan *plan, const char *spec, TurfError *error)
{
    if (!strcmp(spec, "human"))
        return error_invalid(error, "human is a person, who can play only in 'turf play %s'",
                             plan->game->name);
    TurfPlayer *player = plan_open_player(plan, spec, error);
    if (!player)
        return false;
    if (player->kind->home_seat) {
        turf_player_free(player);
        return error_invalid(error, "bots at home play in the league of a server: 'turf join'");
    }
    if (is_confusing(plan, player)) {
        error_invalid(error, "two players are called %s; give one a name of its own, like other=%s",
                      player->name, player->spec);
        turf_player_free(player);
        return false;
    }
    return plan_add_player(plan, player) || error_no_memory(error);
}

/* The line without blanks around it; NULL if it is empty or a comment. A '#' of a board has no
 * blank after it. */
static char *trim(char *line)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    bool is_comment = line[0] == '#' && (line[1] == ' ' || line[1] == '\t' || line[1] == '\0');
    return *line && !is_comment ? line : NULL;
}

/* "anna = bot:python3 anna.py" means "anna=bot:python3 anna.py". */
static void join_name(char *line)
{
    size_t length = strcspn(line, ":=");
    if (line[length] != '=')
        return;
    char *name_end = line + length, *spec = line + length + 1;
    while (name_end > line && isspace((unsigned char)name_end[-1]))
        name_end--;
    spec += strspn(spec, " \t");
    *name_end++ = '=';
    memmove(name_end, spec, strlen(spec) + 1);
}

static bool add_entrant(Plan *plan, char *line, TurfError *error)
{
    join_name(line);
    return add_spec(plan, line, error);
}

static bool add_start(Plan *plan, char *line, TurfError *error)
{
    TurfRng   rng = turf_rng(0);
    TurfState state;
    return game_start(plan->game, line, &rng, &state, error) &&
           (plan_add_start(plan, line) || error_no_memory(error));
}

static bool read_lines(Plan *plan, FILE *file, const char *path,
                       bool (*add)(Plan *plan, char *line, TurfError *error), TurfError *error)
{
    LineReader reader = {.stream = file};
    TurfError  why;
    bool       is_good = true;
    for (char *line; is_good && (line = line_next(&reader));) {
        char *content = trim(line);
        if (content && !add(plan, content, &why))
            is_good =
                error_set(error, why.code, "%.80s, line %d: %.300s", path, reader.number, why.text);
    }
    if (is_good && ferror(file))
        is_good = error_system(error, errno, "cannot read '%.80s': %s", path, strerror(errno));
    free(reader.line);
    return is_good;
}

bool plan_read_entrants(Plan *plan, FILE *file, const char *path, TurfError *error)
{
    size_t n_before = plan->n_entrants;
    if (!read_lines(plan, file, path, add_entrant, error))
        return false;
    return plan->n_entrants > n_before ||
           error_invalid(error, "the file '%.80s' has no players: write one on each line", path);
}

bool plan_read_starts(Plan *plan, FILE *file, const char *path, TurfError *error)
{
    if (!read_lines(plan, file, path, add_start, error))
        return false;
    return plan->n_starts > 0 ||
           error_invalid(error, "the file '%.80s' has no starts: write one on each line", path);
}

/* ---- players and starts ------------------------------------------------------------------- */

static void add_player(Plan *plan, const char *spec)
{
    TurfError error;
    if (!add_spec(plan, spec, &error))
        die("%s", error.text);
}

static void add_strategies(Plan *plan)
{
    const PlayerKind *kind;
    for (size_t i = 0; (kind = player_kind_at(i)); i++)
        if (kind->is_strategy && player_kind_plays(kind, plan->game))
            add_player(plan, kind->name);
}

/* Reads a file, or standard input for "-", with one of the readers above. */
void plan_read_list(Plan *plan, const char *path, PlanList *read)
{
    TurfError error;
    FILE     *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
    if (!file)
        die("cannot read '%s': %s", path, strerror(errno));
    if (!read(plan, file, path, &error))
        die("%s", error.text);
    if (file != stdin)
        fclose(file);
}

void plan_read_all_starts(Plan *plan, const Settings *settings)
{
    if (settings->starts) {
        if (settings->start || settings->size)
            die("give --starts or %s, not both", settings->start ? "--start" : "--size");
        plan_read_list(plan, settings->starts, plan_read_starts);
        return;
    }
    char *start = read_start(plan->game, settings);
    if (start && !plan_add_start(plan, start))
        die("out of memory");
    free(start);
}

/* ---- numbers ------------------------------------------------------------------------------ */

void read_shard(const Settings *settings, int *shard, int *n_shards)
{
    char quoted[ERROR_QUOTE_BYTES], *slash = NULL, *end = NULL;
    *shard = *n_shards = 1;
    if (!settings->shard)
        return;
    const char *text = settings->shard;
    long        k = strtol(text, &slash, 10), n = 0;
    if (*slash == '/')
        n = strtol(slash + 1, &end, 10);
    if (!isdigit((unsigned char)*text) || !end || *end || !isdigit((unsigned char)slash[1]) ||
        k < 1 || k > n || n > MAX_SHARDS)
        die("--shard must be k/N with k from 1 to N, like 2/8, not '%s'",
            error_quote(quoted, text));
    *shard = (int)k;
    *n_shards = (int)n;
}

static void read_schedule(Plan *plan, const Settings *settings)
{
    char quoted[ERROR_QUOTE_BYTES];
    if (settings->schedule) {
        plan->schedule = schedule_find(settings->schedule);
        if (plan->schedule == N_SCHEDULES || plan->schedule == SCHEDULE_MATCH ||
            plan->schedule == SCHEDULE_PAIRS)
            die("--schedule must be round-robin, gauntlet, swiss or knock-out, not '%s'",
                error_quote(quoted, settings->schedule));
    }
    if (settings->n_rounds && plan->schedule != SCHEDULE_SWISS)
        die("--rounds needs --schedule swiss");
    if (settings->shard && schedule_has_rounds(plan))
        die("--schedule %s cannot be split into shards: each round depends on the rounds before",
            schedule_name(plan->schedule));
}

Plan plan_begin(const TurfGame *game, ScheduleKind schedule, const Settings *settings,
                uint64_t default_games)
{
    return (Plan){.game = game,
                  .schedule = schedule,
                  .n_games = settings->has_n_games ? settings->n_games : default_games,
                  .seed = settings->seed,
                  .n_rounds = 1,
                  .swaps_sides = settings->wants_swap,
                  .time_ms = settings->time_ms,
                  .move_cap_ms = settings->move_cap_ms,
                  .n_recorded = settings->n_recorded,
                  .sandbox = settings->sandbox ? strdup(settings->sandbox) : NULL,
                  .bot_mib = settings->bot_mib,
                  .bot_processes = settings->bot_processes,
                  .bot_cpu_seconds = settings->bot_cpu_seconds,
                  .is_reusing = settings->is_reusing};
}

static void read_sprt(Plan *plan, const Settings *settings)
{
    TurfError error;
    if (!settings->sprt)
        return;
    if (!sprt_parse(settings->sprt, &plan->sprt, &error))
        die("--sprt: %s", error.text);
    if (settings->shard)
        die("--sprt cannot be split into shards: each look depends on all games before");
    plan->has_sprt = true;
    if (!settings->has_n_games)
        plan->n_games = DEFAULT_SPRT_GAMES;
}

Plan plan_read(const Arguments *arguments, ScheduleKind schedule)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    Plan plan = plan_begin(read_game(arguments->words[0]), schedule, settings, DEFAULT_GAMES);
    read_schedule(&plan, settings);
    bool has_rounds = schedule_has_rounds(&plan);
    for (int i = 1; i < arguments->n_words; i++)
        add_player(&plan, arguments->words[i]);
    if (settings->entrants)
        plan_read_list(&plan, settings->entrants, plan_read_entrants);
    if (plan.n_entrants == 0)
        add_strategies(&plan);
    if (has_rounds) {
        plan.n_games = settings->has_n_games ? settings->n_games : DEFAULT_SWISS_GAMES;
        plan.n_rounds = settings->n_rounds ? settings->n_rounds : 1;
        if (!settings->n_rounds && plan.schedule == SCHEDULE_SWISS)
            plan.n_rounds = swiss_default_rounds(plan.n_entrants);
        plan.swaps_sides = true;
    }
    if (settings->wants_swap && plan.n_games % 2 && !settings->is_quiet)
        fprintf(stderr, "turf: with --swap and an odd -n the last start is played from one side "
                        "only\n");
    read_sprt(&plan, settings);
    if (!schedule_check(&plan, &error))
        die("%s", error.text);
    plan_read_all_starts(&plan, settings);
    return plan;
}
