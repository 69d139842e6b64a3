/* Command-line options: one table for all commands, from which help, the manual, completion and
 * config files are made. getopt_long parses; the messages are our own, because each error is one
 * line that says what to type instead. */
#include "cmd/options.h"

#include "arena/run.h"
#include "base/error.h"
#include "base/suggest.h"
#include "cmd/console.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(Settings, field)

static const Option options[] = {
    {"games", 'n', NUMBER, "N", AT(n_games), AT(has_n_games), 1, MAX_PAIRING_GAMES,
     "games per pairing (1000; Swiss 2; run 1; puzzles 5; with --sprt at most 100000); of a league "
     "in all; of join before it leaves; positions of mark (100)"},
    {"seed", 's', NUMBER, "S", AT(seed), AT(has_seed), 0, INT64_MAX,
     "the same seed plays the same games (1)"},
    {"jobs", 'j', NUMBER, "N", AT(n_jobs), 0, 1, MAX_JOBS,
     "threads (one per processor); of join games at a time (1)"},
    {"device", 0, TEXT, "auto|cpu|gpu|NAME", AT(device), 0, 0, 0,
     "where to play: 'turf devices' lists them (auto: on a GPU if there are many games)"},
    {"start", 0, TEXT, "START", AT(start), 0, 0, 0,
     "a start by name, a board written out, or a file with one"},
    {"starts", 0, TEXT, "FILE", AT(starts), 0, 0, 0,
     "a file with a start on each line, taken in turns"},
    {"size", 0, NUMBER, "N", AT(size), 0, 2, 26, "the size of an Amoeba Wars board (8)"},
    {"swap", 0, FLAG, NULL, AT(wants_swap), 0, 0, 0, "play each start twice, with sides swapped"},
    {"schedule", 0, TEXT, "round-robin|gauntlet|swiss|knock-out", AT(schedule), 0, 0, 0,
     "every pair (default), the first against the rest, winners against winners, or a cup"},
    {"rounds", 0, NUMBER, "N", AT(n_rounds), 0, 1, 1023, "rounds of a Swiss tournament"},
    {"entrants", 0, TEXT, "FILE", AT(entrants), 0, 0, 0,
     "more players from a file: NAME = PLAYER on each line"},
    {"db", 0, TEXT, "FILE", AT(db), 0, 0, 0,
     "the database for games ($TURF_DB, else turf.db), or none"},
    {"record", 0, NUMBER, "N", AT(n_recorded), 0, 0, 1000000,
     "keep the first N games of each pairing move by move (those of bots are always kept)"},
    {"shard", 0, TEXT, "K/N", AT(shard), 0, 0, 0,
     "play only part K of N, into turf-K-of-N.db; see turf merge"},
    {"opening", 0, NUMBER, "N", AT(max_opening), 0, 0, 1000,
     "begin each game with 0 to N random moves (0)"},
    {"random-moves", 0, NUMBER, "PERCENT", AT(random_percent), 0, 0, 100,
     "how often a move is random later on (0)"},
    {"sprt", 0, TEXT, "E0,E1", AT(sprt), 0, 0, 0,
     "stop once a sequential test decides whether P1 is E0 or E1 Elo stronger"},
    {"for", 0, TEXT, "TIME", AT(duration), 0, 0, 0,
     "how long to play, like 90s, 30m or 2h (until stopped)"},
    {"each", 0, TEXT, "DIR", AT(each), 0, 0, 0,
     "one bot for each folder in DIR, which {} stands for in COMMAND"},
    {"token-file", 0, TEXT, "FILE", AT(token_file), 0, 0, 0,
     "a file with the token or the link of a team, instead of the link on the command line"},
    {"cacert", 0, TEXT, "FILE", AT(cacert), 0, 0, 0,
     "certificates to trust, besides a proxy of one's own (those of the system)"},
    {"best", 0, NUMBER, "N", AT(n_best), 0, 2, 1024, "how many teams are in the final (8)"},
    {"audience", 0, TEXT, "WHAT", AT(audience), 0, 0, 0,
     "what visitors of the server see of the league: nothing, table or games (games)"},
    {"url", 0, TEXT, "URL", AT(url), 0, 0, 0,
     "the address of the server, for a link, like http://192.168.1.5:8417"},
    {"delay", 0, NUMBER, "MS", AT(delay_ms), 0, 0, 60000, "wait after each move, to watch"},
    {"time", 0, NUMBER, "MS", AT(time_ms), 0, 1, MAX_TURN_MS,
     "a clock: MS gained each turn, up to five times that; analyse: for each position"},
    {"nodes", 0, NUMBER, "N", AT(n_nodes), 0, 1, INT64_C(1000000000000),
     "positions to search for each position of the game (150000)"},
    {"move-cap", 0, NUMBER, "MS", AT(move_cap_ms), 0, 1, MAX_TURN_MS,
     "without a clock, the time a bot may take for a move (10000)"},
    {"sandbox", 0, TEXT, "off|auto|require", AT(sandbox), 0, 0, 0,
     "run bots in bubblewrap: never, where it works (default), or refuse to run without it"},
    {"allow-write", 0, LIST, "DIR", AT(allow_write), 0, 0, 0,
     "a folder to which bots may write; may be repeated"},
    {"allow-read", 0, LIST, "DIR", AT(allow_read), 0, 0, 0,
     "a file or folder that sandboxed bots may read besides their own; may be repeated"},
    {"bot-env", 0, LIST, "NAME", AT(bot_env), 0, 0, 0,
     "a variable of the environment that sandboxed bots get; may be repeated"},
    {"bot-memory", 0, NUMBER, "MIB", AT(bot_mib), 0, 1, 1 << 24,
     "the memory a bot may use, with all its processes (2048)"},
    {"bot-processes", 0, NUMBER, "N", AT(bot_processes), 0, 1, 4000,
     "how many processes and threads a bot may have (256)"},
    {"bot-cpu", 0, NUMBER, "S", AT(bot_cpu_seconds), 0, 1, 100000000,
     "the CPU time of each of its processes (no limit)"},
    {"bot-cores", 0, NUMBER, "N", AT(bot_cores), 0, 1, 1024,
     "how many processors a bot may use at a time, where turf may make cgroups (no limit; in serve "
     "1)"},
    {"bot-logs", 0, TEXT, "DIR", AT(bot_logs), 0, 0, 0,
     "log the standard error of bots to DIR/NAME.log"},
    {"bot-log-size", 0, NUMBER, "MIB", AT(bot_log_mib), 0, 1, 1 << 20,
     "how large each of these logs may grow (64)"},
    {"reuse", 0, FLAG, NULL, AT(is_reusing), 0, 0, 0, "let the process of a bot play many games"},
    {"pin", 0, FLAG, NULL, AT(is_pinning), 0, 0, 0,
     "each bot on a processor of its own; two processors for each game at a time"},
    {"trust", 0, FLAG, NULL, AT(is_trusting), 0, 0, 0,
     "start the bots of a run that was begun elsewhere, without asking"},
    {"listen", 0, TEXT, "ADDRESS", AT(listen), 0, 0, 0, "where to listen (127.0.0.1)"},
    {"strict", 0, FLAG, NULL, AT(is_strict), 0, 0, 0, "exit with 1 if a player forfeited"},
    {"output", 'o', TEXT, "FILE", AT(output), 0, 0, 0,
     "where to write: a file, or a folder for several"},
    {"crlf", 0, FLAG, NULL, AT(wants_crlf), 0, 0, 0,
     "end lines with CR LF, as the course's samples do"},
    {"format", 0, TEXT, "FORMAT", AT(format), 0, 0, 0,
     "how to write it (by the name of the file, if it has one)"},
    {"what", 0, TEXT, "games|standings|pairings|runs", AT(what), 0, 0, 0, "what to write (games)"},
    {"moves", 0, NUMBER, "N", AT(n_moves), 0, 1, 125,
     "the longest forced win to look for, in moves of the side to move (4)"},
    {"hash", 0, TEXT, "SIZE", AT(hash), 0, 0, 0,
     "how much memory the table may take, like 512M or 4G (256M)"},
    {"port", 0, NUMBER, "N", AT(port), AT(has_port), 0, 65535,
     "where to listen (8417); 0 is any port that is free"},
    {"host", 0, LIST, "NAME", AT(hosts), 0, 0, 0,
     "a name that browsers reach this server by; may be repeated"},
    {"trusted-proxy", 0, LIST, "ADDRESS", AT(trusted_proxies), 0, 0, 0,
     "a proxy, or network of proxies, whose X-Forwarded-For is believed; may be repeated"},
    {"allow", 0, LIST, "SPEC", AT(allowed), 0, 0, 0,
     "a player that browsers may choose: NAME=SPEC, or GAME/NAME=SPEC; may be repeated"},
    {"page", 0, TEXT, "DIR", AT(page), 0, 0, 0,
     "the page from a folder instead of the one built in, to work on it"},
    {"one-file", 0, TEXT, "FILE", AT(one_file), 0, 0, 0,
     "the page in one file, for download (turf.html beside the program or installed with it)"},
    {"patience", 0, NUMBER, "S", AT(patience_s), 0, 1, 3600,
     "hang up on clients that are slower than this (60)"},
    {"max-games", 0, NUMBER, "N", AT(max_games), 0, 2, 100000,
     "how many games may be open at a time (1000)"},
    {"max-streams", 0, NUMBER, "N", AT(max_streams), 0, 2, 100000,
     "how many streams of events may be open (1536)"},
    {"max-bots", 0, NUMBER, "N", AT(max_bots), 0, 1, 1000,
     "how many processes of bots may be alive in games (32); one that has no turn makes room"},
    {"max-history", 0, NUMBER, "N", AT(max_history), 0, 1, 100000000,
     "how many finished games of people are kept; the oldest are deleted (100000)"},
    {"config", 0, TEXT, "FILE", AT(config), 0, 0, 0,
     "options from a JSON file, like {\"port\":8080,\"allow\":[\"x=random\"]}"},
    {"all", 'a', FLAG, NULL, AT(wants_all), 0, 0, 0, "every best move, not only the first"},
    {"explain", 0, FLAG, NULL, AT(wants_explanation), 0, 0, 0,
     "also the depth, how many positions, the best line and the runners-up"},
    {"no-times", 0, FLAG, NULL, AT(hides_times), 0, 0, 0,
     "leave out all times, so that the same seed gives the same output"},
    {"json", 0, FLAG, NULL, AT(wants_json), 0, 0, 0, "the result as JSON"},
    {"json-lines", 0, FLAG, NULL, AT(wants_json_lines), 0, 0, 0,
     "a line of JSON for each game of a bot, or some games of others, and the result last"},
    {"quiet", 'q', FLAG, NULL, AT(is_quiet), 0, 0, 0, "no narration"},
    {"man", 0, FLAG, NULL, AT(wants_manual), 0, 0, 0,
     "the manual page: turf help --man | man -l -"},
};

