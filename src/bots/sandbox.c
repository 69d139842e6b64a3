/* Writes the command line of bubblewrap.
 *
 * The order of its arguments matters: later mounts cover earlier ones, and the root of the sandbox,
 * which lies in memory, is made read-only last. As root bubblewrap makes no user namespace: the
 * bot then gets a user id of its own from setpriv, because files of root can be written by root
 * even without capabilities, wherever bubblewrap has missed one. As a user, the kernel maps the
 * bot to the user who runs turf, and it can make no further user namespaces. */
#include "bots/sandbox.h"

#include "base/error.h"
#include "bots/command_line.h"
#include "bots/seccomp_filter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_WORDS = 8000, /* bubblewrap takes 9000 */
    TMP_MIB = 256,
    SHM_MIB = 64,
    EXTRA_PROCESSES = 32, /* of bubblewrap, and so that the monitor notices first and says why */
    DEFAULT_PROCESSES = 4096, /* without a limit, against a program that forks without end */
    FIRST_UID = 0x70000000    /* of the bots that root runs */
};

static const char bwrap[] = "/usr/bin/bwrap", setpriv[] = "/usr/bin/setpriv",
                  prlimit_program[] = "/usr/bin/prlimit";

static const char *const system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"};

/* What programs of the system need of /etc. Nothing here is secret or about people. */
static const char *const system_files[] = {"/etc/alternatives", "/etc/ld.so.cache",
                                           "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                           "/etc/localtime"};

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

/* What belongs to the kernel and to services is never shown, whatever a command names. */
static bool is_of_machine(const char *path)
{
    static const char *const folders[] = {"/proc", "/sys", "/dev", "/run", "/var/run", "/boot"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (is_inside(path, folders[i]))
            return true;
    return false;
}

static bool is_hidden(const char *path, const char *const *hidden)
{
    for (; hidden && *hidden; hidden++)
        if (!strcmp(path, *hidden))
            return true;
    return false;
}

static bool has_hidden(const char *folder, const char *const *hidden)
{
    for (; hidden && *hidden; hidden++)
        if (is_inside(*hidden, folder))
            return true;
    return false;
}

/* Is a folder the home of somebody, or does it have homes in it? They hold keys and everything else
 * that is nobody's business. */
static bool is_home(const char *folder)
{
    char          real[PATH_MAX], buffer[4096];
    struct passwd entry, *found = NULL;
    const char   *home = getenv("HOME"), *sudo_user = getenv("SUDO_USER");
    if (!strcmp(folder, "/home") || !strcmp(folder, "/root") ||
        (!strncmp(folder, "/home/", 6) && !strchr(folder + 6, '/')))
        return true;
    if (home && realpath(home, real) && is_inside(real, folder))
        return true;
    if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found &&
        realpath(entry.pw_dir, real) && strcmp(real, "/") && is_inside(real, folder))
        return true;
    return sudo_user && getpwnam_r(sudo_user, &entry, buffer, sizeof buffer, &found) == 0 &&
           found && realpath(entry.pw_dir, real) && is_inside(real, folder);
}

static bool is_too_much(const char *folder)
{
    return !strcmp(folder, "/") || !strcmp(folder, "/tmp") || !strcmp(folder, "/var/tmp") ||
           !strcmp(folder, "/etc") || !strcmp(folder, "/var") || is_home(folder);
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
 * single files. Folders that lie in memory are made read-only once all mounts in them are made. */
typedef struct View {
    Words              folders, files, closed;
    const char *const *hidden, *const *writable;
} View;

static bool is_writable(const char *path, const char *const *writable)
{
    for (; writable && *writable; writable++)
        if (is_inside(path, *writable))
            return true;
    return false;
}

static void note_folder(View *view, const char *folder)
{
    if (!is_of_system(folder) && !is_too_much(folder) && !is_of_machine(folder))
        add(&view->folders, folder);
}

static void note_folder_of(View *view, const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    note_folder(view, *folder ? folder : "/");
}

/* The program and the interpreter behind it, each with its installation if it has one. */
static void note_program(View *view, const char *path)
{
    char prefix[PATH_MAX];
    if (command_has_prefix(path, prefix) && !is_too_much(prefix))
        note_folder(view, prefix);
    else
        note_folder_of(view, path);
    add(&view->files, path);
}

/* A file is shown with the folder it lies in. Of what a link leads to, only the file itself, and
 * nothing that is hidden: a link must not open a folder that the command does not name. Where bots
 * may write, one may have left a link for its next start, so nothing is followed there. */
static void note_path(void *context, const char *path, bool is_program)
{
    View       *view = context;
    char        real[PATH_MAX];
    struct stat about;
    if (is_writable(path, view->writable) || stat(path, &about) != 0 || !realpath(path, real) ||
        is_of_machine(real))
        return;
    bool is_link = strcmp(path, real) != 0;
    if (is_program && S_ISREG(about.st_mode)) {
        if (!is_of_system(path))
            note_program(view, path);
        if (is_link && !is_of_system(real))
            note_program(view, real);
        return;
    }
    if (is_of_system(path))
        return;
    if (S_ISDIR(about.st_mode)) {
        note_folder(view, path);
    } else if (S_ISREG(about.st_mode)) {
        note_folder_of(view, path);
        add(&view->files, path);
        if (is_link && !is_of_system(real) && !is_hidden(real, view->hidden))
            add(&view->files, real);
    }
}

/* ---- mounting it ---------------------------------------------------------------------------- */

static void mount_link(Words *words, const char *path)
{
    char    target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return;
    target[length] = '\0';
    add_all(words, (const char *const[]){"--symlink", target, path, NULL});
}

/* Is something behind this link shown under the link's own name? Then it becomes a folder. */
static bool leads_to_shown(const View *view, const char *path)
{
    for (size_t i = 0; i < view->folders.n; i++)
        if (is_inside(view->folders.all[i], path))
            return true;
    for (size_t i = 0; i < view->files.n; i++)
        if (is_inside(view->files.all[i], path) && strcmp(view->files.all[i], path) != 0)
            return true;
    return false;
}

static bool mount_entries(Words *words, View *view, const char *folder, TurfError *error);

/* Links are made anew, so that they lead to what the sandbox shows and nowhere else; sockets, pipes
 * and devices are left out. A folder with something hidden in it is shown by its entries, too. */
static bool mount_entry(Words *words, View *view, const char *path, TurfError *error)
{
    struct stat about;
    if (is_hidden(path, view->hidden) || lstat(path, &about) != 0)
        return true;
    if (S_ISLNK(about.st_mode) && !leads_to_shown(view, path))
        mount_link(words, path);
    else if (S_ISDIR(about.st_mode) && has_hidden(path, view->hidden))
        return mount_entries(words, view, path, error);
    else if (S_ISDIR(about.st_mode) || S_ISREG(about.st_mode))
        add_all(words, (const char *const[]){"--ro-bind-try", path, path, NULL});
    return true;
}

/* Shows what a folder holds, but for what is hidden: entry by entry, since a mount that covers a
 * file can only be made while the file is there, and a database may get companions later. Also if
 * root runs the bot and its user could not enter the folder. */
static bool mount_entries(Words *words, View *view, const char *folder, TurfError *error)
{
    char           path[PATH_MAX];
    bool           is_good = true;
    DIR           *entries = opendir(folder);
    struct dirent *entry;
    if (!entries)
        return error_system(error, errno, "the sandbox cannot read the folder '%s': %s", folder,
                            strerror(errno));
    make_parents(words, folder);
    add_all(words, (const char *const[]){"--perms", "0755", "--tmpfs", folder, NULL});
    add(&view->closed, folder);
    while (is_good && (entry = readdir(entries))) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && length > 0 &&
            (size_t)length < sizeof path)
            is_good = mount_entry(words, view, path, error);
        if (words->n > MAX_WORDS)
            is_good = error_invalid(error,
                                    "the folder '%s' has too many files for the sandbox; put the "
                                    "bot into a folder of its own",
                                    folder);
    }
    closedir(entries);
    return is_good;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_in_list(const char *path, const Words *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (is_inside(path, list->all[i]))
            return true;
    return false;
}

static bool is_open_to(const char *folder)
{
    enum { OTHERS_ENTER_AND_LIST = S_IROTH | S_IXOTH };
    struct stat about;
    return geteuid() != 0 || (stat(folder, &about) == 0 &&
                              (about.st_mode & OTHERS_ENTER_AND_LIST) == OTHERS_ENTER_AND_LIST);
}

static bool mount_folders(Words *words, View *view, TurfError *error)
{
    char *const *folders = view->folders.all;
    if (view->folders.n > 0)
        qsort(view->folders.all, view->folders.n, sizeof *folders, by_path);
    for (size_t i = 0; i < view->folders.n; i++) {
        if (i > 0 && !strcmp(folders[i], folders[i - 1]))
            continue;
        if (is_open_to(folders[i]) && !has_hidden(folders[i], view->hidden))
            show(words, "--ro-bind", folders[i]);
        else if (!mount_entries(words, view, folders[i], error))
            return false;
    }
    return true;
}

/* Files that no folder shows: named by the command, but hidden from others, or in a home. */
static void mount_files(Words *words, const View *view)
{
    struct stat about;
    for (size_t i = 0; i < view->files.n; i++) {
        const char *path = view->files.all[i];
        bool        is_shown = is_in_list(path, &view->folders) && !is_hidden(path, view->hidden);
        bool        is_again = false;
        for (size_t j = 0; j < i; j++)
            is_again = is_again || !strcmp(view->files.all[j], path);
        if (is_shown || is_again || lstat(path, &about) != 0)
            continue;
        make_parents(words, path);
        if (S_ISLNK(about.st_mode))
            mount_link(words, path);
        else
            add_all(words, (const char *const[]){"--ro-bind", path, path, NULL});
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
    glob_t java;
    if (glob("/etc/java-*", 0, NULL, &java) == 0) {
        for (size_t i = 0; i < java.gl_pathc; i++)
            add_all(words, (const char *const[]){"--ro-bind-try", java.gl_pathv[i],
                                                 java.gl_pathv[i], NULL});
        globfree(&java);
    }
}

static void add_tmpfs(Words *words, const char *path, int64_t mib, int64_t max_mib)
{
    add_all(words, (const char *const[]){"--perms", "1777", "--size", NULL});
    add_number(words, "", (max_mib > 0 && max_mib < mib ? max_mib : mib) << 20);
    add_all(words, (const char *const[]){"--tmpfs", path, NULL});
}

/* The kernel's settings are mounted over, since bubblewrap covers only those that it could write;
 * so are the descriptions of keys. /tmp is the bot's to write. */
static void add_private(Words *words, int64_t max_mib)
{
    static const char *const keys[] = {"/proc/keys", "/proc/key-users"};
    add_all(words, (const char *const[]){"--dev", "/dev", NULL});
    add_tmpfs(words, "/tmp", TMP_MIB, max_mib);
    add_tmpfs(words, "/dev/shm", SHM_MIB, max_mib);
    add_all(words, (const char *const[]){"--remount-ro", "/dev", "--proc", "/proc", "--ro-bind",
                                         "/proc/sys", "/proc/sys", NULL});
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (access(keys[i], F_OK) == 0)
            add_all(words, (const char *const[]){"--ro-bind", "/dev/null", keys[i], NULL});
}

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

/* A command that names no file of its own, such as sh -c '...', may need the folder it runs in. */
static void note_all(View *view, char *const *command, const SandboxTerms *terms)
{
    command_each_path(command, terms->folder, note_path, view);
    for (const char *const *path = terms->readable; path && *path; path++)
        note_path(view, *path, false);
    if (terms->is_own_folder || (view->folders.n == 0 && view->files.n == 0))
        note_folder(view, terms->folder);
}

/* One inside another is shown with that; a bot could have put a link in its place. */
static void mount_writable(Words *words, const char *const *writable)
{
    for (const char *const *path = writable; path && *path; path++) {
        bool is_within = false;
        for (const char *const *other = writable; *other; other++)
            is_within = is_within || (strcmp(*path, *other) != 0 && is_inside(*path, *other));
        if (!is_within)
            show(words, "--bind", *path);
    }
}

static bool add_files(Words *words, char *const *command, const SandboxTerms *terms,
                      TurfError *error)
{
    View view = {.hidden = terms->hidden, .writable = terms->writable};
    note_all(&view, command, terms);
    bool is_good = !view.folders.is_short && !view.files.is_short;
    is_good = is_good ? mount_folders(words, &view, error) : error_no_memory(error);
    mount_files(words, &view);
    mount_writable(words, terms->writable);
    make_parents(words, terms->folder);
    add_all(words, (const char *const[]){"--perms", "0755", "--dir", terms->folder, NULL});
    for (size_t i = 0; i < view.closed.n; i++)
        add_all(words, (const char *const[]){"--remount-ro", view.closed.all[i], NULL});
    add_all(words, (const char *const[]){"--remount-ro", "/", "--chdir", terms->folder, NULL});
    command_free(view.folders.all);
    command_free(view.files.all);
    command_free(view.closed.all);
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
    add_private(all, terms->max_mib);
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
    if (terms->folder && is_writable(terms->folder, terms->writable) &&
        !is_writable(at.folder, terms->writable))
        return error_invalid(error, "the folder '%s' of a bot leads out of --allow-write",
                             terms->folder);
    sandbox->filter = seccomp_filter_open(terms->is_pinned);
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
