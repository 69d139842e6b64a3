/* Databases with changed rows. An input is a list of changes, one on a line: the numbers of a
 * table, a row and a column, and what happens to the value there:
 *
 *     2 0 3 =4294967296     becomes a number (an integer, or a real with a point)
 *     3 1 13 "[[1,2]]       becomes a text
 *     0 0 2 @7 swiss        is overwritten from a place on; plans keep their right hash
 *     0 0 3 !               becomes NULL
 *     4 2 0 -               the row is deleted, or doubled with +
 *
 * Then everything that reads a database does: runs are reported, exported, replayed and resumed,
 * and a server loads the live games and answers for all of them. */
#include "arena/plan_signature.h"
#include "arena/run_play.h"
#include "base/error.h"
#include "fuzz.h"
#include "live/replay.h"
#include "no_mhd.h"
#include "report/page.h"
#include "store/record_json.h"
#include "web/server.h"
#include "web/web.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tables[] = {"runs",   "entrants", "pairings",     "games",
                                     "chunks", "sittings", "sitting_moves"};

enum { N_TABLES = sizeof tables / sizeof *tables, MAX_LIVE_GAMES = 8 };

static struct {
    char   folder[200], path[240];
    void  *original; /* the bytes of the file */
    size_t size;
    char   live_games[MAX_LIVE_GAMES][16];
    size_t n_live_games;
} base;

/* ---- the original ------------------------------------------------------------------------- */

static void remove_files(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", ".owner"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[260];
        (void)snprintf(path, sizeof path, "%s%s", base.path, ends[i]);
        unlink(path);
    }
}

static void leave(void)
{
    remove_files();
    rmdir(base.folder);
    free(base.original);
}

/* Plays a plan, given by its members besides the game and entrants. */
static void add_run(Store *store, const char *game, const char *entrants, const char *more,
                    int n_shards)
{
    char      text[600];
    Plan      plan;
    Run       run;
    TurfError error;
    (void)snprintf(text, sizeof text, "{\"game\":\"%s\",\"entrants\":[%s],\"seed\":1,%s}", game,
                   entrants, more);
    claim(plan_from_json(&plan, text, &error), "%s", error.text);
    claim(run_init(&run, &plan, true, &error), "%s", error.text);
    run.n_shards = n_shards;
    run.n_jobs = 1;
    claim(run_begin(&run, store, &error) && run_play(&run, &(RunHooks){.progress = NULL}, &error),
          "%s", error.text);
    run_release(&run);
}

#define ENTRANT(name, player) "{\"name\":\"" name "\",\"player\":\"" player "\"}"
#define TWO ENTRANT("a", "random") "," ENTRANT("b", "land-grab")

static void add_runs(void)
{
    TurfError error;
    Store    *store = store_open(base.path, STORE_MAKE, &error);
    claim(store, "%s", error.text);
    add_run(store, "squirrel-war", TWO,
            "\"schedule\":\"match\",\"games\":20,\"swap\":true,\"record\":3", 1);
    add_run(store, "squirrel-war", TWO,
            "\"schedule\":\"match\",\"games\":4,\"swap\":true,\"time\":60000,\"sprt\":\"-5,5\"", 1);
    add_run(store, "squirrel-war", TWO "," ENTRANT("c", "bloodlust"),
            "\"schedule\":\"swiss\",\"games\":2,\"rounds\":2", 1);
    add_run(store, "war-of-life", TWO, "\"schedule\":\"round-robin\",\"games\":2,\"record\":1", 2);
    add_run(store, "ai-battleground", ENTRANT("a", "random") "," ENTRANT("b", "settler"),
            "\"schedule\":\"gauntlet\",\"games\":1,\"record\":1,\"starts\":[\"6x6\"]", 1);
    store_close(store);
}

static Exchange ask(Server *server, const char *method, const char *path, const char *body,
                    const char *token)
{
    char     text[600];
    Exchange exchange;
    (void)snprintf(text, sizeof text, "%s %s HTTP/1.1\nHost: localhost\n%s%s%s%s\n%s", method, path,
                   body ? "Content-Type: application/json\n" : "",
                   token ? "Authorization: Bearer " : "", token ? token : "", token ? "\n" : "",
                   body ? body : "");
    struct MHD_Connection *client = client_new(server->http.daemon, 1);
    claim(client_ask(client, text, strlen(text), &exchange), "no request: %s", text);
    client_free(client);
    return exchange;
}