enum { N_OPTIONS = sizeof options / sizeof options[0], LONG_ONLY = 1000, HELP_COLUMN = 22 };

const Option *option_at(size_t index) { return index < N_OPTIONS ? &options[index] : NULL; }

bool option_is_taken(const Option *option, const Command *command)
{
    size_t length = strlen(option->name);
    for (const char *at = command->options; at && *at;
         at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && !strncmp(at, option->name, length))
            return true;
    return false;
}

static void describe(const Option *option, char *text, size_t room)
{
    char letter[] = "-x, ";
    letter[1] = option->letter;
    snprintf(text, room, "%s--%s", option->letter ? letter : "    ", option->name);
    if (option->argument) {
        size_t length = strlen(text);
        snprintf(text + length, room - length, " %s", option->argument);
    }
}

void options_help(const Command *command, FILE *out)
{
    fprintf(out, "turf %s%s%s\n  %s\n", command->name, *command->usage ? " " : "", command->usage,
            command->summary);
    if (command->details)
        fprintf(out, "\n%s", command->details);
    if (*command->options)
        fputs("\nOptions:\n", out);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        char text[80];
        if (!option_is_taken(&options[i], command))
            continue;
        describe(&options[i], text, sizeof text);
        fprintf(out, "  %-*s", HELP_COLUMN, text);
        if (strlen(text) > HELP_COLUMN)
            fprintf(out, "\n  %*s", HELP_COLUMN, "");
        fprintf(out, " %s\n", options[i].help);
    }
}

