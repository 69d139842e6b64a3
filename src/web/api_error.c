/* Errors as the API reports them; see api_error.h. */
#include "web/api_error.h"

#include "base/error.h"

#include <microhttpd.h>

bool api_error_set(ApiError *api_error, unsigned status, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *api_error = (ApiError){.status = status, .code = code, .cell = -1};
    (void)error_vset(&api_error->message, TURF_ERROR_INVALID, format, arguments);
    va_end(arguments);
    return false;
}

bool api_error_from(ApiError *api_error, const TurfError *error)
{
    static const struct {
        unsigned    status;
        const char *code;
    } answers[] = {
        [TURF_OK] = {MHD_HTTP_INTERNAL_SERVER_ERROR, "store"}, /* failed without a reason */
        [TURF_ERROR_INVALID] = {MHD_HTTP_BAD_REQUEST, "bad-request"},
        [TURF_ERROR_NOT_FOUND] = {MHD_HTTP_NOT_FOUND, "not-found"},
        [TURF_ERROR_BUSY] = {MHD_HTTP_SERVICE_UNAVAILABLE, "in-use"},
        [TURF_ERROR_NO_MEMORY] = {MHD_HTTP_INTERNAL_SERVER_ERROR, "out-of-memory"},
        [TURF_ERROR_IO] = {MHD_HTTP_INTERNAL_SERVER_ERROR, "store"},
        [TURF_ERROR_INTERRUPTED] = {MHD_HTTP_SERVICE_UNAVAILABLE, "full"},
    };
    return api_error_set(api_error, answers[error->code].status, answers[error->code].code, "%s",
                         error->text);
}

bool api_error_no_memory(ApiError *api_error)
{
    return api_error_from(api_error,
                          &(TurfError){TURF_ERROR_NO_MEMORY, "the server is short of memory"});
}
