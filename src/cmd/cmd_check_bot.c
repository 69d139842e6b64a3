/* turf check-bot: plays a few games with a bot and tells its author, check by check, what works and
 * what to fix. */
#include "arena/game_play.h"
#include "base/checked_json.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "bots/command_line.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "players/bot_player.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { N_GAMES = 4, MAX_TURNS = 40, EXIT_PATIENCE_MS = 3000, N_LAST_LINES = 8 };

/* In the order in which a bot meets them. */
typedef enum Check { STARTS, ANSWERS, IN_TIME, READABLE, LEGAL, ALL_GAMES, ENDS, N_CHECKS } Check;

static const struct {
    const char *what, *advice;
} checks[N_CHECKS] = {
    [STARTS] = {"it starts", "give a command that runs from here, and make the program executable"},
    [ANSWERS] = {"it answers every question", "keep reading lines until the end of input; catch "
                                              "errors and print them to standard error; files "
                                              "outside its folder need --allow-read"},
    [IN_TIME] = {"it answers in time",
                 "print one line for each question, and flush the output after it"},
    [READABLE] = {"its answers can be read",
                  "answer {\"move\":...} (in AI Battleground {\"cells\":[...]}) on one line, and "
                  "print nothing else to standard output; what is for you goes to standard "
                  "error"},
    [LEGAL] = {"its moves are legal", "choose from \"moves\" (in AI Battleground: dead cells "
                                      "within reach, no more than cellsRemaining)"},
    [ALL_GAMES] = {"it plays game after game, on either side",
                   "look at \"you\" in every question, and keep nothing from an earlier game"},
    [ENDS] = {"it ends when its input ends", "exit at the end of input; do not wait for more"},
};

static const char windows_advice[] =
    "the script has the line ends of Windows: remove them with sed -i 's/\\r$//' FILE";

/* Does a script's first line name an interpreter whose name ends with a carriage return? The system
 * then says that it cannot find the file, and not which. */
static bool has_windows_shebang(const char *path)
{
    char  line[256] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool is_script = fgets(line, sizeof line, file) && !strncmp(line, "#!", 2);
    fclose(file);
    return is_script && strstr(line, "\r\n");
}

/* What a program says when it fails for a reason that has nothing to do with the protocol, and what
 * to do about it. The first that fits counts. */
static const struct {
    const char *words, *advice;
} known_failures[] = {
    {"SyntaxError", "the program has a syntax error: correct the line that is named"},
    {"IndentationError", "the indentation is wrong: correct the line that is named"},
    {"TabError", "the line that is named is indented with tabs, and others with blanks"},
    {"ModuleNotFoundError", "the module cannot be found: keep your own beside the program; for one "
                            "that is installed elsewhere add --allow-read DIR"},
    {"ImportError", "something cannot be imported: keep your own modules beside the program; for "
                    "what is installed elsewhere add --allow-read DIR"},
    {"Read-only file system", "in the sandbox a bot may write to $TMPDIR only; --allow-write DIR "
                              "allows another folder"},
    {"\\r", windows_advice},
    {"\r", windows_advice},
    {"name resolution", "in the sandbox there is no network: bring what it needs along"},
    {"Connection refused", "in the sandbox there is no network: bring what it needs along"},
    {"Network is unreachable", "in the sandbox there is no network: bring what it needs along"},
    {"No such file or directory", "a file is missing: in the sandbox a bot sees its own folder and "
                                  "the system's; --allow-read DIR shows another"},
    {"Permission denied", "a file may not be used: check its permissions; files outside of the "
                          "bot's folder need --allow-read, to write needs --allow-write"},
    {"command not found", "a program is missing: install it, or name it by its path"},
    {"JSONDecodeError", "each line is one JSON object: read line by line, not all at once"},
    {"KeyError: 'moves'", "a line without \"moves\" asks for nothing (a new game, or an error): "
                          "go on to the next"},
};

static const char *known_advice(const char *errors)
{
    for (size_t i = 0; i < sizeof known_failures / sizeof *known_failures; i++)
        if (strstr(errors, known_failures[i].words))
            return known_failures[i].advice;
    return NULL;
}

/* Which check a forfeit fails. */
static Check check_of(TurfForfeit reason)
{
    switch (reason) {
    case TURF_TIMEOUT: return IN_TIME;
    case TURF_ILLEGAL: return LEGAL;
    case TURF_GARBAGE:
    case TURF_FLOOD: return READABLE;
    default: return ANSWERS;
    }
}

