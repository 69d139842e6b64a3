/* Starting and stopping the server.
 *
 * Threads: those of libmicrohttpd (http.c), five pools (server.h), one for each tournament that is
 * played, and the main thread, which calls web_tick. web_stop ends them in the order in which they
 * may wait for each other. */
#include "web/web.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "store/live_games.h"
#include "web/assets.h"
#include "web/hosted_game.h"
#include "web/http.h"
#include "web/joins.h"
#include "web/league_service.h"
#include "web/registry.h"
#include "web/server.h"
#include "web/submission_worker.h"
#include "web/tournaments.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFAULT_LIVE_GAMES = 1000,
    DEFAULT_STREAMS = 1536,
    DEFAULT_BOTS = 32,
    DEFAULT_HISTORY = 100000,
    MAX_CONNECTIONS = 2048,
    MIN_CONNECTIONS = 64,
    RESERVED_FILES = 128,
    FILES_PER_BOT = 4,
    N_BOT_THREADS = 16,
    N_READERS = 4,
    N_LEAVERS = 2,
    GOODBYE_MS = 3000
};

/* ---- limits ------------------------------------------------------------------------------- */

/* Then there may be bots, even if none are allowed in live games. */
static bool has_league(Server *server)
{
    TurfError unused;
    bool      is_there = league_service_lock(server, &unused);
    if (is_there)
        league_service_unlock(server);
    return is_there;
}

/* Sets the number of connections: as many as files may be open, less what the store and bots need.
 */
static bool count_connections(Server *server, TurfError *error)
{
    /* A bot has three pipes and a process descriptor; while it is started, twice as many. */
    bool          has_bots = catalogue_has_bots(&server->catalogue) || has_league(server);
    size_t        n_bots = has_bots ? server->bot_slots.n_slots + N_BOT_THREADS : 0;
    size_t        n_needed = RESERVED_FILES + FILES_PER_BOT * n_bots;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        limit.rlim_cur = limit.rlim_max = n_needed + MIN_CONNECTIONS;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < n_needed + MIN_CONNECTIONS)
        return error_set(
            error, TURF_ERROR_NO_MEMORY,
            "the server needs %zu open files, and may have %llu; allow more with 'ulimit -n'%s",
            n_needed + MIN_CONNECTIONS, (unsigned long long)limit.rlim_cur,
            has_bots ? ", or fewer bots with --max-bots" : "");
    /* Tournaments have two bots per thread. If files run short, a tournament fails, and can be
     * resumed. */
    if (has_bots)
        n_needed += FILES_PER_BOT * 2 * (size_t)MAX_RUNNING * (size_t)cpu_count();
    size_t n_left = limit.rlim_cur > n_needed ? (size_t)limit.rlim_cur - n_needed : 0;
    if (n_left > MAX_CONNECTIONS)
        n_left = MAX_CONNECTIONS;
    if (n_left < MIN_CONNECTIONS)
        n_left = MIN_CONNECTIONS;
    server->http.max_connections = (unsigned)n_left;
    server->quota.n_slots[SLOT_CONNECTION] = n_left;
    return true;
}

/* ---- listening ---------------------------------------------------------------------------- */

typedef union SocketAddress {
    struct sockaddr     any;
    struct sockaddr_in  v4;
    struct sockaddr_in6 v6;
} SocketAddress;

static bool read_address(const WebOptions *options, SocketAddress *address, socklen_t *length,
                         TurfError *error)
{
    char        quoted[ERROR_QUOTE_BYTES];
    const char *text = options->address ? options->address : "127.0.0.1";
    in_port_t   port = htons((uint16_t)options->port);
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = port;
        *length = sizeof address->v4;
    } else if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = port;
        *length = sizeof address->v6;
    } else {
        return error_invalid(error, "--listen must be an IP address like 0.0.0.0 or ::1, not '%s'",
                             error_quote(quoted, text));
    }
    return true;
}

static int listen_at(const WebOptions *options, bool *is_ipv6, TurfError *error)
{
    SocketAddress address;
    socklen_t     length = 0;
    int           yes = 1;
    if (!read_address(options, &address, &length, error))
        return -1;
    *is_ipv6 = address.any.sa_family == AF_INET6;
    int listener = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener >= 0)
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener >= 0 && !bind(listener, &address.any, length) && !listen(listener, SOMAXCONN))
        return listener;
    if (errno == EADDRINUSE)
        error_busy(error,
                   "port %d is in use; choose another with --port, or --port 0 for any free one",
                   options->port);
    else
        error_system(error, errno, "cannot listen at %s, port %d: %s",
                     options->address ? options->address : "127.0.0.1", options->port,
                     strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

void web_address(const Server *server, char address[96])
{
    SocketAddress bound;
    socklen_t     length = sizeof bound;
    char          text[INET6_ADDRSTRLEN] = "";
    memset(&bound, 0, sizeof bound);
    getsockname(server->http.listener, &bound.any, &length);
    if (bound.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &bound.v6.sin6_addr, text, sizeof text);
        snprintf(address, 96, "http://[%s]:%d/", text, ntohs(bound.v6.sin6_port));
    } else {
        inet_ntop(AF_INET, &bound.v4.sin_addr, text, sizeof text);
        snprintf(address, 96, "http://%s:%d/", text, ntohs(bound.v4.sin_port));
    }
}

