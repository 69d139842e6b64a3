/* Requests to the server. An input is what one client asks, one request after the other with a form
 * feed between them; $S, $T, $U and $R in it stand for the live game that was made last, the tokens
 * of its two seats, and the tournament that was made last. */
#include "arena/game_play.h"
#include "arena/batch.h"
#include "fuzz.h"
#include "no_mhd.h"
#include "players/player.h"
#include "web/server.h"
#include "web/web.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Clients per server; then a new one is started, since games and runs add up. */
enum { CLIENTS_EACH = 200 };

static struct {
    char        folder[200], database[240];
    WebOptions  options;
    Server     *server;
    pthread_t   ticker;
    atomic_bool is_leaving;
    uint32_t    n_clients;
    char        owner[TOKEN_BYTES];
} host;

/* What the client has received so far. */
typedef struct Notes {
    char live_game[32], tokens[2][64], run[32];
} Notes;

/* ---- players do not search ---------------------------------------------------------------- */

Choice __wrap_player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                                 const TurnContext *turn, TurfMove *moves);

Choice __wrap_player_choose_move(const TurfPlayer *player, const void *state, bool want_all,
                                 const TurnContext *turn, TurfMove *moves)
{
    (void)want_all, (void)turn;
    return (Choice){.n_moves = player->game->moves(state, moves) > 0};
}

/* ---- tournaments are slow ----------------------------------------------------------------- */

/* The first games of a client are played at once, so that there are results to show; the others
 * would only take processor time from the requests. */
enum { AT_ONCE = 8, PAUSE_NS = 5000000 };

static atomic_int n_played; /* since the client came */

