#include "no_mhd.h"

#include "fuzz.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_FIELDS = 64, MAX_STREAMED = 1 << 20 };

typedef size_t Unescape(void *context, struct MHD_Connection *connection, char *text);
typedef void  *LogTarget(void *context, const char *target, struct MHD_Connection *connection);

struct MHD_Daemon {
    MHD_AcceptPolicyCallback     accept;
    MHD_AccessHandlerCallback    handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback notify;
    Unescape                    *unescape;
    LogTarget                   *log_target;
    void *accept_context, *handle_context, *completed_context, *notify_context, *unescape_context;
    int   listener;
};

struct MHD_Response {
    int                           n_references;
    char                         *buffer;
    uint64_t                      size;
    size_t                        block;
    MHD_ContentReaderCallback     read;
    void                         *context;
    MHD_ContentReaderFreeCallback free;
    char                          type[64];
};

typedef struct Field {
    enum MHD_ValueKind kind;
    const char        *name, *value;
} Field;

struct MHD_Connection {
    struct MHD_Daemon       *daemon;
    struct sockaddr_in       peer;
    union MHD_ConnectionInfo info[3];
    void                    *socket_context;
    Field                    fields[MAX_FIELDS];
    size_t                   n_fields;
    struct MHD_Response     *response;
    unsigned                 status;
    pthread_mutex_t          lock;
    pthread_cond_t           resumed;
    bool                     is_suspended;
};

/* ---- what the server calls ---------------------------------------------------------------- */

struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
                                    void *accept_context, MHD_AccessHandlerCallback handle,
                                    void *handle_context, ...)
{
    (void)flags, (void)port;
    struct MHD_Daemon *daemon = calloc(1, sizeof *daemon);
    va_list            options;
    if (!daemon)
        return NULL;
    *daemon = (struct MHD_Daemon){.accept = accept,
                                  .accept_context = accept_context,
                                  .handle = handle,
                                  .handle_context = handle_context};
    va_start(options, handle_context);
    for (enum MHD_OPTION option; (option = va_arg(options, enum MHD_OPTION)) != MHD_OPTION_END;)
        switch (option) {
        case MHD_OPTION_NOTIFY_COMPLETED:
            daemon->completed = va_arg(options, MHD_RequestCompletedCallback);
            daemon->completed_context = va_arg(options, void *);
            break;
        case MHD_OPTION_NOTIFY_CONNECTION:
            daemon->notify = va_arg(options, MHD_NotifyConnectionCallback);
            daemon->notify_context = va_arg(options, void *);
            break;
        case MHD_OPTION_UNESCAPE_CALLBACK:
            daemon->unescape = va_arg(options, Unescape *);
            daemon->unescape_context = va_arg(options, void *);
            break;
        case MHD_OPTION_URI_LOG_CALLBACK:
            daemon->log_target = va_arg(options, LogTarget *);
            (void)va_arg(options, void *);
            break;
        case MHD_OPTION_LISTEN_SOCKET: daemon->listener = va_arg(options, int); break;
        case MHD_OPTION_CONNECTION_MEMORY_LIMIT: (void)va_arg(options, size_t); break;
        default: (void)va_arg(options, unsigned); break; /* sockets, threads, limits and times */
        }
    va_end(options);
    return daemon;
}

void MHD_stop_daemon(struct MHD_Daemon *daemon)
{
    close(daemon->listener);
    free(daemon);
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection      *connection,
                                                        enum MHD_ConnectionInfoType what, ...)
{
    switch ((int)what) {
    case MHD_CONNECTION_INFO_CLIENT_ADDRESS:
        connection->info[0].client_addr = (struct sockaddr *)&connection->peer;
        return &connection->info[0];
    case MHD_CONNECTION_INFO_CONNECTION_FD:
        connection->info[1].connect_fd = -1;
        return &connection->info[1];
    case MHD_CONNECTION_INFO_SOCKET_CONTEXT:
        connection->info[2].socket_context = connection->socket_context;
        return &connection->info[2];
    default: return NULL;
    }
}

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                        const char *name)
{
    for (size_t i = 0; i < connection->n_fields; i++)
        if (connection->fields[i].kind == kind && !strcasecmp(connection->fields[i].name, name))
            return connection->fields[i].value;
    return NULL;
}

int MHD_get_connection_values(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                              MHD_KeyValueIterator iterator, void *context)
{
    int n = 0;
    for (size_t i = 0; i < connection->n_fields; i++) {
        const Field *field = &connection->fields[i];
        if (field->kind != kind)
            continue;
        n++;
        if (iterator(context, kind, field->name, field->value) != MHD_YES)
            break;
    }
    return n;
}

