/* The part of libmicrohttpd's interface that the API's handlers use, for src/wasm/transport.c:
 * requests and responses stay in memory. */
#ifndef TURF_WASM_MICROHTTPD_H
#define TURF_WASM_MICROHTTPD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;

enum MHD_Result { MHD_NO, MHD_YES };
enum MHD_ValueKind { MHD_HEADER_KIND, MHD_GET_ARGUMENT_KIND };
enum MHD_ConnectionNotificationCode { MHD_CONNECTION_NOTIFY_STARTED, MHD_CONNECTION_NOTIFY_CLOSED };

enum {
    MHD_HTTP_OK = 200,
    MHD_HTTP_CREATED = 201,
    MHD_HTTP_ACCEPTED = 202,
    MHD_HTTP_BAD_REQUEST = 400,
    MHD_HTTP_UNAUTHORIZED = 401,
    MHD_HTTP_FORBIDDEN = 403,
    MHD_HTTP_NOT_FOUND = 404,
    MHD_HTTP_METHOD_NOT_ALLOWED = 405,
    MHD_HTTP_CONFLICT = 409,
    MHD_HTTP_CONTENT_TOO_LARGE = 413,
    MHD_HTTP_UNPROCESSABLE_CONTENT = 422,
    MHD_HTTP_INTERNAL_SERVER_ERROR = 500,
    MHD_HTTP_SERVICE_UNAVAILABLE = 503
};

#define MHD_HTTP_HEADER_AUTHORIZATION "Authorization"
#define MHD_HTTP_HEADER_CACHE_CONTROL "Cache-Control"
#define MHD_HTTP_HEADER_CONTENT_DISPOSITION "Content-Disposition"
#define MHD_HTTP_HEADER_CONTENT_TYPE "Content-Type"
#define MHD_HTTP_HEADER_RETRY_AFTER "Retry-After"
#define MHD_HTTP_HEADER_WWW_AUTHENTICATE "WWW-Authenticate"

#define MHD_SIZE_UNKNOWN UINT64_MAX
#define MHD_CONTENT_READER_END_OF_STREAM ((ssize_t)-1)

typedef ssize_t (*MHD_ContentReaderCallback)(void *context, uint64_t position, char *out,
                                             size_t room);
typedef void (*MHD_ContentReaderFreeCallback)(void *context);

typedef struct MHD_Response *MHD_Made;
MHD_Made             MHD_create_response_from_buffer_with_free_callback(size_t n_bytes, void *bytes,
                                                                        void (*release)(void *));
struct MHD_Response *MHD_create_response_from_callback(uint64_t size, size_t block_size,
                                                       MHD_ContentReaderCallback     read,
                                                       void                         *context,
                                                       MHD_ContentReaderFreeCallback release);
void                 MHD_destroy_response(struct MHD_Response *response);
enum MHD_Result      MHD_add_response_header(struct MHD_Response *response, const char *name,
                                             const char *value);
enum MHD_Result      MHD_del_response_header(struct MHD_Response *response, const char *name,
                                             const char *value);
const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                        const char *name);
void        MHD_suspend_connection(struct MHD_Connection *connection);
void        MHD_resume_connection(struct MHD_Connection *connection);

#endif
