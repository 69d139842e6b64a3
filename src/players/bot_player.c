/* Bots as players: starting, pooling and stopping their processes. bot_talk.c has the questions and
 * answers.
 *
 * With --reuse, processes wait in a pool for their next game. A player and its copies share one
 * pool, which has its own lock; everything else in a Bot belongs to the thread that plays with it.
 */
#include "players/bot_player.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/utf8.h"
#include "bots/command_line.h"
#include "players/bot_memory.h"
#include "players/tcp.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_IDLE = 64 };

/* Processes that wait for their next game, shared by a player and its copies. The last of these
 * frees it. */
struct ProcessPool {
    pthread_mutex_t lock;
    int             n_users;
    Process         idle[MAX_IDLE];
    size_t          n_idle;
};

/* ---- opening and copying ------------------------------------------------------------------ */

static Bot *new_bot(TurfPlayer *player, ProcessPool *pool, TurfError *error)
{
    Bot *bot = player->memory = calloc(1, sizeof *bot);
    if (bot)
        bot->listener = -1;
    if (bot && !pool && (pool = calloc(1, sizeof *pool)))
        pthread_mutex_init(&pool->lock, NULL);
    if (!bot || !pool) {
        error_no_memory(error);
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    pool->n_users++;
    pthread_mutex_unlock(&pool->lock);
    bot->pool = pool;
    return bot;
}

bool bot_open(TurfPlayer *player, TurfError *error)
{
    TurfError why = {.code = TURF_OK};
    Bot      *bot = new_bot(player, NULL, error);
    if (!bot || command_read(player->command, &bot->words, &why))
        return bot != NULL;
    if (why.code != TURF_ERROR_NOT_FOUND || !player->may_be_absent)
        return error_set(error, why.code, "%s", why.text);
    bot->absence = strdup(why.text);
    return bot->absence || error_no_memory(error);
}

const char *bot_absence(const TurfPlayer *player)
{
    return player->kind->starts_process ? ((const Bot *)player->memory)->absence : NULL;
}

bool bot_open_tcp(TurfPlayer *player, TurfError *error)
{
    Bot *bot = new_bot(player, NULL, error);
    if (bot)
        bot->listener = tcp_listen(player->command, error);
    return bot && bot->listener >= 0;
}

/* It plays where a server has leagues; elsewhere it is never connected. */
bool bot_open_home(TurfPlayer *player, TurfError *error)
{
    if (!player->may_be_absent)
        return error_invalid(error, "a bot at home plays in the league of a server: 'turf join'");
    Bot *bot = new_bot(player, NULL, error);
    if (!bot)
        return false;
    bot->home = home_seat_new(player->command);
    return bot->home || error_no_memory(error);
}

HomeSeat *bot_home_seat(const TurfPlayer *player) { return ((const Bot *)player->memory)->home; }

bool bot_copy(const TurfPlayer *from, TurfPlayer *to, TurfError *error)
{
    const Bot *original = from->memory;
    Bot       *bot = new_bot(to, original->pool, error);
    if (!bot)
        return false;
    if (original->absence) {
        bot->absence = strdup(original->absence);
        return bot->absence || error_no_memory(error);
    }
    if (original->home) {
        bot->home = home_seat_new(from->command);
        return bot->home || error_no_memory(error);
    }
    if (original->listener >= 0) /* the same port; one game is played at a time */
        bot->listener = fcntl(original->listener, F_DUPFD_CLOEXEC, 3);
    else
        bot->words = command_copy(original->words);
    return bot->words || bot->listener >= 0 ||
           error_system(error, errno, "a bot cannot be copied: %s", strerror(errno));
}

/* ---- processes ---------------------------------------------------------------------------- */

static void discard(Process *process)
{
    process_stop(process);
    free(process->error_text);
}

/* Takes a process from the pool that is still running. */
static bool take_idle(Bot *bot)
{
    ProcessPool *pool = bot->pool;
    bool         is_taken = false;
    pthread_mutex_lock(&pool->lock);
    while (!is_taken && pool->n_idle > 0) {
        bot->process = pool->idle[--pool->n_idle];
        is_taken = !process_has_exited(&bot->process);
        if (!is_taken)
            discard(&bot->process);
    }
    pthread_mutex_unlock(&pool->lock);
    return is_taken;
}

static bool put_idle(Bot *bot)
{
    ProcessPool *pool = bot->pool;
    pthread_mutex_lock(&pool->lock);
    bool has_room = pool->n_idle < MAX_IDLE;
    if (has_room)
        pool->idle[pool->n_idle++] = bot->process;
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}

/* What a sandboxed bot gets of the environment; whatever else is in ours is not for it. */
enum { MAX_VARIABLES = 32 };

static const char **clean_environment(const BotTerms *terms, char *lang)
{
    static const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp",
                                        "TMPDIR=/tmp"};
    static const size_t      n_fixed = sizeof fixed / sizeof *fixed;
    const char             **variables = calloc(n_fixed + MAX_VARIABLES + 2, sizeof *variables);
    size_t                   n = n_fixed;
    if (!variables)
        return NULL;
    memcpy(variables, fixed, sizeof fixed);
    variables[n++] = lang;
    for (char *const *at = environ; *at; at++)
        for (size_t i = 0; terms->variables && terms->variables[i] && n < n_fixed + MAX_VARIABLES;
             i++) {
            size_t length = strlen(terms->variables[i]);
            if (!strncmp(*at, terms->variables[i], length) && (*at)[length] == '=')
                variables[n++] = *at;
        }
    return variables;
}