void MHD_suspend_connection(struct MHD_Connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    connection->is_suspended = true;
    pthread_mutex_unlock(&connection->lock);
}

void MHD_resume_connection(struct MHD_Connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    connection->is_suspended = false;
    pthread_cond_signal(&connection->resumed);
    pthread_mutex_unlock(&connection->lock);
}

struct MHD_Response *
MHD_create_response_from_buffer_with_free_callback(size_t size, void *buffer,
                                                   MHD_ContentReaderFreeCallback free_buffer)
{
    claim(free_buffer == free, "no other way is used");
    struct MHD_Response *response = calloc(1, sizeof *response);
    if (response)
        *response = (struct MHD_Response){.n_references = 1, .buffer = buffer, .size = size};
    return response;
}

struct MHD_Response *MHD_create_response_from_callback(uint64_t size, size_t block,
                                                       MHD_ContentReaderCallback     read,
                                                       void                         *context,
                                                       MHD_ContentReaderFreeCallback free_context)
{
    struct MHD_Response *response = calloc(1, sizeof *response);
    if (response)
        *response = (struct MHD_Response){.n_references = 1,
                                          .size = size,
                                          .block = block,
                                          .read = read,
                                          .context = context,
                                          .free = free_context};
    return response;
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name,
                                        const char *value)
{
    claim(!strpbrk(value, "\r\n"), "a header with a line break: %s", name);
    if (!strcmp(name, MHD_HTTP_HEADER_CONTENT_TYPE))
        (void)snprintf(response->type, sizeof response->type, "%s", value);
    return MHD_YES;
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned status,
                                   struct MHD_Response *response)
{
    claim(!connection->response, "answered twice");
    connection->response = response;
    connection->status = status;
    response->n_references++;
    return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *response)
{
    if (--response->n_references > 0)
        return;
    if (response->free)
        response->free(response->context);
    free(response->buffer);
    free(response);
}

size_t MHD_http_unescape(char *text)
{
    char *out = text;
    for (const char *at = text; *at; at++) {
        unsigned byte;
        if (*at == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2]) &&
            sscanf(at + 1, "%2x", &byte) == 1) {
            *out++ = (char)byte;
            at += 2;
        } else {
            *out++ = *at;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

/* ---- what a client does ------------------------------------------------------------------- */

struct MHD_Connection *client_new(struct MHD_Daemon *daemon, uint32_t number)
{
    struct MHD_Connection *client = calloc(1, sizeof *client);
    claim(client, "out of memory");
    client->daemon = daemon;
    client->peer = (struct sockaddr_in){.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(0x7f000000 | (number & 0xffffff))};
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->resumed, NULL);
    claim(daemon->accept(daemon->accept_context, (struct sockaddr *)&client->peer,
                         sizeof client->peer) == MHD_YES,
          "a new address is not welcome");
    daemon->notify(daemon->notify_context, client, &client->socket_context,
                   MHD_CONNECTION_NOTIFY_STARTED);
    return client;
}

void client_free(struct MHD_Connection *client)
{
    client->daemon->notify(client->daemon->notify_context, client, &client->socket_context,
                           MHD_CONNECTION_NOTIFY_CLOSED);
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->resumed);
    free(client);
}

/* The next line, without its end; NULL if there is none. */
static char *cut_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *at = end + 1;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

static void add_field(struct MHD_Connection *client, enum MHD_ValueKind kind, const char *name,
                      const char *value)
{
    if (client->n_fields < MAX_FIELDS)
        client->fields[client->n_fields++] = (Field){kind, name, value};
}

static void unescape(struct MHD_Connection *client, char *text)
{
    if (text)
        (void)client->daemon->unescape(client->daemon->unescape_context, client, text);
}

static void read_query(struct MHD_Connection *client, char *query)
{
    for (char *next, *pair = query; pair; pair = next) {
        next = strchr(pair, '&');
        if (next)
            *next++ = '\0';
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        unescape(client, pair);
        unescape(client, value);
        add_field(client, MHD_GET_ARGUMENT_KIND, pair, value);
    }
}

/* The head of a request, cut up in its place; false if it is none. */
static bool read_head(struct MHD_Connection *client, char **at, char **method, char **path,
                      char **version)
{
    char *line = cut_line(at);
    if (!line || !(*path = strchr(line, ' ')) || !(*version = strchr(*path + 1, ' ')))
        return false;
    *method = line;
    *(*path)++ = '\0';
    *(*version)++ = '\0';
    client->daemon->log_target(NULL, *path, client);
    char *query = strchr(*path, '?');
    if (query) {
        *query++ = '\0';
        read_query(client, query);
    }
    unescape(client, *path);
    while ((line = cut_line(at)) && *line) {
        char *colon = strchr(line, ':');
        if (!colon)
            return false;
        *colon++ = '\0';
        add_field(client, MHD_HEADER_KIND, line, colon + strspn(colon, " \t"));
    }
    return line != NULL;
}

