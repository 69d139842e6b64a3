/* Writes the command line of bubblewrap.
 *
 * The order of its arguments matters: later mounts cover earlier ones, and the root of the sandbox,
 * which lies in memory, is made read-only last. As root bubblewrap makes no user namespace: the
 * bot then gets a user id of its own from setpriv, because files of root can be written by root
 * even without capabilities, wherever bubblewrap has missed one. As a user, the kernel maps the
 * bot to the user who runs turf, and it can make no further user namespaces. */
#include "bots/sandbox.h"

#include "base/error.h"
#include "bots/command.h"
#include "bots/seccomp_filter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_ENTRIES = 1000,   /* of a folder that is shown entry by entry */
    EXTRA_PROCESSES = 32, /* of bubblewrap, and so that the monitor notices first and says why */
    DEFAULT_PROCESSES = 4096, /* without a limit, against a program that forks without end */
    FIRST_UID = 0x70000000    /* of the bots that root runs */
};

static const char bwrap[] = "/usr/bin/bwrap", setpriv[] = "/usr/bin/setpriv",
                  prlimit_program[] = "/usr/bin/prlimit";

static const char *const system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"};

/* What programs of the system need of /etc. Nothing here is secret or about people. */
static const char *const system_files[] = {"/etc/alternatives", "/etc/ld.so.cache",
                                           "/etc/ld.so.conf",   "/etc/ld.so.conf.d",
                                           "/etc/localtime",    "/etc/java-17-openjdk"};

/* ---- a list of words ------------------------------------------------------------------------ */

typedef struct Words {
    char **all; /* ends with NULL */
    size_t n, room;
    bool   is_short; /* of memory */
} Words;

static void add(Words *words, const char *word)
{
    if (words->n + 2 > words->room) {
        size_t room = words->room ? 2 * words->room : 128;
        char **more = realloc(words->all, room * sizeof *more);
        if (!more) {
            words->is_short = true;
            return;
        }
        words->all = more;
        words->room = room;
    }
    words->all[words->n] = strdup(word);
    words->is_short = words->is_short || !words->all[words->n];
    words->n += words->all[words->n] != NULL;
    words->all[words->n] = NULL;
}

static void add_number(Words *words, const char *prefix, long long number)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s%lld", prefix, number);
    add(words, text);
}

static void add_all(Words *words, const char *const *more)
{
    for (; *more; more++)
        add(words, *more);
}

/* ---- which files are shown ------------------------------------------------------------------ */

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && (path[length] == '/' || path[length] == '\0');
}

static bool is_of_system(const char *path)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        if (is_inside(path, system_folders[i]))
            return true;
    return false;
}

/* A database has companions that are named after it: turf.db-wal. */
static bool is_hidden(const char *path, const char *const *hidden)
{
    for (; hidden && *hidden; hidden++) {
        size_t length = strlen(*hidden);
        if (!strncmp(path, *hidden, length) && (path[length] == '\0' || path[length] == '-'))
            return true;
    }
    return false;
}

static bool has_hidden(const char *folder, const char *const *hidden)
{
    for (; hidden && *hidden; hidden++)
        if (is_inside(*hidden, folder))
            return true;
    return false;
}

/* Hides home folders: they hold keys and other private files. */
static bool is_too_much(const char *folder)
{
    const char *home = getenv("HOME");
    return !strcmp(folder, "/") || !strcmp(folder, "/tmp") || !strcmp(folder, "/var/tmp") ||
           !strcmp(folder, "/etc") || (home && *home == '/' && is_inside(home, folder));
}

/* Folders above a mount; bubblewrap would make them so that only root can enter. */
static void make_parents(Words *words, const char *path)
{
    char parent[PATH_MAX];
    for (const char *at = path; (at = strchr(at + 1, '/'));) {
        (void)snprintf(parent, sizeof parent, "%.*s", (int)(at - path), path);
        add_all(words, (const char *const[]){"--perms", "0755", "--dir", parent, NULL});
    }
}

static void show(Words *words, const char *option, const char *path)
{
    make_parents(words, path);
    add_all(words, (const char *const[]){option, path, path, NULL});
}

