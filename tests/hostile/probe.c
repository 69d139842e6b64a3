/* A bot that tries to get out of its sandbox, and then plays on.
 *
 * Every attempt that succeeds is a line "broken: ..." on standard error; the last line is
 * "probes: N". It needs nothing but the kernel, so that it also runs in the small virtual machine
 * of cgroup_vm.sh. With an argument it uses up one resource instead, once it is asked to move:
 * memory, children, tmp, processes, threads, daemons, orphans or spin; "rest" does nothing. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_probes;

static void held_if(bool is_held, const char *what)
{
    n_probes++;
    if (!is_held)
        (void)fprintf(stderr, "broken: %s\n", what);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool opens(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static void probe_files(void)
{
    static const char *const unwritable[] = {"/proc/sys/kernel/core_pattern",
                                             "/proc/sys/kernel/modprobe",
                                             "/proc/sys/vm/drop_caches",
                                             "/proc/sys/user/max_user_namespaces",
                                             "/proc/sys/kernel/hostname",
                                             "/proc/sysrq-trigger",
                                             "/proc/irq/default_smp_affinity",
                                             "/proc/mtrr",
                                             "/proc/acpi/wakeup",
                                             "/usr/bin/env",
                                             "/etc/ld.so.cache",
                                             "/lib/ld.so",
                                             "/dev/kmsg",
                                             "/dev/mem",
                                             "/proc/kcore"};
    static const char *const unreadable[] = {
        "/etc/passwd", "/etc/shadow", "/etc/hostname", "/root",    "/home",    "/var",
        "/run",        "/sys",        "/srv",          "/opt",     "/boot",    "/mnt",
        "/proc/kcore", "/proc/kmsg",  "/dev/kmsg",     "/dev/mem", "/dev/sda", "/dev/vda",
        "/dev/kvm",    "/dev/fuse",   "/dev/net/tun"};
    static const char *const uncreatable[] = {"/x", "x", "/usr/x", "/etc/x", "/dev/x", "/proc/x"};
    char                     text[200];
    for (size_t i = 0; i < sizeof unwritable / sizeof *unwritable; i++) {
        (void)snprintf(text, sizeof text, "opens %s for writing", unwritable[i]);
        held_if(!opens(unwritable[i], O_WRONLY), text);
    }
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        (void)snprintf(text, sizeof text, "opens %s", unreadable[i]);
        held_if(!opens(unreadable[i], O_RDONLY), text);
    }
    for (size_t i = 0; i < sizeof uncreatable / sizeof *uncreatable; i++) {
        (void)snprintf(text, sizeof text, "creates %s", uncreatable[i]);
        held_if(!opens(uncreatable[i], O_WRONLY | O_CREAT), text);
    }
    held_if(mknod("/tmp/null", S_IFCHR | 0600, 0x103) != 0, "makes a device");
    held_if(link("/usr/bin/env", "/tmp/env") != 0, "links a file of the system into its /tmp");
    held_if(chroot("/tmp") != 0, "changes its root");
}

/* ---- other processes ------------------------------------------------------------------------ */

static void probe_processes(void)
{
    char        path[64];
    struct stat ours, theirs;
    for (int pid = 1; pid < 20; pid++) {
        (void)snprintf(path, sizeof path, "/proc/%d/root", pid);
        bool is_seen = stat(path, &theirs) == 0 && stat("/", &ours) == 0;
        held_if(!is_seen || (ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino),
                "sees the root of a process outside");
        (void)snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
        int space = open(path, O_RDONLY | O_CLOEXEC);
        held_if(space < 0 || syscall(SYS_setns, space, 0) != 0, "enters a namespace");
        if (space >= 0)
            close(space);
    }
    held_if(getppid() <= 1, "has a parent that it can see");
    held_if(ptrace(PTRACE_ATTACH, 1, NULL, NULL) != 0, "traces the sandbox");
    held_if(setuid(0) != 0 && setgid(0) != 0 && getuid() != 0 && getgid() != 0, "becomes root");
    held_if(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "may gain privileges by exec");
    held_if(setpriority(PRIO_PROCESS, 0, -5) != 0, "takes a higher priority");
    struct sched_param urgent = {.sched_priority = 1};
    held_if(sched_setscheduler(0, SCHED_FIFO, &urgent) != 0, "runs in real time");
    held_if(setrlimit(RLIMIT_NPROC, &(struct rlimit){100000, 100000}) != 0, "raises its limits");
    for (int fd = 3; fd < 4096; fd++)
        held_if(fcntl(fd, F_GETFD) < 0, "has inherited a descriptor");
}

static void probe_sockets(void)
{
    struct sockaddr_un bus = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
    int                fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    held_if(connect(fd, (struct sockaddr *)&bus, sizeof bus) != 0, "connects to the system bus");
    close(fd);
    char  line[512];
    FILE *list = fopen("/proc/net/unix", "re");
    bool  is_alone = true;
    for (int n = 0; list && fgets(line, sizeof line, list); n++)
        is_alone = is_alone && n == 0;
    if (list)
        (void)fclose(list);
    held_if(is_alone, "sees sockets of others");
    held_if(socket(AF_PACKET, SOCK_RAW, 0) < 0 && socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) < 0,
            "opens an unusual socket");
}

/* ---- system calls --------------------------------------------------------------------------- */

