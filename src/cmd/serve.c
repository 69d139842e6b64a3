/* turf serve */
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/session.h"
#include "web/web.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Written to by whoever asks for a clean end. */
static int leave_event = -1;

static void ask_to_leave(int signal_number)
{
    (void)signal_number;
    uint64_t one = 1;
    int      saved_errno = errno;
    if (write(leave_event, &one, sizeof one) < 0) {
        /* it has been asked already */
    }
    errno = saved_errno;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = ask_to_leave};
    leave_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (leave_event < 0)
        die("no event could be made: %s", strerror(errno));
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
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
    const Settings *settings = &arguments->settings;
    bool            is_named;
    const char     *database = session_db_name(settings, &is_named);
    if (!database)
        die("a server needs a database to keep its games in; leave out --db none");
    WebOptions options = {.address = settings->listen,
                          .port = settings->has_port ? (int)settings->port : WEB_PORT,
                          .database = database,
                          .page_folder = settings->page,
                          .allowed = settings->allowed,
                          .n_allowed = count(settings->allowed),
                          .hosts = settings->hosts,
                          .n_hosts = count(settings->hosts),
                          .patience_ms = settings->patience_s ? (int64_t)settings->patience_s * 1000 : WEB_PATIENCE_MS,
                          .bot_terms = read_bot_terms(settings, allows_bots(settings))};
    TurfError  error;
    char       address[96];
    catch_signals();
    Server *server = web_start(&options, &error);
    if (!server)
        die("%s", error.text);
    web_address(server, address);
    printf("turf serve: %s\n", address);
    console_finish();
    struct pollfd leave = {.fd = leave_event, .events = POLLIN};
    while (poll(&leave, 1, TICK_MS) <= 0)
        web_tick(server);
    web_stop(server);
    return EXIT_FINE;
}