/* A live game of two people, with a move. */
static void add_live_game(Server *server, const char *game, const char *move)
{
    char     body[300], path[80];
    json_t  *json, *tokens;
    char    *id = base.live_games[base.n_live_games++];
    Exchange made, moved;
    (void)snprintf(body, sizeof body,
                   "{\"game\":\"%s\",\"seats\":[{\"kind\":\"person\",\"name\":\"Ann\"},{\"kind\":"
                   "\"person\"}],\"clock\":{\"initial_ms\":300000,\"gain_ms\":5000}}",
                   game);
    made = ask(server, "POST", "/api/live-games", body, NULL);
    json = json_loadb(made.body, made.n_body, 0, NULL);
    tokens = json_object_get(json, "tokens");
    claim(json_is_array(tokens), "%.300s", made.body);
    (void)snprintf(id, sizeof base.live_games[0], "%s",
                   json_string_value(json_object_get(json_object_get(json, "live_game"), "id")));
    (void)snprintf(path, sizeof path, "/api/live-games/%s/%s", id, *move ? "moves" : "resign");
    moved = ask(server, "POST", path, *move ? move : "{}",
                json_string_value(json_array_get(tokens, 0)));
    claim(moved.status < 300, "%.300s", moved.body);
    exchange_release(&made);
    exchange_release(&moved);
    json_decref(json);
}

static void add_live_games(void)
{
    TurfError  error;
    WebOptions options = {.database = base.path, .patience_ms = WEB_PATIENCE_MS};
    Server    *server = web_start(&options, &error);
    claim(server, "%s", error.text);
    add_live_game(server, "sw", "{\"move\":\"C3\"}");
    add_live_game(server, "bg", "{\"move\":[]}");
    add_live_game(server, "wol", "");
    web_stop(server);
}

