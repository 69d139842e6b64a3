/* The table of recipes, and choosing among them. */
#include "league/recipes.h"

#include "base/error.h"
#include "bots/command_line.h"
#include "league/bot_bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char recipe_output[] = "bot";

/* A script that cannot be compiled is refused before it plays; the rest are compilers. Java must
 * not run what it finds beside the sources, so annotation processors are off. */
static const Recipe recipes[] = {
    {.name = "run", .language = "run script", .extensions = ""},
    {.name = "python",
     .language = "Python",
     .extensions = ".py",
     .program = "python3",
     .compiler = "python3 -I -X pycache_prefix=/tmp/cache -m py_compile"},
    {.name = "javascript",
     .language = "JavaScript",
     .extensions = ".js .mjs .cjs",
     .program = "node",
     .compiler = "node --check"},
    {.name = "c++",
     .language = "C++",
     .extensions = ".cpp .cc .cxx",
     .compiler = "g++ -O2 -std=gnu++20 -I. -o bot",
     .takes_all = true,
     .libraries = "-lm -pthread"},
    {.name = "c",
     .language = "C",
     .extensions = ".c",
     .compiler = "gcc -O2 -std=gnu17 -I. -o bot",
     .takes_all = true,
     .libraries = "-lm -pthread"},
    {.name = "java",
     .language = "Java",
     .extensions = ".java",
     .program = "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp .",
     .compiler = "javac -proc:none -encoding UTF-8 -d .",
     .takes_all = true},
    {.name = "prolog", .language = "Prolog", .extensions = ".pl .pro", .program = "swipl -q"},
};

enum { N_RECIPES = sizeof recipes / sizeof recipes[0], RUN = 0, MAX_WORDS = 16 };

const Recipe *recipe_named(const char *name)
{
    for (size_t i = 0; i < N_RECIPES; i++)
        if (!strcmp(recipes[i].name, name))
            return &recipes[i];
    return NULL;
}

/* ---- choosing ----------------------------------------------------------------------------- */

bool recipe_has_source(const Recipe *recipe, const char *file)
{
    const char *dot = strrchr(file, '.');
    size_t      length = dot ? strlen(dot) : 0;
    for (const char *at = recipe->extensions; length > 1 && *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");
        if (n == length && !strncmp(at, dot, n))
            return true;
        at += n;
    }
    return false;
}

/* Is a file called name.EXTENSION, at the top? */
static bool has_stem(const char *file, const char *stem)
{
    size_t length = strlen(stem);
    return !strncmp(file, stem, length) && file[length] == '.' && !strchr(file + length + 1, '.') &&
           !strchr(file, '/');
}

/* Names that say: this is the main program. */
static const char *const main_stems[] = {"bot", "main", "my_bot", "Bot", "Main", "MyBot", "index"};
/* The helpers that come with turf are never it. */
static const char *const helper_stems[] = {"turf_bot", "TurfBot"};

static const char *named_main(const Recipe *recipe, const char *const *files, size_t n_files)
{
    for (size_t s = 0; s < sizeof main_stems / sizeof *main_stems; s++)
        for (size_t i = 0; i < n_files; i++)
            if (recipe_has_source(recipe, files[i]) && has_stem(files[i], main_stems[s]))
                return files[i];
    return NULL;
}

/* The only source of a language, helpers left out; NULL if there are more or none, which `n` says.
 */
static const char *only_source(const Recipe *recipe, const char *const *files, size_t n_files,
                               size_t *n)
{
    const char *found = NULL;
    *n = 0;
    for (size_t i = 0; i < n_files; i++) {
        bool is_helper = has_stem(files[i], helper_stems[0]) || has_stem(files[i], helper_stems[1]);
        if (!recipe_has_source(recipe, files[i]) || is_helper)
            continue;
        found = files[i];
        ++*n;
    }
    return *n == 1 ? found : NULL;
}

const Recipe *recipe_choose(const char *const *files, size_t n_files, const char **main_file,
                            TurfError *error)
{
    const Recipe *found = NULL;
    size_t        n_languages = 0, n;
    *main_file = NULL;
    for (size_t i = 0; i < n_files; i++)
        if (!strcmp(files[i], "run")) {
            *main_file = files[i];
            return &recipes[RUN];
        }
    for (size_t r = RUN + 1; r < N_RECIPES; r++)
        if ((*main_file = named_main(&recipes[r], files, n_files)))
            return &recipes[r];
    for (size_t r = RUN + 1; r < N_RECIPES; r++) {
        const char *source = only_source(&recipes[r], files, n_files, &n);
        if (n == 0)
            continue;
        n_languages++;
        if (source || recipes[r].takes_all) {
            found = &recipes[r];
            *main_file = source;
        }
    }
    if (found && n_languages == 1)
        return found;
    if (n_languages == 0)
        error_invalid(error, "there is no bot in it that turf knows how to run: hand in a file "
                             "such as bot.py, bot.js, bot.c, bot.cpp, Bot.java or bot.pl, or add a "
                             "script called run");
    else
        error_invalid(error, "it is not clear which file is the bot: call it bot or main, as in "
                             "bot.py, or add a script called run");
    return NULL;
}