static void probe_calls(void)
{
    static const struct {
        const char *name;
        long        number;
    } calls[] = {{"add_key", SYS_add_key},
                 {"keyctl", SYS_keyctl},
                 {"request_key", SYS_request_key},
                 {"mount", SYS_mount},
                 {"umount2", SYS_umount2},
                 {"pivot_root", SYS_pivot_root},
                 {"unshare", SYS_unshare},
                 {"clone3", 435},
                 {"fsopen", 430},
                 {"open_tree", 428},
                 {"mount_setattr", 442},
                 {"ptrace", SYS_ptrace},
                 {"process_vm_writev", SYS_process_vm_writev},
                 {"pidfd_getfd", 438},
                 {"bpf", SYS_bpf},
                 {"io_uring_setup", 425},
                 {"perf_event_open", SYS_perf_event_open},
                 {"userfaultfd", SYS_userfaultfd},
                 {"memfd_create", SYS_memfd_create},
                 {"memfd_secret", 447},
                 {"open_by_handle_at", SYS_open_by_handle_at},
                 {"init_module", SYS_init_module},
                 {"kexec_load", SYS_kexec_load},
                 {"reboot", SYS_reboot},
                 {"syslog", SYS_syslog},
                 {"settimeofday", SYS_settimeofday},
                 {"sethostname", SYS_sethostname},
                 {"quotactl", SYS_quotactl},
                 {"swapon", SYS_swapon},
                 {"acct", SYS_acct},
                 {"setns", SYS_setns}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool is_denied = syscall(calls[i].number, 0L, 0L, 0L, 0L, 0L, 0L) < 0 &&
                         (errno == EPERM || errno == ENOSYS);
        held_if(is_denied, calls[i].name);
    }
    pid_t pid = (pid_t)syscall(SYS_clone, (long)CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L);
    if (pid == 0)
        _exit(0);
    held_if(pid < 0, "clones into a user namespace");
}

/* What a child that makes a call in another way gets; the filter should kill it. */
static bool is_killed(void (*attempt)(void))
{
    int   status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        attempt();
        _exit(0);
    }
    return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status);
}

#ifdef __x86_64__
static void by_interrupt(void)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory"); /* getpid of 32 bits */
    (void)result;
}

static void by_x32(void) { (void)syscall(0x40000000L + SYS_getpid); }
#endif

static void probe_other_tables(void)
{
#ifdef __x86_64__
    held_if(is_killed(by_interrupt), "makes calls of 32 bits");
    held_if(is_killed(by_x32) || syscall(0x40000000L + SYS_keyctl, 0L) < 0, "makes calls of x32");
#endif
}

/* ---- using up a resource -------------------------------------------------------------------- */

enum { MIB = 1 << 20, STEP = 8 * MIB };

static void eat(size_t n_bytes)
{
    for (size_t n = 0; n < n_bytes; n += STEP) {
        char *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED)
            memset(memory, 1, STEP);
    }
}

static void eat_in_children(void)
{
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            eat((size_t)40 * MIB);
            pause();
        }
    pause();
}

static void fill_tmp(void)
{
    static char block[MIB];
    int         file = open("/tmp/big", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (write(file, block, sizeof block) > 0)
        ;
    pause();
}

static void *rest(void *unused)
{
    pause();
    return unused;
}

static void start_threads(void)
{
    pthread_t      thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (;;)
        if (pthread_create(&thread, &small, rest, NULL) != 0)
            usleep(1000);
}

/* One after the other, not doubling, to spare the machine if no limit holds. */
static void start_processes(void)
{
    for (int i = 0; i < 4000; i++) {
        pid_t pid = fork();
        if (pid == 0)
            rest(NULL);
        if (pid < 0)
            usleep(1000);
    }
    pause();
}

static void burn_time(void)
{
    for (int i = 0; i < 3 && fork() != 0; i++)
        ;
    for (volatile int i = 0;; i = i + 1)
        ;
}

/* Daemons that take every precaution against being found: a session of their own, no parent, no
 * environment, and as `is_loose` the bot does not even adopt them. */
static void start_daemons(char *self, bool is_loose)
{
    if (is_loose)
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                char *words[] = {self, "daemon", NULL}, *nothing[] = {NULL};
                execve(self, words, nothing);
            }
            _exit(0);
        }
}

static void use_up(const char *resource, char *self)
{
    if (!strcmp(resource, "memory"))
        eat((size_t)1 << 40);
    else if (!strcmp(resource, "children"))
        eat_in_children();
    else if (!strcmp(resource, "tmp"))
        fill_tmp();
    else if (!strcmp(resource, "threads"))
        start_threads();
    else if (!strcmp(resource, "processes"))
        start_processes();
    else if (!strcmp(resource, "daemons"))
        start_daemons(self, true);
    else if (!strcmp(resource, "orphans"))
        start_daemons(self, false);
    else if (!strcmp(resource, "spin"))
        burn_time();
    else if (!strcmp(resource, "rest"))
        pause();
}

/* ---- playing -------------------------------------------------------------------------------- */

/* Answers with the first string in the list of moves: enough for SquirrelWar. */
static bool answer(const char *question)
{
    const char *moves = strstr(question, "\"moves\":[\"");
    if (!moves)
        return false;
    moves += strlen("\"moves\":[\"");
    printf("{\"move\":\"%.*s\"}\n", (int)strcspn(moves, "\""), moves);
    return fflush(stdout) == 0;
}

int main(int n_words, char **words)
{
    static char question[1 << 16];
    if (n_words > 1 && !strcmp(words[1], "daemon")) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        eat((size_t)40 * MIB);
        pause();
    }
    if (n_words == 1) {
        probe_files();
        probe_processes();
        probe_sockets();
        probe_calls();
        probe_other_tables();
        (void)fprintf(stderr, "probes: %d\n", n_probes);
    }
    for (int turn = 0; fgets(question, sizeof question, stdin); turn++) {
        if (n_words > 1 && turn == 0)
            use_up(words[1], words[0]);
        if (n_words > 2 && turn == 0) /* seconds to wait before the answer */
            sleep((unsigned)atoi(words[2]));
        if (!answer(question))
            break;
    }
    return 0;
}
