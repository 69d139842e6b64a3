/* Tables: filled cell by cell, then printed as aligned text, Markdown or HTML. A table that ran out
 * of memory prints a line that says so; callers need no checks, and NULL is fine. */
#ifndef TURF_REPORT_TABLE_H
#define TURF_REPORT_TABLE_H

#include <stdio.h>

typedef enum TableFormat { TABLE_TEXT, TABLE_MARKDOWN, TABLE_HTML } TableFormat;

typedef struct Table Table;

/* One title and one letter, l or r, per column. */
Table *table_new(const char *alignment, const char *const *titles);
void   table_add(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void   table_print(const Table *table, TableFormat format, FILE *out);
size_t table_n_rows(const Table *table); /* without the titles */
void   table_free(Table *table);

/* Text with &, <, > and " escaped. */
void html_escape(const char *text, FILE *out);
void html_escape_part(const char *text, size_t length, FILE *out);

/* A cell of a CSV file, quoted as in RFC 4180. */
void table_write_csv_cell(const char *text, FILE *out);

#endif
