/* A run as one self-contained HTML page: inline SVG and CSS, no scripts, light and dark themes. */
#ifndef TURF_REPORT_PAGE_H
#define TURF_REPORT_PAGE_H

#include "report/run_view.h"

/* With hides_times the page depends on the plan alone. */
bool page_write(const RunView *view, Store *store, bool hides_times, FILE *out, TurfError *error);

#endif
