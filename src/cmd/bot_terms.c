/* The limits of bots from the command line: sandbox, memory, processes, logs. */
#include "cmd/bot_terms.h"

#include "base/error.h"
#include "bots/sandbox.h"
#include "cmd/console.h"
#include "players/bot_player.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_MIB = 2048, DEFAULT_PROCESSES = 64 };

/* Should bots run in a sandbox? Warns if there is none. */
static bool has_sandbox(const Settings *settings)
{
    const char *when = settings->sandbox ? settings->sandbox : "auto";
    if (strcmp(when, "off") && strcmp(when, "auto") && strcmp(when, "require"))
        die("--sandbox must be off, auto or require, not %s", when);
    if (!strcmp(when, "off"))
        return false;
    bool is_there = sandbox_works();
    if (!is_there && !strcmp(when, "require"))
        die("--sandbox require: bubblewrap is not installed, or not permitted here");
    if (!is_there && !settings->is_quiet)
        fprintf(stderr, "turf: bots run without a sandbox: bubblewrap is not installed, or not "
                        "permitted here\n");
    return is_there;
}

/* Opens NAME.log in the folder of --bot-logs for appending. It stays open until turf ends. */
static int open_log(const char *folder, const char *name)
{
    char path[4096], quoted[ERROR_QUOTE_BYTES];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        die("the folder '%s' of --bot-logs cannot be made: %s", error_quote(quoted, folder),
            strerror(errno));
    int length = snprintf(path, sizeof path, "%s/", folder);
    if (length < 0 || (size_t)length > sizeof path - 300)
        die("--bot-logs: the path is too long");
    for (const char *at = name; *at; at++)
        path[length++] = *at == '/' || isspace((unsigned char)*at) ? '_' : *at;
    (void)stpcpy(path + length, ".log");
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int log = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 3);
    if (log < 0)
        die("the log '%s' cannot be written: %s", path, strerror(errno));
    close(file);
    return log;
}

/* Absolute paths: the working directory may differ in the sandbox. */
static const char *const *writable_folders(const Settings *settings)
{
    static const char *folders[MAX_LIST + 1]; /* bots keep pointers to these */
    char               quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; settings->allow_write[i]; i++)
        if (!folders[i] && !(folders[i] = realpath(settings->allow_write[i], NULL)))
            die("--allow-write %s: %s", error_quote(quoted, settings->allow_write[i]),
                strerror(errno));
    return folders;
}

BotTerms read_bot_terms(const Settings *settings, bool has_bots)
{
    BotTerms terms = {.is_sandboxed = (has_bots || settings->sandbox) && has_sandbox(settings),
                      .writable = writable_folders(settings),
                      .is_reused = settings->is_reusing,
                      .process = {.max_mib = (int64_t)settings->bot_mib,
                                  .max_processes = (int64_t)settings->bot_processes,
                                  .max_cpu_seconds = (int64_t)settings->bot_cpu_seconds}};
    if (terms.process.max_mib == 0)
        terms.process.max_mib = DEFAULT_MIB;
    if (terms.process.max_processes == 0)
        terms.process.max_processes = DEFAULT_PROCESSES;
    return terms;
}

void set_bot_terms(TurfPlayer *const *players, size_t n_players, const Settings *settings)
{
    size_t n_bots = 0;
    for (size_t i = 0; i < n_players; i++)
        n_bots += players[i]->kind->starts_process;
    BotTerms common = read_bot_terms(settings, n_bots > 0);
    for (size_t i = 0; i < n_players; i++) {
        BotTerms *terms = &players[i]->terms;
        terms->is_reused = common.is_reused;
        if (players[i]->kind->plays_alone && !settings->is_quiet)
            fprintf(stderr, "turf: %s may connect to %s now; a game waits %d s for it\n",
                    players[i]->name, players[i]->command, BOT_HANDSHAKE_MS / 1000);
        if (!players[i]->kind->starts_process)
            continue;
        const char *folder = terms->process.folder;
        *terms = common;
        terms->process.folder = folder;
        if (settings->bot_logs)
            terms->process.log = open_log(settings->bot_logs, players[i]->name);
    }
}
