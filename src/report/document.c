/* Markdown and HTML from one sequence of calls; the HTML has its style sheet inline. */
#include "report/document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style_sheet[] =
    ":root{color-scheme:light dark;--ink:#1c2026;--paper:#fbfaf7;--line:#d7d3c8;--soft:#efece4;"
    "--first:#2f6fd0;--second:#cf4a2e}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e3db;--paper:#16181c;--line:#3a3d44;"
    "--soft:#22252b;--first:#6aa3ff;--second:#ff8a66}}\n"
    "body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:62rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.9rem;line-height:1.2}"
    "h2{margin-top:2.2rem;border-bottom:1px solid var(--line)}\n"
    "table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:bottom}td{white-space:nowrap}\n"
    ".r{text-align:right}.wide{overflow-x:auto}\n"
    "code,pre{font-family:ui-monospace,monospace;background:var(--soft);border-radius:4px}\n"
    "code{padding:0 .25em}pre{padding:.7rem;overflow-x:auto;white-space:pre-wrap}\n"
    ".boards{display:flex;flex-wrap:wrap;gap:1.5rem}figure{margin:.5rem 0}"
    "figcaption{font-size:.9rem}\n"
    "svg{width:13rem;height:auto}"
    "svg text{font:600 7px system-ui,sans-serif;text-anchor:middle;fill:var(--paper)}\n"
    "svg .label{fill:var(--ink);font-weight:400}"
    "svg .cell{fill:var(--soft);stroke:var(--line);stroke-width:.5}\n"
    "svg .first{fill:var(--first)}svg .second{fill:var(--second)}\n"
    /* Paper: all columns on the page, nothing torn apart, no dark background. */
    "@page{size:A4;margin:14mm}\n"
    "@media print{:root{color-scheme:light;--ink:#000;--paper:#fff;--line:#bbb;--soft:#f2f2f2;"
    "--first:#2f6fd0;--second:#cf4a2e}"
    "body{font-size:10pt;max-width:none;margin:0;padding:0}"
    "table{font-size:7.5pt;width:auto;max-width:100%}"
    "th,td{padding:.12rem .3rem}td{white-space:normal}"
    ".wide{overflow:visible}"
    "h2{break-after:avoid}tr,figure,pre{break-inside:avoid}thead{display:table-header-group}"
    "svg{width:9rem}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

void document_begin(const Document *document, const char *title)
{
    if (!document->is_html) {
        fprintf(document->out, "# %s\n", title);
        return;
    }
    fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          document->out);
    html_escape(title, document->out);
    fprintf(document->out, "</title>\n<style>\n%s</style>\n<h1>", style_sheet);
    html_escape(title, document->out);
    fputs("</h1>\n", document->out);
}

/* Running text: in HTML, `code` and **bold** become tags. */
static void write_text(const Document *document, const char *text)
{
    bool is_code = false, is_bold = false;
    if (!document->is_html) {
        fputs(text, document->out);
        return;
    }
    for (; *text; text++) {
        if (*text == '`') {
            is_code = !is_code;
            fputs(is_code ? "<code>" : "</code>", document->out);
        } else if (!strncmp(text, "**", 2)) {
            is_bold = !is_bold;
            fputs(is_bold ? "<strong>" : "</strong>", document->out);
            text++;
        } else {
            char one[2] = {*text, '\0'};
            html_escape(one, document->out);
        }
    }
}

static void write_format(const Document *document, const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        fputs("(this text is missing: out of memory)", document->out);
        return;
    }
    write_text(document, text);
    free(text);
}

void document_heading(const Document *document, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(document->is_html ? "<h2>" : "\n## ", document->out);
    write_format(document, format, arguments);
    fputs(document->is_html ? "</h2>\n" : "\n", document->out);
    va_end(arguments);
}

void document_paragraph(const Document *document, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(document->is_html ? "<p>" : "\n", document->out);
    write_format(document, format, arguments);
    fputs(document->is_html ? "</p>\n" : "\n", document->out);
    va_end(arguments);
}

void document_code(const Document *document, const char *text)
{
    fputs(document->is_html ? "<pre>" : "\n```\n", document->out);
    if (document->is_html)
        html_escape(text, document->out);
    else
        fputs(text, document->out);
    fputs(document->is_html ? "</pre>\n" : "\n```\n", document->out);
}

void document_table(const Document *document, Table *table)
{
    if (!document->is_html)
        fputc('\n', document->out);
    table_print(table, document->is_html ? TABLE_HTML : TABLE_MARKDOWN, document->out);
    table_free(table);
}

static void draw_svg(const Document *document, const BoardPicture *board)
{
    enum { CELL = 12 };
    FILE *out = document->out;
    fprintf(out, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
            CELL * (board->n_columns + 1), CELL * (board->n_rows + 1), board->caption);
    for (int c = 0; c < board->n_columns; c++)
        fprintf(out, "<text class=\"label\" x=\"%d\" y=\"9\">%d</text>", CELL * (c + 1) + CELL / 2,
                c + 1);
    for (int r = 0; r < board->n_rows; r++) {
        int y = CELL * (r + 1);
        fprintf(out, "<text class=\"label\" x=\"6\" y=\"%d\">%d</text>", y + 9, r + 1);
        for (int c = 0; c < board->n_columns; c++) {
            int  x = CELL * (c + 1);
            char letter = board->cells[r * board->n_columns + c];
            fprintf(out, "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", x,
                    y, CELL, CELL);
            if (letter != '.')
                fprintf(out,
                        "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"5\"/><text x=\"%d\" "
                        "y=\"%.1f\">%c</text>",
                        letter == board->first ? "first" : "second", x + 6, y + 6, x + 6, y + 8.4,
                        letter);
        }
        fputc('\n', out);
    }
    fputs("</svg><figcaption>", out);
    html_escape(board->caption, out);
    fputs("</figcaption></figure>\n", out);
}

static void draw_text(const Document *document, const BoardPicture *board)
{
    FILE *out = document->out;
    fprintf(out, "\n%s:\n\n```\n ", board->caption);
    for (int c = 0; c < board->n_columns; c++)
        fprintf(out, " %d", c + 1);
    for (int r = 0; r < board->n_rows; r++) {
        fprintf(out, "\n%d", r + 1);
        for (int c = 0; c < board->n_columns; c++)
            fprintf(out, " %c", board->cells[r * board->n_columns + c]);
    }
    fputs("\n```\n", out);
}

void document_boards(const Document *document, const BoardPicture *boards, size_t n_boards)
{
    if (document->is_html)
        fputs("<div class=\"boards\">\n", document->out);
    for (size_t i = 0; i < n_boards; i++)
        (document->is_html ? draw_svg : draw_text)(document, &boards[i]);
    if (document->is_html)
        fputs("</div>\n", document->out);
}

void document_end(const Document *document)
{
    if (document->is_html)
        fputs("</html>\n", document->out);
}
