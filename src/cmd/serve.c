/* turf serve */
#include "bots/sandbox.h"
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

static bool wants_sandbox(const Settings *settings)
{
    const char *when = settings->sandbox ? settings->sandbox : "auto";
    if (strcmp(when, "off") && strcmp(when, "auto") && strcmp(when, "require"))
        die("--sandbox is off, auto or require");
    if (settings->allowed.n_texts == 0 || !strcmp(when, "off"))
        return false;
    bool is_there = sandbox_works();
    if (!is_there && !strcmp(when, "require"))
        die("there is no sandbox: bubblewrap is not installed, or may not do its work here");
    return is_there;
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
                          .allowed = settings->allowed.texts,
                          .n_allowed = settings->allowed.n_texts,
                          .hosts = settings->hosts.texts,
                          .n_hosts = settings->hosts.n_texts,
                          .patience_ms = settings->patience_s ? (int64_t)settings->patience_s * 1000 : WEB_PATIENCE_MS,
                          .sandboxes_bots = wants_sandbox(settings)};
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