typedef struct Findings {
    bool        has_failed[N_CHECKS], is_tried[N_CHECKS];
    char        why[N_CHECKS][400];
    const char *advice[N_CHECKS];
    int         n_games;
    int64_t     slowest_ns;
    const char *program;
    char       *errors; /* the end of its standard error */
    char        last_words[BOT_LAST_LINE_BYTES];
} Findings;

static void fail(Findings *findings, Check check, const char *text)
{
    findings->is_tried[check] = findings->has_failed[check] = true;
    findings->advice[check] = checks[check].advice;
    snprintf(findings->why[check], sizeof findings->why[check], "%s", text);
}

static void note_errors(Findings *findings, const TurfPlayer *bot)
{
    free(findings->errors);
    findings->errors = strdup(player_error_output(bot));
    if (!findings->errors)
        die("out of memory");
    bot_last_line(findings->errors, findings->last_words);
}

/* A line too many is taken for the next answer as soon as it comes a little later. */
static void note_extra_lines(Findings *findings, const TurfPlayer *bot, int game)
{
    char   text[200];
    size_t n_extra = bot_n_extra_lines(bot);
    if (n_extra == 0)
        return;
    snprintf(text, sizeof text,
             "game %d: it printed a second line for a question, %zu time%s; only the first line "
             "after a question is its answer",
             game, n_extra, n_extra == 1 ? "" : "s");
    fail(findings, READABLE, text);
}

static void note_forfeit(Findings *findings, const GameResult *result, int game)
{
    char  text[400];
    Check check = check_of(result->forfeit.reason);
    /* It could be read before: perhaps this belongs to an earlier answer, and came late. */
    bool is_second = check == READABLE && result->length >= 2;
    snprintf(text, sizeof text, "game %d, move %u: %s: %.300s%s", game, result->length + 1,
             turf_forfeit_name(result->forfeit.reason), result->forfeit.text,
             is_second ? "; perhaps a second line for the question before" : "");
    fail(findings, check, text);
    const char *known = check == ANSWERS ? known_advice(findings->errors) : NULL;
    if (known)
        findings->advice[check] = known;
    if (has_windows_shebang(findings->program))
        findings->advice[check] = windows_advice;
}

/* Plays against a random player, on both sides in turn, until something goes wrong. */
static void play_games(const TurfGame *game, TurfPlayer *bot, const Settings *settings,
                       Findings *findings)
{
    TurfPlayer *random = read_player(game, "random");
    for (int i = 0; i < N_GAMES; i++) {
        GamePlay play = {
            .game = game, .move_cap_ms = (int64_t)settings->move_cap_ms, .max_turns = MAX_TURNS};
        GameResult result;
        TurfState  state;
        TurfError  error;
        TurfRng    rng = rng_stream(settings->seed, (uint64_t)i);
        int        side = i % 2;
        play.players[side] = bot;
        play.players[!side] = random;
        play.rng[0] = play.rng[1] = rng_stream(settings->seed, 100 + (uint64_t)i);
        if (!game_start(game, NULL, &rng, &state, &error))
            die("%s", error.text);
        if (!game_play(&play, &state, &result, &error))
            die("%s", error.text);
        if (result.forfeiter == side && !bot_has_started(bot)) {
            fail(findings, STARTS, result.forfeit.text);
            if (has_windows_shebang(findings->program))
                findings->advice[STARTS] = windows_advice;
            break;
        }
        findings->is_tried[STARTS] = true;
        if (result.slowest_ns[side] > findings->slowest_ns)
            findings->slowest_ns = result.slowest_ns[side];
        note_errors(findings, bot);
        bool  has_failed = result.forfeiter == side;
        Check last = has_failed && result.length == 0 ? check_of(result.forfeit.reason) : LEGAL;
        for (Check c = ANSWERS; c <= last; c++)
            findings->is_tried[c] = true;
        if (has_failed)
            note_forfeit(findings, &result, i + 1);
        note_extra_lines(findings, bot, i + 1);
        if (has_failed || findings->has_failed[READABLE])
            break;
        findings->n_games++;
    }
    findings->is_tried[ALL_GAMES] = findings->n_games == N_GAMES;
    turf_player_free(random);
}

static const char *verdict_of(const Findings *findings, int check)
{
    if (findings->has_failed[check])
        return "FAILED";
    return findings->is_tried[check] ? "ok" : "not reached";
}

