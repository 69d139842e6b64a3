/* A run as the page sees it. */
#ifndef TURF_WEB_TOURNAMENT_VIEW_H
#define TURF_WEB_TOURNAMENT_VIEW_H

#include "store/runs.h"
#include "store/store.h"

#include <jansson.h>

/* An entry of the list; NULL if this turf does not know its game or plan. */
json_t *tournament_entry(const RunRecord *run, int64_t n_played, TurfError *error);
/* The entry with table, standings and recent games. NULL: `error` says why, or has no text if there
 * is no such run. */
json_t *tournament_view(Store *store, int64_t run, bool *is_finished, TurfError *error);

typedef enum ExportFormat {
    EXPORT_JSON,
    EXPORT_CSV,
    EXPORT_MARKDOWN,
    EXPORT_HTML,
    N_EXPORTS
} ExportFormat;

/* The file, freed by the caller; NULL as above. */
char *tournament_export(Store *store, int64_t run, ExportFormat format, TurfError *error);

#endif
