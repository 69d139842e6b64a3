/* What visitors may read of commands: the owner's folders are private. */
#include "web/public_names.h"

#include <stdio.h>
#include <string.h>

/* Where the path in a word begins: after bot:, NAME= and quotes. */
static char *path_of(char *word, char *end)
{
    char *path = word;
    for (char *at = word; at < end && *at != '/'; at++)
        if (strchr(":='\"", *at))
            path = at + 1;
    return path;
}

void hide_folders(char *name)
{
    if (strncmp(name, "bot:", 4) != 0)
        return;
    for (char *word = name; *word;) {
        size_t length = strcspn(word, " ");
        char  *path = path_of(word, word + length), *last = path;
        for (char *at = path; at < word + length; at++)
            if (*at == '/')
                last = at + 1;
        memmove(path, last, strlen(last) + 1);
        word += length - (size_t)(last - path);
        word += strspn(word, " ");
    }
}

static bool is_used_before(const RunView *view, size_t entrant)
{
    for (size_t i = 0; i < entrant; i++)
        if (!strcmp(view->entrants[i].name, view->entrants[entrant].name))
            return true;
    return false;
}

void hide_folders_of_run(RunView *view)
{
    for (size_t i = 0; i < view->n_entrants; i++) {
        char  *name = view->entrants[i].name;
        size_t room = strlen(name) + 1;
        hide_folders(name);
        hide_folders(view->entrants[i].spec);
        if (is_used_before(view, i)) /* two bots of one file name, in different folders */
            (void)snprintf(name, room, "bot %zu", i + 1);
    }
}
