/* The checks of a bot: does it start, answer, follow the rules, end? For `turf check-bot`, and for
 * bots that are handed in. */
#ifndef TURF_ARENA_BOT_CHECK_H
#define TURF_ARENA_BOT_CHECK_H

#include "players/bot_player.h"

#include <stdio.h>

/* In the order in which a bot meets them. */
typedef enum BotCheck {
    BOT_STARTS,
    BOT_ANSWERS,
    BOT_IN_TIME,
    BOT_READABLE,
    BOT_LEGAL,
    BOT_ALL_GAMES,
    BOT_ENDS,
    N_BOT_CHECKS
} BotCheck;

/* The rules that it is checked by. */
typedef struct BotCheckTerms {
    uint64_t           seed;
    int64_t            time_ms, move_cap_ms; /* as in TurfRunOptions */
    char *const       *starts;               /* taken in turn; none: the default start */
    size_t             n_starts;
    uint32_t           max_turns; /* of each game; 0: as many as check-bot plays */
    const atomic_bool *stop;      /* ends it when it is set; may be NULL */
} BotCheckTerms;

/* Zero, but for `program`, before the checks. */
typedef struct BotFindings {
    const char *program; /* the caller's: the path of a script, if it is one */
    bool        has_failed[N_BOT_CHECKS], is_tried[N_BOT_CHECKS];
    char        why[N_BOT_CHECKS][400];
    const char *advice[N_BOT_CHECKS];
    int         n_games;
    int64_t     slowest_ns;
    char       *errors; /* the end of its standard error */
    char        last_words[BOT_LAST_LINE_BYTES];
} BotFindings;

/* Plays with the bot and notes what it finds. False: that could not be found out, and the bot is
 * not to blame. */
bool bot_check(BotFindings *findings, TurfPlayer *bot, const BotCheckTerms *terms,
               TurfError *error);
/* Instead of it: there is nothing to start. */
void bot_check_cannot_start(BotFindings *findings, const char *why);
void bot_findings_release(BotFindings *findings);

const char *bot_check_name(BotCheck check);
int         bot_n_failed(const BotFindings *findings);
/* Check by check, with advice, and the end of its standard error. */
void bot_findings_write(const BotFindings *findings, const BotCheckTerms *terms, FILE *out);

#endif