static void execute(sqlite3 *db, const char *format, const char *table)
{
    char sql[300];
    (void)snprintf(sql, sizeof sql, format, table, table);
    claim(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
}

/* Copies the rows into tables without keys and constraints, so that they can become anything. */
static void loosen(void)
{
    sqlite3 *db;
    claim(sqlite3_open(base.path, &db) == SQLITE_OK, "no database");
    execute(db, "PRAGMA journal_mode=DELETE", "");
    for (size_t i = 0; i < N_TABLES; i++) {
        execute(db, "CREATE TABLE loose AS SELECT * FROM %s", tables[i]);
        execute(db, "DROP TABLE %s;ALTER TABLE loose RENAME TO %s", tables[i]);
    }
    execute(db, "UPDATE runs SET is_finished=0", "");
    execute(db, "DELETE FROM games WHERE run=2 AND game=3", ""); /* so that there is one to play */
    sqlite3_close(db);
}

static void make_original(void)
{
    const char *place = getenv("TMPDIR");
    (void)snprintf(base.folder, sizeof base.folder, "%.150s/turf-fuzz-XXXXXX",
                   place ? place : "/tmp");
    claim(mkdtemp(base.folder), "no folder can be made in TMPDIR");
    (void)snprintf(base.path, sizeof base.path, "%s/turf.db", base.folder);
    atexit(leave);
    add_runs();
    add_live_games();
    loosen();
    FILE *file = fopen(base.path, "rb");
    claim(file && fseek(file, 0, SEEK_END) == 0, "no database");
    base.size = (size_t)ftell(file);
    base.original = malloc(base.size);
    rewind(file);
    claim(base.original && fread(base.original, 1, base.size, file) == base.size, "it is short");
    fclose(file);
}

/* ---- changes ------------------------------------------------------------------------------ */

static sqlite3_stmt *prepare(sqlite3 *db, const char *format, const char *table, const char *column)
{
    char          sql[300];
    sqlite3_stmt *statement = NULL;
    (void)snprintf(sql, sizeof sql, format, table, column);
    claim(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s: %s", sql,
          sqlite3_errmsg(db));
    return statement;
}

/* The name of a column; false: the table has fewer. */
static bool find_column(sqlite3 *db, const char *table, int number, char name[64])
{
    sqlite3_stmt *columns = prepare(db, "PRAGMA table_info(%s)", table, "");
    bool          is_found = false;
    for (int i = 0; !is_found && sqlite3_step(columns) == SQLITE_ROW; i++)
        if ((is_found = i == number))
            (void)snprintf(name, 64, "%s", (const char *)sqlite3_column_text(columns, 1));
    sqlite3_finalize(columns);
    return is_found;
}

/* Overwrites the value from a place on. */
static void overwrite(sqlite3 *db, const char *table, const char *column, int64_t row,
                      const char *change)
{
    char  *rest = NULL, *text = NULL;
    size_t at = (size_t)strtoul(change, &rest, 10);
    rest += *rest == ' ';
    sqlite3_stmt *old =
        prepare(db, "SELECT CAST(%s AS TEXT) FROM %s WHERE rowid=?1", column, table);
    sqlite3_bind_int64(old, 1, row);
    if (sqlite3_step(old) == SQLITE_ROW && sqlite3_column_text(old, 0))
        text = strdup((const char *)sqlite3_column_text(old, 0));
    sqlite3_finalize(old);
    size_t length = text ? strlen(text) : 0;
    for (at = length ? at % length : 0; at < length && *rest; at++)
        text[at] = *rest++;
    sqlite3_stmt *set = prepare(db, "UPDATE %s SET %s=?1 WHERE rowid=?2", table, column);
    sqlite3_bind_text(set, 1, text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(set, 2, row);
    (void)sqlite3_step(set);
    sqlite3_finalize(set);
    free(text);
}

static void set(sqlite3 *db, const char *table, const char *column, int64_t row, const char *value)
{
    sqlite3_stmt *update = prepare(db, "UPDATE %s SET %s=?1 WHERE rowid=?2", table, column);
    if (*value == '"')
        sqlite3_bind_text(update, 1, value + 1, -1, SQLITE_STATIC);
    else if (*value == '=' && strchr(value, '.'))
        sqlite3_bind_double(update, 1, strtod(value + 1, NULL));
    else if (*value == '=')
        sqlite3_bind_int64(update, 1, strtoll(value + 1, NULL, 10));
    sqlite3_bind_int64(update, 2, row);
    (void)sqlite3_step(update);
    sqlite3_finalize(update);
}

static void change_row(sqlite3 *db, const char *line)
{
    int  table, row, column, length = 0;
    char name[64];
    if (sscanf(line, "%9d %9d %9d %n", &table, &row, &column, &length) < 3 || !length ||
        table < 0 || table >= N_TABLES || !find_column(db, tables[table], column, name))
        return;
    const char *value = line + length;
    char        sql[240];
    if (*value == '-' || *value == '+') {
        bool is_less = *value == '-';
        (void)snprintf(sql, sizeof sql, "%s%s%s%s WHERE rowid=%d",
                       is_less ? "DELETE FROM " : "INSERT INTO ", tables[table],
                       is_less ? "" : " SELECT * FROM ", is_less ? "" : tables[table], row + 1);
        (void)sqlite3_exec(db, sql, NULL, NULL, NULL);
    } else if (*value == '@') {
        overwrite(db, tables[table], name, row + 1, value + 1);
    } else if (*value && strchr("\"=!", *value)) {
        set(db, tables[table], name, row + 1, value);
    }
}

/* Gives every plan its right hash, so that changes get further. */
static void correct_hashes(sqlite3 *db)
{
    sqlite3_stmt *plans = prepare(db, "SELECT rowid, plan FROM %s", "runs", "");
    sqlite3_stmt *set_hash = prepare(db, "UPDATE %s SET plan_hash=?1 WHERE rowid=?2", "runs", "");
    while (sqlite3_step(plans) == SQLITE_ROW) {
        char        hash[17];
        const char *plan = (const char *)sqlite3_column_text(plans, 1);
        plan_hash(plan ? plan : "", hash);
        sqlite3_bind_text(set_hash, 1, hash, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(set_hash, 2, sqlite3_column_int64(plans, 0));
        (void)sqlite3_step(set_hash);
        sqlite3_reset(set_hash);
    }
    sqlite3_finalize(plans);
    sqlite3_finalize(set_hash);
}

static void change(char *text)
{
    FILE *file = fopen(base.path, "wb");
    claim(file && fwrite(base.original, 1, base.size, file) == base.size && !fclose(file),
          "the database cannot be written");
    sqlite3 *db;
    claim(sqlite3_open(base.path, &db) == SQLITE_OK, "no database");
    (void)sqlite3_exec(db, "PRAGMA synchronous=OFF;BEGIN", NULL, NULL, NULL);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        change_row(db, line);
    correct_hashes(db);
    (void)sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void check(bool is_good, const TurfError *error)
{
    if (!is_good)
        fuzz_check_line(error->text);
}

static bool replay_game(void *context, const GameRecord *record)
{
    const RunView *view = context;
    Replay         replay;
    TurfError      error;
    char           text[500];
    claim(record->pairing < view->n_pairings, "a game without a pairing");
    json_t *json = record_to_json(record, view->game, view->results[record->pairing].names);
    claim(json, "a record that is no JSON");
    bool is_good = replay_init(&replay, json, &error);
    check(is_good, &error);
    if (is_good) {
        replay_ending_text(&replay, text, sizeof text);
        fuzz_check_line(text);
        replay_release(&replay);
    }
    json_decref(json);
    return true;
}

static void report(Store *store, int64_t id)
{
    RunView   view;
    TurfError error;
    char     *page = NULL;
    size_t    length;
    bool      is_good = run_view_load(&view, store, id, RUN_VIEW_ALL, &error);
    check(is_good, &error);
    if (!is_good)
        return;
    FILE *out = open_memstream(&page, &length);
    claim(out, "no memory");
    check(page_write(&view, store, false, out, &error), &error);
    fclose(out);
    claim(!strstr(page, "<script"), "a page with a script");
    free(page);
    json_decref(run_view_json(&view));
    json_decref(standings_json(view.standings, view.game));
    check(records_each_game(store, id, RECORDS_ALL, replay_game, &view, &error), &error);
    run_view_release(&view);
}

static bool stop_at_once(void *context, const TurfTotals *totals, size_t n_pairings)
{
    (void)context, (void)totals, (void)n_pairings;
    return false;
}

/* Resumes a run that starts no program, for a moment. */
static void resume(Store *store, const RunRecord *record)
{
    TurfError error;
    Plan      plan;
    Run       run;
    bool      is_good = plan_from_json(&plan, record->plan, &error);
    check(is_good, &error);
    if (!is_good)
        return;
    bool has_bots = plan_has_bots(&plan);
    plan_release(&plan);
    is_good = !has_bots && run_resume(&run, store, record, true, &error);
    if (!is_good)
        return;
    run.n_jobs = 1;
    if (run.plan.n_games <= 64) /* others are long until they look at the clock */
        check(run_play(&run, &(RunHooks){.progress = stop_at_once}, &error), &error);
    (void)run_n_games(&run);
    run_release(&run);
}

static void read_runs(void)
{
    TurfError  error;
    RunRecord *runs;
    size_t     n_runs;
    Store     *store = store_open(base.path, STORE_WRITE, &error);
    bool       is_good = store && runs_read(store, &runs, &n_runs, &error);
    check(is_good, &error);
    for (size_t i = 0; is_good && i < n_runs; i++) {
        report(store, runs[i].id);
        resume(store, &runs[i]);
    }
    if (is_good)
        runs_free(runs, n_runs);
    store_close(store);
}

/* A damaged row is a 500 that says so; a game or a plan may be one of a later version. */
static void get(Server *server, const char *path)
{
    Exchange exchange = ask(server, "GET", path, NULL, NULL);
    claim(exchange.status < 500 || exchange.status == MHD_HTTP_SERVICE_UNAVAILABLE ||
              (exchange.body &&
               (strstr(exchange.body, "damaged") || strstr(exchange.body, "there is no game") ||
                strstr(exchange.body, "the plan cannot be read"))),
          "%s: %u: %.300s", path, exchange.status, exchange.body);
    exchange_release(&exchange);
}

static void serve(void)
{
    static const char *const paths[] = {"/api/history",       "/api/live-games",
                                        "/api/tournaments",   "/api/tournaments/1",
                                        "/api/tournaments/3", "/api/tournaments/5"};
    TurfError                error;
    WebOptions               options = {.database = base.path, .patience_ms = WEB_PATIENCE_MS};
    Server                  *server = web_start(&options, &error);
    check(server, &error);
    for (size_t i = 0; server && i < sizeof paths / sizeof *paths; i++)
        get(server, paths[i]);
    for (size_t i = 0; server && i < base.n_live_games; i++) {
        char path[80];
        (void)snprintf(path, sizeof path, "/api/live-games/%s", base.live_games[i]);
        get(server, path);
        (void)snprintf(path, sizeof path, "/api/history/s-%s", base.live_games[i]);
        get(server, path);
    }
    web_stop(server);
}

/* A server starts thirty threads, so it is asked about live games, and else now and then. */
static bool is_for_server(const char *text)
{
    enum { ONE_IN = 16 };
    static size_t n_others;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line == '5' || *line == '6')
            return true;
    }
    return n_others++ % ONE_IN == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!base.original)
        make_original();
    bool is_served = is_for_server(text);
    remove_files();
    change(text);
    if (is_served)
        serve();
    read_runs();
    free(text);
    return 0;
}