/* The body comes in two pieces, as over a slow line. False: hung up. */
static bool hand_over(struct MHD_Connection *client, const char *path, const char *method,
                      const char *version, const char *body, size_t n_body, void **context)
{
    struct MHD_Daemon *daemon = client->daemon;
    size_t             n_data = 0;
#define HANDLE(data, n)                                                                            \
    daemon->handle(daemon->handle_context, client, path, method, version, data, n, context)
    if (HANDLE(NULL, &n_data) != MHD_YES)
        return false;
    for (size_t done = 0; !client->response && done < n_body;) {
        size_t n_piece = done == 0 ? (n_body + 1) / 2 : n_body - done;
        n_data = n_piece;
        if (HANDLE(body + done, &n_data) != MHD_YES)
            return false;
        claim(n_data == 0, "some of the body was left");
        done += n_piece;
    }
    for (int round = 0; !client->response; round++) {
        claim(round < 2, "no answer, and nobody is waited for");
        n_data = 0;
        if (HANDLE(NULL, &n_data) != MHD_YES)
            return false;
        pthread_mutex_lock(&client->lock);
        while (client->is_suspended)
            pthread_cond_wait(&client->resumed, &client->lock);
        pthread_mutex_unlock(&client->lock);
    }
#undef HANDLE
    return true;
}

static bool is_suspended(struct MHD_Connection *client)
{
    pthread_mutex_lock(&client->lock);
    bool is = client->is_suspended;
    pthread_mutex_unlock(&client->lock);
    return is;
}

/* What the answer says, until it waits for something. */
static void collect(struct MHD_Connection *client, Exchange *exchange)
{
    struct MHD_Response *response = client->response;
    FILE                *out = open_memstream(&exchange->body, &exchange->n_body);
    claim(out, "out of memory");
    exchange->status = client->status;
    (void)snprintf(exchange->type, sizeof exchange->type, "%s", response->type);
    if (!response->read)
        fwrite(response->buffer, 1, response->size, out);
    char *room = response->read ? malloc(response->block) : NULL;
    for (uint64_t done = 0;
         response->read && done < response->size && done < MAX_STREAMED && !is_suspended(client);) {
        ssize_t n = response->read(response->context, done, room, response->block);
        if (n < 0)
            break;
        fwrite(room, 1, (size_t)n, out);
        done += (uint64_t)n;
    }
    free(room);
    fclose(out);
}

/* The request with CR LF in its head, and its length if it does not say; freed by the caller. */
static char *to_wire(const char *text, size_t length, size_t *n_wire)
{
    char       *wire = malloc(2 * length + 64), *at = wire;
    const char *end = memmem(text, length, "\n\n", 2);
    size_t      n_head = end ? (size_t)(end + 1 - text) : length;
    claim(wire, "out of memory");
    for (size_t i = 0; i < n_head; i++) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
            *at++ = '\r';
        *at++ = text[i];
    }
    if (end) {
        size_t n_body = length - n_head - 1;
        if (text[0] == 'P' && !strcasestr(text, "\nContent-Length:"))
            at += sprintf(at, "Content-Length: %zu\r\n", n_body);
        at = stpcpy(at, "\r\n");
        memcpy(at, end + 2, n_body);
        at += n_body;
    }
    *at = '\0';
    *n_wire = (size_t)(at - wire);
    return wire;
}

bool client_ask(struct MHD_Connection *client, const char *text, size_t length, Exchange *exchange)
{
    char *copy = to_wire(text, length, &length), *at = copy, *method, *path, *version;
    void *context = NULL;
    claim(copy, "out of memory");
    client->n_fields = 0;
    *exchange = (Exchange){.status = 0};
    bool is_request = strlen(copy) == length && read_head(client, &at, &method, &path, &version);
    if (is_request) {
        bool is_heard =
            hand_over(client, path, method, version, at, (size_t)(copy + length - at), &context);
        if (client->response)
            collect(client, exchange);
        if (client->response)
            MHD_destroy_response(client->response);
        client->response = NULL;
        client->is_suspended = false;
        client->daemon->completed(client->daemon->completed_context, client, &context,
                                  is_heard ? MHD_REQUEST_TERMINATED_COMPLETED_OK
                                           : MHD_REQUEST_TERMINATED_WITH_ERROR);
    }
    free(copy);
    return is_request;
}

void exchange_release(Exchange *exchange) { free(exchange->body); }
