#include "bots/sandbox.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const wrapper[] = {
    "/usr/bin/bwrap",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--die-with-parent",
    "--new-session",
    "--setenv",
    "TMPDIR",
    "/dev/shm",
    "--",
};

enum { N_WRAPPER = sizeof wrapper / sizeof wrapper[0] };

char **sandbox_wrap(char *const *words)
{
    size_t n_words = 0;
    while (words[n_words])
        n_words++;
    char **wrapped = access(wrapper[0], X_OK) == 0 ? calloc(N_WRAPPER + n_words + 1, sizeof *wrapped) : NULL;
    if (wrapped) {
        memcpy(wrapped, wrapper, sizeof wrapper);
        memcpy(wrapped + N_WRAPPER, words, n_words * sizeof *wrapped);
    }
    return wrapped;
}

bool sandbox_works(void)
{
    static char *const         nothing[] = {"/bin/true", NULL};
    char                     **words = sandbox_wrap(nothing);
    posix_spawn_file_actions_t silence;
    pid_t                      pid;
    int                        status = -1;
    if (!words)
        return false;
    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", 1, 0);
    if (posix_spawn(&pid, words[0], &silence, NULL, words, environ) == 0)
        waitpid(pid, &status, 0);
    posix_spawn_file_actions_destroy(&silence);
    free(words);
    return status == 0;
}
