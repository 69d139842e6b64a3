/* What handlers read of a request, and how they respond. A request is used by one thread at a time.
 */
#include "base/checked_json.h"
#include "base/error.h"
#include "web/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- responses ---------------------------------------------------------------------------- */

static const char policy_name[] = "Content-Security-Policy";
#define POLICY_IN_FRAMES_OF(whom)                                                                  \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "              \
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors " whom                 \
    "; form-action 'none'"
static const char policy[] = POLICY_IN_FRAMES_OF("'none'");

static void add_headers(struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {policy_name, policy},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

void respond_with(Request *request, unsigned status, const char *type,
                  struct MHD_Response *response)
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

void respond_text(Request *request, unsigned status, const char *type, char *text)
{
    size_t               n_bytes = text ? strlen(text) : 0;
    struct MHD_Response *response =
        text ? MHD_create_response_from_buffer_with_free_callback(n_bytes, text, free) : NULL;
    if (text && !response)
        free(text);
    request->n_sent = response ? n_bytes : 0;
    respond_with(request, status, type, response);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
}

void respond_framed(Request *request)
{
    if (!request->response)
        return;
    MHD_del_response_header(request->response, policy_name, policy);
    MHD_add_response_header(request->response, policy_name,
                            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                            "frame-ancestors 'self'; form-action 'none'");
}

void respond_framed_anywhere(Request *request)
{
    if (!request->response)
        return;
    MHD_del_response_header(request->response, policy_name, policy);
    MHD_add_response_header(request->response, policy_name, POLICY_IN_FRAMES_OF("*"));
}

void respond_json(Request *request, unsigned status, json_t *json)
{
    respond_text(request, status, "application/json", json_checked_text(json, JSON_COMPACT));
    json_decref(json);
}

bool respond_error_with(Request *request, unsigned status, const char *code, const char *message,
                        json_t *more)
{
    json_t *json = json_pack("{s:s,s:o}", "error", code, "message", json_sentence(message));
    if (more)
        json_keep_if(&json, json_object_update(json, more));
    json_decref(more);
    respond_json(request, status, json);
    return false;
}

bool respond_error(Request *request, unsigned status, const char *code, const char *format, ...)
{
    TurfError message;
    va_list   arguments;
    va_start(arguments, format);
    (void)error_vset(&message, TURF_ERROR_INVALID, format, arguments);
    va_end(arguments);
    return respond_error_with(request, status, code, message.text, NULL);
}

static void add_retry_after(Request *request, int seconds)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seconds);
    respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, text);
}

bool respond_retry(Request *request, unsigned status, const char *code, int retry_after_s,
                   const char *format, ...)
{
    TurfError message;
    va_list   arguments;
    va_start(arguments, format);
    (void)error_vset(&message, TURF_ERROR_BUSY, format, arguments);
    va_end(arguments);
    respond_error_with(request, status, code, message.text, NULL);
    add_retry_after(request, retry_after_s);
    return false;
}