static void take_time(void)
{
    if (atomic_fetch_add(&n_played, 1) >= AT_ONCE)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

bool __real_game_play(GamePlay *match, TurfState *state, GameResult *result, TurfError *error);
bool __wrap_game_play(GamePlay *match, TurfState *state, GameResult *result, TurfError *error);
bool __real_batch_play(const BatchContext *batch_context, GameRange games, TurfError *error);
bool __wrap_batch_play(const BatchContext *batch_context, GameRange games, TurfError *error);

bool __wrap_game_play(GamePlay *match, TurfState *state, GameResult *result, TurfError *error)
{
    take_time();
    return __real_game_play(match, state, result, error);
}

bool __wrap_batch_play(const BatchContext *batch_context, GameRange games, TurfError *error)
{
    take_time();
    return __real_batch_play(batch_context, games, error);
}

/* ---- the server --------------------------------------------------------------------------- */

static void *tick(void *unused)
{
    while (!atomic_load(&host.is_leaving)) {
        web_tick(host.server);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return unused;
}

static void remove_database(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", ".owner"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char path[260];
        (void)snprintf(path, sizeof path, "%s%s", host.database, ends[i]);
        unlink(path);
    }
}

static void stop(void)
{
    if (!host.server)
        return;
    atomic_store(&host.is_leaving, true);
    pthread_join(host.ticker, NULL);
    web_stop(host.server);
    host.server = NULL;
    remove_database();
}

static void leave(void)
{
    stop();
    rmdir(host.folder);
}

static void start(void)
{
    TurfError   error;
    const char *place = getenv("TMPDIR");
    if (!*host.folder) {
        (void)snprintf(host.folder, sizeof host.folder, "%.150s/turf-fuzz-XXXXXX",
                       place ? place : "/tmp");
        claim(mkdtemp(host.folder), "no folder can be made in TMPDIR");
        (void)snprintf(host.database, sizeof host.database, "%s/turf.db", host.folder);
        atexit(leave);
    }
    host.options = (WebOptions){.database = host.database, .patience_ms = WEB_PATIENCE_MS};
    host.server = web_start(&host.options, &error);
    claim(host.server, "%s", error.text);
    claim(owner_read_token(&host.server->owner, host.owner, &error), "%s", error.text);
    atomic_store(&host.is_leaving, false);
    claim(!pthread_create(&host.ticker, NULL, tick, NULL), "there are no threads");
}

/* ---- a client ----------------------------------------------------------------------------- */

static const char *find_note(const Notes *notes, int letter)
{
    switch (letter) {
    case 'S': return notes->live_game;
    case 'T': return notes->tokens[0];
    case 'U': return notes->tokens[1];
    case 'R': return notes->run;
    case 'O': return host.owner;
    default: return NULL;
    }
}

/* The request with the notes filled in; freed by the caller. */
static char *fill_in(const uint8_t *data, size_t size, const Notes *notes, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    claim(out, "out of memory");
    for (size_t i = 0; i < size; i++) {
        int         letter = data[i] == '$' && i + 1 < size ? data[i + 1] : 0;
        const char *note = find_note(notes, letter);
        if (note)
            fputs(note, out);
        else
            fputc(data[i], out);
        i += note != NULL;
    }
    fclose(out);
    return text;
}

static void note(const json_t *json, Notes *notes)
{
    const char *id = json_string_value(json_object_get(json_object_get(json, "live_game"), "id"));
    const char *run = json_string_value(json_object_get(json_object_get(json, "tournament"), "id"));
    if (id)
        (void)snprintf(notes->live_game, sizeof notes->live_game, "%s", id);
    for (size_t side = 0; side < 2 && id; side++) {
        const char *token =
            json_string_value(json_array_get(json_object_get(json, "tokens"), side));
        (void)snprintf(notes->tokens[side], sizeof notes->tokens[side], "%s", token ? token : "");
    }
    if (run)
        (void)snprintf(notes->run, sizeof notes->run, "%s", run);
}

/* Responses that claim to be JSON are; errors have a code and a message; there is no internal
 * error. */
static void check_answer(const Exchange *exchange, Notes *notes)
{
    unsigned status = exchange->status;
    if (status == 0)
        return;
    claim(status >= 200 && status < 600, "status %u", status);
    claim(status < 500 || status == MHD_HTTP_SERVICE_UNAVAILABLE, "status %u: %.400s", status,
          exchange->body);
    json_t *json = NULL;
    if (!strcmp(exchange->type, "application/json")) {
        json_error_t where;
        json = json_loadb(exchange->body, exchange->n_body, JSON_REJECT_DUPLICATES, &where);
        claim(json, "not JSON (%s): %.400s", where.text, exchange->body);
    }
    if (status >= 400) {
        const char *message = json_string_value(json_object_get(json, "message"));
        claim(message && json_string_value(json_object_get(json, "error")),
              "an error without a message: %.400s", exchange->body);
        fuzz_check_line(message);
    } else {
        note(json, notes);
    }
    json_decref(json);
}

static void ask(struct MHD_Connection *client, const uint8_t *data, size_t size, Notes *notes)
{
    Exchange exchange;
    size_t   length;
    char    *text = fill_in(data, size, notes, &length);
    if (client_ask(client, text, length, &exchange))
        check_answer(&exchange, notes);
    exchange_release(&exchange);
    free(text);
}

/* A server that rejected everything would pass all checks. */
static void check_server(void)
{
    static const char make[] =
        "POST /api/live-games HTTP/1.1\nHost: localhost\nContent-Type: application/json\n\n"
        "{\"game\":\"wol\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]}";
    Notes                  notes = {.live_game = ""};
    struct MHD_Connection *client = client_new(host.server->http.daemon, ++host.n_clients);
    ask(client, (const uint8_t *)make, strlen(make), &notes);
    claim(*notes.live_game && *notes.tokens[0] && *notes.tokens[1],
          "a new server has no room for a game");
    client_free(client);
}

/* Stops the tournament that the client began. */
static void finish(struct MHD_Connection *client, Notes *notes)
{
    static const char stop_run[] = "POST /api/tournaments/$R/stop HTTP/1.1\nHost: "
                                   "localhost\nAuthorization: Bearer $O\nContent-Type: "
                                   "application/json\n\n{}";
    if (*notes->run)
        ask(client, (const uint8_t *)stop_run, strlen(stop_run), notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Notes notes = {.live_game = ""};
    atomic_store(&n_played, 0);
    if (host.n_clients % CLIENTS_EACH == 0) {
        stop();
        start();
        check_server();
    }
    struct MHD_Connection *client = client_new(host.server->http.daemon, ++host.n_clients);
    for (const uint8_t *end; size > 0; size -= (size_t)(end - data), data = end) {
        const uint8_t *feed = memchr(data, '\f', size);
        end = feed ? feed + 1 : data + size;
        ask(client, data, (size_t)(end - data) - (feed != NULL), &notes);
    }
    finish(client, &notes);
    client_free(client);
    return 0;
}
