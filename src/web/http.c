/* The transport: from a connection to a handler and back.
 *
 * libmicrohttpd calls on_request several times for each request: with its head, with pieces of its
 * body, and when it is complete. Checks that need only the head are made first, so that an
 * unwelcome body is not read. Handlers of slow routes run in a pool; the connection is suspended
 * meanwhile.
 *
 * Threads: the library has N_THREADS; a request belongs to one of them, or to the pool thread that
 * handles it while it is suspended. There are no locks here. */
#include "web/http.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "web/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECTION_MEMORY = 24 << 10, HTTP_MISDIRECTED = 421, N_THREADS = 2 };

/* ---- routes ------------------------------------------------------------------------------- */

/* Does the path match the route? A star matches anything up to the next slash. */
static bool matches(const char *route, const char *path)
{
    while (*route && *path) {
        if (*route == '*') {
            size_t length = strcspn(path, "/");
            if (length == 0)
                break;
            path += length;
            route++;
        } else if (*route++ != *path++) {
            break;
        }
    }
    return !*route && !*path;
}

/* Cuts the parts that the stars of the route matched out of the path. */
static void cut_parts(const char *route, char *path, char *parts[MAX_PARTS])
{
    for (size_t n_parts = 0; *route && n_parts < MAX_PARTS; route++) {
        if (*route != '*') {
            path++;
            continue;
        }
        parts[n_parts++] = path;
        path += strcspn(path, "/");
        if (*path) { /* the slash, which comes next in the route too */
            *path++ = '\0';
            route++;
        }
    }
}

/* Sets the route, if there is one in the list; else adds the methods of the path to `allowed`. */
static bool find_in(const Route *list, Request *request, const char *method, char allowed[64])
{
    for (const Route *route = list; route->method; route++) {
        if (!matches(route->path, request->path))
            continue;
        if (!strcmp(route->method, method)) {
            request->route = route;
            cut_parts(route->path, request->path, request->parts);
            return true;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, 64 - used, "%s%s", used ? ", " : "", route->method);
    }
    return false;
}

/* Sets the route; false: answered with an error. */
static bool find_route(Request *request, const char *method)
{
    static const char old_path[] = "/api/sittings";
    char              allowed[64] = "";
    if (find_in(routes, request, method, allowed) ||
        find_in(league_routes, request, method, allowed))
        return true;
    if (*allowed) {
        respond_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "bad-method", "this path takes %s",
                      allowed);
        respond_header(request, MHD_HTTP_HEADER_ALLOW, allowed);
        return false;
    }
    if (!strncmp(request->path, old_path, sizeof old_path - 1))
        return respond_error(request, MHD_HTTP_GONE, "gone", "%s is now /api/live-games", old_path);
    return respond_error(request, MHD_HTTP_NOT_FOUND, "not-found",
                         "there is nothing at this path; docs/api.md lists all paths");
}

/* ---- the page ----------------------------------------------------------------------------- */

static void free_asset(void *asset)
{
    asset_release(asset);
    free(asset);
}

static ssize_t read_asset(void *context, uint64_t position, char *out, size_t room)
{
    const Asset *asset = context;
    size_t       left = asset->n_bytes - (size_t)position, n = left < room ? left : room;
    memcpy(out, asset->bytes + position, n);
    return (ssize_t)n;
}

/* The page, which then shows the table of the league and nothing else. */
static const char embedded_path[] = "/embed";

static void serve_page(Request *request, const char *method)
{
    const char *seen = request_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH);
    if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
        respond_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "bad-method",
                      "the page's files can only be read");
        respond_header(request, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
        return;
    }
    Asset *asset = malloc(sizeof *asset);
    if (!asset)
        return;
    const Http *http = request->http;
    bool        is_one_file = http->one_file && !strcmp(request->path, "/turf.html");
    bool        is_embedded = !strcmp(request->path, embedded_path);
    if (!(is_one_file ? asset_read(http->one_file, asset)
                      : asset_find(http->page_folder, is_embedded ? "/" : request->path, asset))) {
        free(asset);
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such file");
        return;
    }
    bool is_known = seen && strstr(seen, asset->etag);
    if (is_known)
        asset->n_bytes = 0;
    struct MHD_Response *response =
        MHD_create_response_from_callback(asset->n_bytes, 16 << 10, read_asset, asset, free_asset);
    if (!response) {
        free_asset(asset);
        return;
    }
    request->n_sent = asset->n_bytes;
    respond_with(request, is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, asset->type, response);
    respond_header(request, MHD_HTTP_HEADER_ETAG, asset->etag);
    respond_header(request, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    if (is_embedded)
        respond_framed_anywhere(request);
    if (is_one_file) /* to be kept, not to be opened here */
        respond_header(request, MHD_HTTP_HEADER_CONTENT_DISPOSITION,
                       "attachment; filename=\"turf.html\"");
}

