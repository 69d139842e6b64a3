/* turf check-bot: plays a few games with a bot and tells its author, check by check, what works and
 * what to fix. */
#include "arena/game_play.h"
#include "base/checked_json.h"
#include "base/rng.h"
#include "bots/command.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "players/bot_player.h"

#include <stdlib.h>
#include <string.h>

enum { N_GAMES = 4, MAX_TURNS = 40, EXIT_PATIENCE_MS = 3000 };

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
                  "print nothing else"},
    [LEGAL] = {"its moves are legal", "choose from \"moves\" (in AI Battleground: dead cells "
                                      "within reach, no more than cellsRemaining)"},
    [ALL_GAMES] = {"it plays game after game, on either side",
                   "look at \"you\" in every question, and keep nothing from an earlier game"},
    [ENDS] = {"it ends when its input ends", "exit at the end of input; do not wait for more"},
};

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
    bool    has_failed[N_CHECKS], is_tried[N_CHECKS];
    char    why[N_CHECKS][400];
    int     n_games;
    int64_t slowest_ns;
    char    last_words[BOT_LAST_LINE_BYTES];
} Findings;

static void fail(Findings *findings, Check check, const char *text)
{
    findings->is_tried[check] = findings->has_failed[check] = true;
    snprintf(findings->why[check], sizeof findings->why[check], "%s", text);
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
            break;
        }
        findings->is_tried[STARTS] = true;
        if (result.slowest_ns[side] > findings->slowest_ns)
            findings->slowest_ns = result.slowest_ns[side];
        bot_last_line(player_error_output(bot), findings->last_words);
        bool  has_failed = result.forfeiter == side;
        Check last = has_failed && result.length == 0 ? check_of(result.forfeit.reason) : LEGAL;
        for (Check c = ANSWERS; c <= last; c++)
            findings->is_tried[c] = true;
        if (has_failed) {
            char text[360];
            snprintf(text, sizeof text, "game %d, move %u: %s: %s", i + 1, result.length + 1,
                     turf_forfeit_name(result.forfeit.reason), result.forfeit.text);
            fail(findings, check_of(result.forfeit.reason), text);
            break;
        }
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

static void print_findings(const Findings *findings, bool is_well)
{
    json_t *list = json_array();
    for (int c = 0; c < N_CHECKS; c++) {
        const char *verdict = verdict_of(findings, c), *why = NULL, *advice = NULL;
        if (findings->has_failed[c]) {
            verdict = "failed";
            why = findings->why[c];
            advice = checks[c].advice;
        }
        json_add(&list, json_pack("{s:s,s:s,s:s?,s:s?}", "check", checks[c].what, "verdict",
                                  verdict, "why", why, "advice", advice));
    }
    json_t *json = json_pack("{s:b,s:o,s:i,s:f,s:s?}", "ok", is_well, "checks", list, "games",
                             findings->n_games, "slowest_ms", (double)findings->slowest_ns / 1e6,
                             "last_words", *findings->last_words ? findings->last_words : NULL);
    print_json(json, JSON_COMPACT);
}

static void print_words(const Findings *findings, int n_failed, const Settings *settings)
{
    for (int c = 0; c < N_CHECKS; c++) {
        printf("%d. %-42s %s\n", c + 1, checks[c].what, verdict_of(findings, c));
        if (findings->has_failed[c])
            printf("   %s\n   -> %s\n", findings->why[c], checks[c].advice);
    }
    if (findings->n_games > 0)
        printf("Slowest answer: %.1f ms of %llu.\n", (double)findings->slowest_ns / 1e6,
               (unsigned long long)(settings->move_cap_ms ? settings->move_cap_ms
                                                          : DEFAULT_MOVE_CAP_MS));
    if (*findings->last_words)
        printf("The last line on its standard error: %s\n", findings->last_words);
    printf(n_failed ? "%d of %d checks failed.\n" : "All is well.\n", n_failed, N_CHECKS);
}

static int report(const Findings *findings, const Settings *settings)
{
    int n_failed = 0;
    for (int c = 0; c < N_CHECKS; c++)
        n_failed += findings->has_failed[c];
    if (settings->wants_json)
        print_findings(findings, n_failed == 0);
    else
        print_words(findings, n_failed, settings);
    return n_failed ? EXIT_FAULTS : EXIT_FINE;
}

int cmd_check_bot(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    char     *command = command_quote(arguments->words + 1, (size_t)arguments->n_words - 1), *spec;
    TurfError error;
    Findings *findings = calloc(1, sizeof *findings);
    if (!findings || !command || asprintf(&spec, "bot:%s", command) < 0)
        die("out of memory");
    TurfPlayer *bot = turf_player_open(game, spec, &error);
    if (bot) {
        set_bot_terms(&bot, 1, settings);
        play_games(game, bot, settings, findings);
        findings->is_tried[ENDS] = !findings->has_failed[STARTS];
        if (findings->is_tried[ENDS] && !bot_exits_at_end_of_input(bot, EXIT_PATIENCE_MS))
            fail(findings, ENDS, "it was still running three seconds later");
        turf_player_free(bot);
    } else {
        fail(findings, STARTS, error.text);
    }
    int status = report(findings, settings);
    free(findings);
    free(spec);
    free(command);
    return status;
}
