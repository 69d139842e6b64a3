/* turf check-bot: plays a few games with a bot (arena/bot_check.h) and tells its author, check by
 * check, what works and what to fix. */
#include "arena/bot_check.h"
#include "base/checked_json.h"
#include "bots/command_line.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"

#include <stdlib.h>

static void print_findings(const BotFindings *findings, const BotTerms *terms, bool is_well)
{
    json_t *list = json_array();
    for (int c = 0; c < N_BOT_CHECKS; c++) {
        const char *verdict = findings->is_tried[c] ? "ok" : "not reached", *why = NULL,
                   *advice = NULL;
        if (findings->has_failed[c]) {
            verdict = "failed";
            why = findings->why[c];
            advice = findings->advice[c];
        }
        json_add(&list, json_pack("{s:s,s:s,s:s?,s:s?}", "check", bot_check_name((BotCheck)c),
                                  "verdict", verdict, "why", why, "advice", advice));
    }
    json_t *json =
        json_pack("{s:b,s:o,s:i,s:f,s:s?,s:b,s:s}", "ok", is_well, "checks", list, "games",
                  findings->n_games, "slowest_ms", (double)findings->slowest_ns / 1e6, "last_words",
                  *findings->last_words ? findings->last_words : NULL, "sandbox",
                  (int)terms->is_sandboxed, "limits", limits_of_bots());
    print_json(json, JSON_COMPACT);
}

static int report(const BotFindings *findings, const BotTerms *terms,
                  const BotCheckTerms *check_terms, const Settings *settings)
{
    int n_failed = bot_n_failed(findings);
    if (settings->wants_json) {
        print_findings(findings, terms, n_failed == 0);
        return n_failed ? EXIT_FAULTS : EXIT_FINE;
    }
    bot_findings_write(findings, check_terms, stdout);
    if (*findings->last_words && !settings->bot_logs)
        printf("--bot-logs DIR keeps all of it.\n");
    if (findings->is_tried[BOT_STARTS] && !findings->has_failed[BOT_STARTS])
        printf("It ran %s.\n", describe_bot_terms(terms));
    printf(n_failed ? "%d of %d checks failed.\n" : "All is well.\n", n_failed, N_BOT_CHECKS);
    return n_failed ? EXIT_FAULTS : EXIT_FINE;
}

int cmd_check_bot(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    char     *command = or_die(command_quote(arguments->words + 1, (size_t)arguments->n_words - 1));
    char     *spec = format_text("bot:%s", command);
    TurfError error;
    BotFindings *findings = or_die(calloc(1, sizeof *findings));
    findings->program = arguments->words[1];
    BotTerms      terms = {0};
    BotCheckTerms check_terms = {.seed = settings->seed,
                                 .move_cap_ms = (int64_t)settings->move_cap_ms};
    TurfPlayer   *bot = turf_player_open(game, spec, &error);
    if (bot) {
        set_bot_terms(&bot, 1, settings);
        terms = bot->terms;
        if (!bot_check(findings, bot, &check_terms, &error))
            die("%s", error.text);
        turf_player_free(bot);
    } else {
        bot_check_cannot_start(findings, error.text);
    }
    int status = report(findings, &terms, &check_terms, settings);
    bot_findings_release(findings);
    free(findings);
    free(spec);
    free(command);
    return status;
}