const char *web_owner_file(const Server *server, bool *is_new)
{
    *is_new = server->owner.is_new;
    return server->owner.path;
}

bool web_owner_link(const Server *server, char link[WEB_LINK_BYTES], TurfError *error)
{
    char address[96], token[TOKEN_BYTES];
    if (!owner_read_token(&server->owner, token, error))
        return false;
    web_address(server, address);
    snprintf(link, WEB_LINK_BYTES, "%s#owner=%s", address, token);
    return true;
}

/* ---- starting and stopping ---------------------------------------------------------------- */

static bool open_stores(Server *server, TurfError *error)
{
    const char *path = server->options->database;
    server->store = store_open(path, STORE_MAKE, error);
    if (!server->store || !live_games_prepare(server->store, error))
        return false;
    server->reader = store_open(path, STORE_WRITE, error);
    return server->reader && store_lock_live_games(server->reader, error); /* it is closed last */
}

static bool start_pools(Server *server, TurfError *error)
{
    /* No more threads than bots may be alive: each can then find a bot that is idle or leaving. */
    size_t n_bots = server->bot_slots.n_slots;
    int    n_bot_threads = n_bots < N_BOT_THREADS ? (int)n_bots : N_BOT_THREADS;
    int    n_processors = cpu_count() > 2 ? cpu_count() : 2;
    /* One more than processors, since the last free thread of a pool is reserved. */
    return (server->players = pool_new(n_processors + 1, MAX_THINKING_JOBS, error)) &&
           (server->bots = pool_new(n_bot_threads, MAX_THINKING_JOBS, error)) &&
           (server->leavers = pool_new(N_LEAVERS, MAX_THINKING_JOBS, error)) &&
           (server->choices = pool_new(N_CHOOSERS, MAX_CHOICES, error)) &&
           (server->readers = pool_new(N_READERS, MAX_READS, error));
}

static bool open_parts(Server *server, TurfError *error)
{
    const WebOptions *options = server->options;
    server->live = channel_new(SNAPSHOT_LASTS);
    return (server->live || error_no_memory(error)) && (server->registry = registry_new(error)) &&
           (server->tournaments = tournaments_new(error)) &&
           catalogue_open(&server->catalogue, options->allowed, options->n_allowed, error) &&
           open_stores(server, error) && (server->league = league_service_new(server, error)) &&
           (server->joins = joins_new(error)) && count_connections(server, error) &&
           owner_open(&server->owner, options->database, error) && start_pools(server, error) &&
           (!options->turf || (server->submissions = submission_worker_start(
                                   options->database, options->turf, error)));
}

static bool start_http(Server *server, bool is_ipv6, TurfError *error)
{
    Http *http = &server->http;
    http->server = server;
    http->quota = &server->quota;
    http->readers = server->readers;
    http->is_leaving = &server->is_leaving;
    http->page_folder = server->options->page_folder;
    http->one_file = server->options->one_file;
    /* From now on clients wait for the stores, so the stores must not wait long for other programs.
     */
    store_set_max_wait(server->store, STORE_WAIT_MS);
    store_set_max_wait(server->reader, STORE_WAIT_MS);
    return http_start(http, is_ipv6, error);
}

Server *web_start(const WebOptions *options, TurfError *error)
{
    Server *server = calloc(1, sizeof *server);
    bool    is_ipv6;
    if (!server) {
        error_no_memory(error);
        return NULL;
    }
    server->options = options;
    server->started_ms = now_ms();
    size_t max_games = options->max_games ? options->max_games : DEFAULT_LIVE_GAMES;
    size_t max_streams = options->max_streams ? options->max_streams : DEFAULT_STREAMS;
    quota_init(&server->quota, max_games, max_streams);
    connections_init(&server->http.connections, &server->quota, &server->http.proxies,
                     options->patience_ms);
    server->http.hosts = (Hosts){options->hosts, options->n_hosts};
    bot_slots_init(&server->bot_slots, options->max_bots ? options->max_bots : DEFAULT_BOTS,
                   &server->is_leaving);
    record_cache_init(&server->records);
    pthread_mutex_init(&server->store_lock, NULL);
    pthread_mutex_init(&server->reader_lock, NULL);
    pthread_mutex_init(&server->time_limits.lock, NULL);
    server->http.listener = listen_at(options, &is_ipv6, error);
    if (server->http.listener >= 0 && access_check_hosts(&server->http.hosts, error) &&
        proxies_read(&server->http.proxies, options->proxies, options->n_proxies, error) &&
        assets_are_there(options->page_folder, error) && open_parts(server, error) &&
        registry_restore(server, error) && start_http(server, is_ipv6, error)) {
        league_player_resume(server);
        return server;
    }
    web_stop(server);
    return NULL;
}

