/* The HTTP side of 'turf join'; see join_http.h.
 *
 * What is said waits in the outbox and goes out in the next POST; a few of them may be under way,
 * so that the answers of one game do not wait for those of another. A POST that fails is sent again
 * for as long as its session lasts: the server ignores what it knows.
 *
 * The stream is continued after its last event when it breaks. Pauses between tries double, up to
 * half a minute, and vary, so that the bots of a class do not come back all at once. */
#include "cmd/join_http.h"

#include "base/checked_json.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/utf8.h"
#include "cmd/console.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_POSTS = 4,
    MAX_BODY_BYTES = 200 << 10, /* the server takes 256 KiB */
    MAX_EVENT_BYTES = 1 << 20,  /* more is no server of ours */
    MAX_REPLY_BYTES = 4 << 10,  /* of an error */
    SILENCE_S = 15,             /* the server pings every two seconds */
    CONNECT_S = 10,
    POST_S = 10,
    FIRST_PAUSE_MS = 200,
    MAX_PAUSE_MS = 30000,
    STEP_MS = 100
};

typedef struct Text {
    char  *bytes;
    size_t length;
} Text;

typedef struct Message {
    struct Message *next;
    const char     *kind; /* the list of the body that it belongs to */
    json_t         *json;
    size_t          size;
} Message;

typedef struct Post {
    CURL   *curl;
    char   *body; /* NULL: idle */
    Text    reply;
    bool    is_sending;
    int64_t retry_ns;
} Post;

struct JoinHttp {
    JoinTerms          terms;
    CURLM             *multi;
    struct curl_slist *stream_headers, *post_headers;
    char              *post_url;

    CURL   *stream; /* NULL: closed */
    Text    received, reply;
    char    last_id[64], session[64];
    bool    is_open, was_open; /* was_open: ever */
    int64_t retry_ns, pause_ms;
    char    event_type[32];
    Text    event_data;

    Post posts[N_POSTS];

    pthread_mutex_t lock; /* guards the outbox */
    Message        *first, **last;
    bool            is_leaving, said_leaving;
};

/* ---- texts ------------------------------------------------------------------------------ */

static void text_clear(Text *text)
{
    free(text->bytes);
    *text = (Text){0};
}

static void text_add(Text *text, const char *bytes, size_t n)
{
    text->bytes = or_die(realloc(text->bytes, text->length + n + 1));
    memcpy(text->bytes + text->length, bytes, n);
    text->length += n;
    text->bytes[text->length] = '\0';
}

/* ---- the outbox ------------------------------------------------------------------------- */

static void say(JoinHttp *http, const char *kind, json_t *json, size_t size)
{
    Message *message = or_die(calloc(1, sizeof *message));
    *message = (Message){.kind = kind, .json = or_die(json), .size = size};
    pthread_mutex_lock(&http->lock);
    *http->last = message;
    http->last = &message->next;
    pthread_mutex_unlock(&http->lock);
    curl_multi_wakeup(http->multi);
}

enum { SMALL_BYTES = 64 };

void join_say_pong(JoinHttp *http, json_int_t ping)
{
    say(http, "pongs", json_integer(ping), SMALL_BYTES);
}

void join_say_ready(JoinHttp *http, json_int_t game)
{
    say(http, "ready", json_integer(game), SMALL_BYTES);
}

void join_say_fault(JoinHttp *http, json_int_t game, TurfForfeit reason, const char *text)
{
    say(http, "faults",
        json_pack("{s:I,s:s,s:o}", "game", game, "reason", turf_forfeit_name(reason), "text",
                  json_sentence(text)),
        SMALL_BYTES + strlen(text));
}

