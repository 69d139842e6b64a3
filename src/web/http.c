#include "web/http.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "web/assets.h"
#include "web/api_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECTION_MEMORY = 24 << 10, HTTP_MISDIRECTED = 421, N_THREADS = 2 };

/* ---- routes ------------------------------------------------------------------------------- */

/* Does the path fit the route? A star stands for anything up to the next slash. */
static bool fits(const char *route, const char *path)
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

/* Cuts out of a path that fits what stands for the stars. */
static void cut_out(const char *route, char *path, char *parts[MAX_PARTS])
{
    for (size_t n_parts = 0; *route && n_parts < MAX_PARTS; route++) {
        if (*route != '*') {
            path++;
            continue;
        }
        parts[n_parts++] = path;
        path += strcspn(path, "/");
        if (*path) { /* the slash, which is the next of the route too */
            *path++ = '\0';
            route++;
        }
    }
}

/* Finds the route; false: answered already. */
static bool find_route(Request *request, const char *method)
{
    char allowed[64] = "";
    for (const Route *route = routes; route->method; route++) {
        if (!fits(route->path, request->path))
            continue;
        if (!strcmp(route->method, method)) {
            request->route = route;
            cut_out(route->path, request->path, request->parts);
            return true;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", route->method);
    }
    static const char old_path[] = "/api/sittings";
    if (!*allowed && !strncmp(request->path, old_path, sizeof old_path - 1)) {
        respond_error(request, MHD_HTTP_GONE, "gone", "%s is now /api/live-games", old_path);
        return false;
    }
    if (!*allowed) {
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found",
                      "there is nothing at this path; docs/api.md has them all");
        return false;
    }
    respond_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "bad-method", "this path takes %s",
                  allowed);
    respond_header(request, MHD_HTTP_HEADER_ALLOW, allowed);
    return false;
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

static void serve_page(Request *request, const char *method)
{
    Asset       found, *asset;
    const char *seen = request_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH);
    if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
        respond_error(request, MHD_HTTP_METHOD_NOT_ALLOWED, "bad-method",
                      "the page's files are only read");
        respond_header(request, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
        return;
    }
    if (!asset_find(request->http->page_folder, request->path, &found)) {
        respond_error(request, MHD_HTTP_NOT_FOUND, "not-found", "there is no such file");
        return;
    }
    bool is_known = seen && strstr(seen, found.etag);
    asset = malloc(sizeof *asset);
    if (!asset) {
        asset_release(&found);
        respond_with(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "", NULL);
        return;
    }
    *asset = found;
    if (is_known)
        asset->n_bytes = 0;
    struct MHD_Response *response =
        MHD_create_response_from_callback(asset->n_bytes, 16 << 10, read_asset, asset, free_asset);
    if (!response)
        free_asset(asset);
    respond_with(request, is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, found.type, response);
    respond_header(request, MHD_HTTP_HEADER_ETAG, found.etag);
    respond_header(request, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
}

/* ---- the life of a request ---------------------------------------------------------------- */

static bool is_page(const Request *request) { return strncmp(request->path, "/api/", 5) != 0; }

/* From this machine, by its name for itself: what a proxy here passes on comes from anywhere. */
static bool is_local(const Request *request, const struct sockaddr *peer, const char *host)
{
    static const char *const passed_on[] = {"Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"};
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        if (request_header(request, passed_on[i]))
            return false;
    return access_is_local(peer) && access_is_loopback(host);
}

/* Takes a slot for one more stream; false: answered with an error. */
static bool take_stream(Request *request)
{
    QuotaGrant  grant = quota_take(request->http->quota, &request->client, SLOT_STREAM);
    const char *why = NULL;
    request->is_stream = grant == QUOTA_GRANTED; /* on_completed gives the slot back */
    if (grant == QUOTA_CLIENT_FULL)
        why = "your address has too many streams open; close some";
    else if (grant == QUOTA_ALL_FULL)
        why = "too many streams are open";
    else if (atomic_load(request->http->is_leaving))
        why = SERVER_IS_LEAVING;
    if (!why)
        return true;
    respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full", "%s", why);
    respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "10");
    return false;
}

/* What can be told from the head of the request alone; false: refused and answered. */
static bool check_head(Request *request, const char *method)
{
    const char *host = request_header(request, MHD_HTTP_HEADER_HOST);
    const char *origin = request_header(request, MHD_HTTP_HEADER_ORIGIN);
    const char *site = request_header(request, "Sec-Fetch-Site");
    const char *type = request_header(request, MHD_HTTP_HEADER_CONTENT_TYPE);
    const char *length = request_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
    Http       *http = request->http;
    bool        has_body = !strcmp(method, "POST") || !strcmp(method, "PUT");
    if (!host || !access_knows_host(&http->hosts, host)) {
        respond_error(request, HTTP_MISDIRECTED, "bad-host",
                      "this server is not called that; see --host");
        return false;
    }
    if (origin && !access_knows_origin(origin, host)) {
        respond_error(request, MHD_HTTP_FORBIDDEN, "bad-origin",
                      "pages of other sites are not served");
        return false;
    }
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    request->is_local = peer && is_local(request, peer->client_addr, host);
    if (peer)
        request->client = access_client(peer->client_addr);
    if (is_page(request))
        return true;
    /* Browsers send no Origin with a plain GET, as of an image, but say this of it. */
    if (site && strcmp(site, "same-origin") && strcmp(site, "none")) {
        respond_error(request, MHD_HTTP_FORBIDDEN, "bad-origin",
                      "pages of other sites are not served");
        return false;
    }
    const char *wanted = !strcmp(method, "HEAD") ? "GET" : method;
    if (!find_route(request, wanted))
        return false;
    if (has_body && (!type || strncasecmp(type, "application/json", 16) ||
                     (type[16] && !strchr("; ", type[16])))) {
        respond_error(request, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "bad-type",
                      "say Content-Type: application/json");
        return false;
    }
    if (length && strtoull(length, NULL, 10) > MAX_BODY_BYTES) {
        respond_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too-large",
                      "a body has at most %d bytes", MAX_BODY_BYTES);
        return false;
    }
    if (quota_take(http->quota, &request->client, request->route->rate) != QUOTA_GRANTED) {
        char seconds[16];
        int  wait_s = quota_wait_s(http->quota, &request->client, request->route->rate);
        snprintf(seconds, sizeof seconds, "%d", wait_s);
        respond_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too-fast",
                      "wait %d s before asking for more", wait_s);
        respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
        return false;
    }
    return !request->route->is_stream || take_stream(request);
}