static bool start_sandboxed(Bot *bot, const BotTerms *terms, TurfError *error)
{
    Sandbox      sandbox;
    SandboxTerms inside = terms->sandbox;
    ProcessTerms outside = terms->process;
    char         lang[64];
    inside.folder = outside.folder;
    inside.max_processes = outside.max_processes;
    inside.max_mib = outside.max_mib;
    inside.is_pinned = outside.is_pinned;
    if (!sandbox_wrap(&sandbox, bot->words, &inside, error))
        return false;
    const char *set = getenv("LANG");
    (void)snprintf(lang, sizeof lang, "LANG=%.50s", set ? set : "C.UTF-8");
    outside.inherited = sandbox.filter;
    outside.is_wrapped = true;
    const char **environment = clean_environment(terms, lang);
    outside.environment = environment;
    bool is_good = environment ? process_start(&bot->process, sandbox.words, &outside, error)
                               : error_no_memory(error);
    free(environment);
    sandbox_release(&sandbox);
    return is_good;
}

static bool start(Bot *bot, const BotTerms *terms, TurfError *error)
{
    bot->has_wrapper = terms->is_sandboxed;
    if (terms->is_sandboxed)
        return start_sandboxed(bot, terms, error);
    return process_start(&bot->process, bot->words, &terms->process, error);
}

static bool await_connection(Bot *bot, const atomic_bool *stop, TurfError *error)
{
    return process_accept(&bot->process, bot->listener,
                          clock_ns() + BOT_HANDSHAKE_MS * INT64_C(1000000), stop, error);
}

/* Its seat was taken before the game, unless it plays in a live game. */
static bool begin_at_home(Bot *bot, const atomic_bool *stop, TurfError *error)
{
    HomePresence presence = HOME_PRESENT;
    if (!home_seat_is_taken(bot->home))
        presence = home_seats_take(&bot->home, 1, 0, stop, error);
    if (presence == HOME_ABSENT)
        return error_not_found(error, "the bot is not connected");
    if (presence == HOME_STOPPED)
        return error_set(error, TURF_ERROR_INTERRUPTED, "stopped while waiting for a bot");
    return presence == HOME_PRESENT && home_seat_begin(bot->home, &bot->process, error);
}

/* Tries again for two seconds while the arena is short of something. */
static bool start_or_await(Bot *bot, const BotTerms *terms, const atomic_bool *stop,
                           TurfError *error)
{
    enum { MAX_TRIES = 40, PAUSE_NS = 50000000 };
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        if (bot->listener >= 0 ? await_connection(bot, stop, error) : start(bot, terms, error))
            return true;
        if (!error_is_shortage(error))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return false;
}

bool bot_begin_game(TurfPlayer *player, const atomic_bool *stop, TurfError *error)
{
    Bot *bot = player->memory;
    if (bot->home)
        return bot->has_started = bot->is_running = begin_at_home(bot, stop, error);
    bot->says_new_game = player->terms.is_reused;
    free(bot->errors);
    bot->errors = NULL;
    if (bot->absence)
        return error_not_found(error, "%s", bot->absence);
    if (bot->is_running && process_has_exited(&bot->process))
        bot_stop(bot);
    if (!bot->is_running)
        bot->is_running = (player->terms.is_reused && take_idle(bot)) ||
                          start_or_await(bot, &player->terms, stop, error);
    bot->has_started = bot->is_running;
    return bot->is_running;
}

bool bot_exits_at_end_of_input(TurfPlayer *player, int64_t patience_ms)
{
    Bot      *bot = player->memory;
    TurfError unused;
    if (!bot_begin_game(player, NULL, &unused))
        return true;
    bool has_exited = process_exits_at_end_of_input(&bot->process, patience_ms);
    bot_stop(bot);
    return has_exited;
}

