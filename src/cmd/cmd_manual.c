/* The manual page: man/turf.1.in with the tables filled in. */
#include "cmd/options.h"
#include "players/kinds.h"
#include "players/player_options.h"
#include "texts.h"

#include <ctype.h>
#include <string.h>

/* Text inside a line. */
static void put_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            putc(*text, out);
    }
}

/* Text that begins a line, where a full stop or an apostrophe would be a request. */
static void put_lines(const char *text, FILE *out)
{
    for (; *text; text += strspn(text, "\n")) {
        size_t length = strcspn(text, "\n");
        char   line[1024];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fputs(strchr(".'", line[0]) ? "\\&" : "", out);
        put_text(line, out);
        text += length;
        /* An example stands by itself; after the last line the caller breaks. */
        fputs(line[0] == ' ' && text[strspn(text, "\n")] ? "\n.br\n" : "\n", out);
    }
}

/* As a sentence: the tables begin without a capital. */
static void put_sentence(const char *text, FILE *out)
{
    char line[1024];
    snprintf(line, sizeof line, "%c%s.", toupper((unsigned char)text[0]), text + 1);
    put_lines(line, out);
}

static void put_bold(const char *text, FILE *out)
{
    fputs("\\fB", out);
    put_text(text, out);
    fputs("\\fP", out);
}

static void put_option(const Option *option, FILE *out)
{
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fP, ", option->letter);
    fputs("\\fB\\-\\-", out);
    put_text(option->name, out);
    fputs("\\fP", out);
    if (option->argument) {
        fputs(" \\fI", out);
        put_text(option->argument, out);
        fputs("\\fP", out);
    }
    putc('\n', out);
    put_lines(option->help, out);
}

static void put_options(FILE *out)
{
    for (size_t i = 0; option_at(i); i++)
        put_option(option_at(i), out);
}

static void put_command(const Command *command, FILE *out)
{
    fprintf(out, ".SS \"turf ");
    put_text(command->name, out);
    fputs(*command->usage ? " " : "", out);
    put_text(command->usage, out);
    fputs("\"\n", out);
    put_sentence(command->summary, out);
    if (command->details)
        put_lines(command->details, out);
    for (size_t i = 0, n = 0; option_at(i); i++) {
        if (!option_is_taken(option_at(i), command))
            continue;
        fputs(n++ ? ",\n\\fB\\-\\-" : ".br\nOptions:\n\\fB\\-\\-", out);
        put_text(option_at(i)->name, out);
        fputs("\\fP", out);
    }
    fputs(*command->options ? ".\n" : "", out);
}

static void put_commands(FILE *out)
{
    for (size_t i = 0; command_at(i); i++)
        put_command(command_at(i), out);
}

static void put_games(FILE *out)
{
    const TurfGame *game;
    for (size_t i = 0; (game = turf_game_at(i)); i++) {
        fputs(".TP\n", out);
        put_bold(game->name, out);
        fprintf(out, " (%s)\n", game->short_name);
        put_sentence(game->summary, out);
        fputs("Starts:\n", out);
        for (const NamedStart *start = game->starts; start->name; start++) {
            put_bold(start->name, out);
            fputs(" (", out);
            put_text(start->summary, out);
            fputs(");\n", out);
        }
        fputs("or ", out);
        put_text(game->start_forms, out);
        fputs(".\n", out);
    }
}

/* Which games a kind plays, unless it plays them all. */
static void put_games_of(const PlayerKind *kind, FILE *out)
{
    size_t n_games = 0, n_played = 0;
    for (; turf_game_at(n_games); n_games++)
        n_played += player_kind_plays(kind, turf_game_at(n_games));
    if (n_played == n_games)
        return;
    fputs("Plays", out);
    for (size_t i = 0; i < n_games; i++) {
        if (!player_kind_plays(kind, turf_game_at(i)))
            continue;
        putc(' ', out);
        put_text(turf_game_at(i)->title, out);
        fputs(--n_played ? "," : ".\n", out);
    }
}

static void put_players(FILE *out)
{
    const PlayerKind *kind;
    for (size_t i = 0; (kind = player_kind_at(i)); i++) {
        fputs(".TP\n", out);
        put_bold(kind->name, out);
        if (kind->alias) {
            fputs(", ", out);
            put_bold(kind->alias, out);
        }
        putc('\n', out);
        put_sentence(kind->summary, out);
        if (kind->options) {
            char options[PLAYER_OPTIONS_BYTES];
            fputs("Options: ", out);
            put_text(player_options_text(kind, options), out);
            fputs(".\n", out);
        }
        put_games_of(kind, out);
    }
    fputs(".TP\n\\fBhuman\\fP\nA person at the terminal, in \\fBturf play\\fP.\n", out);
}

static void put_player_options(FILE *out)
{
    const PlayerOption *option;
    for (size_t i = 0; (option = player_option_at(i)); i++) {
        fputs(".TP\n", out);
        put_bold(option->name, out);
        putc('\n', out);
        put_sentence(option->help, out);
    }
}

static void put_version(FILE *out) { fputs(TURF_VERSION, out); }

void manual_write(FILE *out)
{
    static const struct {
        const char *name;
        void (*put)(FILE *out);
        const char *rest; /* of the line, which is not printed */
    } parts[] = {
        {"@version@", put_version, ""},   {"@commands@", put_commands, "\n"},
        {"@options@", put_options, "\n"}, {"@games@", put_games, "\n"},
        {"@players@", put_players, "\n"}, {"@player-options@", put_player_options, "\n"},
    };
    for (const char *at = MANUAL; *at;) {
        size_t i = 0, n = sizeof parts / sizeof parts[0];
        while (i < n && strncmp(at, parts[i].name, strlen(parts[i].name)))
            i++;
        if (i == n) {
            putc(*at++, out);
            continue;
        }
        parts[i].put(out);
        at += strlen(parts[i].name) + strlen(parts[i].rest);
    }
}