/* ---- what the command names ----------------------------------------------------------------- */

/* What is shown: folders, mounted parents first since a later mount covers an earlier one, and then
 * single files. */
typedef struct View {
    Words folders, files;
} View;

static void note_folder(View *view, const char *folder)
{
    if (!is_of_system(folder) && !is_too_much(folder))
        add(&view->folders, folder);
}

/* An interpreter in a home of its own, such as VENV/bin/python3, needs what lies beside bin. */
static void to_prefix(char *folder)
{
    size_t length = strlen(folder);
    if (length < 5 || strcmp(folder + length - 4, "/bin") != 0)
        return;
    folder[length - 4] = '\0';
    bool is_local = length > 11 && !strcmp(folder + length - 11, "/.local");
    if (is_too_much(folder) || is_local)
        folder[length - 4] = '/';
}

/* A file is shown with the folder it lies in, and also where that is not shown. */
static void note_path(View *view, const char *path, bool is_program)
{
    char        folder[PATH_MAX];
    struct stat about;
    if (is_of_system(path) || stat(path, &about) != 0)
        return;
    if (S_ISDIR(about.st_mode)) {
        note_folder(view, path);
        return;
    }
    if (!S_ISREG(about.st_mode))
        return;
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (is_program)
        to_prefix(folder);
    note_folder(view, *folder ? folder : "/");
    add(&view->files, path);
}

/* A word that names a file or folder, as it is written and behind links. */
static void note_word(View *view, const char *word, const char *here, bool is_program)
{
    char path[PATH_MAX], real[PATH_MAX];
    while (!strncmp(word, "./", 2))
        word += 2;
    int length = snprintf(path, sizeof path, "%s%s%s", *word == '/' ? "" : here,
                          *word == '/' ? "" : "/", word);
    if (!*word || length < 0 || (size_t)length >= sizeof path || !realpath(path, real))
        return;
    if (strcmp(path, real) != 0 && !strstr(path, "/..") && !strstr(path, "/./"))
        note_path(view, path, is_program);
    note_path(view, real, is_program);
}

/* The command's words, and the parts of words like -Dbook=FILE and one.jar:two.jar. */
static void note_command(View *view, char *const *command, const char *here)
{
    for (size_t i = 0; command[i]; i++) {
        note_word(view, command[i], here, i == 0);
        for (const char *at = command[i]; i > 0 && *at; at += *at != '\0') {
            char   part[PATH_MAX];
            size_t length = strcspn(at, ":=");
            (void)snprintf(part, sizeof part, "%.*s", (int)length, at);
            note_word(view, part, here, false);
            at += length;
        }
    }
}

/* ---- mounting it ---------------------------------------------------------------------------- */

/* Shows what a folder holds, but for what is hidden: entry by entry, since a mount that covers a
 * file can only be made while the file is there, and a database may get companions later. As root
 * always: the bot's user may not enter folders that only root can. */
static bool mount_entries(Words *words, const char *folder, const char *const *hidden,
                          TurfError *error)
{
    char           path[PATH_MAX];
    int            n_entries = 0;
    DIR           *entries = opendir(folder);
    struct dirent *entry;
    if (!entries)
        return error_system(error, errno, "the sandbox cannot read the folder '%s': %s", folder,
                            strerror(errno));
    make_parents(words, folder);
    add_all(words, (const char *const[]){"--perms", "0755", "--tmpfs", folder, NULL});
    while ((entry = readdir(entries)) && n_entries <= MAX_ENTRIES) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof path || is_hidden(path, hidden) ||
            has_hidden(path, hidden))
            continue;
        add_all(words, (const char *const[]){"--ro-bind-try", path, path, NULL});
        n_entries++;
    }
    closedir(entries);
    if (n_entries > MAX_ENTRIES)
        return error_invalid(error,
                             "the folder '%s' has more than %d files; put the bot into a folder of "
                             "its own",
                             folder, MAX_ENTRIES);
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool by_entries(const char *folder, const char *const *hidden)
{
    return geteuid() == 0 || has_hidden(folder, hidden);
}

