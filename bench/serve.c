/* The server under load: one game with 500 watchers and 200 other games at the same time. Measures
 * the time from sending a move until a watcher has received the whole event, and checks that no
 * event is missing or out of order. */
#include "base/clock.h"
#include "base/rng.h"
#include "bench.h"
#include "web_client.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    N_GAMES = 200,
    N_WATCHERS = 500,
    N_STREAMS = N_WATCHERS + N_GAMES,
    SECONDS = 6,
    SLOW_MS = 500,
    QUICK_MS = 100
};

/* A game of which the benchmark plays both sides, at a fixed rate. */
typedef struct Board {
    TurfState state;
    char      path[64];
    char     *tokens[2];
    int       socket; /* for moves */
    size_t    first_stream, n_streams;
    size_t    n_waiting; /* watchers that have not received the last move */
    int64_t   every_ns, due_ns, sent_ns;
    uint64_t  n_moves;
} Board;

typedef struct Load {
    int          port, epoll;
    pid_t        server;
    char         folder[32];
    Board        boards[N_GAMES + 1]; /* the first has N_WATCHERS */
    ClientStream streams[N_STREAMS];
    size_t       board_of[N_STREAMS];
    double      *delays_ms;
    size_t       n_delays, room;
    TurfRng      rng;
} Load;

/* ---- the server --------------------------------------------------------------------------- */

/* Finds turf in the parent folder of this program. */
static void find_turf(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length < 0 ? 0 : length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            die("cannot find turf; run this program from its build folder");
        *slash = '\0';
    }
    snprintf(path + strlen(path), size - strlen(path), "/turf");
    if (access(path, X_OK) != 0)
        die("cannot run '%s': %s", path, strerror(errno));
}

/* Starts the server as a separate process. */
static void start_server(Load *load)
{
    int  out[2];
    char line[128] = "", database[64], turf[PATH_MAX];
    find_turf(turf, sizeof turf);
    snprintf(load->folder, sizeof load->folder, "/tmp/turf-bench-XXXXXX");
    if (!mkdtemp(load->folder) || pipe(out))
        die("cannot create a folder for the server: %s", strerror(errno));
    snprintf(database, sizeof database, "%s/games.db", load->folder);
    load->server = fork();
    if (load->server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out[1], STDOUT_FILENO);
        execl(turf, "turf", "serve", "--port", "0", "--db", database, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    FILE *from = load->server > 0 ? fdopen(out[0], "r") : NULL;
    if (!from || !fgets(line, sizeof line, from) || !strrchr(line, ':'))
        die("cannot start the server");
    load->port = (int)strtol(strrchr(line, ':') + 1, NULL, 10);
    fclose(from);
}

/* Its peak memory in MiB; 0 if unknown. */
static double memory_of(pid_t process)
{
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6))
            kib = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return (double)kib / 1024;
}

static void stop_server(Load *load)
{
    char path[64];
    kill(load->server, SIGTERM);
    waitpid(load->server, NULL, 0);
    snprintf(path, sizeof path, "%s/games.db", load->folder);
    unlink(path);
    rmdir(load->folder);
}

/* ---- setting up --------------------------------------------------------------------------- */

static void begin_board(Load *load, size_t index)
{
    Board *board = &load->boards[index];
    board->socket = client_connect(load->port);
    json_t     *made = client_ask(board->socket, "POST", "/api/live-games",
                                  "{\"game\":\"amoeba-wars\",\"start\":\"12x12\","
                                      "\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]}",
                                  NULL);
    const char *id = NULL, *first = NULL, *second = NULL;
    json_t     *start = NULL;
    TurfError   error;
    if (json_unpack(made, "{s:{s:s,s:o},s:[s,s]}", "live_game", "id", &id, "start", &start,
                    "tokens", &first, &second) ||
        !amoeba_wars.from_json(&board->state, start, &error))
        die("the server's game cannot be read");
    snprintf(board->path, sizeof board->path, "/api/live-games/%s/moves", id);
    board->tokens[0] = strdup(first);
    board->tokens[1] = strdup(second);
    json_decref(made);
    board->every_ns = (index ? SLOW_MS : QUICK_MS) * INT64_C(1000000);
}

static void open_streams(Load *load)
{
    size_t next = 0;
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t b = 0; b <= N_GAMES; b++) {
        Board *board = &load->boards[b];
        char   path[64];
        snprintf(path, sizeof path, "%.*s/events", (int)(strlen(board->path) - strlen("/moves")),
                 board->path);
        board->first_stream = next;
        board->n_streams = b ? 1 : N_WATCHERS;
        for (size_t i = 0; i < board->n_streams; i++, next++) {
            struct epoll_event event = {.events = EPOLLIN, .data.u64 = next};
            client_open_stream(&load->streams[next], load->port, path);
            load->board_of[next] = b;
            epoll_ctl(load->epoll, EPOLL_CTL_ADD, load->streams[next].socket, &event);
        }
    }
}