/* ---- checks of the head -------------------------------------------------------------------- */

static bool is_page(const Request *request) { return strncmp(request->path, "/api/", 5) != 0; }

static bool has_body(const char *method)
{
    return !strcmp(method, "POST") || !strcmp(method, "PUT");
}

enum { MAX_FORWARDED = 8 };

/* The last X-Forwarded-For headers, in order. */
typedef struct Forwarded {
    const char *lines[MAX_FORWARDED];
    size_t      n;
} Forwarded;

static enum MHD_Result note_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    (void)kind;
    Forwarded *forwarded = context;
    if (strcasecmp(name, "X-Forwarded-For"))
        return MHD_YES;
    if (forwarded->n == MAX_FORWARDED)
        memmove(forwarded->lines, forwarded->lines + 1, --forwarded->n * sizeof(const char *));
    forwarded->lines[forwarded->n++] = value ? value : "";
    return MHD_YES;
}

static void find_client(Request *request)
{
    const Proxies                  *proxies = &request->http->proxies;
    Forwarded                       forwarded = {.n = 0};
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info)
        return;
    Address address = address_of_peer(info->client_addr);
    if (proxies_trust(proxies, &address)) {
        (void)MHD_get_connection_values(request->connection, MHD_HEADER_KIND, note_forwarded,
                                        &forwarded);
        address = proxies_find_client(proxies, &address, forwarded.lines, forwarded.n);
    }
    request->client = client_of(&address);
}

/* Each check is false if the request was answered with an error. */

/* After a malformed head nobody knows where the next request begins. */
static bool check_form(Request *request, const char *method, const char *version)
{
    TurfError error;
    Target    target = connection_target(request->connection);
    if (!target.begin)
        return respond_no_memory(request);
    unsigned status = head_check(request->connection, &target, method, version, &error);
    if (status == 0)
        return true;
    respond_error(request, status, "bad-request", "%s", error.text);
    respond_header(request, MHD_HTTP_HEADER_CONNECTION, "close");
    return false;
}

static bool check_host_and_origin(Request *request)
{
    const char *host = request_header(request, MHD_HTTP_HEADER_HOST);
    const char *origin = request_header(request, MHD_HTTP_HEADER_ORIGIN);
    const char *site = request_header(request, "Sec-Fetch-Site");
    if (!host || !access_knows_host(&request->http->hosts, host))
        return respond_error(request, HTTP_MISDIRECTED, "bad-host",
                             "this server does not go by that name; see --host");
    /* Browsers send no Origin with a plain GET, as for an image, but say where it comes from. */
    bool is_foreign = site && strcmp(site, "same-origin") && strcmp(site, "none");
    if ((origin && !access_knows_origin(origin, host)) || (is_foreign && !is_page(request)))
        return respond_error(request, MHD_HTTP_FORBIDDEN, "bad-origin",
                             "requests from pages of other sites are rejected");
    return true;
}

static bool is_for_file(const Request *request) { return request->route->rate == RATE_UPLOAD; }

static size_t max_body_bytes(const Request *request)
{
    return request->route && is_for_file(request) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
}

static bool respond_too_large(Request *request)
{
    return respond_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too-large",
                         "a body must have at most %zu bytes", max_body_bytes(request));
}

static bool is_type(const char *type, const char *wanted)
{
    size_t length = strlen(wanted);
    return type && !strncasecmp(type, wanted, length) &&
           (!type[length] || strchr("; ", type[length]));
}

static bool check_body_headers(Request *request, const char *method)
{
    const char *type = request_header(request, MHD_HTTP_HEADER_CONTENT_TYPE);
    const char *length = request_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *wanted = is_for_file(request) ? "application/octet-stream" : "application/json";
    if (has_body(method) && !is_type(type, wanted))
        return respond_error(request, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "bad-type",
                             "the Content-Type must be %s", wanted);
    if (length && strtoull(length, NULL, 10) > max_body_bytes(request))
        return respond_too_large(request);
    return true;
}

