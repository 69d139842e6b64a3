/* HTTP: requests, responses and the daemon.
 *
 * A handler is called when a request has come in completely. It responds, or calls respond_later
 * and responds from another thread. */
#ifndef TURF_WEB_HTTP_H
#define TURF_WEB_HTTP_H

#include "turf.h"
#include "web/access.h"
#include "web/api_error.h"
#include "web/connections.h"
#include "web/pool.h"
#include "web/quota.h"

#include <jansson.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdatomic.h>

/* Of requests that hand in a file, which count towards RATE_UPLOAD, a body may be larger. */
enum { MAX_BODY_BYTES = 256 << 10, MAX_UPLOAD_BYTES = 5 << 20, MAX_PARTS = 3 };

typedef struct Server Server;

/* The transport. Set up before http_start. */
typedef struct Http {
    Server            *server; /* passed on to handlers; the transport does not look into it */
    Quota             *quota;
    Pool              *readers; /* runs the handlers of slow routes */
    const atomic_bool *is_leaving;
    const char        *page_folder; /* NULL: the page that was built in */
    const char        *one_file;    /* the page in one file, to download; may be NULL */
    Hosts              hosts;
    Proxies            proxies;
    unsigned           max_connections;
    int                listener;

    Connections        connections;
    struct MHD_Daemon *daemon;
    atomic_size_t      n_responding; /* complete requests being answered, streams included */
} Http;

typedef struct Request {
    Http                  *http;
    Server                *server;
    struct MHD_Connection *connection;
    char                  *parts[MAX_PARTS]; /* of the path, matched by the stars of the route */
    json_t                *body;             /* an object, for POST and PUT */
    Client                 client;

    struct MHD_Response *response;
    unsigned             status;

    /* For http.c alone. */
    const struct Route *route;
    char               *path; /* `parts` point into it */
    char               *text; /* of the body */
    size_t              n_text, n_received, n_sent;
    bool                is_complete, is_waiting, is_stream, is_upload, is_too_large;
} Request;

typedef void Handler(Request *request);

typedef struct Route {
    const char *method, *path; /* a star stands for one part: "/api/history/?", with a star */
    Handler    *handle;
    Resource    rate; /* that the request counts towards */
    bool        is_stream;
    bool        is_slow; /* reads or writes much: handled by a thread of `readers` */
} Route;

/* routes.c and league_routes.c; both end with a NULL method. */
extern const Route routes[], league_routes[];

bool http_start(Http *http, bool is_ipv6, TurfError *error);

/* ---- responses (response.c) ----
 *
 * A handler makes exactly one. If memory runs out while it is made, the request is answered with
 * 500 or the connection is closed. */

/* Takes any response over and adds the headers that all have. NULL is out of memory. */
void respond_with(Request *request, unsigned status, const char *type,
                  struct MHD_Response *response);
/* These take over what they send. NULL is out of memory. */
void respond_json(Request *request, unsigned status, json_t *json);
/* Lets the page show the response in a frame: a document with its own styles and no scripts. */
void respond_framed(Request *request);
/* The same for a frame in anybody's page. */
void respond_framed_anywhere(Request *request);
void respond_text(Request *request, unsigned status, const char *type, char *text);
void respond_stream(Request *request, struct MHD_Response *response);
/* Adds a header to the response. */
void respond_header(Request *request, const char *name, const char *value);

/* Errors. They return false, so that a check can end with one. */
bool respond_error(Request *request, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* With a Retry-After header. */
bool respond_retry(Request *request, unsigned status, const char *code, int retry_after_s,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* With more members, which are taken over. */
bool respond_error_with(Request *request, unsigned status, const char *code, const char *message,
                        json_t *more);
bool respond_api_error(Request *request, const ApiError *api_error);
bool respond_turf_error(Request *request, const TurfError *error); /* as api_error_from maps it */
bool respond_no_memory(Request *request);
bool respond_no_token(Request *request, const char *message);

/* Suspends the connection: the handler may return without a response. Another thread makes it
 * later, and then calls response_is_ready. */
void respond_later(Request *request);
void response_is_ready(Request *request);

/* ---- reading requests (response.c) ---- */

/* Reads the body by a format of json_unpack, an object of s, o, b and I. False: answered with an
 * error, as for unknown members. */
bool request_read(Request *request, const char *format, ...);
/* The body of an upload. */
const char *request_file(const Request *request, size_t *n_bytes);
/* A parameter of the query, or NULL. */
const char *request_parameter(const Request *request, const char *name);
/* Reads a parameter that is an integer, if it is there. False: answered with an error. */
bool request_number(Request *request, const char *name, int64_t min, int64_t max, int64_t *number);
const char *request_header(const Request *request, const char *name);
/* The token of "Authorization: Bearer TOKEN", or NULL. */
const char *request_token(const Request *request);

#endif
