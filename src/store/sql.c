/* SQLite statements and errors. Statements are compiled once for each store and kept until it is
 * closed; every query_open must be followed by query_end or query_run, or the statement would keep
 * its read transaction open. A store is used by one thread at a time, so nothing here locks. */
#include "store/sql.h"

#include "base/error.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- errors ------------------------------------------------------------------------------- */

/* The errno for a database that cannot be opened. SQLite reports that of its last attempt, which
 * was to read; the reason is often that the file or its folder is not writable. */
static int find_open_errno(const char *path, int sqlite_errno)
{
    if (access(path, F_OK) == 0)
        return access(path, W_OK) != 0 ? errno : sqlite_errno;
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    int   why = sqlite_errno;
    if (slash)
        slash[slash == folder] = '\0'; /* "/x.db" lies in "/" */
    if (folder && access(slash ? folder : ".", W_OK) != 0)
        why = errno;
    free(folder);
    return why;
}

bool sql_damage(const Store *store, const char *what, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    return error_io(error, "the database '%s' is damaged: %s", error_quote(quoted, store->path),
                    what);
}

bool sql_fail(Store *store, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    int  code = sqlite3_extended_errcode(store->db), why = sqlite3_system_errno(store->db);
    int  kind = code & 0xff;
    error_quote(quoted, store->path);
    if (kind == SQLITE_FULL || (kind == SQLITE_IOERR && (why == ENOSPC || why == EDQUOT)))
        return error_io(error, "'%s' cannot grow: there is no space left on the disk", quoted);
    /* For a file size limit SQLite reports no errno. */
    if ((code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_WRITE) && (why == 0 || why == EFBIG))
        return error_io(
            error, "'%s' cannot grow: the disk is full, or files may not be so large ('ulimit -f')",
            quoted);
    switch (kind) {
    case SQLITE_TOOBIG: return sql_damage(store, "it has a value that is too large", error);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_invalid(error, "'%s' is not a turf database, or it is damaged", quoted);
    case SQLITE_BUSY:
        return error_busy(error, "'%s' is in use by another program; try again later", quoted);
    case SQLITE_NOMEM: return error_no_memory(error);
    case SQLITE_READONLY:
    case SQLITE_PERM: return error_io(error, "'%s' cannot be written", quoted);
    case SQLITE_CANTOPEN:
        why = find_open_errno(store->path, why ? why : ENOENT);
        return error_system(error, why, "'%s' cannot be opened: %s", quoted, strerror(why));
    case SQLITE_CONSTRAINT:
        return error_invalid(error, "'%s': %s", quoted, sqlite3_errmsg(store->db));
    case SQLITE_ERROR: /* our own statements are right */
    case SQLITE_RANGE:
    case SQLITE_SCHEMA:
    case SQLITE_FORMAT:
    case SQLITE_MISMATCH: return sql_damage(store, sqlite3_errmsg(store->db), error);
    default:
        if (why == 0)
            return error_io(error, "'%s': %s", quoted, sqlite3_errmsg(store->db));
        return error_system(error, why, "'%s': %s: %s", quoted, sqlite3_errmsg(store->db),
                            strerror(why));
    }
}

/* ---- the connection ----------------------------------------------------------------------- */

bool sql_execute(Store *store, const char *sql, TurfError *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || sql_fail(store, error);
}

void sql_set_sync(Store *store, bool is_full)
{
    (void)sqlite3_exec(store->db, is_full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
                       NULL, NULL, NULL);
}

int64_t sql_last_id(const Store *store) { return sqlite3_last_insert_rowid(store->db); }

/* ---- queries ------------------------------------------------------------------------------ */

bool query_open(Query *query, Store *store, const char *sql, TurfError *error)
{
    size_t i = 0;
    *query = (Query){.store = store};
    while (i < store->n_cached && store->cached[i].sql != sql)
        i++;
    if (i == store->n_cached) {
        if (i == MAX_STATEMENTS)
            return error_invalid(error, "a store keeps at most %d statements", MAX_STATEMENTS);
        if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                               &store->cached[i].statement, NULL) != SQLITE_OK)
            return sql_fail(store, error);
        store->cached[i].sql = sql;
        store->n_cached++;
    }
    query->statement = store->cached[i].statement;
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

void query_bind_bytes(Query *query, const void *bytes, size_t n_bytes)
{
    sqlite3_bind_blob64(query->statement, ++query->n_bound, bytes, n_bytes, SQLITE_STATIC);
}

bool query_next(Query *query)
{
    if (query->damage || query->has_failed)
        return false;
    int code = sqlite3_step(query->statement);
    query->n_read = 0;
    query->has_failed = code != SQLITE_ROW && code != SQLITE_DONE;
    return code == SQLITE_ROW;
}