static bool mount_view(Words *words, const View *view, const char *const *hidden, TurfError *error)
{
    char *const *folders = view->folders.all;
    if (view->folders.n > 0)
        qsort(view->folders.all, view->folders.n, sizeof *folders, by_path);
    for (size_t i = 0; i < view->folders.n; i++) {
        if (i > 0 && !strcmp(folders[i], folders[i - 1]))
            continue;
        if (!by_entries(folders[i], hidden))
            show(words, "--ro-bind", folders[i]);
        else if (!mount_entries(words, folders[i], hidden, error))
            return false;
    }
    for (size_t i = 0; i < view->files.n; i++)
        show(words, "--ro-bind", view->files.all[i]);
    return true;
}

/* Folders that lie in memory are closed once all mounts in them are made. */
static void close_view(Words *words, const View *view, const char *const *hidden)
{
    for (size_t i = 0; i < view->folders.n; i++) {
        const char *folder = view->folders.all[i];
        bool        is_new = i == 0 || strcmp(folder, view->folders.all[i - 1]) != 0;
        if (is_new && by_entries(folder, hidden))
            add_all(words, (const char *const[]){"--remount-ro", folder, NULL});
    }
}

/* ---- the command line ----------------------------------------------------------------------- */

static void add_system(Words *words)
{
    char        target[PATH_MAX];
    struct stat about;
    add(words, bwrap);
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        const char *folder = system_folders[i];
        if (lstat(folder, &about) != 0)
            continue;
        ssize_t length = S_ISLNK(about.st_mode) ? readlink(folder, target, sizeof target - 1) : -1;
        if (length > 0) {
            target[length] = '\0';
            add_all(words, (const char *const[]){"--symlink", target, folder, NULL});
        } else {
            add_all(words, (const char *const[]){"--ro-bind", folder, folder, NULL});
        }
    }
    add_all(words, (const char *const[]){"--perms", "0755", "--dir", "/etc", NULL});
    for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++)
        add_all(words,
                (const char *const[]){"--ro-bind-try", system_files[i], system_files[i], NULL});
}

/* The kernel's settings are mounted over, since bubblewrap covers only those that it could write.
 * /tmp is the bot's to write; it and /dev/shm are as large as it says here. */
static const char *const private_folders[] = {
    "--dev",   "/dev",  "--perms",   "1777",      "--size",    "268435456", "--tmpfs",      "/tmp",
    "--perms", "1777",  "--size",    "67108864",  "--tmpfs",   "/dev/shm",  "--remount-ro", "/dev",
    "--proc",  "/proc", "--ro-bind", "/proc/sys", "/proc/sys", NULL};

static const char *const isolation[] = {
    "--unshare-pid",     "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--cap-drop",    "ALL",           NULL};

/* As root, setpriv needs three capabilities to give everything up. */
static const char *const isolation_of_root[] = {
    "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP", NULL};
static const char *const isolation_of_user[] = {
    "--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534", NULL};

/* No two bots of this program have one: the kernel counts processes by user. */
static long long next_uid(void)
{
    static atomic_uint n_bots;
    unsigned           number = (unsigned)getpid() << 8 ^ atomic_fetch_add(&n_bots, 1);
    return FIRST_UID + (long long)(number & 0xfffffff);
}

static void add_privileges(Words *words, int64_t max_processes)
{
    if (geteuid() == 0) {
        long long uid = next_uid();
        add(words, setpriv);
        add_number(words, "--reuid=", uid);
        add_number(words, "--regid=", uid);
        add_all(words, (const char *const[]){"--clear-groups", "--inh-caps=-all",
                                             "--bounding-set=-all", "--no-new-privs", "--", NULL});
    }
    add(words, prlimit_program);
    add_number(words,
               "--nproc=", max_processes > 0 ? max_processes + EXTRA_PROCESSES : DEFAULT_PROCESSES);
    add(words, "--");
}

