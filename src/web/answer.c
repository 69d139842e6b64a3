/* What handlers read of a request, and how they answer. */
#include "base/error.h"
#include "base/whole_json.h"
#include "web/http.h"
#include "web/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers ------------------------------------------------------------------------------ */

static void add_headers(struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
         "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

void answer_with(Request *request, unsigned status, const char *type, struct MHD_Response *response)
{
    if (response) {
        add_headers(response);
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    }
    if (request->response)
        MHD_destroy_response(request->response);
    request->response = response;
    request->status = status;
}

void answer_text(Request *request, unsigned status, const char *type, char *text)
{
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE) : NULL;
    if (text && !response)
        free(text);
    answer_with(request, status, type, response);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
}

void answer_json(Request *request, unsigned status, json_t *json)
{
    answer_text(request, status, "application/json", json ? json_dumps(json, JSON_COMPACT) : NULL);
    json_decref(json);
}

void answer_error_with(Request *request, unsigned status, const char *code, const char *message, json_t *more)
{
    json_t *json = json_pack("{s:s,s:o}", "error", code, "message", json_sentence(message));
    if (more)
        json_object_update(json, more);
    json_decref(more);
    answer_json(request, status, json);
}

void answer_error(Request *request, unsigned status, const char *code, const char *format, ...)
{
    TurfError message;
    va_list   arguments;
    va_start(arguments, format);
    (void)error_vset(&message, format, arguments);
    va_end(arguments);
    answer_error_with(request, status, code, message.text, NULL);
}

void answer_header(Request *request, const char *name, const char *value)
{
    if (request->response)
        MHD_add_response_header(request->response, name, value);
}

void answer_stream(Request *request, struct MHD_Response *response)
{
    answer_with(request, MHD_HTTP_OK, "text/event-stream", response);
    answer_header(request, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    answer_header(request, "X-Accel-Buffering", "no"); /* proxies are not to collect what is to be seen at once */
    guard_set_phase(request->server->guard, request->connection, PHASE_STREAMING);
}

void answer_later(Request *request)
{
    request->is_waiting = true;
    MHD_suspend_connection(request->connection);
}

void answer_is_ready(Request *request) { MHD_resume_connection(request->connection); }

/* ---- what was asked ----------------------------------------------------------------------- */

bool request_read(Request *request, const char *format, ...)
{
    json_error_t where;
    va_list      arguments;
    va_start(arguments, format);
    int result = json_vunpack_ex(request->body, &where, JSON_STRICT, format, arguments);
    va_end(arguments);
    if (result == 0)
        return true;
    answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "the body is not as it should be: %.200s", where.text);
    return false;
}

const char *request_parameter(const Request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool request_number(Request *request, const char *name, int64_t least, int64_t most, int64_t *number)
{
    const char *text = request_parameter(request, name);
    if (!text)
        return true;
    char     *end;
    long long read = strtoll(text, &end, 10);
    if (end == text || *end || read < least || read > most) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "bad-request", "'%s' is a whole number from %lld to %lld", name,
                     (long long)least, (long long)most);
        return false;
    }
    *number = read;
    return true;
}

const char *request_header(const Request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}
