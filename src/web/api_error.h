/* Errors as the API reports them. Functions that have no request at hand fill an ApiError; a
 * handler answers with it (respond_api_error in http.h). docs/api.md lists the codes. */
#ifndef TURF_WEB_API_ERROR_H
#define TURF_WEB_API_ERROR_H

#include "turf.h"

#define SERVER_IS_LEAVING "the server is leaving; come back soon"

typedef struct ApiError {
    unsigned    status; /* of HTTP */
    const char *code;   /* "not-found" */
    TurfError   message;
    int         cell; /* the first illegal one in a list of cells, or -1 */
} ApiError;

/* These return false, so that a function can end with one. */
bool api_error_set(ApiError *api_error, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The one mapping from TurfErrorCode to HTTP. */
bool api_error_from(ApiError *api_error, const TurfError *error);
bool api_error_no_memory(ApiError *api_error);

#endif
