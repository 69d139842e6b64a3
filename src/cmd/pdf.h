/* A page as PDF, printed by chromium where that is installed. */
#ifndef TURF_CMD_PDF_H
#define TURF_CMD_PDF_H

#include <stdio.h>

/* The path of chromium or a browser like it; NULL if there is none. The caller frees it. */
char *pdf_find_browser(void);
/* Prints an HTML page and copies the PDF to `out`. Dies if the browser fails. */
void pdf_print(const char *browser, const char *html, FILE *out);

#endif