/* ---- playing ------------------------------------------------------------------------------ */

static void note_delay(Load *load, int64_t delay_ns)
{
    if (load->n_delays == load->room) {
        load->room = load->room ? 2 * load->room : 1 << 16;
        load->delays_ms = realloc(load->delays_ms, load->room * sizeof *load->delays_ms);
        if (!load->delays_ms)
            die("out of memory");
    }
    load->delays_ms[load->n_delays++] = (double)delay_ns / 1e6;
}

/* Reads from the streams, waiting for at most a millisecond. */
static void listen_to_streams(Load *load)
{
    struct epoll_event events[256];
    int                n_events = epoll_wait(load->epoll, events, 256, 1);
    for (int i = 0; i < n_events; i++) {
        ClientStream *stream = &load->streams[events[i].data.u64];
        Board        *board = &load->boards[load->board_of[events[i].data.u64]];
        uint64_t      n_before = stream->n_moves;
        if (!client_read(stream))
            die("the server hung up on a watcher");
        for (uint64_t n = n_before; n < stream->n_moves; n++) {
            note_delay(load, clock_ns() - board->sent_ns);
            board->n_waiting--;
        }
    }
}

static void send_move(Load *load, Board *board)
{
    TurfMover mover = amoeba_wars.to_move(&board->state);
    TurfMove  move = amoeba_wars.random_move(&board->state, &load->rng);
    char      name[32], body[64];
    turf_move_to_text(&amoeba_wars, &board->state, move, name);
    snprintf(body, sizeof body, "{\"move\":\"%s\"}", name);
    amoeba_wars.apply(&board->state, move);
    if (board->n_moves++ > 0)
        client_skip_answer(board->socket); /* of the previous move */
    board->n_waiting = board->n_streams;
    board->sent_ns = clock_ns();
    client_send(board->socket, "POST", board->path, body, board->tokens[mover]);
}

static bool is_waiting(const Load *load)
{
    for (size_t b = 0; b <= N_GAMES; b++)
        if (load->boards[b].n_waiting > 0)
            return true;
    return false;
}

static void wait_for_snapshots(Load *load)
{
    for (size_t i = 0; i < N_STREAMS; i++)
        while (load->streams[i].n_events == 0)
            listen_to_streams(load);
}

static void play(Load *load)
{
    int64_t begin_ns = clock_ns(), end_ns = begin_ns + SECONDS * INT64_C(1000000000);
    for (size_t b = 0; b <= N_GAMES; b++) /* staggered */
        load->boards[b].due_ns = begin_ns + (int64_t)rng_below(&load->rng, SLOW_MS) * 1000000;
    while (clock_ns() < end_ns) {
        for (size_t b = 0; b <= N_GAMES; b++) {
            Board     *board = &load->boards[b];
            TurfEnding ending;
            if (board->due_ns > clock_ns() || board->n_waiting > 0 ||
                amoeba_wars.is_over(&board->state, &ending))
                continue;
            board->due_ns += board->every_ns;
            send_move(load, board);
        }
        listen_to_streams(load);
    }
    while (is_waiting(load) && clock_ns() < end_ns + 10 * INT64_C(1000000000))
        listen_to_streams(load);
    if (is_waiting(load))
        die("an event did not reach every watcher");
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(Bench *bench, Load *load)
{
    char what[64];
    snprintf(what, sizeof what, "serve: %d watchers of one game, %d more games", N_WATCHERS,
             N_GAMES);
    qsort(load->delays_ms, load->n_delays, sizeof *load->delays_ms, by_size);
    bench->slow_rate = 0;
    bench_add(bench, what, "events delivered, all in order", "events/s",
              (double)load->n_delays / SECONDS);
    bench_add(bench, what, "from a move to a watcher, median", "ms",
              load->delays_ms[load->n_delays / 2]);
    bench_add(bench, what, "from a move to a watcher, 99 %", "ms",
              load->delays_ms[load->n_delays * 99 / 100]);
    bench_add(bench, what, "the server's memory, at its most", "MiB", memory_of(load->server));
}

void bench_serve(Bench *bench)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    Load *load = calloc(1, sizeof *load);
    if (!load)
        die("out of memory");
    load->rng = turf_rng(1);
    start_server(load);
    for (size_t b = 0; b <= N_GAMES; b++)
        begin_board(load, b);
    open_streams(load);
    wait_for_snapshots(load);
    play(load);
    report(bench, load);
    stop_server(load);
    for (size_t i = 0; i < N_STREAMS; i++)
        close(load->streams[i].socket);
    for (size_t b = 0; b <= N_GAMES; b++) {
        close(load->boards[b].socket);
        free(load->boards[b].tokens[0]);
        free(load->boards[b].tokens[1]);
    }
    close(load->epoll);
    free(load->delays_ms);
    free(load);
}