void join_say_answer(JoinHttp *http, json_int_t game, const char *line, size_t length)
{
    char *copy = or_die(malloc(length + 1));
    memcpy(copy, line, length);
    copy[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\0')
            copy[i] = '?';
    utf8_replace_invalid(copy, length);
    json_t *json = or_die(json_pack("{s:I,s:s}", "game", game, "line", copy));
    char   *text = or_die(json_dumps(json, JSON_COMPACT));
    size_t  size = strlen(text);
    free(text);
    free(copy);
    if (size < MAX_BODY_BYTES) {
        say(http, "answers", json, size);
        return;
    }
    json_decref(json);
    join_say_fault(http, game, TURF_FLOOD, "a line that is too long");
}

void join_say_leaving(JoinHttp *http)
{
    pthread_mutex_lock(&http->lock);
    http->is_leaving = true;
    pthread_mutex_unlock(&http->lock);
}

static void forget_outbox(JoinHttp *http)
{
    pthread_mutex_lock(&http->lock);
    for (Message *message = http->first, *next; message; message = next) {
        next = message->next;
        json_decref(message->json);
        free(message);
    }
    http->first = NULL;
    http->last = &http->first;
    http->said_leaving = false;
    pthread_mutex_unlock(&http->lock);
}

/* The body of the next POST, freed by the caller; NULL: there is nothing to say. */
static char *take_body(JoinHttp *http)
{
    json_t *body = NULL;
    size_t  size = 0;
    pthread_mutex_lock(&http->lock);
    bool says_leaving = http->is_leaving && !http->said_leaving;
    if (http->first || says_leaving)
        body = or_die(json_pack("{s:s}", "session", http->session));
    for (Message *message = http->first;
         message && (size == 0 || size + message->size < MAX_BODY_BYTES); message = http->first) {
        json_t *list = json_object_get(body, message->kind);
        if (!list) {
            list = or_die(json_array());
            (void)json_object_set_new(body, message->kind, list);
        }
        size += message->size;
        (void)json_array_append_new(list, message->json);
        http->first = message->next;
        free(message);
    }
    if (!http->first)
        http->last = &http->first;
    if (says_leaving)
        (void)json_object_set_new(body, "is_leaving", json_true());
    http->said_leaving |= says_leaving;
    pthread_mutex_unlock(&http->lock);
    char *text = body ? or_die(json_dumps(body, JSON_COMPACT)) : NULL;
    json_decref(body);
    return text;
}

bool join_http_is_quiet(JoinHttp *http)
{
    pthread_mutex_lock(&http->lock);
    bool is_quiet = !http->first && (!http->is_leaving || http->said_leaving);
    pthread_mutex_unlock(&http->lock);
    for (int i = 0; i < N_POSTS; i++)
        is_quiet = is_quiet && !http->posts[i].body;
    return is_quiet;
}

/* ---- events ----------------------------------------------------------------------------- */

static void copy_value(char *to, size_t room, const char *value)
{
    if (strlen(value) < room)
        strcpy(to, value);
}

/* An event is whole. */
static void finish_event(JoinHttp *http)
{
    TurfError unused;
    json_t   *data = http->event_data.bytes ? json_read(http->event_data.bytes, 0, &unused) : NULL;
    if (data && *http->event_type) {
        const char *session = json_string_value(json_object_get(data, "session"));
        if (!strcmp(http->event_type, "hello") && session) {
            forget_outbox(http);
            copy_value(http->session, sizeof http->session, session);
        }
        http->pause_ms = 0;
        http->terms.on_event(http->terms.context, http->event_type, data);
    }
    json_decref(data);
    text_clear(&http->event_data);
    http->event_type[0] = '\0';
}

static void take_line(JoinHttp *http, const char *line)
{
    if (!*line)
        finish_event(http);
    else if (!strncmp(line, "id: ", 4))
        copy_value(http->last_id, sizeof http->last_id, line + 4);
    else if (!strncmp(line, "event: ", 7))
        copy_value(http->event_type, sizeof http->event_type, line + 7);
    else if (!strncmp(line, "data: ", 6))
        text_add(&http->event_data, line + 6, strlen(line + 6));
}

static size_t receive_stream(char *bytes, size_t size, size_t n, void *context)
{
    JoinHttp *http = context;
    long      status = 0;
    n *= size;
    curl_easy_getinfo(http->stream, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {
        if (http->reply.length + n < MAX_REPLY_BYTES)
            text_add(&http->reply, bytes, n);
        return n;
    }
    if (!http->is_open) {
        http->is_open = http->was_open = true;
        http->terms.on_change(http->terms.context, true, "");
    }
    if (http->received.length + n > MAX_EVENT_BYTES)
        return 0;
    text_add(&http->received, bytes, n);
    char *line = http->received.bytes;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        take_line(http, line);
    }
    size_t n_used = (size_t)(line - http->received.bytes);
    http->received.length -= n_used;
    memmove(http->received.bytes, line, http->received.length + 1);
    return n;
}

static size_t receive_reply(char *bytes, size_t size, size_t n, void *context)
{
    Text *reply = context;
    if (reply->length + size * n < MAX_REPLY_BYTES)
        text_add(reply, bytes, size * n);
    return size * n;
}

/* ---- the stream ------------------------------------------------------------------------- */

static void set_common(JoinHttp *http, CURL *curl)
{
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "turf " TURF_VERSION);
    if (http->terms.cacert)
        curl_easy_setopt(curl, CURLOPT_CAINFO, http->terms.cacert);
}

