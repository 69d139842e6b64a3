/* The API without HTTP: requests of the page reach the same handlers as those of turf serve, and
 * their responses stay in memory.
 *
 * A stream is a request whose response is read again and again; its events are those that
 * web/channel.c sends to browsers. One request is handled at a time. The page sees the functions
 * with an export name; module.js calls them. */
#include "wasm/house.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "web/api.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 8, CHUNK = 1 << 16, MAX_STREAMS = 64 };

struct MHD_Connection {
    char *target; /* the query is cut into names and values */
    char *token;  /* "Bearer TOKEN", or NULL */
    char *names[MAX_PARAMETERS], *values[MAX_PARAMETERS];
    int   n_parameters;
};

struct MHD_Response {
    char                         *bytes;
    size_t                        n_bytes;
    MHD_ContentReaderCallback     read;
    void                         *context;
    MHD_ContentReaderFreeCallback release;
    char                          type[48];
};

/* ---- libmicrohttpd's part ----------------------------------------------------------------- */

struct MHD_Response *
MHD_create_response_from_buffer_with_free_callback(size_t n_bytes, void *bytes,
                                                   MHD_ContentReaderFreeCallback release)
{
    struct MHD_Response *response = calloc(1, sizeof *response);
    if (response)
        *response = (struct MHD_Response){
            .bytes = bytes, .n_bytes = n_bytes, .context = bytes, .release = release};
    return response;
}

struct MHD_Response *MHD_create_response_from_callback(uint64_t size, size_t block_size,
                                                       MHD_ContentReaderCallback     read,
                                                       void                         *context,
                                                       MHD_ContentReaderFreeCallback release)
{
    (void)size;
    (void)block_size;
    struct MHD_Response *response = calloc(1, sizeof *response);
    if (response)
        *response = (struct MHD_Response){.read = read, .context = context, .release = release};
    return response;
}

void MHD_destroy_response(struct MHD_Response *response)
{
    if (response->release)
        response->release(response->context);
    free(response);
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name,
                                        const char *value)
{
    if (!strcmp(name, MHD_HTTP_HEADER_CONTENT_TYPE))
        snprintf(response->type, sizeof response->type, "%s", value);
    return MHD_YES;
}

enum MHD_Result MHD_del_response_header(struct MHD_Response *response, const char *name,
                                        const char *value)
{
    (void)response;
    (void)name;
    (void)value;
    return MHD_YES;
}

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                        const char *name)
{
    if (kind == MHD_HEADER_KIND)
        return !strcmp(name, MHD_HTTP_HEADER_AUTHORIZATION) ? connection->token : NULL;
    for (int i = 0; i < connection->n_parameters; i++)
        if (!strcmp(connection->names[i], name))
            return connection->values[i];
    return NULL;
}

/* A handler that responds later has responded when it returns, and streams are read again. */
void MHD_suspend_connection(struct MHD_Connection *connection) { (void)connection; }
void MHD_resume_connection(struct MHD_Connection *connection) { (void)connection; }

void connection_set_phase(Connections *connections, struct MHD_Connection *connection, Phase phase)
{
    (void)connections;
    (void)connection;
    (void)phase;
}

/* ---- requests ----------------------------------------------------------------------------- */

static int hex(char letter)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *at = strchr(digits, letter);
    return at && *at ? (int)(at - digits) % 16 : -1;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (from[0] == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
            *to++ = (char)(hex(from[1]) << 4 | hex(from[2]));
            from += 2;
        } else {
            *to++ = *from;
        }
    *to = '\0';
}

static void connection_release(struct MHD_Connection *connection)
{
    free(connection->target);
    free(connection->token);
}

/* Cuts the target into path, names and values. False without memory. */
static bool connection_init(struct MHD_Connection *connection, const char *target,
                            const char *token)
{
    *connection = (struct MHD_Connection){.target = strdup(target)};
    if (*token && asprintf(&connection->token, "Bearer %s", token) < 0)
        connection->token = NULL;
    if (!connection->target || (*token && !connection->token))
        return false;
    char *query = strchr(connection->target, '?');
    if (query)
        *query++ = '\0';
    for (char *each = query ? strtok(query, "&") : NULL; each; each = strtok(NULL, "&")) {
        int   i = connection->n_parameters;
        char *value = strchr(each, '=');
        if (i == MAX_PARAMETERS)
            break;
        if (value)
            *value++ = '\0';
        connection->names[i] = each;
        connection->values[i] = value ? value : each + strlen(each);
        unescape(connection->values[i]);
        connection->n_parameters++;
    }
    return true;
}

