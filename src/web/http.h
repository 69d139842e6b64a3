/* Requests and answers. A handler is called when a request has come in whole; it answers, or says
 * that it will answer later from another thread. */
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

enum { MAX_BODY_BYTES = 256 << 10, MAX_PARTS = 3 };

typedef struct Server Server;

/* What the transport needs. Set up before http_start; the counters are for everybody. */
typedef struct Http {
    Server            *server; /* for handlers; the transport does not look into it */
    Quota             *quota;
    Pool              *readers; /* handlers of slow routes run here */
    const atomic_bool *is_leaving;
    const char        *page_folder; /* NULL: the page that was built in */
    Hosts              hosts;       /* that it may be reached by */
    unsigned           max_connections;
    int                listener;

    Connections        connections;
    struct MHD_Daemon *daemon;
    atomic_size_t      n_responding; /* requests that came in whole, streams among them */
} Http;

typedef struct Request {
    Http                  *http;
    Server                *server;
    struct MHD_Connection *connection;
    char                  *parts[MAX_PARTS]; /* what stands for the stars of the route, in `path` */
    json_t                *body;             /* an object, for POST and PUT */
    Client                 client;
    bool                   is_local; /* from this machine, and not through a proxy */

    /* The answer. */
    struct MHD_Response *response;
    unsigned             status;

    /* For http.c alone. */
    const struct Route *route;
    char               *path; /* cut into its parts once there is a route */
    char               *text;
    size_t              n_text, n_received;
    bool                is_whole, is_waiting, is_stream, is_too_large;
} Request;

typedef void Handler(Request *request);

typedef struct Route {
    const char *method, *path; /* "/api/live games/ * /moves" without the blanks */
    Handler    *handle;
    Resource    rate; /* that a request counts towards */
    bool        is_stream;
    bool        is_slow; /* may have much to add up, and is handled by another thread */
} Route;

/* routes.c: ends with a NULL method. */
extern const Route routes[];

/* ---- responses (response.c); each request gets one ---- */

/* Any response, with the headers that all have; NULL is out of memory. */
void respond_with(Request *request, unsigned status, const char *type,
                  struct MHD_Response *response);
void respond_json(Request *request, unsigned status,
                  json_t *json); /* takes `json` over; NULL is out of memory */
void respond_text(Request *request, unsigned status, const char *type,
                  char *text); /* takes `text` over: malloc */
void respond_error(Request *request, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An error with more to say about it; takes `more` over. */
void respond_error_with(Request *request, unsigned status, const char *code, const char *message,
                        json_t *more);
void respond_api_error(Request *request, const ApiError *api_error);
void respond_turf_error(Request *request, const TurfError *error); /* as api_error_from maps it */
void respond_no_memory(Request *request);
void respond_stream(Request *request, struct MHD_Response *response); /* NULL is out of memory */
void respond_header(Request *request, const char *name, const char *value); /* after the answer */
/* The handler returns without an answer; later, from any thread, answer_... and then
 * response_is_ready. */
void respond_later(Request *request);
void response_is_ready(Request *request);

/* ---- what was asked ---- */

/* Reads the body by json_unpack's format, refusing what is not in it; false: answered already. */
bool request_read(Request *request, const char *format, ...);
/* A parameter of the query, or NULL. */
const char *request_parameter(const Request *request, const char *name);
/* A parameter that is a whole number; false: answered already. */
bool request_number(Request *request, const char *name, int64_t min, int64_t max, int64_t *number);
const char *request_header(const Request *request, const char *name);

/* ---- the daemon ---- */

bool http_start(Http *http, bool is_ipv6, TurfError *error);

#endif