static void open_stream(JoinHttp *http)
{
    char *url, *last = NULL;
    http->stream = or_die(curl_easy_init());
    bool continues = *http->session && *http->last_id;
    if (continues)
        url = format_text("%sapi/league/join?games=%d&session=%s", http->terms.base,
                          http->terms.n_games, http->session);
    else
        url = format_text("%sapi/league/join?games=%d", http->terms.base, http->terms.n_games);
    set_common(http, http->stream);
    curl_easy_setopt(http->stream, CURLOPT_URL, url);
    curl_slist_free_all(http->stream_headers);
    http->stream_headers = NULL;
    char *authorization = format_text("Authorization: Bearer %s", http->terms.token);
    http->stream_headers = curl_slist_append(NULL, authorization);
    if (continues) {
        last = format_text("Last-Event-ID: %s", http->last_id);
        http->stream_headers = curl_slist_append(http->stream_headers, last);
    }
    curl_easy_setopt(http->stream, CURLOPT_HTTPHEADER, or_die(http->stream_headers));
    curl_easy_setopt(http->stream, CURLOPT_WRITEFUNCTION, receive_stream);
    curl_easy_setopt(http->stream, CURLOPT_WRITEDATA, http);
    curl_easy_setopt(http->stream, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(http->stream, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_S);
    text_clear(&http->received);
    text_clear(&http->reply);
    text_clear(&http->event_data);
    http->event_type[0] = '\0';
    curl_multi_add_handle(http->multi, http->stream);
    free(last);
    free(url);
    free(authorization);
}

/* Doubles, and varies by half. */
static void plan_retry(JoinHttp *http)
{
    http->pause_ms = http->pause_ms ? 2 * http->pause_ms : FIRST_PAUSE_MS;
    if (http->pause_ms > MAX_PAUSE_MS)
        http->pause_ms = MAX_PAUSE_MS;
    int64_t varied_ms = http->pause_ms / 2 + clock_ns() / 1000 % http->pause_ms;
    http->retry_ns = clock_ns() + varied_ms * 1000000;
}

/* The sentence of an error that the server answered with. */
static void read_reply(const Text *reply, long status, char *text, size_t room)
{
    TurfError   unused;
    json_t     *json = reply->bytes ? json_read(reply->bytes, 0, &unused) : NULL;
    const char *message = json_string_value(json_object_get(json, "message"));
    if (message)
        (void)snprintf(text, room, "%s", message);
    else if (status >= 300 && status < 400)
        (void)snprintf(text, room, "the server says that it is elsewhere (%ld); type that address",
                       status);
    else
        (void)snprintf(text, room, "the server answered with status %ld", status);
    json_decref(json);
}

static bool may_help_later(long status) { return status == 429 || status >= 500 || status == 200; }

/* The stream has ended; false: for good. */
static bool end_stream(JoinHttp *http, CURLcode result, TurfError *error)
{
    char why[320] = "the server closed the connection";
    long status = 0;
    bool is_first = !http->was_open;
    curl_easy_getinfo(http->stream, CURLINFO_RESPONSE_CODE, &status);
    if (status && status != 200)
        read_reply(&http->reply, status, why, sizeof why);
    else if (result != CURLE_OK)
        (void)snprintf(why, sizeof why, "%s: %s", http->terms.base, curl_easy_strerror(result));
    curl_multi_remove_handle(http->multi, http->stream);
    curl_easy_cleanup(http->stream);
    http->stream = NULL;
    bool was_open = http->is_open;
    http->is_open = false;
    if (status ? !may_help_later(status) : is_first)
        return error_io(error, "%s", why);
    plan_retry(http);
    if (was_open || is_first)
        http->terms.on_change(http->terms.context, false, why);
    return true;
}

void join_http_forget_session(JoinHttp *http)
{
    http->session[0] = http->last_id[0] = '\0';
    forget_outbox(http);
}

/* ---- POSTs ------------------------------------------------------------------------------ */

static void send_post(JoinHttp *http, Post *post)
{
    text_clear(&post->reply);
    curl_easy_setopt(post->curl, CURLOPT_POSTFIELDS, post->body);
    curl_easy_setopt(post->curl, CURLOPT_POSTFIELDSIZE, (long)strlen(post->body));
    curl_multi_add_handle(http->multi, post->curl);
    post->is_sending = true;
}

static void init_posts(JoinHttp *http)
{
    for (int i = 0; i < N_POSTS; i++) {
        CURL *curl = http->posts[i].curl = or_die(curl_easy_init());
        set_common(http, curl);
        curl_easy_setopt(curl, CURLOPT_URL, http->post_url);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, http->post_headers);
        curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)POST_S);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_reply);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &http->posts[i].reply);
    }
}

