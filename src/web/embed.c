/* clang-format off: what is understood stays in its columns */
/* A tool of the build: writes the page as C, so that the program carries it with it.
 *     embed FOLDER OUT.c OUT.d
 * A browser fetches six files at a time, so how many there are decides how soon the page is there.
 * All scripts therefore become one file, main.js, and all styles another, style.css, in the order
 * in which those two name them; comments, indentation and the spaces in styles that mean nothing
 * stay behind. Only what is written as the page writes it is understood; anything else ends the
 * build: import { a, b } from './x.js';      on a line of its own, before it is used and never in a
 * circle export const a, export function b   or export async function, at the beginning of a line
 *     @import "x.css";                    on a line of its own
 *     // and slash-star comments          on lines of their own; a string in backticks ends on its
 * line A module becomes a function that returns what it exports. OUT.d names the folder too, so
 * that a file that is new is noticed. */
/* clang-format on */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 200, MAX_NAME = 64, MAX_PATH = 4096 };

typedef struct Text {
    char  *chars;
    size_t n_chars, room;
} Text;

typedef enum State { NOT_YET, BEGUN, DONE } State;

typedef struct File {
    char  name[MAX_NAME];
    State state;
} File;

static const char *folder;
static File        files[MAX_FILES];
static size_t      n_files;

static _Noreturn void fail(const char *where, const char *what)
{
    (void)fprintf(stderr, "embed: %s: %s\n", where, what);
    exit(1);
}

/* ---- texts -------------------------------------------------------------------------------- */

static void add(Text *text, const char *chars, size_t n_chars)
{
    if (!text->chars || text->n_chars + n_chars + 1 > text->room) {
        text->room = 2 * (text->n_chars + n_chars) + 1024;
        text->chars = realloc(text->chars, text->room);
        if (!text->chars)
            fail("memory", "there is not enough");
    }
    memcpy(text->chars + text->n_chars, chars, n_chars);
    text->n_chars += n_chars;
    text->chars[text->n_chars] = '\0';
}

static void add_string(Text *text, const char *string) { add(text, string, strlen(string)); }

static Text read_file(const char *name)
{
    char path[MAX_PATH], part[4096];
    Text text = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in)
        fail(path, "cannot be read");
    add(&text, "", 0);
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        add(&text, part, n);
    if (ferror(in) || fclose(in))
        fail(path, "cannot be read");
    return text;
}

/* ---- the files ---------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), n = strlen(ending);
    return length > n && !strcmp(name + length - n, ending);
}

static int is_part_of_page(const struct dirent *entry)
{
    static const char *const endings[] = {".html", ".css", ".js", ".svg", ".png"};
    for (size_t i = 0; entry->d_name[0] != '.' && i < sizeof endings / sizeof endings[0]; i++)
        if (ends_with(entry->d_name, endings[i]))
            return 1;
    return 0;
}

static void list_files(void)
{
    struct dirent **entries;
    int             n = scandir(folder, &entries, is_part_of_page, alphasort);
    if (n < 0 || n > MAX_FILES)
        fail(folder, "is not the folder of a page");
    for (n_files = 0; n_files < (size_t)n; n_files++) {
        size_t length = strlen(entries[n_files]->d_name);
        if (length >= MAX_NAME)
            fail(entries[n_files]->d_name, "has too long a name");
        memcpy(files[n_files].name, entries[n_files]->d_name, length);
        free(entries[n_files]);
    }
    free(entries);
}

static File *file_called(const char *name, const char *asker)
{
    for (size_t i = 0; i < n_files; i++)
        if (!strcmp(files[i].name, name))
            return &files[i];
    fail(asker, "names a file that is not there");
}

/* The name between two strings, if the line is that and nothing else. */
static bool takes_name(const char *line, const char *before, const char *after, char name[MAX_NAME])
{
    size_t n_before = strlen(before), n_after = strlen(after), length = strlen(line);
    if (length <= n_before + n_after || length - n_before - n_after >= MAX_NAME ||
        strncmp(line, before, n_before) != 0 || strcmp(line + length - n_after, after) != 0)
        return false;
    memcpy(name, line + n_before, length - n_before - n_after);
    name[length - n_before - n_after] = '\0';
    return true;
}