static bool read_number(const Option *option, const char *typed, const char *text, uint64_t *value,
                        TurfError *error)
{
    char *end = NULL, quoted[ERROR_QUOTE_BYTES];
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool               is_number = isdigit((unsigned char)text[0]) && !*end && !errno;
    if (!is_number || number < option->min || number > option->max)
        return error_invalid(error, "%s must be an integer from %llu to %llu, not %s", typed,
                             (unsigned long long)option->min, (unsigned long long)option->max,
                             *text ? error_quote(quoted, text) : "''");
    *value = number;
    return true;
}

bool option_is_given(const Option *option, const Settings *settings)
{
    const char *base = (const char *)settings;
    if (option->given)
        return *(const bool *)(const void *)(base + option->given);
    switch (option->kind) {
    case FLAG: return *(const bool *)(const void *)(base + option->offset);
    case NUMBER: return *(const uint64_t *)(const void *)(base + option->offset) != 0;
    default: return *(const char *const *)(const void *)(base + option->offset) != NULL;
    }
}

bool option_set(const Option *option, Settings *settings, const char *typed, const char *value,
                TurfError *error)
{
    char *base = (char *)settings;
    if (option->given)
        *(bool *)(void *)(base + option->given) = true;
    switch (option->kind) {
    case FLAG: *(bool *)(void *)(base + option->offset) = true; break;
    case NUMBER:
        return read_number(option, typed, value, (uint64_t *)(void *)(base + option->offset),
                           error);
    case TEXT: *(const char **)(void *)(base + option->offset) = value; break;
    case LIST: {
        const char **list = (const char **)(void *)(base + option->offset);
        size_t       n = 0;
        while (list[n])
            n++;
        if (n == MAX_LIST)
            return error_invalid(error, "%s can be given at most %d times", typed, MAX_LIST);
        list[n] = value;
    }
    }
    return true;
}

