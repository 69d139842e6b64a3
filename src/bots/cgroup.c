/* Cgroups: where bots' ones are made, and making, reading and removing one.
 *
 * A cgroup with members cannot hand controllers to cgroups below it, except the root. So there are
 * three places for the folder of this program, turf-PID, with a cgroup for each bot in it:
 *
 *   - our own cgroup, if it hands them down already (the root cgroup does);
 *   - our own cgroup, if nobody else is in it (a delegated scope, a service): we move to
 *     turf-PID/arena first, and back at the end;
 *   - the nearest cgroup above that we may write to and that hands them down, unless that would
 *     take the bots out of somebody's limits.
 *
 * Folders of programs that were killed are removed by the next one. Thread safety: begin and end
 * are called by one thread; between them `home` does not change, and the kernel does the rest. */
#include "bots/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int  place = -1, home = -1; /* the folder in which ours is made, and ours */
static char home_name[32];
static bool is_begun, has_moved, has_enabled; /* has_enabled: controllers in `place`, by us */

/* ---- small files ---------------------------------------------------------------------------- */

static int open_folder(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static bool write_file(int folder, const char *name, const char *text)
{
    int  file = openat(folder, name, O_WRONLY | O_CLOEXEC);
    bool is_good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    int  why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return is_good;
}

static bool read_file(int folder, const char *name, char *text, size_t room)
{
    int     file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, room - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

/* The number after a key in a file of lines "key number"; 0 if there is none. */
static long long number_in(int folder, const char *name, const char *key)
{
    char   text[1024];
    size_t length = strlen(key);
    if (!read_file(folder, name, text, sizeof text))
        return 0;
    for (const char *at = text; at && *at; at = strchr(at, '\n'), at += at != NULL)
        if (!strncmp(at, key, length) && at[length] == ' ')
            return atoll(at + length);
    return 0;
}

/* Is it among words separated by blanks? "cpu" is not "cpuset". */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || at[-1] == ' ') && (!at[length] || strchr(" \n", at[length])))
            return true;
    return false;
}

static bool hands_down_controllers(int folder)
{
    char text[256];
    return read_file(folder, "cgroup.subtree_control", text, sizeof text) &&
           has_word(text, "memory") && has_word(text, "pids");
}

/* The cpu controller, which shares processors evenly and limits them, is welcome, not needed. */
static bool enable_controllers(int folder)
{
    if (!write_file(folder, "cgroup.subtree_control", "+memory +pids"))
        return false;
    (void)write_file(folder, "cgroup.subtree_control", "+cpu");
    return true;
}

static void disable_controllers(int folder)
{
    (void)write_file(folder, "cgroup.subtree_control", "-cpu");
    (void)write_file(folder, "cgroup.subtree_control", "-memory -pids");
}

/* ---- removing ------------------------------------------------------------------------------- */

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* The dead leave a cgroup a moment after they were killed. */
static void remove_folder(int folder, const char *name)
{
    enum { MAX_TRIES = 500 };
    for (int i = 0; i < MAX_TRIES && unlinkat(folder, name, AT_REMOVEDIR) != 0 && errno == EBUSY;
         i++)
        nap();
}

/* Calls `visit` for every entry of a folder whose name begins like this. Without allocating memory,
 * as it also runs in the watchdog. */
static void each_entry(int folder, const char *prefix, void (*visit)(int folder, const char *name))
{
    _Alignas(struct dirent) char list[4096];
    int                          listed = open_folder(folder, ".");
    ssize_t                      length;
    while (listed >= 0 && (length = syscall(SYS_getdents64, listed, list, sizeof list)) > 0)
        for (ssize_t at = 0; at < length;) {
            const struct dirent *entry = (const void *)(list + at);
            at += entry->d_reclen;
            if (!strncmp(entry->d_name, prefix, strlen(prefix)))
                visit(folder, entry->d_name);
        }
    if (listed >= 0)
        close(listed);
}

static void kill_and_remove(int folder, const char *name)
{
    int bot = open_folder(folder, name);
    if (bot >= 0) {
        cgroup_kill(bot);
        close(bot);
    }
    remove_folder(folder, name);
}

