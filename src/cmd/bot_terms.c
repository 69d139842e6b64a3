/* The limits of bots from the command line: sandbox, memory, processes, logs. */
#include "cmd/bot_terms.h"

#include "base/error.h"
#include "bots/cgroup.h"
#include "bots/command_line.h"
#include "bots/process_tree.h"
#include "bots/resource_monitor.h"
#include "bots/sandbox.h"
#include "cmd/console.h"
#include "cmd/database.h"
#include "players/bot_player.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_MIB = 2048, DEFAULT_LOG_MIB = 64, DEFAULT_PROCESSES = 256 };

/* Should bots run in a sandbox? Says so if there is none, and does not go on where strangers choose
 * which bots are run. */
static bool has_sandbox(const Settings *settings, bool serves_strangers)
{
    const char *when = settings->sandbox ? settings->sandbox : "auto";
    if (strcmp(when, "off") && strcmp(when, "auto") && strcmp(when, "require"))
        die("--sandbox must be off, auto or require, not %s", when);
    if (!strcmp(when, "off"))
        return false;
    bool is_there = sandbox_works();
    if (!is_there && !strcmp(when, "require"))
        die("--sandbox require: bubblewrap is not installed, or not permitted here");
    if (!is_there && serves_strangers)
        die("bots on a server need a sandbox, and bubblewrap is not installed, or not permitted "
            "here; without one type --sandbox off");
    if (!is_there)
        fprintf(stderr, "turf: bots run without a sandbox: bubblewrap is not installed, or not "
                        "permitted here\n");
    return is_there;
}