static void handle_elsewhere(void *context)
{
    Request *request = context;
    request->route->handle(request);
    response_is_ready(request);
}

static void handle(Request *request, const char *method)
{
    if (is_page(request)) {
        serve_page(request, method);
        return;
    }
    if (request->is_too_large) {
        respond_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too-large",
                      "a body has at most %d bytes", MAX_BODY_BYTES);
        return;
    }
    if (!strcmp(method, "POST") || !strcmp(method, "PUT")) {
        json_error_t where;
        request->body = json_loadb(request->text ? request->text : "", request->n_text,
                                   JSON_REJECT_DUPLICATES, &where);
        if (!request->body && json_was_short(&where)) {
            respond_no_memory(request);
            return;
        }
        if (!json_is_object(request->body)) {
            const char *why = request->body ? "it is something else"
                              : json_error_code(&where) == json_error_null_character
                                  ? "no text may have \\u0000 in it"
                                  : where.text;
            respond_error(request, MHD_HTTP_BAD_REQUEST, "bad-request",
                          "the body is not a JSON object: %.200s", why);
            return;
        }
    }
    if (!request->route->is_slow) {
        request->route->handle(request);
        return;
    }
    /* First asleep, then to work: the other way round it could be woken before it sleeps. */
    respond_later(request);
    PoolJob job = {.run = handle_elsewhere, .context = request, .client = request->client};
    if (!pool_add(request->http->readers, &job)) {
        respond_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "full",
                      "the server has too much to look up; ask again soon");
        respond_header(request, MHD_HTTP_HEADER_RETRY_AFTER, "2");
        response_is_ready(request);
    }
}

static enum MHD_Result send_answer(Request *request)
{
    if (!request->response)
        respond_no_memory(request); /* the response could not be built */
    if (!request->response)
        return MHD_NO;
    enum MHD_Result result =
        MHD_queue_response(request->connection, request->status, request->response);
    MHD_destroy_response(request->response);
    request->response = NULL;
    return result;
}

/* Keeps some more of the body; false when it is hopeless. */
static bool receive(Request *request, const char *data, size_t n_data)
{
    request->n_received += n_data;
    if (request->n_text + n_data > MAX_BODY_BYTES) {
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
                                     const char *method, void **context)
{
    Request *request = calloc(1, sizeof *request);
    *context = request;
    if (!request || !(request->path = strdup(url)))
        return MHD_NO;
    request->http = http;
    request->server = http->server;
    request->connection = connection;
    connection_set_phase(&http->connections, connection, PHASE_ASKING);
    if (check_head(request, method))
        return MHD_YES;
    connection_set_phase(&http->connections, connection, PHASE_RESPONDING);
    return send_answer(request);
}

/* Decides whether a new connection is accepted. */
static enum MHD_Result on_connect(void *context, const struct sockaddr *peer, socklen_t length)
{
    (void)length;
    Http  *http = context;
    Client client = access_client(peer);
    if (atomic_load(http->is_leaving) ||
        quota_take(http->quota, &client, RATE_CONNECT) != QUOTA_GRANTED)
        return MHD_NO;
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *n_data, void **request_context)
{
    (void)version;
    Request *request = *request_context;
    if (!request)
        return begin_request(context, connection, url, method, request_context);
    if (*n_data > 0) {
        bool is_good = receive(request, data, *n_data);
        *n_data = 0;
        return is_good ? MHD_YES : MHD_NO;
    }
    if (!request->is_whole) {
        request->is_whole = true;
        atomic_fetch_add(&request->http->n_responding, 1);
        connection_set_phase(&request->http->connections, connection, PHASE_RESPONDING);
        handle(request, method);
        if (request->is_waiting)
            return MHD_YES;
    }
    return send_answer(request);
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
    if (request->is_whole)
        atomic_fetch_sub(&http->n_responding, 1);
    if (request->is_stream)
        quota_give_back(http->quota, &request->client, SLOT_STREAM);
    if (request->response)
        MHD_destroy_response(request->response);
    json_decref(request->body);
    free(request->path);
    free(request->text);
    free(request);
    *request_context = NULL;
}

/* A NUL byte would end a path early; written out it is a path like any other, and there is nothing
 * at it. */
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
        http->max_connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, http->max_connections / 4 * 3,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_NOTIFY_CONNECTION,
        connections_notify, &http->connections, MHD_OPTION_END);
    return http->daemon || error_io(error, "the HTTP server could not be started");
}