bool respond_api_error(Request *request, const ApiError *api_error)
{
    enum { RETRY_AFTER_S = 2 };
    respond_error_with(request, api_error->status, api_error->code, api_error->message.text,
                       api_error->cell >= 0 ? json_pack("{s:i}", "cell", api_error->cell) : NULL);
    if (api_error->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        add_retry_after(request, RETRY_AFTER_S);
    return false;
}

bool respond_turf_error(Request *request, const TurfError *error)
{
    ApiError api_error;
    api_error_from(&api_error, error);
    return respond_api_error(request, &api_error);
}

bool respond_no_token(Request *request, const char *message)
{
    respond_error(request, MHD_HTTP_UNAUTHORIZED, "no-token", "%s", message);
    respond_header(request, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    return false;
}

bool respond_no_memory(Request *request)
{
    ApiError api_error;
    api_error_no_memory(&api_error);
    return respond_api_error(request, &api_error);
}

void respond_header(Request *request, const char *name, const char *value)
{
    if (request->response)
        MHD_add_response_header(request->response, name, value);
}

void respond_stream(Request *request, struct MHD_Response *response)
{
    respond_with(request, MHD_HTTP_OK, "text/event-stream", response);
    respond_header(request, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    respond_header(request, "X-Accel-Buffering", "no"); /* proxies must not hold events back */
    connection_set_phase(&request->http->connections, request->connection, PHASE_STREAMING);
}

void respond_later(Request *request)
{
    request->is_waiting = true;
    MHD_suspend_connection(request->connection);
}

void response_is_ready(Request *request) { MHD_resume_connection(request->connection); }

/* ---- requests ----------------------------------------------------------------------------- */

enum { MAX_MEMBERS = 32 };

/* The members that a format of json_unpack names. */
typedef struct Members {
    const char *keys[MAX_MEMBERS];
    char        kinds[MAX_MEMBERS]; /* s, o, b or I */
    bool        is_optional[MAX_MEMBERS];
    size_t      n;
    char        list[320]; /* of the keys, for messages */
} Members;

static void read_format(Members *members, const char *format, va_list arguments)
{
    size_t length = 0;
    *members = (Members){.n = 0};
    for (const char *at = format + 1; *at == 's' && members->n < MAX_MEMBERS; at += *at == ',') {
        size_t i = members->n++;
        members->keys[i] = va_arg(arguments, const char *);
        (void)va_arg(arguments, void *);
        members->is_optional[i] = at[1] == '?';
        at += members->is_optional[i] ? 3 : 2;
        members->kinds[i] = *at++;
        if (length < sizeof members->list)
            length += (size_t)snprintf(members->list + length, sizeof members->list - length,
                                       "%s%s", i ? ", " : "", members->keys[i]);
    }
}

static bool check_kind(const char *key, const json_t *value, char kind, TurfError *error)
{
    switch (kind) {
    case 's': return json_is_string(value) || error_invalid(error, "'%s' must be a string", key);
    case 'I': return json_is_integer(value) || error_invalid(error, "'%s' must be an integer", key);
    case 'b':
        return json_is_boolean(value) || error_invalid(error, "'%s' must be true or false", key);
    default: return true;
    }
}

static bool check_body(json_t *body, const Members *members, TurfError *error)
{
    char        quoted[ERROR_QUOTE_BYTES];
    const char *key;
    json_t     *value;
    json_object_foreach(body, key, value)
    {
        size_t i = 0;
        while (i < members->n && strcmp(key, members->keys[i]))
            i++;
        if (members->n == 0)
            return error_invalid(error, "there is no member '%s' here; the body must be {}",
                                 error_quote(quoted, key));
        if (i == members->n)
            return error_invalid(error, "there is no member '%s' here; choose from %s",
                                 error_quote(quoted, key), members->list);
        if (!check_kind(key, value, members->kinds[i], error))
            return false;
    }
    for (size_t i = 0; i < members->n; i++)
        if (!members->is_optional[i] && !json_object_get(body, members->keys[i]))
            return error_invalid(error, "'%s' is missing", members->keys[i]);
    return true;
}

bool request_read(Request *request, const char *format, ...)
{
    Members   members;
    TurfError error = {.code = TURF_ERROR_INVALID, .text = "the body cannot be read"};
    va_list   arguments;
    va_start(arguments, format);
    read_format(&members, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    bool is_good = check_body(request->body, &members, &error) &&
                   json_vunpack_ex(request->body, NULL, JSON_STRICT, format, arguments) == 0;
    va_end(arguments);
    return is_good || respond_turf_error(request, &error);
}

const char *request_file(const Request *request, size_t *n_bytes)
{
    *n_bytes = request->n_text;
    return request->text ? request->text : "";
}

const char *request_parameter(const Request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool request_number(Request *request, const char *name, int64_t min, int64_t max, int64_t *number)
{
    const char *text = request_parameter(request, name);
    char       *end, quoted[ERROR_QUOTE_BYTES];
    if (!text)
        return true;
    *number = strtoll(text, &end, 10);
    if (end > text && !*end && *number >= min && *number <= max)
        return true;
    return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                         "'%s' must be an integer from %lld to %lld, not '%s'", name,
                         (long long)min, (long long)max, error_quote(quoted, text));
}

const char *request_header(const Request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *request_token(const Request *request)
{
    static const char scheme[] = "Bearer ";
    const char       *value = request_header(request, MHD_HTTP_HEADER_AUTHORIZATION);
    bool              is_bearer = value && !strncasecmp(value, scheme, sizeof scheme - 1);
    return is_bearer ? value + sizeof scheme - 1 : NULL;
}
