/* The server short of memory, seen from outside. With any one allocation failing, or all after it,
 * a request gets the same response as with plentiful memory, an error 500 or 503, or no response.
 * No block is lost, and the next request is answered. A request that failed may have been carried
 * out; one that succeeded was. */
#include "support.h"

#include "failing_memory.h"
#include "web/server.h"
#include "web/web.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RESPONSE = 1 << 20, SPREAD = 40 };

static struct {
    char       folder[64], path[96];
    WebOptions options;
    Server    *server;
    uint16_t   port;
    char       game[64], token[64]; /* of a live game of two people */
} host;

typedef struct Response {
    int  status; /* 0: the server closed the connection */
    char body[MAX_RESPONSE];
} Response;

/* ---- a client that allocates nothing ------------------------------------------------------- */

static void request(const char *method, const char *path, const char *body, Response *response)
{
    static char        text[MAX_RESPONSE];
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(host.port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int                connection = socket(AF_INET, SOCK_STREAM, 0);
    char               head[512];
    size_t             length = 0;
    *response = (Response){.status = 0};
    assert_true(connection >= 0 &&
                !connect(connection, (struct sockaddr *)&address, sizeof address));
    (void)snprintf(head, sizeof head,
                   "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: "
                   "Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                   method, path, host.token, strlen(body));
    (void)send(connection, head, strlen(head), MSG_NOSIGNAL);
    (void)send(connection, body, strlen(body), MSG_NOSIGNAL);
    for (ssize_t n; (n = recv(connection, text + length, sizeof text - 1 - length, 0)) > 0;)
        length += (size_t)n;
    close(connection);
    text[length] = '\0';
    char *end = strstr(text, "\r\n\r\n");
    if (!end || sscanf(text, "HTTP/1.1 %d", &response->status) != 1)
        return;
    (void)snprintf(response->body, sizeof response->body, "%s", end + 4);
}

/* Copies the string after "KEY":" in a body. */
static void find_text(const char *body, const char *key, char *out, size_t size)
{
    const char *at = strstr(body, key);
    assert_non_null(at);
    at += strlen(key);
    (void)snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

/* Requests are freed by the server's threads, soon after their response has come. */
static void wait_for_blocks(int64_t n_expected, uint64_t nth, const char *path)
{
    for (int round = 0; failing_n_blocks() != n_expected; round++) {
        if (round == 1000)
            fail_msg("%s: allocation %llu failed, and %lld blocks were lost", path,
                     (unsigned long long)nth, (long long)(failing_n_blocks() - n_expected));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* ---- the tests ----------------------------------------------------------------------------- */

/* What is checked after each request. */
typedef void Check(const Response *response, uint64_t nth, const void *context);

static void with_failures(const char *method, const char *path, const char *body, Check *check,
                          const void *context)
{
    static Response response;
    for (FailingMode mode = FAILING_ONCE; mode <= FAILING_ON; mode++) {
        bool     has_failed;
        uint64_t nth = 1;
        do {
            failing_begin(nth, mode);
            request(method, path, body, &response);
            has_failed = failing_end();
            bool is_refused =
                response.status == 0 || response.status == 500 || response.status == 503;
            if (is_refused && !has_failed)
                fail_msg("%s: %d although memory was plentiful", path, response.status);
            if (!is_refused && response.status / 100 != 2)
                fail_msg("%s: %d %s", path, response.status, response.body);
            check(&response, nth, context);
            nth += 1 + nth / SPREAD;
        } while (has_failed);
    }
}

typedef struct Expected {
    const char *path, *body;
    int64_t     n_blocks; /* -1: the database keeps what it has read */
} Expected;

static void check_same(const Response *response, uint64_t nth, const void *context)
{
    const Expected *expected = context;
    /* Reports say in the place of a table that it is missing. */
    if (response->status / 100 == 2 && strcmp(response->body, expected->body) &&
        !strstr(response->body, "out of memory"))
        fail_msg("%s: allocation %llu failed, and the response was %s", expected->path,
                 (unsigned long long)nth, response->body);
    if (expected->n_blocks >= 0)
        wait_for_blocks(expected->n_blocks, nth, expected->path);
}

static void responses_are_complete_or_errors(void **state)
{
    static const struct {
        const char *method, *path, *body;
        bool        reads_store;
    } requests[] = {
        {"GET", "/api/games", "", false},
        {"GET", "/api/live-games", "", false},
        {"GET", "/api/live-games/%s", "", false},
        {"GET", "/api/live-games/%s/moves", "", false},
        {"GET", "/api/live-games/%s/frames", "", false},
        {"POST", "/api/start", "{\"game\":\"squirrel-war\",\"seed\":7}", false},
        {"GET", "/api/history", "", true},
        {"GET", "/api/tournaments", "", true},
        {"GET", "/api/tournaments/1", "", true},
        {"GET", "/api/tournaments/1/export?format=csv", "", true},
        {"GET", "/api/tournaments/1/export?format=html", "", true},
    };
    static Response expected;
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, requests[i].path, host.game);
        /* Jansson aborts, or misreads, when it cannot grow the buffer of a long token. */
        failing_spare_json(requests[i].reads_store || *requests[i].body);
        request(requests[i].method, path, requests[i].body, &expected);
        assert_int_equal(expected.status, 200);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        Expected same = {path, expected.body, requests[i].reads_store ? -1 : failing_n_blocks()};
        with_failures(requests[i].method, path, requests[i].body, check_same, &same);
    }
    failing_spare_json(false);
}

static void count_success(const Response *response, uint64_t nth, const void *context)
{
    (void)nth;
    int *n_successes = *(int *const *)context;
    *n_successes += response->status / 100 == 2;
}

static int n_open_games(void)
{
    static Response response;
    request("GET", "/api/server", "", &response);
    assert_int_equal(response.status, 200);
    return atoi(strstr(response.body, "\"n_open_games\":") + strlen("\"n_open_games\":"));
}

static void games_that_were_created_are_open(void **state)
{
    (void)state;
    int n_before = n_open_games(), n_successes = 0, *context = &n_successes;
    failing_spare_json(true);
    with_failures("POST", "/api/live-games",
                  "{\"game\":\"amoeba\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]}",
                  count_success, &context);
    failing_spare_json(false);
    assert_true(n_successes > 0);
    assert_true(n_open_games() >= n_before + n_successes);
}

/* ---- the server ---------------------------------------------------------------------------- */

static void make_game(void)
{
    static Response response;
    request("POST", "/api/live-games",
            "{\"game\":\"wol\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]}",
            &response);
    assert_int_equal(response.status, 201);
    find_text(response.body, "\"id\":\"", host.game, sizeof host.game);
    find_text(response.body, "\"tokens\":[\"", host.token, sizeof host.token);
}

static void play_tournament(void)
{
    static Response response;
    TurfError       error;
    char            seat[sizeof host.token];
    memcpy(seat, host.token, sizeof seat);
    if (!owner_read_token(&host.server->owner, host.token, &error))
        fail_msg("%s", error.text);
    request("POST", "/api/tournaments",
            "{\"game\":\"squirrel-war\",\"games\":2,\"seed\":1,\"players\":[{\"player\":"
            "\"random\"},{\"player\":\"bloodlust\"}]}",
            &response);
    assert_int_equal(response.status, 201);
    memcpy(host.token, seat, sizeof seat);
    while (!strstr(response.body, "\"state\":\"done\"")) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        request("GET", "/api/tournaments/1", "", &response);
        assert_int_equal(response.status, 200);
    }
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* its thread ends */
}

static int start(void **state)
{
    TurfError error = {0};
    char      address[96];
    (void)state;
    (void)snprintf(host.folder, sizeof host.folder, "%s/turf-memory-XXXXXX",
                   access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(host.folder))
        return -1;
    (void)snprintf(host.path, sizeof host.path, "%s/turf.db", host.folder);
    host.options = (WebOptions){.database = host.path, .patience_ms = WEB_PATIENCE_MS};
    host.server = web_start(&host.options, &error);
    if (!host.server)
        fail_msg("%s", error.text);
    web_address(host.server, address);
    host.port = (uint16_t)atoi(strrchr(address, ':') + 1);
    make_game();
    play_tournament();
    return 0;
}

static int stop(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm", ".owner"};
    (void)state;
    web_stop(host.server);
    for (size_t i = 0; i < 4; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", host.path, endings[i]);
        (void)unlink(path);
    }
    return rmdir(host.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_complete_or_errors),
        cmocka_unit_test(games_that_were_created_are_open),
    };
    failing_install();
    return cmocka_run_group_tests_name("the server short of memory", tests, start, stop);
}