static void print_findings(const Findings *findings, const BotTerms *terms, bool is_well)
{
    json_t *list = json_array();
    for (int c = 0; c < N_CHECKS; c++) {
        const char *verdict = verdict_of(findings, c), *why = NULL, *advice = NULL;
        if (findings->has_failed[c]) {
            verdict = "failed";
            why = findings->why[c];
            advice = findings->advice[c];
        }
        json_add(&list, json_pack("{s:s,s:s,s:s?,s:s?}", "check", checks[c].what, "verdict",
                                  verdict, "why", why, "advice", advice));
    }
    json_t *json =
        json_pack("{s:b,s:o,s:i,s:f,s:s?,s:b,s:s}", "ok", is_well, "checks", list, "games",
                  findings->n_games, "slowest_ms", (double)findings->slowest_ns / 1e6, "last_words",
                  *findings->last_words ? findings->last_words : NULL, "sandbox",
                  (int)terms->is_sandboxed, "limits", limits_of_bots());
    print_json(json, JSON_COMPACT);
}

/* The end of its standard error, line by line, where a traceback says what happened where. */
static void print_last_lines(const Findings *findings, const Settings *settings)
{
    char *errors = findings->errors;
    if (!*findings->last_words || !errors)
        return;
    char *at = errors + strlen(errors);
    while (at > errors && isspace((unsigned char)at[-1]))
        *--at = '\0';
    for (int n = 0; at > errors && (at[-1] != '\n' || ++n < N_LAST_LINES);)
        at--;
    printf("Its standard error ended with:\n");
    for (char *line = strtok(at, "\n"); line; line = strtok(NULL, "\n")) {
        utf8_make_printable(line);
        printf("   %s\n", line);
    }
    if (!settings->bot_logs)
        printf("--bot-logs DIR keeps all of it.\n");
}

static void print_words(const Findings *findings, const BotTerms *terms, int n_failed,
                        const Settings *settings)
{
    for (int c = 0; c < N_CHECKS; c++) {
        printf("%d. %-42s %s\n", c + 1, checks[c].what, verdict_of(findings, c));
        if (findings->has_failed[c])
            printf("   %s\n   -> %s\n", findings->why[c], findings->advice[c]);
    }
    if (findings->n_games > 0)
        printf("Slowest answer: %.1f ms of %llu.\n", (double)findings->slowest_ns / 1e6,
               (unsigned long long)(settings->move_cap_ms ? settings->move_cap_ms
                                                          : DEFAULT_MOVE_CAP_MS));
    print_last_lines(findings, settings);
    if (findings->is_tried[STARTS] && !findings->has_failed[STARTS])
        printf("It ran %s.\n", describe_bot_terms(terms));
    printf(n_failed ? "%d of %d checks failed.\n" : "All is well.\n", n_failed, N_CHECKS);
}

static int report(const Findings *findings, const BotTerms *terms, const Settings *settings)
{
    int n_failed = 0;
    for (int c = 0; c < N_CHECKS; c++)
        n_failed += findings->has_failed[c];
    if (settings->wants_json)
        print_findings(findings, terms, n_failed == 0);
    else
        print_words(findings, terms, n_failed, settings);
    return n_failed ? EXIT_FAULTS : EXIT_FINE;
}

int cmd_check_bot(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    char     *command = or_die(command_quote(arguments->words + 1, (size_t)arguments->n_words - 1));
    char     *spec = format_text("bot:%s", command);
    TurfError error;
    Findings *findings = or_die(calloc(1, sizeof *findings));
    findings->program = arguments->words[1];
    BotTerms    terms = {0};
    TurfPlayer *bot = turf_player_open(game, spec, &error);
    if (bot) {
        set_bot_terms(&bot, 1, settings);
        terms = bot->terms;
        play_games(game, bot, settings, findings);
        findings->is_tried[ENDS] = !findings->has_failed[STARTS];
        if (findings->is_tried[ENDS] && !bot_exits_at_end_of_input(bot, EXIT_PATIENCE_MS))
            fail(findings, ENDS, "it was still running three seconds later");
        turf_player_free(bot);
    } else {
        fail(findings, STARTS, error.text);
    }
    int status = report(findings, &terms, settings);
    free(findings->errors);
    free(findings);
    free(spec);
    free(command);
    return status;
}
