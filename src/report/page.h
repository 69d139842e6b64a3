/* A run as one self-contained page: no script, no other file, everything drawn in SVG, light or
 * dark as the reader likes it. */
#ifndef TURF_REPORT_PAGE_H
#define TURF_REPORT_PAGE_H

#include "report/run_view.h"

/* Without times, the page is the same for the same plan whenever and wherever it was played. */
bool page_write(const RunView *view, Store *store, bool hides_times, FILE *out, TurfError *error);

#endif
