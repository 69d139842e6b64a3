/* A tool of the build: writes the files of the page as C, so that the program carries them with it.
 *     embed FOLDER OUT.c OUT.d
 * Each file becomes an entry of `page_files`. OUT.d names the folder too, so that a file that is new is noticed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int is_part_of_page(const struct dirent *entry)
{
    static const char *const endings[] = {".html", ".css", ".js", ".svg", ".png"};
    const char              *ending = strrchr(entry->d_name, '.');
    for (size_t i = 0; ending && entry->d_name[0] != '.' && i < sizeof endings / sizeof endings[0]; i++)
        if (!strcmp(ending, endings[i]))
            return 1;
    return 0;
}

static void write_bytes(FILE *out, const char *path, int number)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail(path);
    /* One byte more, so that an empty file is an array as well. */
    long n_bytes = 0;
    fprintf(out, "static const unsigned char bytes_%d[] = {", number);
    for (int byte; (byte = getc(in)) != EOF; n_bytes++)
        fprintf(out, "%d,", byte);
    fprintf(out, "0};\nenum { N_BYTES_%d = %ld };\n", number, n_bytes);
    fclose(in);
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    if (argc != 4)
        return 1;
    int   n_entries = scandir(argv[1], &entries, is_part_of_page, alphasort);
    FILE *out = fopen(argv[2], "w"), *needs = fopen(argv[3], "w");
    if (n_entries < 0 || !out || !needs)
        fail(argv[1]);
    fprintf(out, "#include \"web/assets.h\"\n");
    fprintf(needs, "%s: %s", argv[2], argv[1]);
    for (int i = 0; i < n_entries; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
        fprintf(needs, " %s", path);
        write_bytes(out, path, i);
    }
    fprintf(out, "const PageFile page_files[] = {\n");
    for (int i = 0; i < n_entries; i++) {
        fprintf(out, "    {\"/%s\", bytes_%d, N_BYTES_%d},\n", entries[i]->d_name, i, i);
        free(entries[i]);
    }
    free(entries);
    fprintf(out, "    {0, 0, 0},\n};\n");
    fprintf(needs, "\n");
    if (fclose(out) || fclose(needs))
        fail(argv[2]);
    return 0;
}
