#include "web/refusal.h"

#include "base/error.h"

#include <stdio.h>

bool refuse(Refusal *refusal, unsigned status, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *refusal = (Refusal){.status = status, .code = code, .cell = -1};
    (void)error_vset(&refusal->message, format, arguments);
    va_end(arguments);
    return false;
}

bool refuse_for_memory(Refusal *refusal)
{
    return refuse(refusal, MHD_HTTP_INTERNAL_SERVER_ERROR, "out-of-memory", "the server is short of memory");
}

bool refuse_as_asked(Refusal *refusal, const TurfError *error)
{
    return error_is_out_of_memory(error) ? refuse_for_memory(refusal)
                                         : refuse(refusal, MHD_HTTP_BAD_REQUEST, "bad-request", "%s", error->text);
}

bool refuse_unkept(Refusal *refusal, const Store *store, const TurfError *error)
{
    if (error_is_out_of_memory(error))
        return refuse_for_memory(refusal);
    bool is_in_use = store_was_in_use(store);
    return refuse(refusal, is_in_use ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_INTERNAL_SERVER_ERROR,
                  is_in_use ? "in-use" : "store", "it could not be kept: %.300s", error->text);
}

void answer_refusal(Request *request, const Refusal *refusal)
{
    answer_error_with(request, refusal->status, refusal->code, refusal->message.text,
                      refusal->cell >= 0 ? json_pack("{s:i}", "cell", refusal->cell) : NULL);
    if (refusal->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        answer_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "2");
}

void answer_fault(Request *request, const TurfError *error)
{
    Refusal refusal;
    refuse_as_asked(&refusal, error);
    answer_refusal(request, &refusal);
}

void answer_unread(Request *request, const TurfError *error)
{
    if (error_is_out_of_memory(error))
        answer_fault(request, error);
    else
        answer_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "store", "%s", error->text);
}
