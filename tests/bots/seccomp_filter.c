/* Every denied system call is made, by number, in a child that has installed the filter. */
#include "bots/seccomp_filter.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int errno_of(long result) { return result < 0 ? errno : 0; }

/* The number of calls that did not get the errno they should; what they got goes to stderr. */
static int count_wrong(void)
{
    const char *name;
    int         expected, n_wrong = 0;
    for (size_t i = 0; seccomp_filter_at(i, &name, &expected); i++) {
        int number = seccomp_syscall_resolve_name(name);
        int got = number < 0 ? expected : errno_of(syscall(number, -1L, 0L, 0L, 0L, 0L, 0L));
        if (got != expected)
            (void)fprintf(stderr, "%s: %s\n", name, strerror(got));
        n_wrong += got != expected;
    }
    return n_wrong;
}

static int in_child(int (*task)(void), bool is_pinned)
{
    int   status = -1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(seccomp_filter_install(is_pinned) ? task() : 99);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void every_listed_call_is_denied(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(count_wrong, false), 0);
}

static int try_namespaces(void)
{
    static const long flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                 CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    int               n_wrong = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        long pid = syscall(SYS_clone, flags[i] | SIGCHLD, 0L, 0L, 0L, 0L);
        if (pid == 0)
            _exit(0);
        n_wrong += pid >= 0 || errno != EPERM;
    }
    return n_wrong;
}

static void clone_makes_no_namespaces(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(try_namespaces, false), 0);
}

static int try_sockets(void)
{
    int n_wrong = 0;
    for (int family = 0; family < 64; family++) {
        bool is_allowed =
            family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
        long fd = syscall(SYS_socket, (long)family, (long)SOCK_STREAM, 0L);
        n_wrong += !is_allowed && (fd >= 0 || errno != EAFNOSUPPORT);
        n_wrong += family == AF_UNIX && fd < 0;
    }
    return n_wrong;
}

static void only_common_sockets_can_be_made(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(try_sockets, false), 0);
}

static int try_everyday_calls(void)
{
    int   fds[2];
    char  byte = 'x';
    bool  is_good = pipe(fds) == 0 && write(fds[1], &byte, 1) == 1 && read(fds[0], &byte, 1) == 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    int status = -1;
    is_good = is_good && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 7;
    void *memory = malloc(1 << 20);
    is_good = is_good && memory && ioctl(0, TIOCSTI, &byte) < 0 && errno == EPERM;
    free(memory);
    return is_good ? 0 : 1;
}

static void everyday_calls_still_work(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(try_everyday_calls, false), 0);
}

static int try_leases(void)
{
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    return fcntl(file, F_SETLEASE, F_RDLCK) < 0 && errno == EPERM && fcntl(file, F_GETFD) >= 0 ? 0
                                                                                               : 1;
}

static void files_cannot_be_leased(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(try_leases, false), 0);
}

static int try_processors(void)
{
    cpu_set_t all;
    bool      is_read = sched_getaffinity(0, sizeof all, &all) == 0;
    return is_read && sched_setaffinity(0, sizeof all, &all) == 0 ? 0 : 1;
}

static void only_pinned_bots_keep_their_processor(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(try_processors, false), 0);
    assert_int_equal(in_child(try_processors, true), 1);
}

static void the_filter_can_be_read_again_and_again(void **unused)
{
    char bytes[2][4096];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        int file = seccomp_filter_open(false);
        assert_true(read(file, bytes[i], sizeof bytes[i]) > 100);
        close(file);
    }
    assert_memory_equal(bytes[0], bytes[1], 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listed_call_is_denied),
        cmocka_unit_test(clone_makes_no_namespaces),
        cmocka_unit_test(only_common_sockets_can_be_made),
        cmocka_unit_test(everyday_calls_still_work),
        cmocka_unit_test(files_cannot_be_leased),
        cmocka_unit_test(only_pinned_bots_keep_their_processor),
        cmocka_unit_test(the_filter_can_be_read_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
