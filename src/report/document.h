/* A document that is written once and comes out as Markdown or as one self-contained HTML page.
 * Running text may use `code` and **bold**. */
#ifndef TURF_REPORT_DOCUMENT_H
#define TURF_REPORT_DOCUMENT_H

#include "games/game.h"
#include "report/table.h"

typedef struct Document {
    FILE *out;
    bool  is_html;
} Document;

/* A picture of a board of letters, drawn in colour in HTML and as text in Markdown. */
typedef struct BoardPicture {
    const char *caption;
    int         n_rows, n_columns;
    const char *cells; /* row by row; '.' is empty, `first` and `second` the sides' letters */
    char        first, second;
} BoardPicture;

void document_begin(const Document *document, const char *title);
void document_heading(const Document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_paragraph(const Document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_code(const Document *document, const char *text);
/* Prints the table and frees it. */
void document_table(const Document *document, Table *table);
void document_boards(const Document *document, const BoardPicture *boards, size_t n_boards);
void document_end(const Document *document);

#endif
