/* Why something was not done: an answer in the making, for whoever has no request at hand. */
#ifndef TURF_WEB_API_ERROR_H
#define TURF_WEB_API_ERROR_H

#include "store/store.h"
#include "web/http.h"

#define SERVER_IS_LEAVING "the server is leaving; come back soon"

typedef struct ApiError {
    unsigned    status;
    const char *code;
    TurfError   message;
    int         cell; /* the first at fault in a list of cells, or -1 */
} ApiError;

/* All are false, so that a function can end with one. */
bool api_error_set(ApiError *api_error, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool api_error_no_memory(ApiError *api_error);
/* Something that was asked for cannot be, unless it was memory that was wanting. */
bool api_error_as_asked(ApiError *api_error, const TurfError *error);
/* The store has failed, through nobody's fault here; if another program holds it, later it will
 * not. */
bool api_error_not_stored(ApiError *api_error, const TurfError *error);

void respond_api_error(Request *request, const ApiError *api_error);
/* The same as api_error_as_asked. */
void respond_fault(Request *request, const TurfError *error);
/* Something in the store is not there, or cannot be read. */
void respond_unread(Request *request, const TurfError *error);

#endif
