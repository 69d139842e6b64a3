/* Logging a game as JSON. The time that this thread waited for a processor comes from the second
 * number of /proc/thread-self/schedstat; it is 0 where the kernel has none. Used by one thread. */
#include "arena/game_log.h"

#include "base/clock.h"
#include "base/checked_json.h"
#include "games/cells.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void arena_delay_add(ArenaDelay *delay, const ArenaDelay *more)
{
    delay->n_turns += more->n_turns;
    delay->sum_ns += more->sum_ns;
    if (more->worst_ns > delay->worst_ns)
        delay->worst_ns = more->worst_ns;
}

bool log_init(GameLog *log, const TurfGame *game, const void *start)
{
    json_t *position = game->to_json(start);
    *log = (GameLog){.moves = json_array(), .times = json_array(), .schedstat_fd = -1};
    log->start = position ? json_dumps(position, JSON_COMPACT) : NULL;
    json_decref(position);
    if (log->start && log->moves && log->times)
        return true;
    log_release(log);
    return false;
}

void log_release(GameLog *log)
{
    free(log->start);
    json_decref(log->moves);
    json_decref(log->times);
    if (log->schedstat_fd >= 0)
        close(log->schedstat_fd);
    *log = (GameLog){.schedstat_fd = -1};
}

static int64_t waited_for_processor_ns(GameLog *log)
{
    char text[96];
    if (log->schedstat_fd < 0)
        log->schedstat_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ssize_t length =
        log->schedstat_fd >= 0 ? pread(log->schedstat_fd, text, sizeof text - 1, 0) : 0;
    text[length > 0 ? length : 0] = '\0';
    const char *second = strchr(text, ' ');
    return second ? strtoll(second, NULL, 10) : 0;
}

void log_turn(GameLog *log, bool times_itself)
{
    if (!log)
        return;
    log->waited_ns = times_itself ? waited_for_processor_ns(log) : 0;
    log->turn_begin_ns = clock_ns();
}

static void add_delay(GameLog *log, int64_t used_ns)
{
    int64_t delay_ns =
        clock_ns() - log->turn_begin_ns - used_ns + waited_for_processor_ns(log) - log->waited_ns;
    arena_delay_add(&log->delay, &(ArenaDelay){1, delay_ns, delay_ns});
}

static json_t *microseconds(const GameLog *log, int64_t used_ns, bool times_itself)
{
    return json_integer((times_itself ? used_ns : clock_ns() - log->turn_begin_ns) / 1000);
}

void log_move(GameLog *log, const TurfGame *game, const void *state, TurfMove move, int64_t used_ns,
              bool times_itself)
{
    if (!log)
        return;
    json_add(&log->times, microseconds(log, used_ns, times_itself));
    if (times_itself)
        add_delay(log, used_ns);
    json_add(&log->moves, game->move_to_json(state, move));
}

void log_actions(GameLog *log, const TurfGame *game, const TurfAction actions[2],
                 const int64_t used_ns[2], const bool time_themselves[2])
{
    if (!log)
        return;
    json_t *times = json_array();
    for (int side = 0; side < 2; side++)
        json_add(&times, microseconds(log, used_ns[side], time_themselves[side]));
    json_add(&log->times, times);
    if (time_themselves[0] && time_themselves[1])
        add_delay(log, used_ns[0] > used_ns[1] ? used_ns[0] : used_ns[1]);
    json_add(&log->moves, game_actions_to_json(game, actions));
}
