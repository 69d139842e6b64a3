/* Cells are kept as text, row by row; widths are measured in terminal columns, so that names with
 * wide characters line up. */
#include "report/table.h"

#include "base/error.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct Table {
    size_t n_columns, n_cells, room;
    char  *alignment;
    int (*widths)[2]; /* of the widest cell of each column, as text and as Markdown */
    char **cells;     /* row by row, the titles first */
    bool   has_failed;
};

Table *table_new(const char *alignment, const char *const *titles)
{
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->n_columns = strlen(alignment);
    table->alignment = strdup(alignment);
    table->widths = calloc(table->n_columns + 1, sizeof *table->widths);
    table->has_failed = !table->alignment || !table->widths;
    for (size_t i = 0; i < table->n_columns; i++)
        table_add(table, "%s", titles[i]);
    return table;
}

/* Terminal columns, with the escapes that Markdown needs. */
static int width_of(const char *text, bool is_markdown)
{
    int width = utf8_width(text);
    for (; is_markdown && *text; text++)
        width += *text == '|';
    return width;
}

static void note_width(Table *table, size_t cell)
{
    for (int is_markdown = 0; is_markdown < 2; is_markdown++) {
        int  width = width_of(table->cells[cell], is_markdown);
        int *widest = &table->widths[cell % table->n_columns][is_markdown];
        *widest = width > *widest ? width : *widest;
    }
}

/* Names may come from anywhere: line ends become blanks, and control characters '?'. */
static void clean(char *cell)
{
    for (char *at = cell; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    error_flatten(cell);
}

void table_add(Table *table, const char *format, ...)
{
    if (!table || table->has_failed)
        return;
    if (table->n_cells == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        char **cells = realloc(table->cells, room * sizeof *cells);
        if (!cells) {
            table->has_failed = true;
            return;
        }
        table->cells = cells;
        table->room = room;
    }
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&table->cells[table->n_cells], format, arguments) < 0)
        table->has_failed = true;
    else {
        clean(table->cells[table->n_cells]);
        note_width(table, table->n_cells++);
    }
    va_end(arguments);
}

/* In Markdown, bars are escaped. */
static void print_cell(const char *cell, bool is_markdown, FILE *out)
{
    for (; *cell; cell++) {
        if (is_markdown && *cell == '|')
            fputc('\\', out);
        fputc(*cell, out);
    }
}

static void print_padded(const char *cell, char alignment, int width, bool is_markdown, FILE *out)
{
    int blanks = width - width_of(cell, is_markdown);
    if (blanks < 0)
        blanks = 0;
    fprintf(out, "%*s", alignment == 'r' ? blanks : 0, "");
    print_cell(cell, is_markdown, out);
    fprintf(out, "%*s", alignment == 'r' ? 0 : blanks, "");
}

static int column_width(const Table *table, size_t column, bool is_markdown)
{
    enum { MIN_WIDTH = 3 }; /* of a Markdown rule */
    int width = table->widths[column][is_markdown];
    return width > MIN_WIDTH ? width : MIN_WIDTH;
}

static void print_dashes(int n, FILE *out)
{
    for (int i = 0; i < n; i++)
        fputc('-', out);
}

static void print_rule(const Table *table, bool is_markdown, FILE *out)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        int width = column_width(table, c, is_markdown);
        if (is_markdown) {
            fputc('|', out);
            print_dashes(width + 1, out);
            fputc(table->alignment[c] == 'r' ? ':' : '-', out);
        } else {
            print_dashes(c ? width + 2 : width, out);
        }
    }
    fputs(is_markdown ? "|\n" : "\n", out);
}

/* The number of cells of a row up to the last one that is not empty. */
static size_t n_filled(const Table *table, char *const *row)
{
    size_t n = table->n_columns;
    while (n > 0 && !*row[n - 1])
        n--;
    return n;
}

static void print_lines(const Table *table, bool is_markdown, FILE *out)
{
    static const char *const separators[2][2] = {{"", "  "}, {"| ", " | "}};
    for (size_t row = 0; row * table->n_columns < table->n_cells; row++) {
        char *const *cells = table->cells + row * table->n_columns;
        size_t       n = is_markdown ? table->n_columns : n_filled(table, cells);
        for (size_t c = 0; c < n; c++) {
            bool is_end = !is_markdown && c + 1 == n && table->alignment[c] == 'l';
            fputs(separators[is_markdown][c > 0], out);
            print_padded(cells[c], table->alignment[c],
                         is_end ? 0 : column_width(table, c, is_markdown), is_markdown, out);
        }
        fputs(is_markdown ? " |\n" : "\n", out);
        if (row == 0)
            print_rule(table, is_markdown, out);
    }
}

void html_escape_part(const char *text, size_t length, FILE *out)
{
    for (const char *end = text + length; text < end; text++) {
        size_t n_control = *text == '\n' ? 0 : utf8_control_length(text);
        if (n_control > 0) {
            fputc('?', out);
            text += n_control - 1;
            continue;
        }
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

void html_escape(const char *text, FILE *out) { html_escape_part(text, strlen(text), out); }

static void print_html(const Table *table, FILE *out)
{
    fputs("<div class=\"wide\"><table>\n", out);
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t      column = i % table->n_columns;
        bool        is_title = i < table->n_columns && *table->cells[i];
        const char *tag = is_title ? "th" : "td";
        if (column == 0)
            fputs("<tr>", out);
        fprintf(out, "<%s%s>", tag, table->alignment[column] == 'r' ? " class=\"r\"" : "");
        html_escape(table->cells[i], out);
        fprintf(out, "</%s>%s", tag, column + 1 == table->n_columns ? "</tr>\n" : "");
    }
    fputs("</table></div>\n", out);
}

void table_print(const Table *table, TableFormat format, FILE *out)
{
    if (!table || table->has_failed)
        fputs("(this table is missing: out of memory)\n", out);
    else if (format == TABLE_HTML)
        print_html(table, out);
    else
        print_lines(table, format == TABLE_MARKDOWN, out);
}

size_t table_n_rows(const Table *table)
{
    return table ? table->n_cells / table->n_columns - 1 : 0;
}

void table_free(Table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n_cells; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->widths);
    free(table->alignment);
    free(table);
}

/* A spreadsheet takes a cell that begins so for a formula, unless it is a number. */
static bool is_formula(const char *text)
{
    char *end;
    if (!*text || !strchr("=+-@\t\r", *text))
        return false;
    (void)strtod(text, &end);
    return end == text || (*end && strcmp(end, "%") != 0 && strcmp(end, " %") != 0);
}

void table_write_csv_cell(const char *text, FILE *out)
{
    bool is_quoted = strpbrk(text, "\",\r\n") || is_formula(text);
    if (is_quoted)
        fputc('"', out);
    if (is_formula(text))
        fputc('\'', out);
    while (*text) {
        size_t length = *text == '\n' ? 0 : utf8_control_length(text);
        if (*text == '"')
            fputc('"', out);
        fputc(length > 0 ? '?' : *text, out);
        text += length > 0 ? length : 1;
    }
    if (is_quoted)
        fputc('"', out);
}