/* The option for a code that getopt_long returned. */
static const Option *option_of(int code)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (code == LONG_ONLY + (int)i || (options[i].letter && code == options[i].letter))
            return &options[i];
    return NULL;
}

const char *option_new_name(const char *old)
{
    static const char *const renamed[][2] = {
        {"most-games", "max-games"}, {"most-streams", "max-streams"}, {"most-bots", "max-bots"}};
    size_t length = strcspn(old, "=");
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strlen(renamed[i][0]) == length && !strncmp(old, renamed[i][0], length))
            return renamed[i][1];
    return NULL;
}

/* What getopt_long needs to know of the options of a command. */
typedef struct GetoptTables {
    struct option long_options[N_OPTIONS + 2];
    char          letters[2 * N_OPTIONS + 4];
} GetoptTables;

static void fill_tables(const Command *command, GetoptTables *tables)
{
    size_t n_long = 1, n_letters = 2;
    *tables = (GetoptTables){.long_options = {{"help", no_argument, NULL, 'h'}}, .letters = ":h"};
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (!option_is_taken(&options[i], command))
            continue;
        int has_value = options[i].kind == FLAG ? no_argument : required_argument;
        tables->long_options[n_long++] =
            (struct option){options[i].name, has_value, NULL, LONG_ONLY + (int)i};
        if (options[i].letter) {
            tables->letters[n_letters++] = options[i].letter;
            if (has_value)
                tables->letters[n_letters++] = ':';
        }
    }
}

_Noreturn static void die_of_option(const Command *command, const char *typed)
{
    const char *names[N_OPTIONS], *letters = typed + strspn(typed, "-");
    char        name[ERROR_QUOTE_BYTES];
    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i] = option_is_taken(&options[i], command) ? options[i].name : NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(letters, "="), letters);
    const char *nearest = strlen(name) > 1 ? suggest(name, names, N_OPTIONS) : NULL;
    if (nearest)
        die("there is no option '%s'; did you mean --%s?", typed, nearest);
    if (isdigit((unsigned char)typed[1]) && strstr(command->usage, "DEPTH"))
        die("DEPTH must be an integer from 0 to %d, not '%s'", MAX_PERFT_DEPTH, typed);
    die("there is no option '%s'; see 'turf help %s'", typed, command->name);
}

/* Sets the option that getopt_long found, or ends with what is wrong. `word` is as typed. */
static void set_or_die(int code, const char *word, Arguments *arguments)
{
    bool          is_error = code == '?' || code == ':';
    int           which = is_error ? optopt : code;
    const Option *option = option_of(which);
    const char   *name = arguments->command->name;
    char          typed[ERROR_QUOTE_BYTES + 2], quoted[ERROR_QUOTE_BYTES];
    TurfError     error;
    if (which > 0 && which < LONG_ONLY)
        snprintf(typed, sizeof typed, "-%c", which);
    else if (option)
        snprintf(typed, sizeof typed, "--%s", option->name);
    else
        error_quote(typed, word);
    if (code == ':')
        die("%s needs a value; see 'turf help %s'", typed, name);
    if (code == '?' && option && which >= LONG_ONLY)
        die("%s takes no value, but got '%s'; see 'turf help %s'", typed, error_quote(quoted, word),
            name);
    const char *new_name = is_error && !strncmp(typed, "--", 2) ? option_new_name(typed + 2) : NULL;
    if (new_name)
        die("%s is now called --%s", typed, new_name);
    if (is_error || !option)
        die_of_option(arguments->command, typed);
    if (!option_set(option, &arguments->settings, typed, optarg, &error))
        die("%s", error.text);
}

void options_parse(const Command *command, int argc, char **argv, Arguments *arguments)
{
    GetoptTables tables;
    fill_tables(command, &tables);
    *arguments = (Arguments){.command = command, .settings = {.seed = 1}};
    opterr = 0;
    for (int code;
         (code = getopt_long(argc, argv, tables.letters, tables.long_options, NULL)) != -1;) {
        if (code == 'h') {
            options_help(command, stdout);
            console_finish();
            exit(EXIT_FINE);
        }
        set_or_die(code, argv[optind - 1], arguments);
    }
    Settings *settings = &arguments->settings;
    if (settings->output && !strcmp(settings->output, "-"))
        settings->output = NULL; /* standard output, as without -o */
    arguments->words = (const char *const *)argv + optind;
    arguments->n_words = argc - optind;
    const char *gap = *command->usage ? " " : "";
    if (arguments->n_words < command->min_words)
        die("too few arguments; type: turf %s%s%s", command->name, gap, command->usage);
    if (arguments->n_words > command->max_words)
        die("too many arguments; type: turf %s%s%s", command->name, gap, command->usage);
}
