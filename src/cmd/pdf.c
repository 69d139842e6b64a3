/* Prints a page with a browser, in a folder of its own below $TMPDIR, which is removed again. The
 * browser gets no network that the page could ask for: pages of turf have no links to resources. */
#include "cmd/pdf.h"

#include "cmd/console.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char *pdf_find_browser(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    const char              *places = getenv("PATH");
    for (size_t n = 0; places && n < sizeof names / sizeof *names; n++)
        for (const char *at = places; *at; at += strcspn(at, ":"), at += strspn(at, ":")) {
            char *path = NULL;
            if (asprintf(&path, "%.*s/%s", (int)strcspn(at, ":"), at, names[n]) < 0)
                die("out of memory");
            if (access(path, X_OK) == 0)
                return path;
            free(path);
        }
    return NULL;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(const char *folder)
{
    enum { MAX_OPEN = 16 };
    (void)nftw(folder, remove_entry, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
}

static char *join(const char *before, const char *folder, const char *after)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s%s", before, folder, after) < 0)
        die("out of memory");
    return text;
}

/* Runs the browser and waits for it. False if it failed. */
static bool run(const char *browser, const char *folder)
{
    char *profile = join("--user-data-dir=", folder, "/profile"),
         *pdf = join("--print-to-pdf=", folder, "/page.pdf"),
         *page = join("file://", folder, "/page.html");
    /* Chromium's own sandbox does not work for root; the page is ours. */
    char                      *words[] = {(char *)(uintptr_t)browser,
                                          "--headless",
                                          "--disable-gpu",
                                          "--no-pdf-header-footer",
                                          "--print-to-pdf-no-header",
                                          profile,
                                          pdf,
                                          page,
                     geteuid() == 0 ? "--no-sandbox" : NULL,
                                          NULL};
    posix_spawn_file_actions_t actions;
    pid_t                      pid;
    int                        status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool is_started = posix_spawn(&pid, browser, &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (is_started && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    free(profile);
    free(pdf);
    free(page);
    return is_started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_page(const char *folder, const char *html)
{
    char *path = join("", folder, "/page.html");
    FILE *file = fopen(path, "w");
    bool  is_good = file && fputs(html, file) >= 0;
    if (file)
        is_good = fclose(file) == 0 && is_good;
    free(path);
    return is_good;
}

static bool copy_pdf(const char *folder, FILE *out)
{
    char  *path = join("", folder, "/page.pdf"), bytes[8192];
    FILE  *file = fopen(path, "rb");
    size_t n_all = 0;
    for (size_t n; file && (n = fread(bytes, 1, sizeof bytes, file)) > 0; n_all += n)
        fwrite(bytes, 1, n, out);
    if (file)
        fclose(file);
    free(path);
    return n_all > 0;
}

void pdf_print(const char *browser, const char *html, FILE *out)
{
    const char *temporary = getenv("TMPDIR");
    char       *folder = join(temporary ? temporary : "/tmp", "/turf-pdf-", "XXXXXX");
    if (!mkdtemp(folder))
        die("'%s' cannot be made: %s", folder, strerror(errno));
    bool is_good = write_page(folder, html) && run(browser, folder) && copy_pdf(folder, out);
    remove_folder(folder);
    free(folder);
    if (!is_good)
        die("%s could not print the page; write an .html file, and print it from a browser",
            browser);
}
