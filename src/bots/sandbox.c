#include "bots/sandbox.h"

#include "base/error.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The device folder is a file system in memory of the bot's own, so it is closed too, but for 256
 * MiB of it. */
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
    /* Or root could mount the file system anew, and write. */
    "--cap-drop",
    "ALL",
    /* The sockets of services are there, and what can be read can be talked to. */
    "--tmpfs",
    "/run",
    "--remount-ro",
    "/run",
    "--setenv",
    "TMPDIR",
    "/dev/shm",
};

/* The last fence against a program that forks without end, behind the warden. It does not bind
 * root, and it can be put up only inside, where the user's other processes do not count. */
static const char fencer[] = "/usr/bin/prlimit", fence[] = "--nproc=4096";

enum { N_WRAPPER = sizeof wrapper / sizeof wrapper[0], N_FENCE = 2, N_END = 2 };

char **sandbox_wrap(char *const *words, const char *const *writable, TurfError *error)
{
    size_t n_words = 0, n_writable = 0, n = 0;
    while (words[n_words])
        n_words++;
    while (writable && writable[n_writable])
        n_writable++;
    size_t room = N_WRAPPER + 3 * n_writable + N_FENCE + n_words + N_END;
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
    if (geteuid() != 0 && access(fencer, X_OK) == 0) {
        wrapped[n++] = fencer;
        wrapped[n++] = fence;
    }
    for (size_t i = 0; i < n_words; i++)
        wrapped[n++] = words[i];
    return (char **)(void *)wrapped; /* as execve wants them */
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
