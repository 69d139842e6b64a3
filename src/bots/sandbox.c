/* Bots inside bubblewrap. */
#include "bots/sandbox.h"

#include "base/error.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* /dev is a private file system in memory, so it is read-only too, but for 256 MiB in /dev/shm. */
static const char *const wrapper[] = {
    "/usr/bin/bwrap",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--size",
    "268435456",
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--die-with-parent",
    "--new-session",
    /* Or root could remount the file system to write. */
    "--cap-drop",
    "ALL",
    /* It holds the sockets of services, and a readable socket can be connected to. */
    "--tmpfs",
    "/run",
    "--remount-ro",
    "/run",
    "--setenv",
    "TMPDIR",
    "/dev/shm",
};

/* Behind the resource monitor, the last limit for a fork bomb. It does not bind root, and works
 * only inside the sandbox, where the user's other processes do not count. */
static const char prlimit_path[] = "/usr/bin/prlimit", prlimit_option[] = "--nproc=4096";

enum { N_WRAPPER = sizeof wrapper / sizeof wrapper[0], N_PRLIMIT = 2, N_END = 2 };

char **sandbox_wrap(char *const *words, const char *const *writable, TurfError *error)
{
    size_t n_words = 0, n_writable = 0, n = 0;
    while (words[n_words])
        n_words++;
    while (writable && writable[n_writable])
        n_writable++;
    size_t room = N_WRAPPER + 3 * n_writable + N_PRLIMIT + n_words + N_END;
    if (access(wrapper[0], X_OK) != 0) {
        error_not_found(error, "there is no sandbox: bubblewrap is not installed");
        return NULL;
    }
    const char **wrapped = calloc(room, sizeof *wrapped);
    if (!wrapped) {
        error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < N_WRAPPER; i++)
        wrapped[n++] = wrapper[i];
    for (size_t i = 0; i < n_writable; i++) {
        wrapped[n++] = "--bind";
        wrapped[n++] = writable[i];
        wrapped[n++] = writable[i];
    }
    wrapped[n++] = "--";
    if (geteuid() != 0 && access(prlimit_path, X_OK) == 0) {
        wrapped[n++] = prlimit_path;
        wrapped[n++] = prlimit_option;
    }
    for (size_t i = 0; i < n_words; i++)
        wrapped[n++] = words[i];
    return (char **)(void *)wrapped; /* for execve */
}

bool sandbox_works(void)
{
    static char *const         nothing[] = {"/bin/true", NULL};
    char                     **words = sandbox_wrap(nothing, NULL, NULL);
    posix_spawn_file_actions_t silence;
    pid_t                      pid;
    int                        status = -1;
    if (!words)
        return false;
    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", 1, 0);
    if (posix_spawn(&pid, words[0], &silence, NULL, words, environ) == 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&silence);
    free(words);
    return status == 0;
}
