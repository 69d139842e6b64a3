/* Reading lists of players and starts, from the command line and from files. */
#include "cmd/plan_lists.h"

#include "base/error.h"
#include "cmd/console.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool plan_add_spec(Plan *plan, const char *spec, TurfError *error)
{
    if (!strcmp(spec, "human"))
        return error_invalid(error, "human is a person, who can play only in 'turf play %s'",
                             plan->game->name);
    TurfPlayer *player = plan_open_player(plan, spec, error);
    if (!player)
        return false;
    if (plan->schedule != SCHEDULE_MATCH && plan_has_name(plan, player->name)) {
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
    return plan_add_spec(plan, line, error);
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