static bool take_request(Request *request)
{
    Quota   *quota = request->http->quota;
    Resource rate = request->route->rate;
    if (quota_take(quota, &request->client, rate) == QUOTA_GRANTED)
        return true;
    int wait_s = quota_wait_s(quota, &request->client, rate);
    return respond_retry(request, MHD_HTTP_TOO_MANY_REQUESTS, "too-fast", wait_s,
                         "too many requests; wait %d s", wait_s);
}

static bool take_upload(Request *request)
{
    enum { RETRY_AFTER_S = 10 };
    QuotaGrant grant = quota_take(request->http->quota, &request->client, SLOT_UPLOAD);
    request->is_upload = grant == QUOTA_GRANTED; /* on_completed gives the slot back */
    return request->is_upload ||
           respond_retry(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", RETRY_AFTER_S,
                         "too many files are being handed in; try again soon");
}

static bool take_stream(Request *request)
{
    enum { RETRY_AFTER_S = 10 };
    QuotaGrant  grant = quota_take(request->http->quota, &request->client, SLOT_STREAM);
    const char *why = NULL;
    request->is_stream = grant == QUOTA_GRANTED; /* on_completed gives the slot back */
    if (grant == QUOTA_CLIENT_FULL)
        why = "your address has too many streams open; close some";
    else if (grant == QUOTA_ALL_FULL)
        why = "too many streams are open";
    else if (atomic_load(request->http->is_leaving))
        why = SERVER_IS_LEAVING;
    return !why ||
           respond_retry(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", RETRY_AFTER_S, "%s", why);
}

static bool check_head(Request *request, const char *method, const char *version)
{
    if (!check_form(request, method, version) || !check_host_and_origin(request))
        return false;
    if (is_page(request))
        return true;
    if (!find_route(request, !strcmp(method, "HEAD") ? "GET" : method) ||
        !check_body_headers(request, method) || !take_request(request))
        return false;
    if (is_for_file(request) && !request_token(request))
        return respond_no_token(request, "a bot is handed in with the token of its team");
    if (is_for_file(request) && !take_upload(request))
        return false;
    return !request->route->is_stream || take_stream(request);
}

/* ---- the life of a request ---------------------------------------------------------------- */

/* Parses the body; false: answered with an error. */
static bool parse_body(Request *request)
{
    TurfError why = {.text = "it is another kind of value"};
    request->body = json_read_bytes(request->text ? request->text : "", request->n_text,
                                    JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(request->body))
        return true;
    if (why.code == TURF_ERROR_NO_MEMORY)
        return respond_no_memory(request);
    return respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                         "the body is not a JSON object: %.200s", why.text);
}

/* Runs the handler, and charges its CPU time to the client. */
static void run_handler(Request *request)
{
    int64_t begun_ns = clock_worked_ns();
    request->route->handle(request);
    quota_charge(request->http->quota, &request->client, COST_CPU_MS,
                 (double)(clock_worked_ns() - begun_ns) / 1e6);
}

static void handle_in_pool(void *context)
{
    Request *request = context;
    run_handler(request);
    response_is_ready(request);
}

static void handle(Request *request, const char *method)
{
    enum { RETRY_AFTER_S = 2 };
    if (is_page(request)) {
        serve_page(request, method);
        return;
    }
    if (request->is_too_large) {
        respond_too_large(request);
        return;
    }
    if (has_body(method) && !is_for_file(request) && !parse_body(request))
        return;
    if (!request->route->is_slow) {
        run_handler(request);
        return;
    }
    respond_later(request); /* before the job, which may be done at once */
    PoolJob job = {.run = handle_in_pool, .context = request, .client = request->client};
    if (!pool_add(request->http->readers, &job)) {
        respond_retry(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", RETRY_AFTER_S,
                      "too many requests wait for an answer; ask again soon");
        response_is_ready(request);
    }
}

/* Without memory for the response, 500; without memory for that, the connection is closed. */
static enum MHD_Result send_response(Request *request)
{
    if (!request->response)
        respond_no_memory(request);
    if (!request->response)
        return MHD_NO;
    enum MHD_Result result =
        MHD_queue_response(request->connection, request->status, request->response);
    MHD_destroy_response(request->response);
    request->response = NULL;
    return result;
}

