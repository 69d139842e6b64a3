/* turf join: a bot at home in a league elsewhere. The bot's program runs here, the league is played
 * by somebody's 'turf serve', and everything goes through connections that this program opens.
 *
 * Threads: the main thread has the connection (join_http.c); each game has one (join_games.c). */
#include "base/error.h"
#include "bots/command_line.h"
#include "bots/home_bots.h"
#include "cmd/bot_terms.h"
#include "cmd/console.h"
#include "cmd/join_games.h"
#include "cmd/join_http.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the team's link -------------------------------------------------------------------- */

static const char mark[] = "#/league/join/";

typedef struct Link {
    char *base, *token;
} Link;

static bool is_token(const char *text)
{
    enum { N_DIGITS = 32 };
    return strlen(text) == N_DIGITS && strspn(text, "0123456789abcdef") == N_DIGITS;
}

/* The first line of a file, or of standard input for "-". */
static char *read_first_line(const char *path)
{
    char *text = read_file(path);
    text[strcspn(text, "\r\n \t")] = '\0';
    return text;
}

/* Other users of this machine can read the command line of a program, so the token is taken off. */
static void hide_token(const char *typed)
{
    char *at = strstr((char *)(uintptr_t)typed, mark);
    for (at = at ? at + strlen(mark) : NULL; at && *at; at++)
        *at = '*';
}

static Link read_link(const char *typed, const char *token_file)
{
    char  quoted[ERROR_QUOTE_BYTES];
    char *link = strcmp(typed, "-") ? or_die(strdup(typed)) : read_first_line("-");
    char *at = strchr(link, '#');
    if (strncmp(link, "http://", 7) != 0 && strncmp(link, "https://", 8) != 0)
        die("the link of a team begins with http:// or https://, and '%s' does not; the owner of "
            "the league gives it out",
            error_quote(quoted, link));
    char *token = NULL;
    if (at && !strncmp(at, mark, strlen(mark)))
        token = or_die(strdup(at + strlen(mark)));
    if (token_file) {
        free(token);
        token = read_first_line(token_file);
        const char *in_link = strstr(token, mark); /* the file may have the whole link */
        if (in_link)
            memmove(token, in_link + strlen(mark), strlen(in_link + strlen(mark)) + 1);
    }
    if (!token)
        die("the link has no token; type the whole link, like http://HOST/%s0123..., or give "
            "--token-file",
            mark);
    if (!is_token(token))
        die("the token must have 32 digits from 0 to 9 and a to f; copy the whole link");
    link[strcspn(link, "#?")] = '\0';
    size_t length = strlen(link);
    Link   read = {.base = format_text("%s%s", link, link[length - 1] == '/' ? "" : "/"),
                   .token = token};
    free(link);
    return read;
}

/* ---- events ----------------------------------------------------------------------------- */

typedef struct JoinSession {
    const Settings *settings;
    Settings        bot_settings; /* the bot's terms point into it */
    const char     *base, *command;
    int             n_games;
    JoinHttp       *http;
    TurfPlayer     *bot; /* NULL until the server has said which game it is */
    JoinGames      *games;
    bool            is_leaving;
    bool            is_over;
    char            farewell[240]; /* why it is over; "": as we wished */
    double          lag_ms;        /* -1: not known */
} JoinSession;