static void remove_empty(int folder, const char *name)
{
    (void)unlinkat(folder, name, AT_REMOVEDIR);
}

/* What a program has left that was killed along with its watchdog. A cgroup that has members is not
 * removed: they may be in another process namespace, where the number means somebody else. */
static void remove_stale(int folder, const char *name)
{
    pid_t pid = (pid_t)atol(name + strlen("turf-"));
    if (pid <= 0 || pid == getpid() || kill(pid, 0) == 0 || errno != ESRCH)
        return;
    int old = open_folder(folder, name);
    if (old >= 0) {
        each_entry(old, "bot-", remove_empty);
        each_entry(old, "arena", remove_empty);
        close(old);
    }
    remove_empty(folder, name);
}

/* ---- finding a place ------------------------------------------------------------------------ */

/* The line of a file under /proc/self for which `is_it` finds what it looks for. */
static bool find_line(const char *path, bool (*is_it)(const char *line, char *found), char *found)
{
    char  *line = NULL;
    size_t room = 0;
    bool   is_found = false;
    FILE  *file = fopen(path, "re");
    while (file && !is_found && getline(&line, &room, file) > 0)
        is_found = is_it(line, found);
    if (file)
        (void)fclose(file);
    free(line);
    return is_found;
}

static bool is_mount(const char *line, char *found)
{
    char root[PATH_MAX];
    return strstr(line, " - cgroup2 ") &&
           sscanf(line, "%*d %*d %*s %4095s %4095s", root, found) == 2 && !strcmp(root, "/");
}

static bool is_membership(const char *line, char *found)
{
    return sscanf(line, "0::%4095s", found) == 1 && !strstr(found, "/..");
}

/* The folder of our own cgroup, and how much of the path is the mount. */
static bool find_own(char path[2 * PATH_MAX], size_t *n_mount)
{
    char mount[PATH_MAX], name[PATH_MAX];
    if (!find_line("/proc/self/mountinfo", is_mount, mount) ||
        !find_line("/proc/self/cgroup", is_membership, name))
        return false;
    *n_mount = strlen(mount);
    (void)snprintf(path, 2 * (size_t)PATH_MAX, "%s%s", mount, strcmp(name, "/") ? name : "");
    return true;
}

static bool is_alone_in(int folder)
{
    char text[256], mine[32];
    (void)snprintf(mine, sizeof mine, "%d\n", (int)getpid());
    return read_file(folder, "cgroup.procs", text, sizeof text) && !strcmp(text, mine);
}

/* Moves this program into a cgroup below, so that its own one may hand controllers down. */
static bool move_down(void)
{
    if (!is_alone_in(place) || (mkdirat(home, "arena", 0755) != 0 && errno != EEXIST))
        return false;
    has_moved = write_file(home, "arena/cgroup.procs", "0");
    return has_moved && enable_controllers(place);
}

static bool hand_down(bool is_own)
{
    if (hands_down_controllers(place))
        return true;
    if (!is_own)
        return false;
    has_enabled = enable_controllers(place) || move_down();
    return has_enabled;
}

/* Makes our folder in `place`, which gets the descriptor. */
static bool settle_in(int folder, bool is_own)
{
    place = folder;
    each_entry(place, "turf-", remove_stale);
    (void)snprintf(home_name, sizeof home_name, "turf-%d", (int)getpid());
    bool is_good = faccessat(place, "cgroup.procs", W_OK, AT_EACCESS) == 0 &&
                   (mkdirat(place, home_name, 0755) == 0 || errno == EEXIST) &&
                   (home = open_folder(place, home_name)) >= 0 && hand_down(is_own) &&
                   enable_controllers(home);
    if (!is_good)
        cgroups_end();
    return is_good;
}

static bool is_set(int folder, const char *name)
{
    char text[64];
    return read_file(folder, name, text, sizeof text) && strncmp(text, "max", 3) != 0;
}

/* Would its members get away from a limit by leaving it? */
static bool limits_members(int folder)
{
    return is_set(folder, "memory.max") || is_set(folder, "memory.high") ||
           is_set(folder, "cpu.max");
}