/* Calls `take` with every line that says something, without its indentation. */
static void for_each_line(const Text *text, const char *name, Text *out,
                          void (*take)(const char *line, const char *name, Text *out))
{
    bool  is_in_comment = false;
    char *rest = text->chars;
    for (char *line; (line = strsep(&rest, "\n"));) {
        line += strspn(line, " \t");
        bool is_comment = is_in_comment || !strncmp(line, "/*", 2);
        if (is_comment) {
            const char *end = strstr(line, "*/");
            is_in_comment = !end;
            if (end && end[2])
                fail(name, "has something after a comment on its line");
        } else if (*line && strncmp(line, "//", 2) != 0) {
            take(line, name, out);
        }
    }
    if (is_in_comment)
        fail(name, "has a comment without an end");
}

/* ---- styles ------------------------------------------------------------------------------- */

static char last_of(const Text *text)
{
    return text->n_chars ? text->chars[text->n_chars - 1] : '}';
}

/* A line without the spaces that mean nothing: after signs that separate, and around braces. */
static void add_style(const char *line, Text *out)
{
    bool is_in_string = false;
    for (const char *at = line; *at; at++) {
        if (*at == ' ' && !is_in_string &&
            (strchr("{}:;,", last_of(out)) || at[1] == '{' || at[1] == '}'))
            continue;
        if (*at == '}' && !is_in_string && last_of(out) == ';')
            out->n_chars--;
        is_in_string ^= *at == '"';
        add(out, at, 1);
    }
    if (!strchr("{};,", last_of(out)))
        add_string(out, "\n");
}

static void put_style(const char *line, const char *name, Text *out)
{
    char other[MAX_NAME];
    if (!takes_name(line, "@import \"", "\";", other)) {
        add_style(line, out);
        return;
    }
    File *file = file_called(other, name);
    Text  text = read_file(other);
    if (file->state != NOT_YET)
        fail(name, "imports a style for the second time");
    file->state = DONE;
    for_each_line(&text, other, out, put_style);
    free(text.chars);
}

/* ---- scripts ------------------------------------------------------------------------------ */

static void put_module(const char *name, Text *out);

/* The module's name as a name in the script: board-life.js is board_life$. */
static void put_identifier(const char *name, Text *out)
{
    for (const char *at = name; strcmp(at, ".js") != 0; at++)
        add(out, *at == '-' ? "_" : at, 1);
    add_string(out, "$");
}

static bool is_import(const char *line, char names[MAX_PATH], char other[MAX_NAME])
{
    const char *from = strstr(line, "} from './");
    if (strncmp(line, "import {", 8) != 0 || !from || from - line >= MAX_PATH ||
        !takes_name(from, "} from './", "';", other))
        return false;
    size_t n = (size_t)(from - line) - 8;
    memcpy(names, line + 8, n);
    names[n] = '\0';
    return !strstr(names, " as ");
}

/* First the modules that are asked for, each once. */
static void put_imports(const char *line, const char *name, Text *out)
{
    char names[MAX_PATH], other[MAX_NAME];
    if (strncmp(line, "import", 6) != 0)
        return;
    if (!is_import(line, names, other))
        fail(name, "has an import in a form that is not understood");
    if (file_called(other, name)->state == BEGUN)
        fail(name, "is part of a circle of imports");
    put_module(other, out);
}

/* `export` goes, and the name behind it is kept for the end. */
static const char *without_export(const char *line, const char *name, Text *exported)
{
    static const char *const kinds[] = {"export const ", "export function ",
                                        "export async function "};
    if (strncmp(line, "export", 6) != 0)
        return line;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strncmp(line, kinds[i], strlen(kinds[i])) != 0)
            continue;
        const char *start = line + strlen(kinds[i]), *end = start;
        while (isalnum((unsigned char)*end) || *end == '_' || *end == '$')
            end++;
        add_string(exported, exported->n_chars ? ", " : "");
        add(exported, start, (size_t)(end - start));
        return line + strlen("export ");
    }
    fail(name, "has an export in a form that is not understood");
}

