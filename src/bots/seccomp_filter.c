/* The seccomp filter of the sandbox, made with libseccomp.
 *
 * Calls of another architecture (int 0x80 on x86-64) kill the process, which is libseccomp's
 * default. Where programs try a call and fall back on an older one, the answer is ENOSYS, so that
 * they do; everything else gets EPERM. */
#include "bots/seccomp_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Denied {
    const char *name;
    int         error;
} Denied;

static const Denied denied[] = {
    /* Keyrings outlive a process, so they would carry notes from game to game. */
    {"add_key", EPERM},
    {"keyctl", EPERM},
    {"request_key", EPERM},
    /* Mounts and file systems. */
    {"chroot", EPERM},
    {"fsconfig", EPERM},
    {"fsmount", EPERM},
    {"fsopen", EPERM},
    {"fspick", EPERM},
    {"mount", EPERM},
    {"mount_setattr", EPERM},
    {"move_mount", EPERM},
    {"open_tree", EPERM},
    {"pivot_root", EPERM},
    {"quotactl", EPERM},
    {"quotactl_fd", EPERM},
    {"swapoff", EPERM},
    {"swapon", EPERM},
    {"umount2", EPERM},
    /* Files by handle instead of by path. */
    {"name_to_handle_at", EPERM},
    {"open_by_handle_at", EPERM},
    {"fanotify_init", EPERM},
    {"fanotify_mark", EPERM},
    {"lookup_dcookie", EPERM},
    /* Namespaces; clone is filtered by its flags below. The flags of clone3 are in memory, which a
     * filter cannot read: C libraries fall back on clone. */
    {"clone3", ENOSYS},
    {"setns", EPERM},
    {"unshare", EPERM},
    /* Looking into other processes. */
    {"kcmp", EPERM},
    {"pidfd_getfd", EPERM},
    {"process_madvise", EPERM},
    {"process_vm_readv", EPERM},
    {"process_vm_writev", EPERM},
    {"ptrace", EPERM},
    /* Large or old kernel interfaces that a bot has no use for. */
    {"bpf", EPERM},
    {"io_uring_enter", ENOSYS},
    {"io_uring_register", ENOSYS},
    {"io_uring_setup", ENOSYS},
    {"modify_ldt", EPERM},
    {"perf_event_open", EPERM},
    {"userfaultfd", EPERM},
    /* Memory that no process maps is memory that no limit without cgroups sees. */
    {"memfd_create", ENOSYS},
    {"memfd_secret", ENOSYS},
    {"mq_open", EPERM},
    {"msgget", EPERM},
    {"shmget", EPERM},
    /* The machine itself. */
    {"acct", EPERM},
    {"adjtimex", EPERM},
    {"clock_adjtime", EPERM},
    {"clock_settime", EPERM},
    {"delete_module", EPERM},
    {"finit_module", EPERM},
    {"init_module", EPERM},
    {"ioperm", EPERM},
    {"iopl", EPERM},
    {"kexec_file_load", EPERM},
    {"kexec_load", EPERM},
    {"reboot", EPERM},
    {"setdomainname", EPERM},
    {"sethostname", EPERM},
    {"settimeofday", EPERM},
    {"syslog", EPERM},
    {"vhangup", EPERM},
};

enum { N_DENIED = sizeof denied / sizeof *denied };

bool seccomp_filter_at(size_t index, const char **name, int *error)
{
    if (index >= N_DENIED)
        return false;
    *name = denied[index].name;
    *error = denied[index].error;
    return true;
}

/* A call that this architecture or this libseccomp does not know cannot be made by name either. */
static bool deny_by_name(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < N_DENIED; i++) {
        int number = seccomp_syscall_resolve_name(denied[i].name);
        if (number == __NR_SCMP_ERROR)
            continue;
        int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)denied[i].error), number, 0);
        if (result != 0 && result != -EDOM)
            return false;
    }
    return true;
}

static bool deny_new_namespaces(scmp_filter_ctx filter)
{
    static const unsigned long flags[] = {CLONE_NEWCGROUP, CLONE_NEWIPC,  CLONE_NEWNET, CLONE_NEWNS,
                                          CLONE_NEWPID,    CLONE_NEWUSER, CLONE_NEWUTS};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i])) != 0)
            return false;
    return true;
}

/* A terminal can be made to type (TIOCSTI), a lease delays others who open the file, and of sockets
 * only the common ones are allowed. */
static bool deny_by_argument(scmp_filter_ctx filter)
{
    static const unsigned long ioctls[] = {TIOCSTI, TIOCLINUX};
    for (size_t i = 0; i < sizeof ioctls / sizeof *ioctls; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                             SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, ioctls[i])) != 0)
            return false;
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
                         SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETLEASE)) != 0)
        return false;
    for (int family = 0; family <= AF_NETLINK; family++) {
        bool is_known =
            family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
        if (!is_known && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                          SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family, 0)) != 0)
            return false;
    }
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                            SCMP_A0(SCMP_CMP_GT, AF_NETLINK, 0)) == 0;
}

static bool deny_other_processors(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 0) == 0;
}

static scmp_filter_ctx make_filter(bool is_pinned)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter && deny_by_name(filter) && deny_new_namespaces(filter) && deny_by_argument(filter) &&
        (!is_pinned || deny_other_processors(filter)))
        return filter;
    if (filter)
        seccomp_release(filter);
    errno = ENOMEM;
    return NULL;
}

static int write_filter(bool is_pinned)
{
    scmp_filter_ctx filter = make_filter(is_pinned);
    if (!filter)
        return -1;
    int file = memfd_create("turf-seccomp", MFD_CLOEXEC), failed = 0;
    while (file >= 0 && (errno = 0, failed = seccomp_export_bpf(filter, file)) && errno == EINTR)
        continue; /* a signal */
    if (failed) {
        close(file);
        file = -1;
        errno = EIO;
    }
    seccomp_release(filter);
    return file;
}

/* Every user gets an opened file of its own, with an offset of its own. */
int seccomp_filter_open(bool is_pinned)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int             files[2] = {-1, -1}; /* guarded by the lock */
    char                   path[32];
    pthread_mutex_lock(&lock);
    if (files[is_pinned] < 0)
        files[is_pinned] = write_filter(is_pinned);
    int file = files[is_pinned];
    pthread_mutex_unlock(&lock);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return file < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

bool seccomp_filter_install(bool is_pinned)
{
    scmp_filter_ctx filter = make_filter(is_pinned);
    bool            is_good = filter && seccomp_load(filter) == 0;
    if (filter)
        seccomp_release(filter);
    return is_good;
}