/* ---- commands ----------------------------------------------------------------------------- */

/* Where a sandboxed program finds others: the folders that every sandbox shows. */
static char *find_tool(const char *name, size_t length)
{
    static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};
    char                    *path;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (asprintf(&path, "%s/%.*s", folders[i], (int)length, name) < 0)
            return NULL;
        if (access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

typedef struct Words {
    char **all;
    size_t n, room;
    bool   is_short;
} Words;

/* Takes the word over. */
static void add(Words *words, char *word)
{
    if (!word || words->n + 1 >= words->room) {
        free(word);
        words->is_short = true;
        return;
    }
    words->all[words->n++] = word;
}

/* The words of a text of the table. */
static void add_text(Words *words, const char *text)
{
    for (const char *at = text; at && *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");
        add(words, strndup(at, n));
        at += n;
    }
}

/* The program of a text such as "java -cp .", as a path, and its options. */
static bool add_program(Words *words, const Recipe *recipe, const char *text, TurfError *error)
{
    size_t length = strcspn(text, " ");
    char  *path = find_tool(text, length);
    if (!path)
        return error_not_found(error, "this machine has no %.*s, which %s needs", (int)length, text,
                               recipe->language);
    add(words, path);
    add_text(words, text + length + (text[length] == ' '));
    return true;
}

/* With "./" before it: a name may begin like an option. */
static char *source_word(const char *file)
{
    char *word = NULL;
    return asprintf(&word, "./%s", file) < 0 ? NULL : word;
}

static bool words_init(Words *words, size_t room, TurfError *error)
{
    *words = (Words){calloc(room, sizeof *words->all), 0, room, false};
    return words->all || error_no_memory(error);
}

char **recipe_compiler(const Recipe *recipe, const char *const *files, size_t n_files,
                       const char *main_file, TurfError *error)
{
    Words words;
    error->code = TURF_OK;
    if (!recipe->compiler || !words_init(&words, n_files + MAX_WORDS, error))
        return NULL;
    bool is_good = add_program(&words, recipe, recipe->compiler, error);
    for (size_t i = 0; i < n_files && is_good; i++)
        if (recipe->takes_all ? recipe_has_source(recipe, files[i]) : files[i] == main_file)
            add(&words, source_word(files[i]));
    add_text(&words, recipe->libraries);
    if (is_good && !words.is_short)
        return words.all;
    if (is_good)
        error_no_memory(error);
    command_free(words.all);
    return NULL;
}

/* A class: a Java name, with its package. */
static bool is_class(const char *main)
{
    size_t n = strspn(main, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.");
    return n > 0 && !main[n] && n <= MAX_BUNDLE_PATH && main[0] != '.';
}

static bool is_plain(const char *text)
{
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_.-+=/:")];
}

/* The words in one text; quoted only where that is needed, since people read it. */
static char *join(const Words *words)
{
    char  *text = NULL;
    size_t length;
    FILE  *out = open_memstream(&text, &length);
    bool   is_good = out != NULL;
    for (size_t i = 0; i < words->n && is_good; i++) {
        const char *word = words->all[i];
        char       *quoted = command_quote(&word, 1);
        is_good = quoted && fprintf(out, "%s%s", i ? " " : "", is_plain(word) ? word : quoted) > 0;
        free(quoted);
    }
    is_good = out && fclose(out) == 0 && is_good;
    if (is_good)
        return text;
    free(text);
    return NULL;
}

char *recipe_command(const Recipe *recipe, const char *main, TurfError *error)
{
    Words words;
    bool  is_java = !strcmp(recipe->name, "java");
    if (is_java ? !is_class(main) : bundle_path_fault(main, strlen(main)) || main[0] == '-') {
        error_invalid(error, "the main file of the bot has a name that cannot be used");
        return NULL;
    }
    if (!words_init(&words, MAX_WORDS, error))
        return NULL;
    /* env looks for a program in the folder of the bot, and not in that of turf */
    bool is_good = add_program(&words, recipe, recipe->program ? recipe->program : "env", error);
    add(&words, recipe->program ? strdup(main) : source_word(main));
    char *text = is_good && !words.is_short ? join(&words) : NULL;
    if (is_good && !text)
        error_no_memory(error);
    command_free(words.all);
    return text;
}
