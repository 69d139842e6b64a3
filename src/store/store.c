#include "store/store.h"

#include "base/error.h"
#include "store/schema.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_KEPT = 48, PATIENCE_MS = 20000 };

/* A statement that was compiled before, by the address of its text. */
typedef struct Kept {
    const char   *sql;
    sqlite3_stmt *statement;
} Kept;

struct Store {
    sqlite3 *db;
    char    *path;
    int      lock; /* the file once more, for store_lock_run; -1: none */
    bool     was_in_use;
    Kept     kept[MAX_KEPT];
    size_t   n_kept;
    /* ROLLBACK, compiled while there is memory: where it is needed there may be none. */
    sqlite3_stmt *undoing;
};

const char *store_path(const Store *store) { return store->path; }

int64_t store_last_id(const Store *store) { return sqlite3_last_insert_rowid(store->db); }

/* Why a file cannot be opened to write. SQLite knows only what its last try came to, which was to
 * read. */
static int why_not_writable(const char *path, int otherwise)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    int   why = otherwise;
    errno = 0;
    if (access(path, F_OK) == 0) {
        why = access(path, W_OK) != 0 ? errno : otherwise;
    } else if (folder) {
        if (slash)
            slash[slash == folder] = '\0';
        why = access(slash ? folder : ".", W_OK) != 0 ? errno : otherwise;
    }
    free(folder);
    return why;
}

bool store_fail(Store *store, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    error_quote(quoted, store->path);
    int code = sqlite3_extended_errcode(store->db), why = sqlite3_system_errno(store->db);
    store->was_in_use = (code & 0xff) == SQLITE_BUSY;
    bool is_full = (code & 0xff) == SQLITE_FULL ||
                   ((code & 0xff) == SQLITE_IOERR && (why == ENOSPC || why == EDQUOT));
    if (is_full)
        return error_io(error, "'%s' cannot grow: there is no space left on the disk", quoted);
    /* SQLite forgets what the system said about a file that may not grow. */
    if ((code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_WRITE) && (why == 0 || why == EFBIG))
        return error_io(
            error, "'%s' cannot grow: the disk is full, or files may not be so large ('ulimit -f')",
            quoted);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_invalid(error, "'%s' is not a database of turf's, or it is damaged", quoted);
    case SQLITE_BUSY:
        return error_busy(error, "'%s' is in use by another program; try again later", quoted);
    case SQLITE_NOMEM: return error_no_memory(error);
    case SQLITE_READONLY:
    case SQLITE_PERM: return error_io(error, "'%s' cannot be written", quoted);
    case SQLITE_CANTOPEN:
        why = why_not_writable(store->path, why);
        return error_system(error, why, "'%s' cannot be opened: %s", quoted,
                            why ? strerror(why) : "no such file or folder");
    default:
        return error_system(error, why, "'%s': %s%s%s", quoted, sqlite3_errmsg(store->db),
                            why ? ": " : "", why ? strerror(why) : "");
    }
}

static bool execute(Store *store, const char *sql, TurfError *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, error);
}

/* A setting of the file that is a number. */
static bool read_setting(Store *store, const char *sql, int64_t *value)
{
    sqlite3_stmt *statement = NULL;
    bool          is_read = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_ROW;
    if (is_read)
        *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return is_read;
}

/* Brings the tables up to date, in one step that is done whole or not at all. */
static bool migrate(Store *store, int64_t n_done, TurfError *error)
{
    char setting[64];
    snprintf(setting, sizeof setting, "PRAGMA user_version=%d;PRAGMA application_id=%d",
             N_STORE_STEPS, STORE_APPLICATION_ID);
    for (int64_t i = n_done; i < N_STORE_STEPS; i++)
        if (!execute(store, store_steps[i], error))
            return false;
    return execute(store, setting, error);
}

/* Is this ours, and of which age? Asked again with the file held, since somebody else may be making
 * it now. */
static bool check(Store *store, StoreMode mode, TurfError *error)
{
    char    quoted[ERROR_QUOTE_BYTES];
    int64_t n_done, application, n_tables;
    error_quote(quoted, store->path);
    if (!read_setting(store, "PRAGMA user_version", &n_done) ||
        !read_setting(store, "PRAGMA application_id", &application) ||
        !read_setting(store, "SELECT count(*) FROM sqlite_schema", &n_tables))
        return store_fail(store, error);
    bool is_empty = n_tables == 0 && n_done == 0 && application == 0;
    if (!is_empty && application != STORE_APPLICATION_ID)
        return error_invalid(error, "'%s' is a database, but not one of turf's", quoted);
    if (n_done < 0)
        return error_invalid(error, "'%s' is damaged: no turf has written tables of age %lld",
                             quoted, (long long)n_done);
    if (n_done > N_STORE_STEPS)
        return error_invalid(error, "'%s' was written by a later turf than this one (%s)", quoted,
                             TURF_VERSION);
    if (mode == STORE_READ && n_done < N_STORE_STEPS)
        return error_invalid(
            error, is_empty ? "'%s' is empty: no games are kept in it" : "'%s' is of an older turf",
            quoted);
    return n_done == N_STORE_STEPS || migrate(store, n_done, error);
}

