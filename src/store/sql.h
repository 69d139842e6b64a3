/* Statements, for the files of the store alone: values are bound and read in the order of their
 * places, and a failure becomes a sentence that names the file. */
#ifndef TURF_STORE_SQL_H
#define TURF_STORE_SQL_H

#include "store/store.h"

#include <sqlite3.h>

typedef struct Query {
    Store        *store;
    sqlite3_stmt *statement;
    int           n_bound, n_read;
} Query;

/* Compiled once for each store and text, and kept; `sql` is a constant. */
bool query_open(Query *query, Store *store, const char *sql, TurfError *error);

void query_bind_number(Query *query, int64_t value);
void query_bind_real(Query *query, double value);
void query_bind_text(Query      *query,
                     const char *value); /* NULL is SQL's NULL; it must live until the next step */

/* To the next row; false at the end and on failure, and then the query is closed. `error` tells the
 * two apart: its text is empty at the end. */
bool query_next(Query *query, TurfError *error);
/* For what returns no rows. Closes the query. */
bool query_run(Query *query, TurfError *error);
/* For whoever leaves before the last row. */
void query_close(Query *query);
/* Hands every row to `visit`, which reads it and returns false to end; the query is closed.
 * `n_rows` counts them. */
typedef bool RowVisitor(void *context, Query *query);
bool query_visit(Query *query, RowVisitor *visit, void *context, size_t *n_rows, TurfError *error);

int64_t query_number(Query *query);
double  query_real(Query *query);
/* A copy, freed by the caller; NULL is SQL's NULL, or memory is short. */
char *query_text(Query *query);
/* The same without a copy: valid until the next row. */
const char *query_peek(Query *query);

/* Fills the error with what went wrong last, and returns false. */
bool store_fail(Store *store, TurfError *error);
/* Does a commit wait until the disk has it? It does unless told otherwise. */
void store_set_patience(Store *store, bool waits);
/* The number that the last inserted row got. */
int64_t store_last_id(const Store *store);

#endif
