/* Checking a bot: a few games against a random player, and from what happens there what works and
 * what its author should fix. Only what a bot does counts; a shortage of the arena's is an error.
 */
#include "arena/bot_check.h"

#include "arena/game_play.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { N_GAMES = 4, MAX_TURNS = 40, EXIT_PATIENCE_MS = 3000, N_LAST_LINES = 8 };

static const struct {
    const char *what, *advice;
} checks[N_BOT_CHECKS] = {
    [BOT_STARTS] = {"it starts",
                    "give a command that runs from here, and make the program executable"},
    [BOT_ANSWERS] = {"it answers every question",
                     "keep reading lines until the end of input; catch "
                     "errors and print them to standard error; files "
                     "outside its folder need --allow-read"},
    [BOT_IN_TIME] = {"it answers in time",
                     "print one line for each question, and flush the output after it"},
    [BOT_READABLE] =
        {"its answers can be read",
         "answer {\"move\":...} (in AI Battleground {\"cells\":[...]}) on one line, and "
         "print nothing else to standard output; what is for you goes to standard "
         "error"},
    [BOT_LEGAL] = {"its moves are legal", "choose from \"moves\" (in AI Battleground: dead cells "
                                          "within reach, no more than cellsRemaining)"},
    [BOT_ALL_GAMES] = {"it plays game after game, on either side",
                       "look at \"you\" in every question, and keep nothing from an earlier game"},
    [BOT_ENDS] = {"it ends when its input ends", "exit at the end of input; do not wait for more"},
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
static BotCheck check_of(TurfForfeit reason)
{
    switch (reason) {
    case TURF_TIMEOUT: return BOT_IN_TIME;
    case TURF_ILLEGAL: return BOT_LEGAL;
    case TURF_GARBAGE:
    case TURF_FLOOD: return BOT_READABLE;
    default: return BOT_ANSWERS;
    }
}

static void fail(BotFindings *findings, BotCheck check, const char *text)
{
    findings->is_tried[check] = findings->has_failed[check] = true;
    findings->advice[check] = checks[check].advice;
    snprintf(findings->why[check], sizeof findings->why[check], "%s", text);
}

static bool note_errors(BotFindings *findings, const TurfPlayer *bot)
{
    char *errors = strdup(player_error_output(bot));
    if (!errors)
        return false;
    free(findings->errors);
    findings->errors = errors;
    bot_last_line(errors, findings->last_words);
    return true;
}

/* A line too many is taken for the next answer as soon as it comes a little later. */
static void note_extra_lines(BotFindings *findings, const TurfPlayer *bot, int game)
{
    char   text[200];
    size_t n_extra = bot_n_extra_lines(bot);
    if (n_extra == 0)
        return;
    snprintf(text, sizeof text,
             "game %d: it printed a second line for a question, %zu time%s; only the first line "
             "after a question is its answer",
             game, n_extra, n_extra == 1 ? "" : "s");
    fail(findings, BOT_READABLE, text);
}

static void note_forfeit(BotFindings *findings, const GameResult *result, int game)
{
    char     text[400];
    BotCheck check = check_of(result->forfeit.reason);
    /* It could be read before: perhaps this belongs to an earlier answer, and came late. */
    bool is_second = check == BOT_READABLE && result->length >= 2;
    snprintf(text, sizeof text, "game %d, move %u: %s: %.300s%s", game, result->length + 1,
             turf_forfeit_name(result->forfeit.reason), result->forfeit.text,
             is_second ? "; perhaps a second line for the question before" : "");
    fail(findings, check, text);
    const char *known = check == BOT_ANSWERS ? known_advice(findings->errors) : NULL;
    if (known)
        findings->advice[check] = known;
    if (has_windows_shebang(findings->program))
        findings->advice[check] = windows_advice;
}

/* What the games before this one left to find out; false: it is not to play on. */
static bool note_game(BotFindings *findings, const TurfPlayer *bot, const GameResult *result,
                      int side, int game)
{
    bool has_failed = result->forfeiter == side;
    findings->is_tried[BOT_STARTS] = true;
    if (result->slowest_ns[side] > findings->slowest_ns)
        findings->slowest_ns = result->slowest_ns[side];
    BotCheck last =
        has_failed && result->length == 0 ? check_of(result->forfeit.reason) : BOT_LEGAL;
    for (BotCheck c = BOT_ANSWERS; c <= last; c++)
        findings->is_tried[c] = true;
    if (has_failed)
        note_forfeit(findings, result, game);
    note_extra_lines(findings, bot, game);
    if (has_failed || findings->has_failed[BOT_READABLE])
        return false;
    findings->n_games++;
    return true;
}

/* Plays against a random player, on both sides in turn, until something goes wrong. */
static bool play_games(TurfPlayer *bot, TurfPlayer *random, const BotCheckTerms *terms,
                       BotFindings *findings, TurfError *error)
{
    for (int i = 0; i < N_GAMES; i++) {
        GamePlay   play = {.game = bot->game,
                           .stop = terms->stop,
                           .time_ms = terms->time_ms,
                           .move_cap_ms = terms->move_cap_ms,
                           .max_turns = terms->max_turns ? terms->max_turns : MAX_TURNS};
        GameResult result;
        TurfState  state;
        TurfRng    rng = rng_stream(terms->seed, (uint64_t)i);
        int        side = i % 2;
        play.players[side] = bot;
        play.players[!side] = random;
        play.rng[0] = play.rng[1] = rng_stream(terms->seed, 100 + (uint64_t)i);
        const char *start = terms->n_starts > 0 ? terms->starts[(size_t)i % terms->n_starts] : NULL;
        if (!game_start(bot->game, start, &rng, &state, error) ||
            !game_play(&play, &state, &result, error))
            return false;
        if (terms->stop && atomic_load(terms->stop))
            return error_set(error, TURF_ERROR_INTERRUPTED, "stopped while a bot was checked");
        if (result.forfeiter == side && !bot_has_started(bot)) {
            fail(findings, BOT_STARTS, result.forfeit.text);
            if (has_windows_shebang(findings->program))
                findings->advice[BOT_STARTS] = windows_advice;
            break;
        }
        if (!note_errors(findings, bot))
            return error_no_memory(error);
        if (!note_game(findings, bot, &result, side, i + 1))
            break;
    }
    findings->is_tried[BOT_ALL_GAMES] = findings->n_games == N_GAMES;
    return true;
}

bool bot_check(BotFindings *findings, TurfPlayer *bot, const BotCheckTerms *terms, TurfError *error)
{
    TurfPlayer *random = turf_player_open(bot->game, "random", error);
    bool        is_good = random && play_games(bot, random, terms, findings, error);
    turf_player_free(random);
    if (!is_good)
        return false;
    findings->is_tried[BOT_ENDS] = !findings->has_failed[BOT_STARTS];
    if (findings->is_tried[BOT_ENDS] && !bot_exits_at_end_of_input(bot, EXIT_PATIENCE_MS))
        fail(findings, BOT_ENDS, "it was still running three seconds later");
    return true;
}

void bot_check_cannot_start(BotFindings *findings, const char *why)
{
    fail(findings, BOT_STARTS, why);
}

void bot_findings_release(BotFindings *findings)
{
    free(findings->errors);
    *findings = (BotFindings){0};
}

/* ---- what was found ------------------------------------------------------------------------ */

const char *bot_check_name(BotCheck check) { return checks[check].what; }

int bot_n_failed(const BotFindings *findings)
{
    int n_failed = 0;
    for (int c = 0; c < N_BOT_CHECKS; c++)
        n_failed += findings->has_failed[c];
    return n_failed;
}

static const char *verdict_of(const BotFindings *findings, int check)
{
    if (findings->has_failed[check])
        return "FAILED";
    return findings->is_tried[check] ? "ok" : "not reached";
}

/* The end of its standard error, line by line, where a traceback says what happened where. */
static void write_last_lines(const BotFindings *findings, FILE *out)
{
    if (!*findings->last_words || !findings->errors)
        return;
    const char *errors = findings->errors, *end = errors + strlen(errors);
    while (end > errors && isspace((unsigned char)end[-1]))
        end--;
    const char *at = end;
    for (int n = 0; at > errors && (at[-1] != '\n' || ++n < N_LAST_LINES);)
        at--;
    fputs("Its standard error ended with:\n", out);
    while (at < end) {
        char   line[1000];
        size_t length = strcspn(at, "\n"), n_left = (size_t)(end - at);
        length = length < n_left ? length : n_left;
        (void)snprintf(line, sizeof line, "%.*s", (int)length, at);
        utf8_make_printable(line);
        if (length > 0)
            fprintf(out, "   %s\n", line);
        at += length < n_left ? length + 1 : length;
    }
}

void bot_findings_write(const BotFindings *findings, const BotCheckTerms *terms, FILE *out)
{
    int64_t cap_ms = terms->move_cap_ms ? terms->move_cap_ms : DEFAULT_MOVE_CAP_MS;
    for (int c = 0; c < N_BOT_CHECKS; c++) {
        fprintf(out, "%d. %-42s %s\n", c + 1, checks[c].what, verdict_of(findings, c));
        if (findings->has_failed[c])
            fprintf(out, "   %s\n   -> %s\n", findings->why[c], findings->advice[c]);
    }
    if (findings->n_games > 0)
        fprintf(out, "Slowest answer: %.1f ms of %lld.\n", (double)findings->slowest_ns / 1e6,
                (long long)cap_ms);
    write_last_lines(findings, out);
}