bool cgroups_begin(void)
{
    char   path[2 * PATH_MAX];
    size_t n_mount;
    if (is_begun)
        return home >= 0;
    is_begun = true;
    if (!find_own(path, &n_mount))
        return false;
    for (bool is_own = true;; is_own = false) {
        int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            return false;
        bool may_leave = strlen(path) > n_mount && !limits_members(folder);
        if (settle_in(folder, is_own)) /* it closes the folder if not */
            return true;
        if (!may_leave)
            return false;
        *strrchr(path, '/') = '\0';
    }
}

void cgroups_end(void)
{
    if (home >= 0) {
        each_entry(home, "bot-", kill_and_remove);
        disable_controllers(home);
        close(home);
    }
    if (has_enabled)
        disable_controllers(place);
    if (has_moved) {
        char arena[48];
        (void)write_file(place, "cgroup.procs", "0");
        (void)snprintf(arena, sizeof arena, "%s/arena", home_name);
        remove_empty(place, arena);
    }
    if (place >= 0) {
        remove_empty(place, home_name);
        close(place);
    }
    place = home = -1;
    has_moved = has_enabled = false;
}

void cgroups_keep(int first)
{
    int wanted[] = {place, home};
    for (int i = 0; i < 2; i++)
        if (wanted[i] < 0 || dup2(wanted[i], first + i) < 0) {
            close(first + i);
            wanted[i] = -1;
        } else {
            wanted[i] = first + i;
        }
    place = wanted[0];
    home = wanted[1];
}

/* ---- the cgroup of a bot -------------------------------------------------------------------- */

static void write_limit(int folder, const char *name, long long limit)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", limit);
    (void)write_file(folder, name, text);
}

bool cgroups_limit_cores(void)
{
    char text[256];
    return home >= 0 && read_file(home, "cgroup.subtree_control", text, sizeof text) &&
           has_word(text, "cpu");
}

/* A quota in each period of 100 ms, as the kernel has it by default. */
static void limit_cores(int folder, int64_t max_cores)
{
    enum { PERIOD_US = 100000 };
    char text[48];
    (void)snprintf(text, sizeof text, "%lld %d", (long long)max_cores * PERIOD_US, PERIOD_US);
    (void)write_file(folder, "cpu.max", text);
}

bool cgroup_make(Cgroup *cgroup, const CgroupLimits *limits)
{
    static atomic_uint n_made;
    *cgroup = (Cgroup){.folder = -1};
    if (home < 0)
        return false;
    (void)snprintf(cgroup->name, sizeof cgroup->name, "bot-%u", atomic_fetch_add(&n_made, 1));
    if (mkdirat(home, cgroup->name, 0755) != 0)
        return false;
    cgroup->folder = open_folder(home, cgroup->name);
    if (cgroup->folder < 0)
        return false;
    if (limits->max_mib > 0) {
        write_limit(cgroup->folder, "memory.max", limits->max_mib << 20);
        (void)write_file(cgroup->folder, "memory.swap.max", "0"); /* missing without swap */
        (void)write_file(cgroup->folder, "memory.oom.group", "1");
    }
    if (limits->max_processes > 0)
        write_limit(cgroup->folder, "pids.max", limits->max_processes);
    if (limits->max_cores > 0)
        limit_cores(cgroup->folder, limits->max_cores);
    return true;
}

bool cgroup_enter(int folder) { return write_file(folder, "cgroup.procs", "0"); }

LimitBreach cgroup_breach(int folder, int64_t max_cpu_seconds)
{
    enum { US_PER_S = 1000000 };
    if (number_in(folder, "memory.events", "oom_kill") > 0)
        return TOO_MUCH_MEMORY;
    if (number_in(folder, "pids.events", "max") > 0)
        return TOO_MANY_PROCESSES;
    if (max_cpu_seconds > 0 &&
        number_in(folder, "cpu.stat", "usage_usec") > max_cpu_seconds * US_PER_S)
        return TOO_MUCH_CPU;
    return WITHIN_LIMITS;
}

void cgroup_kill(int folder) { (void)write_file(folder, "cgroup.kill", "1"); }

void cgroup_remove(Cgroup *cgroup)
{
    if (cgroup->folder < 0)
        return;
    cgroup_kill(cgroup->folder);
    close(cgroup->folder);
    cgroup->folder = -1;
    remove_folder(home, cgroup->name);
}
