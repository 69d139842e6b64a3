/* turf serve */
#include "cmd/bot_terms.h"
#include "cmd/config.h"
#include "cmd/console.h"
#include "cmd/session.h"
#include "web/web.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* A descriptor that can be read once somebody has asked for a clean end. The signals stay blocked
   in every thread that is made from now on, so that it is always this one that hears of them, and
   between two system calls. */
static int wait_for_signals(void)
{
    sigset_t asking;
    sigemptyset(&asking);
    sigaddset(&asking, SIGTERM);
    sigaddset(&asking, SIGINT);
    sigaddset(&asking, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &asking, NULL);
    int descriptor = signalfd(-1, &asking, SFD_CLOEXEC);
    if (descriptor < 0)
        die("signals could not be waited for: %s", strerror(errno));
    return descriptor;
}

/* How many there are in a list that ends with NULL, as options make them. */
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

int cmd_serve(const Arguments *arguments)
{
    enum { TICK_MS = 50 };
    Settings all = arguments->settings, *settings = &all;
    config_read(arguments->command, settings);
    bool        is_named;
    const char *database = session_db_name(settings, &is_named);
    if (!database)
        die("a server needs a database to keep its games in; leave out --db none");
    WebOptions    options = {.address = settings->listen,
                             .port = settings->has_port ? (int)settings->port : WEB_PORT,
                             .database = database,
                             .page_folder = settings->page,
                             .allowed = settings->allowed,
                             .n_allowed = count(settings->allowed),
                             .hosts = settings->hosts,
                             .n_hosts = count(settings->hosts),
                             .patience_ms = settings->patience_s ? (int64_t)settings->patience_s * 1000
                                                                 : WEB_PATIENCE_MS,
                             .max_games = settings->max_games,
                             .max_streams = settings->max_streams,
                             .max_bots = settings->max_bots,
                             .bot_terms = read_bot_terms(settings, allows_bots(settings))};
    TurfError     error;
    char          address[96];
    struct pollfd leave = {.fd = wait_for_signals(), .events = POLLIN};
    Server       *server = web_start(&options, &error);
    if (!server)
        die("%s", error.text);
    web_address(server, address);
    printf("turf serve: %s\n", address);
    console_finish();
    while (poll(&leave, 1, TICK_MS) <= 0)
        web_tick(server);
    web_stop(server);
    close(leave.fd);
    return EXIT_FINE;
}
