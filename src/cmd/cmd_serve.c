/* turf serve: starts the web server and runs until a signal asks it to stop.
 *
 * Threads: the main thread only waits for signals and ticks the server; all threads started after
 * stop_signals() have SIGTERM, SIGINT and SIGHUP blocked. */
#include "bots/sandbox.h"
#include "cmd/bot_terms.h"
#include "cmd/cmd_league.h"
#include "cmd/config.h"
#include "cmd/console.h"
#include "cmd/database.h"
#include "store/leagues.h"
#include "web/web.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Blocks the signals that stop the server and returns a signalfd that becomes readable on one. */
static int stop_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    int descriptor = signalfd(-1, &signals, SFD_CLOEXEC);
    if (descriptor < 0)
        die("signalfd failed: %s", strerror(errno));
    return descriptor;
}

/* The length of a list that ends with NULL. */
static size_t count(const char *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return n;
}

static bool allows_bots(const Settings *settings)
{
    for (const char *const *spec = settings->allowed; *spec; spec++)
        if (strstr(*spec, "bot:"))
            return true;
    return false;
}

/* Is there a league in the database? Its bots need a sandbox; without one they do not play. */
static bool has_playable_league(const char *database)
{
    TurfError    error;
    LeagueRecord league;
    Store       *store = store_open(database, STORE_READ, &error);
    bool         is_there = store && leagues_read(store, &league, &error);
    if (is_there)
        free(league.plan);
    store_close(store);
    return is_there && sandbox_works();
}

/* The address; and the owner's link where a person sees it, or when its token was made. A log gets
 * the token only once. */
static void say_where(const Server *server, bool is_quiet)
{
    char        address[96], link[WEB_LINK_BYTES];
    bool        is_new;
    TurfError   error;
    const char *file = web_owner_file(server, &is_new);
    web_address(server, address);
    printf("turf serve: %s\n", address);
    if (!is_quiet && (is_new || isatty(STDOUT_FILENO)) && web_owner_link(server, link, &error))
        printf("the owner's link: %s\n", link);
    else if (!is_quiet)
        printf("the owner's token: %s\n", file);
}

/* Where the page in one file is: as --one-file says, or beside the program, where './do page' puts
 * it, or installed with it. NULL: nowhere. The text is in `place`. */
static const char *find_one_file(const Settings *settings, char place[PATH_MAX])
{
    static const char *const names[] = {"turf.html", "../share/turf/turf.html"};
    char                     program[PATH_MAX];
    if (settings->one_file) {
        if (access(settings->one_file, R_OK))
            die("the file '%s' of --one-file cannot be read: %s", settings->one_file,
                strerror(errno));
        return settings->one_file;
    }
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return NULL;
    program[n] = '\0';
    program[strrchr(program, '/') - program] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (snprintf(place, PATH_MAX, "%s/%s", program, names[i]) < PATH_MAX &&
            !access(place, R_OK))
            return place;
    return NULL;
}

int cmd_serve(const Arguments *arguments)
{
    enum { TICK_MS = 50 };
    Settings all = arguments->settings, *settings = &all;
    config_read(arguments->command, settings);
    bool        is_named;
    char        one_file[PATH_MAX];
    const char *database = database_name(settings, &is_named);
    if (!database)
        die("the server needs a database; remove --db none");
    bool       has_bots = allows_bots(settings) || has_playable_league(database);
    WebOptions options = {.address = settings->listen,
                          .port = WEB_PORT,
                          .database = database,
                          .turf = own_path(),
                          .page_folder = settings->page,
                          .one_file = find_one_file(settings, one_file),
                          .allowed = settings->allowed,
                          .n_allowed = count(settings->allowed),
                          .hosts = settings->hosts,
                          .n_hosts = count(settings->hosts),
                          .proxies = settings->trusted_proxies,
                          .n_proxies = count(settings->trusted_proxies),
                          .patience_ms = WEB_PATIENCE_MS,
                          .max_games = settings->max_games,
                          .max_streams = settings->max_streams,
                          .max_bots = settings->max_bots,
                          .max_history = settings->max_history,
                          .bot_terms = read_bot_terms(settings, has_bots, true)};
    if (settings->has_port)
        options.port = (int)settings->port;
    if (settings->patience_s)
        options.patience_ms = (int64_t)settings->patience_s * 1000;
    TurfError     error;
    struct pollfd leave = {.fd = stop_signals(), .events = POLLIN};
    Server       *server = web_start(&options, &error);
    if (!server)
        die("%s", error.text);
    say_where(server, settings->is_quiet);
    if (allows_bots(settings) && !settings->is_quiet)
        printf("bots run %s\n", describe_bot_terms(&options.bot_terms));
    console_finish();
    while (poll(&leave, 1, TICK_MS) <= 0)
        web_tick(server);
    web_stop(server);
    close(leave.fd);
    return EXIT_FINE;
}