/* Once a minute; if it fails, the next minute tries again. */
static void trim_history(Server *server, int64_t now_ns)
{
    enum { TRIM_EVERY_S = 60 };
    size_t    max_kept = server->options->max_history;
    TurfError unused;
    if (now_ns - server->trimmed_ns < TRIM_EVERY_S * INT64_C(1000000000))
        return;
    server->trimmed_ns = now_ns;
    pthread_mutex_lock(&server->store_lock);
    (void)live_games_trim(server->store, max_kept ? (int64_t)max_kept : DEFAULT_HISTORY, &unused);
    pthread_mutex_unlock(&server->store_lock);
}

void web_tick(Server *server)
{
    enum { PING_EVERY_MS = 15000 };
    int64_t now_ns = clock_ns(), ping_ms = server->options->patience_ms / 3;
    if (ping_ms > PING_EVERY_MS)
        ping_ms = PING_EVERY_MS;
    registry_tick(server);
    tournaments_tick(server);
    if (joins_tick(server->joins))
        league_service_touch(server);
    league_service_tick(server);
    time_limits_check(&server->time_limits);
    trim_history(server, now_ns);
    /* A ping lets the library notice clients that are gone. */
    bool is_client_gone = connections_sweep(&server->http.connections);
    if (is_client_gone || now_ns - server->pinged_ns > ping_ms * 1000000) {
        server->pinged_ns = now_ns;
        registry_ping(server);
        tournaments_ping(server);
        league_service_ping(server);
        channel_ping(server->live);
    }
}

/* Ends the streams, and waits a moment for them and for responses that are being sent. */
static void say_goodbye(Server *server)
{
    int64_t until_ns = clock_ns() + GOODBYE_MS * INT64_C(1000000);
    registry_close_streams(server);
    tournaments_close_streams(server);
    league_service_close_streams(server);
    joins_close(server->joins);
    channel_publish(server->live, "bye", json_object());
    channel_close(server->live);
    while (atomic_load(&server->http.n_responding) > 0 && clock_ns() < until_ns)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void web_stop(Server *server)
{
    if (!server)
        return;
    atomic_store(&server->is_leaving, true);
    /* From now on http.c refuses new connections. MHD_quiesce_daemon would do that, but
     * libmicrohttpd 0.9.75 aborts if a thread of the daemon takes the listener out of its epoll set
     * at the same time. */
    time_limits_stop(&server->time_limits);
    if (server->registry)
        registry_stop_thinking(server);
    if (server->tournaments)
        tournaments_stop(server);
    submission_worker_stop(server->submissions);
    if (server->league)
        (void)league_player_stop(server);
    /* These two first: their requests are suspended until there is a response. */
    pool_stop(server->choices, NULL);
    pool_stop(server->readers, NULL);
    if (server->http.daemon) {
        say_goodbye(server);
        MHD_stop_daemon(server->http.daemon);
        server->http.listener = -1; /* closed with it */
    }
    pool_free(server->players, think_job_drop);
    pool_free(server->bots, think_job_drop);
    pool_free(server->leavers, NULL);
    if (server->registry)
        registry_save_clocks(server);
    pool_free(server->choices, NULL);
    pool_free(server->readers, NULL);
    registry_free(server->registry);
    quota_release(&server->quota);
    bot_slots_release(&server->bot_slots);
    tournaments_free(server->tournaments);
    league_service_free(server->league);
    joins_free(server->joins);
    channel_release(server->live);
    connections_release(&server->http.connections);
    catalogue_release(&server->catalogue);
    owner_release(&server->owner);
    record_cache_release(&server->records);
    store_close(server->store);
    store_close(server->reader);
    pthread_mutex_destroy(&server->store_lock);
    pthread_mutex_destroy(&server->reader_lock);
    pthread_mutex_destroy(&server->time_limits.lock);
    if (server->http.listener >= 0)
        close(server->http.listener);
    free(server);
}