static void tell(const JoinSession *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(const JoinSession *session, const char *format, ...)
{
    TurfError message;
    va_list   arguments;
    va_start(arguments, format);
    (void)error_vset(&message, TURF_ERROR_IO, format, arguments);
    va_end(arguments);
    if (!session->settings->is_quiet)
        fprintf(stderr, "turf join: %s\n", message.text);
}

static void open_bot(JoinSession *session, const char *game_name)
{
    TurfError       error;
    const TurfGame *game = turf_game_find(game_name, &error);
    char           *spec = format_text("bot:%s", session->command);
    session->bot_settings = *session->settings;
    if (!session->bot_settings.sandbox)
        session->bot_settings.sandbox = "off"; /* one's own bot on one's own machine */
    session->bot = game ? turf_player_open(game, spec, &error) : NULL;
    if (!session->bot)
        die("%s", error.text);
    set_bot_terms(&session->bot, 1, &session->bot_settings);
    session->games =
        join_games_new(session->bot, session->n_games, session->http, session->settings->is_quiet);
    free(spec);
}

/* A new session: what was played before is over. */
static void greet(JoinSession *session, const json_t *data)
{
    const char *game = json_string_value(json_object_get(data, "game"));
    const char *team = json_string_value(json_object_get(data, "team"));
    if (!game || !team)
        die("%s is no server of turf", session->base);
    if (!session->bot)
        open_bot(session, game);
    else if (strcmp(session->bot->game->name, game) != 0)
        die("the league is one of %s now, and was one of %s; start again", game,
            session->bot->game->name);
    join_games_drop(session->games);
    tell(session, "%s plays %s at %s (version %lld, %d game%s at a time)", team, game,
         session->base, (long long)json_integer_value(json_object_get(data, "version")),
         session->n_games, session->n_games > 1 ? "s" : "");
    if (session->is_leaving)
        join_say_leaving(session->http);
}

static void part(JoinSession *session, const json_t *data)
{
    const char *reason = json_string_value(json_object_get(data, "reason"));
    if (json_is_true(json_object_get(data, "is_final"))) {
        session->is_over = true;
        (void)snprintf(session->farewell, sizeof session->farewell, "%s", reason ? reason : "");
    } else {
        tell(session, "%s", reason ? reason : "the server said goodbye");
    }
    join_http_forget_session(session->http);
    if (session->games)
        join_games_drop(session->games);
}

static void on_event(void *context, const char *type, json_t *data)
{
    JoinSession *session = context;
    json_int_t   game = json_integer_value(json_object_get(data, "game"));
    if (!strcmp(type, "hello")) {
        greet(session, data);
    } else if (!strcmp(type, "ping")) {
        const json_t *lag = json_object_get(data, "lag_ms");
        join_say_pong(session->http, json_integer_value(json_object_get(data, "ping")));
        if (json_is_number(lag))
            session->lag_ms = json_number_value(lag);
    } else if (!strcmp(type, "bye")) {
        part(session, data);
    } else if (!session->games) {
        return;
    } else if (!strcmp(type, "begin")) {
        join_games_begin(session->games, game);
    } else if (!strcmp(type, "question")) {
        const char *line = json_string_value(json_object_get(data, "line"));
        if (line)
            join_games_ask(session->games, game, line);
    } else if (!strcmp(type, "end")) {
        join_games_end(session->games, game, json_string_value(json_object_get(data, "error")));
    }
}

static void on_change(void *context, bool is_open, const char *why)
{
    if (!is_open)
        tell(context, "%s; trying again", why);
}

/* ---- the command ------------------------------------------------------------------------ */

/* Begins no more games once it is interrupted or has played enough, and leaves after the last. */
static bool is_done(JoinSession *session)
{
    const Settings *settings = session->settings;
    bool            has_enough = settings->has_n_games && session->games &&
                      join_games_n_begun(session->games) >= settings->n_games;
    if (session->is_over)
        return true;
    if (!session->is_leaving && (has_enough || console_is_interrupted())) {
        session->is_leaving = true;
        join_say_leaving(session->http);
        if (console_is_interrupted() && session->games && join_games_n_playing(session->games) > 0)
            tell(session, "leaving after the games that are being played; Ctrl-C leaves at once");
    }
    if (!session->is_leaving)
        return false;
    if (!session->games)
        return true;
    return join_games_n_playing(session->games) == 0 && join_http_is_quiet(session->http);
}

static int play(JoinSession *session)
{
    TurfError error;
    bool      is_good = true;
    console_catch_interrupt();
    while (is_good && !is_done(session))
        is_good = join_http_step(session->http, &error);
    uint64_t n_over = session->games ? join_games_n_over(session->games) : 0;
    join_games_free(session->games);
    join_http_free(session->http);
    turf_player_free(session->bot);
    if (!is_good)
        die("%s", error.text);
    if (*session->farewell)
        die("%s", session->farewell);
    if (session->lag_ms >= 0)
        tell(session,
             "left after %llu games; the lag was %.1f ms, of which up to %d are not charged",
             (unsigned long long)n_over, session->lag_ms, MAX_HOME_LAG_MS);
    else
        tell(session, "left after %llu games", (unsigned long long)n_over);
    return EXIT_FINE;
}

int cmd_join(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    char          **words;
    Link            link = read_link(arguments->words[0], settings->token_file);
    hide_token(arguments->words[0]);
    if (settings->n_jobs > MAX_HOME_GAMES)
        die("a bot at home plays at most %d games at a time: try --jobs %d", MAX_HOME_GAMES,
            MAX_HOME_GAMES);
    char *command = or_die(command_quote(arguments->words + 1, (size_t)arguments->n_words - 1));
    if (!command_read(command, &words, &error)) /* before anybody waits for it */
        die("%s", error.text);
    command_free(words);
    JoinSession session = {.settings = settings,
                           .base = link.base,
                           .command = command,
                           .n_games = settings->n_jobs ? (int)settings->n_jobs : 1,
                           .lag_ms = -1};
    JoinTerms   terms = {.base = link.base,
                         .token = link.token,
                         .cacert = settings->cacert,
                         .n_games = session.n_games,
                         .on_event = on_event,
                         .on_change = on_change,
                         .context = &session};
    session.http = join_http_new(&terms);
    int status = play(&session);
    free(command);
    free(link.base);
    free(link.token);
    return status;
}