/* Matches a path with that of a route, and notes where its stars are; `path` is cut. */
static bool matches(const char *pattern, char *path, char *parts[MAX_PARTS])
{
    size_t n_parts = 0;
    while (*pattern && *path) {
        if (*pattern == '*') {
            if (*path == '/' || n_parts == MAX_PARTS)
                return false;
            parts[n_parts++] = path;
            path += strcspn(path, "/");
            pattern++;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    if (*pattern || *path)
        return false;
    for (size_t i = 0; i < n_parts; i++)
        parts[i][strcspn(parts[i], "/")] = '\0';
    return true;
}

static void handle(Request *request, const char *method, const char *body)
{
    TurfError why = {.text = "it is another kind of value"};
    for (const Route *route = routes; route->method; route++)
        if (!strcmp(route->method, method) &&
            matches(route->path, request->connection->target, request->parts))
            request->route = route;
    if (!request->route) {
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such path");
        return;
    }
    if (strcmp(method, "GET"))
        request->body = json_read_bytes(body, strlen(body), JSON_REJECT_DUPLICATES, &why);
    if (strcmp(method, "GET") && !json_is_object(request->body))
        respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                      "the body is not a JSON object: %.200s", why.text);
    else
        request->route->handle(request);
}

/* ---- what the page calls ------------------------------------------------------------------ */

static struct {
    unsigned status;
    char    *text; /* of the last answer */
    char     type[48];
} answer;

EXPORT("status") unsigned answer_status(void) { return answer.status; }
EXPORT("type") const char *answer_type(void) { return answer.type; }

static const char *keep_answer(unsigned status, const char *text, const char *type)
{
    free(answer.text);
    answer.text = text ? strdup(text) : NULL;
    answer.status = answer.text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR;
    snprintf(answer.type, sizeof answer.type, "%s", type);
    return answer.text ? answer.text
                       : "{\"error\":\"out-of-memory\",\"message\":\"out of memory\"}";
}

EXPORT("ask")
const char *house_ask(const char *method, const char *target, const char *token, const char *body)
{
    struct MHD_Connection connection;
    bool                  is_good = connection_init(&connection, target, token);
    Request request = {.http = &house()->http, .server = house(), .connection = &connection};
    if (is_good)
        handle(&request, method, body);
    struct MHD_Response *response = request.response;
    char                *text = NULL;
    if (response && response->bytes)
        text = strndup(response->bytes, response->n_bytes);
    const char *kept = keep_answer(request.status, text, response ? response->type : "");
    free(text);
    if (response)
        MHD_destroy_response(response);
    json_decref(request.body);
    connection_release(&connection);
    return kept;
}

/* ---- streams ------------------------------------------------------------------------------ */

typedef struct Stream {
    struct MHD_Connection connection;
    struct MHD_Response  *response; /* NULL: this place is free */
} Stream;

static Stream streams[MAX_STREAMS];

/* A number for read and hang_up; -1: the last answer says why not. */
EXPORT("listen") int house_listen(const char *target)
{
    int i = 0;
    while (i < MAX_STREAMS && streams[i].response)
        i++;
    if (i == MAX_STREAMS) {
        keep_answer(MHD_HTTP_SERVICE_UNAVAILABLE,
                    "{\"error\":\"full\",\"message\":\"too many streams are open\"}", "");
        return -1;
    }
    Stream *stream = &streams[i];
    Request request = {
        .http = &house()->http, .server = house(), .connection = &stream->connection};
    if (connection_init(&stream->connection, target, ""))
        handle(&request, "GET", "");
    if (request.response && request.response->read) {
        stream->response = request.response;
        return i;
    }
    keep_answer(request.status, request.response ? request.response->bytes : NULL, "");
    if (request.response)
        MHD_destroy_response(request.response);
    connection_release(&stream->connection);
    return -1;
}

/* What has come since the last call, as server-sent events: "" if nothing has, NULL if the stream
 * has ended. */
EXPORT("read") const char *house_read(int number)
{
    static char          text[CHUNK + 1];
    struct MHD_Response *response = streams[number].response;
    ssize_t              n = response ? response->read(response->context, 0, text, CHUNK) : -1;
    if (n < 0)
        return NULL;
    text[n] = '\0';
    return text;
}

EXPORT("hang_up") void house_hang_up(int number)
{
    Stream *stream = &streams[number];
    if (!stream->response)
        return;
    MHD_destroy_response(stream->response);
    connection_release(&stream->connection);
    stream->response = NULL;
}