/* Appends to the body; false: close the connection. */
static bool receive(Request *request, const char *data, size_t n_data)
{
    request->n_received += n_data;
    if (request->n_text + n_data >
        max_body_bytes(request)) { /* it may end soon, and then gets an answer */
        request->is_too_large = true;
        return request->n_received <= 16 * (size_t)MAX_BODY_BYTES;
    }
    char *text = realloc(request->text, request->n_text + n_data);
    if (!text)
        return false;
    memcpy(text + request->n_text, data, n_data);
    request->text = text;
    request->n_text += n_data;
    return true;
}

static enum MHD_Result begin_request(Http *http, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, void **context)
{
    Request *request = calloc(1, sizeof *request);
    *context = request;
    if (!request)
        return MHD_NO;
    request->http = http;
    request->server = http->server;
    request->connection = connection;
    find_client(request);
    if (!(request->path = strdup(url)))
        return MHD_NO;
    connection_set_phase(&http->connections, connection, PHASE_ASKING);
    if (check_head(request, method, version))
        return MHD_YES;
    connection_set_phase(&http->connections, connection, PHASE_RESPONDING);
    return send_response(request);
}

/* Decides whether a new connection is accepted. */
static enum MHD_Result on_connect(void *context, const struct sockaddr *peer, socklen_t length)
{
    (void)length;
    Http   *http = context;
    Address address = address_of_peer(peer);
    Client  client = client_of(&address);
    if (atomic_load(http->is_leaving) ||
        quota_take(http->quota, &client, RATE_CONNECT) != QUOTA_GRANTED)
        return MHD_NO;
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *n_data, void **request_context)
{
    Request *request = *request_context;
    if (!request)
        return begin_request(context, connection, url, method, version, request_context);
    if (*n_data > 0) {
        bool is_good = receive(request, data, *n_data);
        *n_data = 0;
        return is_good ? MHD_YES : MHD_NO;
    }
    if (!request->is_complete) {
        request->is_complete = true;
        atomic_fetch_add(&request->http->n_responding, 1);
        connection_set_phase(&request->http->connections, connection, PHASE_RESPONDING);
        handle(request, method);
        if (request->is_waiting)
            return MHD_YES;
    }
    return send_response(request);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request_context,
                         enum MHD_RequestTerminationCode why)
{
    (void)why;
    Http    *http = context;
    Request *request = *request_context;
    if (!request)
        return;
    connection_set_phase(&http->connections, connection, PHASE_ASKING);
    if (request->is_complete)
        atomic_fetch_sub(&http->n_responding, 1);
    quota_charge(http->quota, &request->client, COST_KIB,
                 (double)(request->n_received + request->n_sent) / 1024);
    if (request->is_stream)
        quota_give_back(http->quota, &request->client, SLOT_STREAM);
    if (request->is_upload)
        quota_give_back(http->quota, &request->client, SLOT_UPLOAD);
    if (request->response)
        MHD_destroy_response(request->response);
    json_decref(request->body);
    free(request->path);
    free(request->text);
    free(request);
    *request_context = NULL;
}

/* An unescaped NUL byte would end the path early, so such a path is left as it is: nothing is
 * there. */
static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

bool http_start(Http *http, bool is_ipv6, TurfError *error)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    unsigned timeout_s = (unsigned)((http->connections.patience_ns + 999999999) / 1000000000);
    if (is_ipv6)
        flags |= MHD_USE_IPv6;
    http->daemon = MHD_start_daemon(
        flags, 0, on_connect, http, on_request, http, MHD_OPTION_LISTEN_SOCKET, http->listener,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)N_THREADS, MHD_OPTION_CONNECTION_LIMIT,
        http->max_connections, MHD_OPTION_CONNECTION_TIMEOUT, timeout_s,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, http, MHD_OPTION_URI_LOG_CALLBACK, connection_note_target, NULL,
#if MHD_VERSION >= 0x00097600
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1, /* folded lines and bare LF are errors; see head.c */
#endif
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_NOTIFY_CONNECTION,
        connections_notify, &http->connections, MHD_OPTION_END);
    return http->daemon || error_io(error, "the HTTP server could not be started");
}