/* A journal beside the file lets others read while games are written. Where that cannot be (some
 * network file systems), SQLite stays with its older way, which is as safe. FULL: a commit has
 * reached the disk when it returns. */
static bool prepare(Store *store, StoreMode mode, TurfError *error)
{
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, PATIENCE_MS);
    if (mode == STORE_READ)
        return check(store, mode, error);
    if (!execute(store, "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON",
                 error) ||
        !execute(store, "BEGIN IMMEDIATE", error))
        return false;
    /* Who fails here is closed, and so undone. Statements that are older than the tables are
     * compiled again. */
    return check(store, mode, error) && execute(store, "COMMIT", error) &&
           (sqlite3_prepare_v3(store->db, "ROLLBACK", -1, SQLITE_PREPARE_PERSISTENT,
                               &store->undoing, NULL) == SQLITE_OK ||
            store_fail(store, error));
}

/* Was the journal what could not be made? */
static bool lacks_journal(const Store *store)
{
    int code = sqlite3_errcode(store->db) & 0xff;
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/* A database that nobody writes, in a folder where nobody can: SQLite must be told, or it wants to
 * make its journal there. False if that is not the case, or does not help. */
static bool open_unchanging(Store *store, TurfError *error)
{
    char *journal = NULL, *uri = sqlite3_mprintf("file:%s?immutable=1", store->path);
    bool  is_plain =
        uri && !strpbrk(store->path, "?#%") && asprintf(&journal, "%s-wal", store->path) >= 0;
    bool is_good = false;
    if (is_plain && access(journal, F_OK) != 0) {
        sqlite3_close(store->db);
        store->db = NULL;
        is_good = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
                      SQLITE_OK &&
                  prepare(store, STORE_READ, error);
    }
    free(journal);
    sqlite3_free(uri);
    return is_good;
}

Store *store_open(const char *path, StoreMode mode, TurfError *error)
{
    char   quoted[ERROR_QUOTE_BYTES];
    Store *store = calloc(1, sizeof *store);
    if (store) {
        store->path = strdup(path);
        store->lock = -1;
    }
    int why_missing = access(path, F_OK) == 0 ? 0 : errno;
    int flags = mode == STORE_READ    ? SQLITE_OPEN_READONLY
                : mode == STORE_WRITE ? SQLITE_OPEN_READWRITE
                                      : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (!store || !store->path) {
        error_no_memory(error);
    } else if (mode != STORE_MAKE && (why_missing == ENOENT || why_missing == ENOTDIR)) {
        error_not_found(error, "there is no database '%s'", error_quote(quoted, path));
    } else if (mode != STORE_MAKE && why_missing) {
        error_system(error, why_missing, "'%s' cannot be opened: %s", error_quote(quoted, path),
                     strerror(why_missing));
    } else if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) {
        if (store->db)
            store_fail(store, error);
        else
            error_no_memory(error);
    } else if (prepare(store, mode, error) ||
               (mode == STORE_READ && lacks_journal(store) && open_unchanging(store, error))) {
        return store;
    }
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->n_kept; i++)
        sqlite3_finalize(store->kept[i].statement);
    sqlite3_finalize(store->undoing);
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}

/* A lock on a byte far behind the end of the file and behind those that SQLite locks: it goes when
 * the program does, however that ends. The file is not closed before SQLite has closed it, since
 * that would undo SQLite's own locks. A child that was just being born when its turf was killed has
 * the lock for a moment longer, so it is tried for a while.
 */
static bool lock_byte(Store *store, int64_t number)
{
    enum { TRIES = 50, EACH_MS = 20 };
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 48 | number, .l_len = 1};
    if (store->lock < 0)
        store->lock = open(store->path, O_RDWR | O_CLOEXEC);
    for (int i = 0; i < TRIES; i++) {
        if (store->lock < 0 || fcntl(store->lock, F_OFD_SETLK, &lock) == 0 ||
            (errno != EAGAIN && errno != EACCES))
            return true; /* and where files cannot be locked we cannot know */
        nanosleep(&(struct timespec){.tv_nsec = EACH_MS * 1000000L}, NULL);
    }
    return false;
}