/* Makes any bytes valid UTF-8 without NULs. */
static void make_text(char *bytes, size_t length)
{
    for (size_t i = 0; bytes && i < length; i++)
        if (bytes[i] == '\0')
            bytes[i] = '?';
    if (bytes)
        utf8_replace_invalid(bytes, length);
}

int bot_stop(Bot *bot)
{
    int status = process_stop(&bot->process);
    free(bot->errors);
    bot->errors = bot->process.error_text;
    make_text(bot->errors, bot->process.n_error_text);
    bot->process.error_text = NULL;
    bot->is_running = false;
    return status;
}

static void tell_why(Bot *bot, const char *reason)
{
    json_t *json = json_pack("{s:s}", "error", reason);
    char   *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text) {
        process_tell(&bot->process, text);
        process_tell(&bot->process, "\n");
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* to read it */
    }
    free(text);
    json_decref(json);
}

void bot_end_game(TurfPlayer *player, const char *reason)
{
    Bot *bot = player->memory;
    if (bot->home) {
        if (bot->is_running)
            bot_stop(bot);
        home_seat_end(bot->home, reason);
        return;
    }
    bool owes_an_answer = bot->process.answer != PROCESS_ANSWERED && !bot->says_new_game;
    if (!bot->is_running || (player->terms.is_reused && !reason && !owes_an_answer))
        return;
    if (reason)
        tell_why(bot, reason);
    bot_stop(bot);
}

static void leave_pool(ProcessPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    bool is_last = --pool->n_users == 0;
    pthread_mutex_unlock(&pool->lock);
    if (!is_last)
        return;
    for (size_t i = 0; i < pool->n_idle; i++)
        discard(&pool->idle[i]);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void bot_close(TurfPlayer *player)
{
    Bot *bot = player->memory;
    if (!bot)
        return;
    if (bot->is_running && (bot->home || !player->terms.is_reused || !put_idle(bot)))
        bot_stop(bot);
    if (bot->pool)
        leave_pool(bot->pool);
    home_seat_free(bot->home);
    command_free(bot->words);
    free(bot->absence);
    if (bot->listener >= 0)
        close(bot->listener);
    free(bot->errors);
    free(bot);
}

/* ---- what it leaves behind ---------------------------------------------------------------- */

size_t bot_n_extra_lines(const TurfPlayer *player)
{
    return process_n_extra_lines(&((const Bot *)player->memory)->process);
}

bool bot_has_started(const TurfPlayer *player)
{
    return ((const Bot *)player->memory)->has_started;
}

const char *bot_error_output(const TurfPlayer *player)
{
    const Bot *bot = player->memory;
    return bot && bot->errors ? bot->errors : "";
}

/* The last `File "NAME", line N` of a traceback as " (NAME, line N)"; "" if there is none. */
static const char *place_in_traceback(const char *errors, char place[BOT_LAST_LINE_BYTES])
{
    const char *last = NULL;
    for (const char *at = errors; (at = strstr(at, "File \"")); at++)
        last = at + strlen("File \"");
    *place = '\0';
    size_t n_name = last ? strcspn(last, "\"\n") : 0;
    if (!last || strncmp(last + n_name, "\", line ", strlen("\", line ")) != 0)
        return place;
    const char *number = last + n_name + strlen("\", line "), *name = last + n_name;
    while (name > last && name[-1] != '/') /* without its folder */
        name--;
    snprintf(place, BOT_LAST_LINE_BYTES, " (%.*s, line %.*s)", (int)(last + n_name - name), name,
             (int)strspn(number, "0123456789"), number);
    return place;
}

const char *bot_last_line(const char *errors, char line[BOT_LAST_LINE_BYTES])
{
    char   place[BOT_LAST_LINE_BYTES];
    size_t length = strlen(errors), begin;
    while (length > 0 && isspace((unsigned char)errors[length - 1]))
        length--;
    for (begin = length; begin > 0 && errors[begin - 1] != '\n'; begin--)
        ;
    place_in_traceback(errors, place);
    int room = BOT_LAST_LINE_BYTES - 1 - (int)strlen(place), n_line = (int)(length - begin);
    if (room < BOT_LAST_LINE_BYTES / 2) /* a name of such a length tells nobody anything */
        *place = '\0';
    int n =
        snprintf(line, BOT_LAST_LINE_BYTES, "%.*s", n_line < room ? n_line : room, errors + begin);
    if (n >= 0 && n < BOT_LAST_LINE_BYTES)
        (void)stpncpy(line + n, place, (size_t)(BOT_LAST_LINE_BYTES - n));
    line[BOT_LAST_LINE_BYTES - 1] = '\0';
    utf8_make_printable(line);
    return line;
}
