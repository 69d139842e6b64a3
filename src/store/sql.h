/* SQLite, for the files of src/store alone: the connection of a store, and statements on it.
 *
 * Values are bound and read in the order of their columns. A failure is remembered by the query
 * and reported once, by query_end:
 *
 *     if (!query_open(&query, store, "SELECT name FROM entrants WHERE run=?", error))
 *         return false;
 *     query_bind_number(&query, run);
 *     while (query_next(&query))
 *         use(query_text(&query, "entrants.name"));
 *     return query_end(&query, error);
 */
#ifndef TURF_STORE_SQL_H
#define TURF_STORE_SQL_H

#include "turf.h"

#include <sqlite3.h>
#include <sys/types.h>

/* A compiled statement, found again by the address of its text. */
typedef struct CachedStatement {
    const char   *sql;
    sqlite3_stmt *statement;
} CachedStatement;

enum { MAX_STATEMENTS = 64 };

/* What store.h has as an opaque type. */
typedef struct Store {
    sqlite3        *db;
    char           *path;
    dev_t           device; /* with inode: which file was opened; 0 and 0 if it is not a file */
    ino_t           inode;
    int64_t         n_migrations; /* that the file has had */
    int             lock_fd;      /* the file opened once more, for store_lock_run; -1: not open */
    CachedStatement cached[MAX_STATEMENTS];
    size_t          n_cached;
    sqlite3_stmt   *rollback; /* compiled in advance: a rollback must not need memory */
} Store;

/* Fills the error from SQLite's last one, in a sentence that names the file, and returns false. */
bool sql_fail(Store *store, TurfError *error);
/* As store_damage. */
bool sql_damage(const Store *store, const char *what, TurfError *error);
/* Runs statements that have no values and no rows. */
bool sql_execute(Store *store, const char *sql, TurfError *error);
/* Should a commit wait until the disk has it? Yes, unless told otherwise. */
void sql_set_sync(Store *store, bool is_full);
/* The id of the row that was inserted last. */
int64_t sql_last_id(const Store *store);

typedef struct Query {
    Store        *store;
    sqlite3_stmt *statement;
    int           n_bound, n_read;
    bool          has_failed;
    const char   *damage; /* a column with a value that turf never writes; NULL: none so far */
} Query;

/* `sql` is a constant: it is compiled once for each store. */
bool query_open(Query *query, Store *store, const char *sql, TurfError *error);

void query_bind_number(Query *query, int64_t value);
void query_bind_real(Query *query, double value);
/* NULL is SQL's NULL. The text must live until query_end. */
void query_bind_text(Query *query, const char *value);
/* The bytes must live until query_end. */
void query_bind_bytes(Query *query, const void *bytes, size_t n_bytes);

/* Steps to the next row; false after the last one and on failure. */
bool query_next(Query *query);
/* Closes the query, at the last row or before; false if a step has failed. */
bool query_end(Query *query, TurfError *error);
/* For statements without rows: query_next and query_end. */
bool query_run(Query *query, TurfError *error);

/* Calls `visit` for every row until it returns false, which is no error. Ends the query. */
typedef bool RowVisitor(void *context, Query *query);
bool         query_visit(Query *query, RowVisitor *visit, void *context, TurfError *error);
/* The same for one row: without it, the error is NOT_FOUND with the text `missing`. */
bool query_visit_one(Query *query, RowVisitor *visit, void *context, const char *missing,
                     TurfError *error);

/* Reads every row into an item of a list that the caller frees, also after a failure. Items are
 * zeroed before `read`, which is false when out of memory. Ends the query. */
typedef bool RowReader(Query *query, void *item);
bool query_read_list(Query *query, RowReader *read, size_t item_size, void **items, size_t *n_items,
                     TurfError *error);

/* Databases come from strangers too, so what is used as an index, a count or a size is read with
 * its bounds. A value outside of them, or of another type, marks the query as damaged: what it
 * reads from then on is the least number or an empty text, no more rows come, and query_end says
 * which column it was. `name` is a constant. */
int64_t query_number_in(Query *query, int64_t min, int64_t max, const char *name);
bool    query_flag(Query *query, const char *name); /* 0 or 1 */
/* A finite number. */
double query_real(Query *query, const char *name);
/* A finite number of seconds, not negative. */
double query_seconds(Query *query, const char *name);
/* UTF-8 without NUL characters, valid until the next row; "" if the query is damaged. */
const char *query_text(Query *query, const char *name);
/* The same; NULL for SQL's NULL. */
const char *query_text_or_null(Query *query, const char *name);
/* A copy of query_text that the caller frees; NULL when out of memory. */
char *query_copy(Query *query, const char *name);
/* A copy of a blob, which the caller frees. False when out of memory. */
bool query_copy_bytes(Query *query, size_t max_bytes, const char *name, void **bytes,
                      size_t *n_bytes);
/* Marks the query as damaged unless `is_good`. */
void query_check(Query *query, bool is_good, const char *name);

#endif
