/* Building a bot that a team handed in: unpacked and compiled in a sandbox, and nowhere else.
 *
 * turf starts itself there as `turf build-bot`, gives it the file on standard input, and gets a
 * bundle back (league/bot_bundle.h), whose files are written into a new folder. Inside there is no
 * file of this machine that can be written and no network; time, memory, processes and output are
 * limited. Without a sandbox nothing is built. */
#ifndef TURF_LEAGUE_BOT_BUILD_H
#define TURF_LEAGUE_BOT_BUILD_H

#include "store/submissions.h"

#include <stdatomic.h>

typedef struct BotBuildTerms {
    const char        *turf; /* the path of this program */
    const atomic_bool *stop; /* ends it when it is set; may be NULL */
    /* Called when a step is done; may be NULL. `text` is printable but for newlines and tabs. */
    void (*step_done)(void *context, SubmissionStep step, bool is_good, const char *text);
    void *context;
} BotBuildTerms;

typedef struct BuiltBot {
    bool  is_good;
    char *command;       /* if it is good: to be run in the folder; else NULL */
    char  main[241];     /* the main file, or class */
    char  sentence[512]; /* else: why it was refused, in one line */
} BuiltBot;

/* Builds into `folder`, which is made. False: it could not be tried, and the bot is not to blame;
 * NOT_FOUND if there is no sandbox. The folder is there only if the bot is good. */
bool bot_build(const BotBuildTerms *terms, const char *file_name, const void *bytes, size_t n_bytes,
               const char *folder, BuiltBot *built, TurfError *error);
void built_bot_release(BuiltBot *built);

/* Removes a folder of a bot with everything in it. True also if there is none. */
bool bot_folder_remove(const char *folder);

/* Replaces what is not text, and control characters but for newlines and tabs, by '?'. */
void bot_clean_text(char *text, size_t length);

#endif