bool query_end(Query *query, TurfError *error)
{
    char what[96];
    bool is_good = !query->has_failed || sql_fail(query->store, error);
    if (is_good && query->damage) {
        (void)snprintf(what, sizeof what, "%s has a value that turf never writes", query->damage);
        is_good = sql_damage(query->store, what, error);
    }
    sqlite3_reset(query->statement);
    sqlite3_clear_bindings(query->statement);
    return is_good;
}

bool query_run(Query *query, TurfError *error)
{
    (void)query_next(query);
    return query_end(query, error);
}

bool query_visit(Query *query, RowVisitor *visit, void *context, TurfError *error)
{
    while (query_next(query) && visit(context, query))
        continue;
    return query_end(query, error);
}

bool query_visit_one(Query *query, RowVisitor *visit, void *context, const char *missing,
                     TurfError *error)
{
    bool is_found = query_next(query);
    if (is_found)
        (void)visit(context, query);
    if (!query_end(query, error))
        return false;
    return is_found || error_not_found(error, "%s", missing);
}

bool query_read_list(Query *query, RowReader *read, size_t item_size, void **items, size_t *n_items,
                     TurfError *error)
{
    size_t n = 0, room = 0;
    bool   has_memory = true;
    *items = NULL;
    while (has_memory && query_next(query)) {
        if (n == room) {
            room = room ? 2 * room : 8;
            void *larger = realloc(*items, room * item_size);
            has_memory = larger != NULL;
            *items = has_memory ? larger : *items;
        }
        if (has_memory) {
            char *item = (char *)*items + n++ * item_size;
            memset(item, 0, item_size);
            has_memory = read(query, item);
        }
    }
    *n_items = n;
    has_memory = has_memory || query->damage; /* then that is what is said */
    return query_end(query, error) && (has_memory || error_no_memory(error));
}

void query_check(Query *query, bool is_good, const char *name)
{
    if (!is_good && !query->damage)
        query->damage = name;
}

int64_t query_number_in(Query *query, int64_t min, int64_t max, const char *name)
{
    int     column = query->n_read++;
    bool    is_integer = sqlite3_column_type(query->statement, column) == SQLITE_INTEGER;
    int64_t number = sqlite3_column_int64(query->statement, column);
    query_check(query, is_integer && number >= min && number <= max, name);
    return query->damage ? min : number;
}

bool query_flag(Query *query, const char *name) { return query_number_in(query, 0, 1, name) != 0; }

double query_real(Query *query, const char *name)
{
    int    column = query->n_read++;
    bool   is_real = sqlite3_column_type(query->statement, column) == SQLITE_FLOAT;
    double number = sqlite3_column_double(query->statement, column);
    query_check(query, is_real && isfinite(number), name);
    return query->damage ? 0 : number;
}

double query_seconds(Query *query, const char *name)
{
    double number = query_real(query, name);
    query_check(query, number >= 0, name);
    return query->damage ? 0 : number;
}

const char *query_text(Query *query, const char *name)
{
    int         column = query->n_read++;
    bool        is_text = sqlite3_column_type(query->statement, column) == SQLITE_TEXT;
    const char *text = (const char *)sqlite3_column_text(query->statement, column);
    size_t      length = (size_t)sqlite3_column_bytes(query->statement, column);
    if (is_text && !text) /* out of memory, which sqlite3_errcode says */
        query->has_failed = true;
    else
        query_check(query, is_text && strlen(text) == length && utf8_is_valid(text, length), name);
    return query->damage || !text ? "" : text;
}

const char *query_text_or_null(Query *query, const char *name)
{
    if (sqlite3_column_type(query->statement, query->n_read) != SQLITE_NULL)
        return query_text(query, name);
    query->n_read++;
    return NULL;
}

char *query_copy(Query *query, const char *name) { return strdup(query_text(query, name)); }

bool query_copy_bytes(Query *query, size_t max_bytes, const char *name, void **bytes,
                      size_t *n_bytes)
{
    int         column = query->n_read++;
    bool        is_blob = sqlite3_column_type(query->statement, column) == SQLITE_BLOB;
    const void *found = sqlite3_column_blob(query->statement, column);
    size_t      length = (size_t)sqlite3_column_bytes(query->statement, column);
    query_check(query, is_blob && length <= max_bytes, name);
    if (query->damage)
        length = 0;
    *n_bytes = length;
    *bytes = malloc(length + 1);
    if (*bytes && found)
        memcpy(*bytes, found, length);
    return *bytes != NULL;
}