static void drop_post(Post *post)
{
    free(post->body);
    post->body = NULL;
}

static void end_post(JoinHttp *http, Post *post, CURLcode result)
{
    enum { RETRY_MS = 200 };
    long status = 0;
    curl_easy_getinfo(post->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(http->multi, post->curl);
    post->is_sending = false;
    post->retry_ns = clock_ns() + RETRY_MS * INT64_C(1000000);
    bool is_current = *http->session && strstr(post->body, http->session);
    if (!is_current || (result == CURLE_OK && status != 429 && status < 500))
        drop_post(post);
}

static void send_posts(JoinHttp *http)
{
    for (int i = 0; i < N_POSTS; i++) {
        Post *post = &http->posts[i];
        if (post->is_sending || (post->body && clock_ns() < post->retry_ns))
            continue;
        if (post->body && !(*http->session && strstr(post->body, http->session)))
            drop_post(post);
        if (!post->body && *http->session)
            post->body = take_body(http);
        if (post->body)
            send_post(http, post);
    }
}

/* ---- all -------------------------------------------------------------------------------- */

JoinHttp *join_http_new(const JoinTerms *terms)
{
    JoinHttp *http = or_die(calloc(1, sizeof *http));
    curl_global_init(CURL_GLOBAL_DEFAULT);
    http->terms = *terms;
    http->last = &http->first;
    pthread_mutex_init(&http->lock, NULL);
    http->multi = or_die(curl_multi_init());
    http->post_url = format_text("%sapi/league/join/answers", terms->base);
    char *authorization = format_text("Authorization: Bearer %s", terms->token);
    http->post_headers = curl_slist_append(NULL, authorization);
    http->post_headers = curl_slist_append(http->post_headers, "Content-Type: application/json");
    http->post_headers = or_die(curl_slist_append(http->post_headers, "Expect:"));
    free(authorization);
    init_posts(http);
    return http;
}

void join_http_free(JoinHttp *http)
{
    forget_outbox(http);
    for (int i = 0; i < N_POSTS; i++) {
        Post *post = &http->posts[i];
        if (post->is_sending)
            curl_multi_remove_handle(http->multi, post->curl);
        curl_easy_cleanup(post->curl);
        text_clear(&post->reply);
        free(post->body);
    }
    if (http->stream) {
        curl_multi_remove_handle(http->multi, http->stream);
        curl_easy_cleanup(http->stream);
    }
    curl_multi_cleanup(http->multi);
    curl_slist_free_all(http->stream_headers);
    curl_slist_free_all(http->post_headers);
    text_clear(&http->received);
    text_clear(&http->reply);
    text_clear(&http->event_data);
    free(http->post_url);
    pthread_mutex_destroy(&http->lock);
    free(http);
    curl_global_cleanup();
}

/* False: the stream has ended for good. */
static bool take_ended(JoinHttp *http, TurfError *error)
{
    int n_left;
    for (CURLMsg *message; (message = curl_multi_info_read(http->multi, &n_left));) {
        CURL    *curl = message->easy_handle;
        CURLcode result = message->data.result;
        if (curl == http->stream && !end_stream(http, result, error))
            return false;
        for (int i = 0; i < N_POSTS; i++)
            if (curl == http->posts[i].curl)
                end_post(http, &http->posts[i], result);
    }
    return true;
}

bool join_http_step(JoinHttp *http, TurfError *error)
{
    int n_running;
    if (!http->stream && clock_ns() >= http->retry_ns)
        open_stream(http);
    send_posts(http);
    curl_multi_perform(http->multi, &n_running);
    if (!take_ended(http, error))
        return false;
    send_posts(http); /* what the events asked for, before waiting */
    curl_multi_poll(http->multi, NULL, 0, STEP_MS, NULL);
    return true;
}
