/* The form of a request's head; see head.h. No state, no locks. */
#include "web/head.h"

#include "base/error.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Headers that may come once. */
static const char *const single[] = {"Host",   "Content-Length", "Content-Type",  "Authorization",
                                     "Origin", "Sec-Fetch-Site", "Last-Event-ID", "If-None-Match"};
enum { N_SINGLE = sizeof single / sizeof single[0], MAX_BLANKS = 64 };

typedef struct Fields {
    size_t      n_seen[N_SINGLE];
    bool        has_encoding;
    const char *next; /* where the next line begins */
    const char *why;  /* it is malformed; or NULL */
} Fields;

static bool is_token(const char *text)
{
    static const char letters[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return *text && !text[strspn(text, letters)];
}

static bool has_controls(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
            return true;
    return false;
}

Target target_read(const char *text)
{
    Target target = {.begin = text, .is_path = text[0] == '/'};
    for (target.end = text; *target.end; target.end++)
        if (*target.end <= ' ' || *target.end >= 0x7f || *target.end == '#')
            target.is_path = false;
    return target;
}

/* libmicrohttpd 0.9.75 cuts the head up where it stands: NUL bytes replace the colon of a header
 * and the CR LF at its end. A folded line (which it would append to the name), a bare LF and a NUL
 * in a value leave gaps. Later versions reject these by themselves; see http_start. */
static bool is_in_place(const Fields *fields, const char *name, const char *value)
{
#if MHD_VERSION < 0x00097600
    uintptr_t after = (uintptr_t)name + strlen(name) + 1;
    if (name != fields->next || (uintptr_t)value < after || (uintptr_t)value - after > MAX_BLANKS)
        return false;
    const char *blanks = name + strlen(name) + 1;
    return strspn(blanks, " \t") >= (uintptr_t)value - after && !value[strlen(value) + 1];
#else
    (void)fields, (void)name, (void)value;
    return true;
#endif
}

static enum MHD_Result check_field(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind;
    Fields *fields = context;
    value = value ? value : "";
    if (!name || !is_token(name))
        fields->why = "the name of a header is malformed";
    else if (!is_in_place(fields, name, value) || has_controls(value))
        fields->why = "a header is folded, ends without CR LF or has control characters";
    if (fields->why)
        return MHD_NO;
    fields->next = value + strlen(value) + 2;
    fields->has_encoding |= !strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    for (size_t i = 0; i < N_SINGLE; i++)
        if (!strcasecmp(name, single[i]) && ++fields->n_seen[i] > 1)
            fields->why = "a header that may come once came twice";
    return fields->why ? MHD_NO : MHD_YES;
}

/* The request line: METHOD SP TARGET SP VERSION, with nothing between. */
static bool is_request_line(const Target *target, const char *method, const char *version)
{
#if MHD_VERSION < 0x00097600
    if (target->begin != method + strlen(method) + 1 || version != target->end + 1)
        return false;
#else
    (void)version;
#endif
    return target->is_path && is_token(method);
}

/* Is there nothing but the empty line after the headers? */
static bool is_end(const Fields *fields)
{
#if MHD_VERSION < 0x00097600
    return fields->next[0] == '\0' && fields->next[1] == '\0';
#else
    (void)fields;
    return true;
#endif
}

static bool is_number(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

unsigned head_check(struct MHD_Connection *connection, const Target *target, const char *method,
                    const char *version, TurfError *error)
{
    Fields fields = {.next = version + strlen(version) + 2};
    bool   is_old = !strcmp(version, MHD_HTTP_VERSION_1_0);
    if (!is_request_line(target, method, version)) {
        error_invalid(error, "the request line must be like GET /api/server HTTP/1.1");
        return MHD_HTTP_BAD_REQUEST;
    }
    if (!is_old && strcmp(version, MHD_HTTP_VERSION_1_1)) {
        error_invalid(error, "this server speaks HTTP/1.1");
        return MHD_HTTP_HTTP_VERSION_NOT_SUPPORTED;
    }
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, check_field, &fields);
    const char *length =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (!fields.why && length && !is_number(length))
        fields.why = "the Content-Length is not a number";
    else if (!fields.why && !is_end(&fields))
        fields.why = "a header is malformed";
    if (fields.why) {
        error_invalid(error, "%s", fields.why);
        return MHD_HTTP_BAD_REQUEST;
    }
    bool has_body = !strcmp(method, "POST") || !strcmp(method, "PUT");
    if (!fields.has_encoding && (length || !has_body))
        return 0;
    error_invalid(error, "say how long the body is, with Content-Length and not in chunks");
    return MHD_HTTP_LENGTH_REQUIRED;
}