/* Opens NAME.log in the folder of --bot-logs for appending. It stays open until turf ends. */
static int open_log(const char *folder, const char *name)
{
    char path[4096], quoted[ERROR_QUOTE_BYTES];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        die("the folder '%s' of --bot-logs cannot be created: %s", error_quote(quoted, folder),
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

/* Folders of an option with absolute paths: the sandbox is not where we are. */
static void read_folders(const char *option, const char *const *typed, const char **folders)
{
    char quoted[ERROR_QUOTE_BYTES];
    for (size_t i = 0; typed[i]; i++)
        if (!folders[i] && !(folders[i] = realpath(typed[i], NULL)))
            die("%s %s: %s", option, error_quote(quoted, typed[i]), strerror(errno));
}

/* Bots that root runs are another user. */
static void check_writable(const char *const *folders)
{
    struct stat about;
    for (; geteuid() == 0 && *folders; folders++)
        if (stat(*folders, &about) == 0 && !(about.st_mode & S_IWOTH))
            die("--allow-write %s: as root, bots run as a user of their own, who may not write "
                "there; type: chmod o+rwx %s",
                *folders, *folders);
}

/* ---- files that bots may not see ------------------------------------------------------------ */

enum { MAX_HIDDEN = 4096 };

/* For as long as there are bots; ends with NULL. */
static const char *hidden[MAX_HIDDEN + 1];
static size_t      n_hidden, owners[MAX_HIDDEN];

static size_t owner = SIZE_MAX; /* the player whose files are being hidden */

static void hide_exactly(const char *path)
{
    if (n_hidden == MAX_HIDDEN)
        die("there are more than %d files to hide from bots; type --sandbox off", MAX_HIDDEN);
    owners[n_hidden] = owner;
    hidden[n_hidden++] = or_die(strdup(path));
}

/* Hides a file, which may be made later, and what it leads to if it is a link. */
static void hide(const char *path, const char *suffix)
{
    char        folder[PATH_MAX], real[PATH_MAX], whole[PATH_MAX + 300];
    const char *name = strrchr(path, '/');
    if (name)
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    else
        strcpy(folder, ".");
    if (realpath(*folder ? folder : "/", real)) {
        if (!strcmp(real, "/"))
            *real = '\0';
        (void)snprintf(whole, sizeof whole, "%s/%.255s%s", real, name ? name + 1 : path, suffix);
        hide_exactly(whole);
    }
    if (realpath(path, real)) {
        (void)snprintf(whole, sizeof whole, "%s%s", real, suffix);
        hide_exactly(whole);
    }
}

static void hide_database(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal", ".owner", ".bots"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        hide(path, suffixes[i]);
}

static void hide_named(void *unused, const char *path, bool is_program)
{
    char prefix[PATH_MAX];
    (void)unused;
    if (strncmp(path, "/usr/", 5) != 0 && !(is_program && command_has_prefix(path, prefix)))
        hide(path, "");
}

/* Hides what a bot's command names from the other bots. */
static void hide_command(const char *command, const char *working_folder)
{
    char **words, folder[PATH_MAX];
    if (!realpath(working_folder ? working_folder : ".", folder) ||
        !command_read(command, &words, NULL))
        return;
    command_each_path(words, folder, hide_named, NULL);
    command_free(words);
}

/* What is hidden from a player: everything but its own files. The lists live until unhide,
 * chained by the last place of each. */
static const char **newest_list;

static const char *const *hidden_from(size_t player)
{
    const char **list = or_die(calloc(n_hidden + 2, sizeof *list));
    size_t       n = 0;
    for (size_t i = 0; i < n_hidden; i++)
        if (owners[i] != player)
            list[n++] = hidden[i];
    list[n_hidden + 1] = (const char *)newest_list;
    newest_list = list;
    return list;
}

/* A folder that bots may write to is shown whole. */
static void check_nothing_hidden(const char *const *folders, size_t first, const char *what)
{
    for (; *folders; folders++)
        for (size_t i = first; i < n_hidden; i++) {
            size_t length = strlen(*folders);
            if (!strncmp(hidden[i], *folders, length) && hidden[i][length] == '/')
                die("--allow-write %s: %s lie in there, and bots may not reach them; name another "
                    "folder",
                    *folders, what);
        }
}

/* ---- who keeps the limits ------------------------------------------------------------------- */

const char *limits_of_bots(void)
{
    if (cgroups_begin())
        return "cgroup";
    return resource_monitor_works() ? "monitor" : "none";
}

const char *describe_bot_terms(const BotTerms *terms)
{
    bool is_boxed = terms->is_sandboxed;
    if (cgroups_begin())
        return is_boxed ? "in the sandbox, with limits kept by the kernel (cgroups)"
                        : "without a sandbox, with limits kept by the kernel (cgroups)";
    return is_boxed ? "in the sandbox, with limits kept by the monitor (turf may make no cgroups)"
                    : "without a sandbox, with limits kept by the monitor (turf may make no "
                      "cgroups)";
}

BotTerms read_bot_terms(const Settings *settings, bool has_bots, bool serves_strangers)
{
    /* Settings may be gone when a bot is started; what they point to is not. */
    static const char *writable[MAX_LIST + 1], *readable[MAX_LIST + 1], *variables[MAX_LIST + 1];
    memcpy(variables, settings->bot_env, sizeof variables);
    if (has_bots)
        (void)cgroups_begin(); /* before anything is started, while turf is alone in its own */
    read_folders("--allow-write", settings->allow_write, writable);
    check_writable(writable);
    read_folders("--allow-read", settings->allow_read, readable);
    const char *database = database_name(settings, &(bool){false});
    int         shard, n_shards;
    char        shard_name[64];
    if (database)
        hide_database(database);
    if (settings->shard && sscanf(settings->shard, "%d/%d", &shard, &n_shards) == 2) {
        (void)snprintf(shard_name, sizeof shard_name, "turf-%d-of-%d.db", shard, n_shards);
        hide_database(shard_name);
    }
    if (settings->bot_logs)
        hide(settings->bot_logs, "");
    check_nothing_hidden(writable, 0, "the database or the logs");
    size_t n_own = n_hidden;
    for (size_t i = 0; settings->allowed[i]; i++) {
        const char *command = strstr(settings->allowed[i], "bot:");
        if (command)
            hide_command(command + strlen("bot:"), NULL);
    }
    if (serves_strangers)
        check_nothing_hidden(writable, n_own, "files of bots");
    BotTerms terms = {.is_sandboxed = (has_bots || settings->sandbox) &&
                                      has_sandbox(settings, serves_strangers),
                      .sandbox = {.writable = writable, .readable = readable, .hidden = hidden},
                      .variables = variables,
                      .is_reused = settings->is_reusing,
                      .process = {.max_mib = (int64_t)settings->bot_mib,
                                  .max_processes = (int64_t)settings->bot_processes,
                                  .max_cpu_seconds = (int64_t)settings->bot_cpu_seconds,
                                  .is_pinned = settings->is_pinning}};
    if (settings->is_pinning && settings->is_reusing)
        die("--pin and --reuse do not go together: a bot would keep its processor between games");
    if (has_bots)
        process_tree_adopt(); /* turf has no other children */
    terms.process.max_cores = (int64_t)settings->bot_cores;
    if (settings->bot_cores && has_bots && !(cgroups_begin() && cgroups_limit_cores()))
        fprintf(stderr, "turf: --bot-cores is not kept here: it takes a cgroup with the cpu "
                        "controller; see docs/security.md\n");
    if (serves_strangers && !settings->bot_cores)
        terms.process.max_cores = 1;
    if (terms.process.max_mib == 0)
        terms.process.max_mib = DEFAULT_MIB;
    if (terms.process.max_processes == 0)
        terms.process.max_processes = DEFAULT_PROCESSES;
    return terms;
}

/* Forgets what was hidden from the bots of an earlier run. */
static void unhide(void)
{
    while (newest_list) {
        const char **list = newest_list;
        newest_list = (const char **)(uintptr_t)list[n_hidden + 1];
        free(list);
    }
    for (size_t i = 0; i < n_hidden; i++)
        free((char *)(uintptr_t)hidden[i]);
    memset(hidden, 0, sizeof hidden);
    n_hidden = 0;
    owner = SIZE_MAX;
}

void set_bot_terms(TurfPlayer *const *players, size_t n_players, const Settings *settings)
{
    unhide();
    size_t n_bots = 0;
    for (size_t i = 0; i < n_players; i++)
        n_bots += players[i]->kind->starts_process;
    BotTerms common = read_bot_terms(settings, n_bots > 0, false);
    size_t   n_common = n_hidden;
    for (size_t i = 0; i < n_players; i++) {
        BotTerms *terms = &players[i]->terms;
        terms->is_reused = common.is_reused;
        if (players[i]->kind->plays_alone && !settings->is_quiet)
            fprintf(stderr, "turf: %s may connect to %s now; a game waits %d s for it\n",
                    players[i]->name, players[i]->command, BOT_HANDSHAKE_MS / 1000);
        if (!players[i]->kind->starts_process)
            continue;
        const char *folder = terms->process.folder;
        owner = i;
        hide_command(players[i]->command, terms->process.folder);
        *terms = common;
        terms->process.folder = folder;
        if (settings->bot_logs) {
            uint64_t mib = settings->bot_log_mib ? settings->bot_log_mib : DEFAULT_LOG_MIB;
            terms->process.log = open_log(settings->bot_logs, players[i]->name);
            terms->process.max_log_bytes = (int64_t)mib << 20;
        }
    }
    if (n_bots > 1)
        check_nothing_hidden(common.sandbox.writable, n_common, "files of bots");
    for (size_t i = 0; i < n_players; i++)
        if (players[i]->kind->starts_process)
            players[i]->terms.sandbox.hidden = hidden_from(i);
}
