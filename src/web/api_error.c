#include "web/api_error.h"

#include "base/error.h"

#include <stdio.h>

bool api_error_set(ApiError *api_error, unsigned status, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *api_error = (ApiError){.status = status, .code = code, .cell = -1};
    (void)error_vset(&api_error->message, TURF_ERROR_INVALID, format, arguments);
    va_end(arguments);
    return false;
}

bool api_error_no_memory(ApiError *api_error)
{
    return api_error_set(api_error, MHD_HTTP_INTERNAL_SERVER_ERROR, "out-of-memory",
                         "the server is short of memory");
}

bool api_error_as_asked(ApiError *api_error, const TurfError *error)
{
    return (error->code == TURF_ERROR_NO_MEMORY)
               ? api_error_no_memory(api_error)
               : api_error_set(api_error, MHD_HTTP_BAD_REQUEST, "bad-request", "%s", error->text);
}

bool api_error_not_stored(ApiError *api_error, const TurfError *error)
{
    if ((error->code == TURF_ERROR_NO_MEMORY))
        return api_error_no_memory(api_error);
    bool is_in_use = error->code == TURF_ERROR_BUSY;
    return api_error_set(
        api_error, is_in_use ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_INTERNAL_SERVER_ERROR,
        is_in_use ? "in-use" : "store", "it could not be kept: %.300s", error->text);
}

void respond_api_error(Request *request, const ApiError *api_error)
{
    respond_error_with(request, api_error->status, api_error->code, api_error->message.text,
                       api_error->cell >= 0 ? json_pack("{s:i}", "cell", api_error->cell) : NULL);
    if (api_error->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "2");
}

void respond_fault(Request *request, const TurfError *error)
{
    ApiError api_error;
    api_error_as_asked(&api_error, error);
    respond_api_error(request, &api_error);
}

void respond_unread(Request *request, const TurfError *error)
{
    if (error->code == TURF_ERROR_NO_MEMORY)
        respond_fault(request, error);
    else if (error->code == TURF_ERROR_NOT_FOUND)
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "%s", error->text);
    else
        respond_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "store", "%s", error->text);
}