static bool add_files(Words *words, char *const *command, const SandboxTerms *terms,
                      TurfError *error)
{
    View view = {0};
    if (terms->is_own_folder)
        note_folder(&view, terms->folder);
    note_command(&view, command, terms->folder);
    for (const char *const *path = terms->readable; path && *path; path++)
        note_path(&view, *path, false);
    bool is_good = !view.folders.is_short && !view.files.is_short;
    is_good = is_good ? mount_view(words, &view, terms->hidden, error) : error_no_memory(error);
    for (const char *const *path = terms->writable; path && *path; path++)
        show(words, "--bind", *path);
    make_parents(words, terms->folder);
    add_all(words, (const char *const[]){"--perms", "0755", "--dir", terms->folder, NULL});
    close_view(words, &view, terms->hidden);
    add_all(words, (const char *const[]){"--remount-ro", "/", "--chdir", terms->folder, NULL});
    command_free(view.folders.all);
    command_free(view.files.all);
    return is_good;
}

/* A program in a folder of shims is a script that needs more than the sandbox shows, so the
 * system's program of that name is taken instead, if there is one. False when memory is short. */
static bool use_visible_program(char **command)
{
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin"};
    const char              *name = strrchr(command[0], '/');
    char                    *path = NULL;
    for (size_t i = 0; name && strstr(command[0], "/shims/") && i < 2; i++) {
        if (asprintf(&path, "%s%s", folders[i], name) < 0)
            return false;
        if (access(path, X_OK) == 0) {
            free(command[0]);
            command[0] = path;
            return true;
        }
        free(path);
    }
    return true;
}

static bool build(Words *all, char **command, const SandboxTerms *terms, int filter,
                  TurfError *error)
{
    add_system(all);
    add_all(all, private_folders);
    if (!add_files(all, command, terms, error))
        return false;
    add_all(all, isolation);
    add_all(all, geteuid() == 0 ? isolation_of_root : isolation_of_user);
    add(all, "--seccomp");
    add_number(all, "", filter);
    add(all, "--");
    add_privileges(all, terms->max_processes);
    for (size_t i = 0; command[i]; i++)
        add(all, command[i]);
    return !all->is_short || error_no_memory(error);
}

bool sandbox_wrap(Sandbox *sandbox, char *const *words, const SandboxTerms *terms, TurfError *error)
{
    Words        all = {0};
    char         here[PATH_MAX];
    SandboxTerms at = *terms;
    *sandbox = (Sandbox){.filter = -1};
    if (access(bwrap, X_OK) != 0)
        return error_not_found(error, "there is no sandbox: bubblewrap is not installed");
    at.folder = realpath(terms->folder ? terms->folder : ".", here);
    if (!at.folder)
        return error_system(error, errno, "a bot cannot be run in %s: %s",
                            terms->folder ? terms->folder : "the current folder", strerror(errno));
    sandbox->filter = seccomp_filter_open();
    if (sandbox->filter < 0)
        return error_system(error, errno, "the sandbox has no filter of system calls: %s",
                            strerror(errno));
    at.is_own_folder = terms->folder != NULL;
    char **command = command_copy(words);
    bool   is_good = command && use_visible_program(command);
    is_good = is_good ? build(&all, command, &at, sandbox->filter, error) : error_no_memory(error);
    command_free(command);
    if (!is_good) {
        command_free(all.all);
        sandbox_release(sandbox);
        return false;
    }
    sandbox->words = all.all;
    return true;
}

void sandbox_release(Sandbox *sandbox)
{
    command_free(sandbox->words);
    if (sandbox->filter >= 0)
        close(sandbox->filter);
    *sandbox = (Sandbox){.filter = -1};
}

bool sandbox_works(void)
{
    static char *const         nothing[] = {"/usr/bin/true", NULL};
    static char *const         environment[] = {NULL};
    Sandbox                    sandbox;
    posix_spawn_file_actions_t actions;
    pid_t                      pid;
    int                        status = -1;
    if (!sandbox_wrap(&sandbox, nothing, &(SandboxTerms){.folder = "/usr"}, NULL))
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    /* A descriptor that is duplicated onto itself is inherited. */
    posix_spawn_file_actions_adddup2(&actions, sandbox.filter, sandbox.filter);
    if (posix_spawn(&pid, sandbox.words[0], &actions, NULL, sandbox.words, environment) == 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&actions);
    sandbox_release(&sandbox);
    return status == 0;
}
