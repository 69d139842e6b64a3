/* Feeds files to a fuzz target, for builds without libFuzzer: each argument is a file, or a folder
 * of them. */
#include "fuzz.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t n_files;

static void feed_file(const char *path)
{
    struct stat about;
    FILE       *file = fopen(path, "rb");
    claim(file && !fstat(fileno(file), &about), "%s cannot be read", path);
    size_t   size = (size_t)about.st_size;
    uint8_t *data =
        malloc(size ? size : 1); /* of the exact size, so that ASan catches reads past the end */
    claim(data && fread(data, 1, size, file) == size, "%s cannot be read", path);
    fclose(file);
    puts(path); /* the last path printed is the culprit of a crash */
    fflush(stdout);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    n_files++;
}

static void feed_folder(const char *path)
{
    struct dirent **entries;
    int             n_entries = scandir(path, &entries, NULL, alphasort);
    claim(n_entries >= 0, "%s cannot be read", path);
    for (int i = 0; i < n_entries; i++) {
        char *name = NULL;
        claim(asprintf(&name, "%s/%s", path, entries[i]->d_name) >= 0, "out of memory");
        if (entries[i]->d_name[0] != '.')
            feed_file(name);
        free(name);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    struct stat about;
    for (int i = 1; i < argc; i++)
        (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode) ? feed_folder : feed_file)(argv[i]);
    printf("%zu inputs\n", n_files);
    return n_files > 0 ? 0 : 2;
}