static Text exported; /* by the module that is being written */

static void put_line(const char *line, const char *name, Text *out)
{
    char   names[MAX_PATH], other[MAX_NAME];
    size_t n_backticks = 0;
    for (const char *at = line; *at; at++)
        n_backticks += *at == '`';
    if (n_backticks % 2)
        fail(name, "has a string in backticks over several lines");
    if (is_import(line, names, other)) {
        add_string(out, "const {");
        add_string(out, names);
        add_string(out, "} = ");
        put_identifier(other, out);
        add_string(out, ";\n");
        return;
    }
    add_string(out, without_export(line, name, &exported));
    add_string(out, "\n");
}

static void put_module(const char *name, Text *out)
{
    File *file = file_called(name, name);
    if (file->state != NOT_YET)
        return;
    file->state = BEGUN;
    Text text = read_file(name), again = read_file(name);
    for_each_line(&text, name, out, put_imports);
    exported.n_chars = 0;
    add_string(out, "const ");
    put_identifier(name, out);
    add_string(out, " = (() => {\n");
    for_each_line(&again, name, out, put_line);
    add_string(out, "return { ");
    add(out, exported.n_chars ? exported.chars : "", exported.n_chars);
    add_string(out, " };\n})();\n");
    free(text.chars);
    free(again.chars);
    file->state = DONE;
}

/* ---- what is written ---------------------------------------------------------------------- */

/* What a browser gets under this name; false: nothing, because it is inside another file. */
static bool content_of(File *file, Text *content)
{
    *content = (Text){0};
    if (!strcmp(file->name, "main.js")) {
        put_module(file->name, content);
    } else if (!strcmp(file->name, "style.css")) {
        Text text = read_file(file->name);
        file->state = DONE;
        for_each_line(&text, file->name, content, put_style);
        free(text.chars);
    } else if (ends_with(file->name, ".js") || ends_with(file->name, ".css")) {
        return false;
    } else {
        *content = read_file(file->name);
        file->state = DONE;
    }
    return true;
}

static void write_bytes(FILE *out, const Text *content, size_t number)
{
    /* One byte more, so that an empty file is an array as well. */
    (void)fprintf(out, "static const unsigned char bytes_%zu[] = {", number);
    for (size_t i = 0; i < content->n_chars; i++)
        (void)fprintf(out, "%d,", (unsigned char)content->chars[i]);
    (void)fprintf(out, "0};\n");
}

int main(int argc, char **argv)
{
    Text table = {0};
    if (argc != 4)
        return 1;
    folder = argv[1];
    list_files();
    FILE *out = fopen(argv[2], "w"), *needs = fopen(argv[3], "w");
    if (!out || !needs)
        fail(argv[2], "cannot be written");
    (void)fprintf(out, "#include \"web/assets.h\"\n");
    (void)fprintf(needs, "%s: %s", argv[2], folder);
    for (size_t i = 0; i < n_files; i++) {
        Text content;
        char entry[MAX_NAME + 100];
        (void)fprintf(needs, " %s/%s", folder, files[i].name);
        if (content_of(&files[i], &content)) {
            write_bytes(out, &content, i);
            (void)snprintf(entry, sizeof entry, "    {\"/%.63s\", bytes_%zu, %zu},\n",
                           files[i].name, i, content.n_chars);
            add_string(&table, entry);
        }
        free(content.chars);
    }
    for (size_t i = 0; i < n_files; i++)
        if (files[i].state != DONE)
            fail(files[i].name, "is used by nothing");
    (void)fprintf(out, "const PageFile page_files[] = {\n%s    {0, 0, 0},\n};\n", table.chars);
    (void)fprintf(needs, "\n");
    free(table.chars);
    free(exported.chars);
    if (fclose(out) || fclose(needs))
        fail(argv[2], "cannot be written");
    return 0;
}