bool store_lock_run(Store *store, int64_t run, TurfError *error)
{
    return lock_byte(store, run) ||
           error_busy(error, "another turf is playing run %lld now", (long long)run);
}

bool store_lock_live_games(Store *store, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    return lock_byte(store, 0) || /* runs are counted from 1 */
           error_busy(error, "another 'turf serve' has '%s' now; give this one another with --db",
                      error_quote(quoted, store->path));
}

void store_unlock_run(Store *store, int64_t run)
{
    struct flock lock = {.l_type = F_UNLCK,
                         .l_whence = SEEK_SET,
                         .l_start = (off_t)1 << 48 | (off_t)run,
                         .l_len = 1};
    if (store->lock >= 0)
        (void)fcntl(store->lock, F_OFD_SETLK, &lock);
}

bool store_begin(Store *store, TurfError *error)
{
    store_undo(store); /* if that failed the last time */
    return execute(store, "BEGIN IMMEDIATE", error);
}

bool store_commit(Store *store, TurfError *error)
{
    if (execute(store, "COMMIT", error))
        return true;
    store_undo(store);
    return false;
}

void store_undo(Store *store)
{
    enum { TRIES = 50, EACH_MS = 20 };
    /* Some failures have undone it already. What is not undone holds the file for ever, for
     * everybody. */
    for (int i = 0; i < TRIES && !sqlite3_get_autocommit(store->db); i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = EACH_MS * 1000000L}, NULL);
        (void)sqlite3_step(store->undoing);
        (void)sqlite3_reset(store->undoing);
    }
}

void store_set_max_wait(Store *store, int ms) { (void)sqlite3_busy_timeout(store->db, ms); }

bool store_was_in_use(const Store *store) { return store->was_in_use; }

void store_set_patience(Store *store, bool waits)
{
    (void)sqlite3_exec(store->db, waits ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
                       NULL, NULL, NULL);
}

/* ---- statements --------------------------------------------------------------------------- */

bool query_open(Query *query, Store *store, const char *sql, TurfError *error)
{
    size_t i = 0;
    *query = (Query){.store = store};
    while (i < store->n_kept && store->kept[i].sql != sql)
        i++;
    if (i == store->n_kept) {
        if (i == MAX_KEPT)
            return error_invalid(error, "too many kinds of statements");
        if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                               &store->kept[i].statement, NULL) != SQLITE_OK)
            return store_fail(store, error);
        store->kept[i].sql = sql;
        store->n_kept++;
    }
    query->statement = store->kept[i].statement;
    return true;
}

void query_bind_number(Query *query, int64_t value)
{
    sqlite3_bind_int64(query->statement, ++query->n_bound, value);
}

void query_bind_real(Query *query, double value)
{
    sqlite3_bind_double(query->statement, ++query->n_bound, value);
}

void query_bind_text(Query *query, const char *value)
{
    sqlite3_bind_text(query->statement, ++query->n_bound, value, -1, SQLITE_STATIC);
}

bool query_next(Query *query, TurfError *error)
{
    query->n_read = 0;
    int code = sqlite3_step(query->statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        *error = (TurfError){0};
    else
        store_fail(query->store, error);
    query_close(query);
    return false;
}

bool query_run(Query *query, TurfError *error)
{
    int  code = sqlite3_step(query->statement);
    bool is_good = code == SQLITE_DONE || code == SQLITE_ROW || store_fail(query->store, error);
    query_close(query);
    return is_good;
}

void query_close(Query *query)
{
    sqlite3_reset(query->statement);
    sqlite3_clear_bindings(query->statement);
}

bool query_visit(Query *query, RowVisitor *visit, void *context, size_t *n_rows, TurfError *error)
{
    *n_rows = 0;
    while (query_next(query, error)) {
        ++*n_rows;
        if (!visit(context, query)) {
            query_close(query);
            return true;
        }
    }
    return !error->code;
}

int64_t query_number(Query *query)
{
    return sqlite3_column_int64(query->statement, query->n_read++);
}

double query_real(Query *query) { return sqlite3_column_double(query->statement, query->n_read++); }

const char *query_peek(Query *query)
{
    return (const char *)sqlite3_column_text(query->statement, query->n_read++);
}

char *query_text(Query *query)
{
    const char *text = query_peek(query);
    return text ? strdup(text) : NULL;
}
