/* Bots at home; see home_bots.h.
 *
 * Invariants, under `lock`: a bot's `seats` are those that are taken and not lost; each has an open
 * socket `to`, whose other end is the process's, or the seat's until the game begins. Writing to it
 * never waits: what does not fit is a flood. */
#include "bots/home_bots.h"

#include "base/clock.h"
#include "base/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    N_LAGS = 9,   /* the median is of so many */
    MIN_LAGS = 3, /* before the first game */
    N_PINGS = 4,  /* that may be under way */
    PING_EVERY_MS = 2000,
    WAIT_MS = 50 /* between checks whether to stop */
};

typedef enum SeatState { SEAT_IDLE, SEAT_TAKEN, SEAT_READY, SEAT_LOST } SeatState;

struct HomeSeat {
    HomeSeat   *next; /* of the same bot */
    char       *team;
    HomeBot    *bot; /* NULL: not taken, or lost */
    int64_t     game;
    SeatState   state;
    int         to, from; /* -1: none */
    bool        has_fault;
    TurfForfeit reason;
    char        fault[HOME_FAULT_BYTES];
};

typedef struct Ping {
    int64_t number, sent_ns; /* number: 0 if it was answered */
} Ping;

struct HomeBot {
    HomeBot  *next;
    char     *team;
    int       n_max, n_playing;
    HomeSend *send;
    void     *context;
    HomeSeat *seats;
    bool      is_leaving, is_silent;
    Ping      pings[N_PINGS];
    int64_t   n_pings, pinged_ns, heard_ns;
    int64_t   lags_ns[N_LAGS];
    size_t    n_lags; /* in all */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  changed = PTHREAD_COND_INITIALIZER;
static HomeBot        *bots;
static int64_t         n_games; /* begun so far: their numbers */

/* ---- helpers; the lock is held ---------------------------------------------------------- */

static HomeBot *find_bot(const char *team)
{
    for (HomeBot *each = bots; each; each = each->next)
        if (!strcmp(each->team, team))
            return each;
    return NULL;
}

static bool may_play(const HomeBot *bot)
{
    return bot && !bot->is_leaving && !bot->is_silent && bot->n_lags >= MIN_LAGS;
}

static HomeSeat *find_seat(HomeBot *bot, int64_t game)
{
    for (HomeSeat *each = bot->seats; each; each = each->next)
        if (each->game == game)
            return each;
    return NULL;
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void set_fault(HomeSeat *seat, TurfForfeit reason, const char *text)
{
    if (seat->has_fault)
        return;
    seat->has_fault = true;
    seat->reason = reason;
    (void)snprintf(seat->fault, sizeof seat->fault, "%.*s",
                   (int)error_cut(text, HOME_FAULT_BYTES - 1), text);
    close_end(&seat->to); /* the arena reads the end of its output */
}

static int by_size(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int64_t lag_of(const HomeBot *bot)
{
    int64_t sorted[N_LAGS];
    size_t  n = bot->n_lags < N_LAGS ? bot->n_lags : N_LAGS;
    if (n == 0)
        return -1;
    memcpy(sorted, bot->lags_ns, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    int64_t median_ns = sorted[n / 2], max_ns = MAX_HOME_LAG_MS * INT64_C(1000000);
    return median_ns < max_ns ? median_ns : max_ns;
}

static void ping(HomeBot *bot)
{
    int64_t number = ++bot->n_pings;
    bot->pinged_ns = clock_ns();
    bot->pings[number % N_PINGS] = (Ping){number, bot->pinged_ns};
    int64_t lag_ns = lag_of(bot);
    json_t *lag_ms = lag_ns < 0 ? json_null() : json_real((double)lag_ns / 1e6);
    bot->send(bot->context, "ping",
              json_pack("{s:I,s:o}", "ping", (json_int_t)number, "lag_ms", lag_ms));
}

/* Waits for something to change; false: it is time to stop. */
static bool wait_a_little(const atomic_bool *stop)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &until);
    return !stop || !atomic_load(stop);
}

/* ---- the side of the connection --------------------------------------------------------- */

HomeBot *home_bot_connect(const char *team, int n_max, HomeSend *send, void *context)
{
    HomeBot *bot = calloc(1, sizeof *bot);
    char    *copy = strdup(team);
    if (!bot || !copy) {
        free(bot);
        free(copy);
        return NULL;
    }
    *bot = (HomeBot){
        .team = copy, .n_max = n_max, .send = send, .context = context, .heard_ns = clock_ns()};
    pthread_mutex_lock(&lock);
    bot->next = bots;
    bots = bot;
    ping(bot);
    pthread_mutex_unlock(&lock);
    return bot;
}

void home_bot_disconnect(HomeBot *bot)
{
    if (!bot)
        return;
    pthread_mutex_lock(&lock);
    for (HomeSeat *seat = bot->seats, *next; seat; seat = next) {
        next = seat->next;
        set_fault(seat, TURF_DISCONNECTED, "its connection was lost");
        seat->bot = NULL;
        seat->state = SEAT_LOST;
    }
    HomeBot **at = &bots;
    while (*at != bot)
        at = &(*at)->next;
    *at = bot->next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(bot->team);
    free(bot);
}

bool home_bot_tick(HomeBot *bot)
{
    int64_t now_ns = clock_ns();
    pthread_mutex_lock(&lock);
    if (now_ns - bot->pinged_ns > PING_EVERY_MS * INT64_C(1000000))
        ping(bot);
    if (now_ns - bot->heard_ns > HOME_SILENCE_MS * INT64_C(1000000))
        bot->is_silent = true;
    bool is_there = !bot->is_silent;
    pthread_mutex_unlock(&lock);
    return is_there;
}

int home_bot_leave(HomeBot *bot)
{
    pthread_mutex_lock(&lock);
    bot->is_leaving = true;
    int n_playing = bot->n_playing;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return n_playing;
}

bool home_bot_pong(HomeBot *bot, int64_t number)
{
    pthread_mutex_lock(&lock);
    Ping *answered = &bot->pings[(uint64_t)number % N_PINGS];
    bool  is_known = number > 0 && answered->number == number;
    if (is_known) {
        bot->heard_ns = clock_ns();
        bot->lags_ns[bot->n_lags++ % N_LAGS] = bot->heard_ns - answered->sent_ns;
        answered->number = 0;
        if (bot->n_lags < N_LAGS) /* the first ones at once */
            ping(bot);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return is_known;
}

bool home_bot_ready(HomeBot *bot, int64_t game)
{
    pthread_mutex_lock(&lock);
    HomeSeat *seat = find_seat(bot, game);
    bool      is_known = seat && seat->state == SEAT_TAKEN;
    if (is_known)
        seat->state = SEAT_READY;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return is_known;
}

bool home_bot_answer(HomeBot *bot, int64_t game, const char *line, size_t length)
{
    pthread_mutex_lock(&lock);
    HomeSeat *seat = find_seat(bot, game);
    bool      is_known = seat && seat->state == SEAT_READY && seat->to >= 0;
    if (is_known) {
        struct iovec  parts[2] = {{(char *)(uintptr_t)line, length}, {"\n", 1}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t       n_sent =
            length < MAX_LINE_BYTES ? sendmsg(seat->to, &message, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
        if (n_sent != (ssize_t)length + 1)
            set_fault(seat, TURF_FLOOD, "a line of more than 65536 bytes, or output without end");
    }
    pthread_mutex_unlock(&lock);
    return is_known;
}

bool home_bot_fault(HomeBot *bot, int64_t game, TurfForfeit reason, const char *text)
{
    pthread_mutex_lock(&lock);
    HomeSeat *seat = find_seat(bot, game);
    if (seat) {
        set_fault(seat, reason, text);
        seat->state = SEAT_READY; /* for its forfeit */
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return seat != NULL;
}

int64_t home_bot_lag_ns(HomeBot *bot)
{
    pthread_mutex_lock(&lock);
    int64_t lag_ns = lag_of(bot);
    pthread_mutex_unlock(&lock);
    return lag_ns;
}

/* ---- seats ------------------------------------------------------------------------------ */

bool home_is_connected(const char *team)
{
    pthread_mutex_lock(&lock);
    bool is_there = may_play(find_bot(team));
    pthread_mutex_unlock(&lock);
    return is_there;
}

HomeSeat *home_seat_new(const char *team)
{
    HomeSeat *seat = calloc(1, sizeof *seat);
    char     *copy = strdup(team);
    if (!seat || !copy) {
        free(seat);
        free(copy);
        return NULL;
    }
    *seat = (HomeSeat){.team = copy, .to = -1, .from = -1};
    return seat;
}

/* Gives a seat back. The lock is held. */
static void give_back(HomeSeat *seat, const char *error)
{
    HomeBot *bot = seat->bot;
    close_end(&seat->to);
    close_end(&seat->from);
    seat->state = SEAT_IDLE;
    if (!bot)
        return;
    HomeSeat **at = &bot->seats;
    while (*at != seat)
        at = &(*at)->next;
    *at = seat->next;
    seat->bot = NULL;
    bot->n_playing--;
    bot->send(bot->context, "end",
              json_pack("{s:I,s:s?}", "game", (json_int_t)seat->game, "error", error));
    pthread_cond_broadcast(&changed);
}

void home_seat_free(HomeSeat *seat)
{
    if (!seat)
        return;
    home_seat_end(seat, NULL);
    free(seat->team);
    free(seat);
}

/* The lock is held. False: there is no socket to be had. */
static bool take(HomeSeat *seat, HomeBot *bot)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return false;
    seat->to = ends[1];
    seat->from = ends[0];
    seat->game = ++n_games;
    seat->state = SEAT_TAKEN;
    seat->has_fault = false;
    seat->bot = bot;
    seat->next = bot->seats;
    bot->seats = seat;
    bot->n_playing++;
    bot->send(bot->context, "begin", json_pack("{s:I}", "game", (json_int_t)seat->game));
    return true;
}

typedef enum Room { ALL_ABSENT, ALL_BUSY, ALL_FREE } Room;

/* May the bots of all seats begin a game now? The lock is held. */
static Room room_for(HomeSeat *const *seats, size_t n_seats)
{
    Room room = ALL_FREE;
    for (size_t i = 0; i < n_seats; i++) {
        const HomeBot *bot = find_bot(seats[i]->team);
        int            n_wanted = 0;
        if (!may_play(bot))
            return ALL_ABSENT;
        for (size_t j = 0; j <= i; j++)
            n_wanted += find_bot(seats[j]->team) == bot;
        if (bot->n_playing + n_wanted > bot->n_max)
            room = ALL_BUSY;
    }
    return room;
}

/* The lock is held. */
static HomePresence take_all(HomeSeat *const *seats, size_t n_seats, int64_t patience_ms,
                             const atomic_bool *stop, TurfError *error)
{
    int64_t until_ns = clock_ns() + patience_ms * 1000000;
    for (Room room; (room = room_for(seats, n_seats)) != ALL_FREE;) {
        if (room == ALL_ABSENT && clock_ns() >= until_ns)
            return HOME_ABSENT;
        if (!wait_a_little(stop))
            return HOME_STOPPED;
    }
    for (size_t i = 0; i < n_seats; i++)
        if (!take(seats[i], find_bot(seats[i]->team))) {
            error_system(error, errno, "a bot at home cannot be asked: %s", strerror(errno));
            return HOME_SHORTAGE;
        }
    return HOME_PRESENT;
}

/* Waits until all bots have started their programs. The lock is held. */
static HomePresence await_ready(HomeSeat *const *seats, size_t n_seats, const atomic_bool *stop)
{
    int64_t until_ns = clock_ns() + HOME_HANDSHAKE_MS * INT64_C(1000000);
    for (;;) {
        size_t n_ready = 0;
        for (size_t i = 0; i < n_seats; i++) {
            if (seats[i]->state == SEAT_LOST)
                return HOME_ABSENT;
            n_ready += seats[i]->state == SEAT_READY;
        }
        if (n_ready == n_seats)
            return HOME_PRESENT;
        if (clock_ns() >= until_ns)
            break;
        if (!wait_a_little(stop))
            return HOME_STOPPED;
    }
    for (size_t i = 0; i < n_seats; i++)
        if (seats[i]->state == SEAT_TAKEN)
            seats[i]->bot->is_silent = true;
    return HOME_ABSENT;
}

HomePresence home_seats_take(HomeSeat *const *seats, size_t n_seats, int64_t patience_ms,
                             const atomic_bool *stop, TurfError *error)
{
    pthread_mutex_lock(&lock);
    HomePresence presence = take_all(seats, n_seats, patience_ms, stop, error);
    if (presence == HOME_PRESENT)
        presence = await_ready(seats, n_seats, stop);
    for (size_t i = 0; i < n_seats && presence != HOME_PRESENT; i++)
        give_back(seats[i], NULL);
    pthread_mutex_unlock(&lock);
    return presence;
}

bool home_seat_is_taken(const HomeSeat *seat)
{
    pthread_mutex_lock(&lock);
    bool is_taken = seat->state != SEAT_IDLE;
    pthread_mutex_unlock(&lock);
    return is_taken;
}

bool home_seat_begin(HomeSeat *seat, Process *process, TurfError *error)
{
    pthread_mutex_lock(&lock);
    int  from = seat->from;
    bool has_crashed = seat->has_fault && seat->reason != TURF_DISCONNECTED;
    if (has_crashed)
        error_io(error, "%s", seat->fault);
    else
        seat->from = -1;
    pthread_mutex_unlock(&lock);
    return !has_crashed && process_adopt(process, from, error);
}

void home_seat_ask(HomeSeat *seat, const char *line)
{
    pthread_mutex_lock(&lock);
    if (seat->bot)
        seat->bot->send(seat->bot->context, "question",
                        json_pack("{s:I,s:s}", "game", (json_int_t)seat->game, "line", line));
    pthread_mutex_unlock(&lock);
}

int64_t home_seat_lag_ns(HomeSeat *seat)
{
    pthread_mutex_lock(&lock);
    int64_t lag_ns = seat->bot ? lag_of(seat->bot) : 0;
    pthread_mutex_unlock(&lock);
    return lag_ns > 0 ? lag_ns : 0;
}

TurfForfeit home_seat_fault(HomeSeat *seat, char text[HOME_FAULT_BYTES])
{
    pthread_mutex_lock(&lock);
    set_fault(seat, TURF_DISCONNECTED, "its connection was lost");
    TurfForfeit reason = seat->reason;
    memcpy(text, seat->fault, HOME_FAULT_BYTES);
    pthread_mutex_unlock(&lock);
    return reason;
}

void home_seat_end(HomeSeat *seat, const char *error)
{
    pthread_mutex_lock(&lock);
    give_back(seat, error);
    pthread_mutex_unlock(&lock);
}
