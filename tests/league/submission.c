/* Bots that are handed in: what comes out of the sandbox is believed in nothing, and which recipe
 * is for which files. */
#include "base/rng.h"
#include "league/bot_bundle.h"
#include "league/recipes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* ---- bundles -------------------------------------------------------------------------------- */

/* What a visitor has seen, as text. */
typedef struct Seen {
    char   text[4000];
    size_t n_bytes; /* of files */
    bool   has_bad_path;
} Seen;

static void note(Seen *seen, const char *what, const char *name, const char *text)
{
    size_t length = strlen(seen->text);
    (void)snprintf(seen->text + length, sizeof seen->text - length, "%s(%s)%s;", what, name, text);
}

static bool see_record(void *context, const BundleRecord *record, const char *text,
                       TurfError *error)
{
    (void)error;
    note(context, (char[]){(char)record->kind, record->flag ? '+' : '-', 0}, record->name, text);
    return true;
}

static bool see_file(void *context, const BundleRecord *record, TurfError *error)
{
    Seen *seen = context;
    (void)error;
    seen->has_bad_path |= bundle_path_fault(record->name, strlen(record->name)) != NULL;
    note(seen, record->flag ? "x" : "f", record->name, "");
    return true;
}

static bool see_bytes(void *context, const char *bytes, size_t n_bytes, TurfError *error)
{
    (void)bytes;
    (void)error;
    ((Seen *)context)->n_bytes += n_bytes;
    return true;
}

static bool see_end(void *context, TurfError *error)
{
    (void)error;
    note(context, ".", "", "");
    return true;
}

/* Reads a stream in pieces; true if it is good, and whole. */
static bool reads(const char *bytes, size_t n_bytes, size_t piece, Seen *seen, TurfError *error)
{
    BundleVisitor visitor = {see_record, see_file, see_bytes, see_end, seen};
    BundleReader *reader = calloc(1, sizeof *reader);
    bool          is_good = true;
    *seen = (Seen){.n_bytes = 0};
    assert_non_null(reader);
    reader->visitor = &visitor;
    for (size_t at = 0; at < n_bytes && is_good; at += piece)
        is_good =
            bundle_read(reader, bytes + at, piece < n_bytes - at ? piece : n_bytes - at, error);
    is_good = is_good && reader->is_complete;
    free(reader);
    return is_good;
}

typedef struct Stream {
    char  *bytes;
    size_t length;
    FILE  *out;
} Stream;

static void stream_begin(Stream *stream)
{
    *stream = (Stream){.bytes = NULL};
    stream->out = open_memstream(&stream->bytes, &stream->length);
    assert_non_null(stream->out);
    bundle_write(stream->out, BUNDLE_HELLO, true, "", "");
}

static void write_good(Stream *stream)
{
    stream_begin(stream);
    bundle_write(stream->out, BUNDLE_STEP, true, "unpack", "2 files");
    bundle_write(stream->out, BUNDLE_RECIPE, true, "python", "bot.py");
    bundle_write_head(stream->out, BUNDLE_FILE, false, "bot.py", 5);
    fputs("print", stream->out);
    bundle_write_head(stream->out, BUNDLE_FILE, true, "a/b/c", 0);
    bundle_write(stream->out, BUNDLE_END, true, "", "");
    assert_int_equal(fclose(stream->out), 0);
}

static void a_bundle_is_read_in_pieces_of_any_size(void **state)
{
    Stream    stream;
    Seen      seen;
    TurfError error;
    (void)state;
    write_good(&stream);
    for (size_t piece = 1; piece <= stream.length; piece++) {
        assert_true(reads(stream.bytes, stream.length, piece, &seen, &error));
        assert_string_equal(seen.text,
                            "h+();s+(unpack)2 files;r+(python)bot.py;f(bot.py);.();x(a/b/c);.();"
                            "e+();");
        assert_int_equal(seen.n_bytes, 5);
    }
    for (size_t length = 0; length < stream.length; length++) /* cut short: never whole */
        assert_false(reads(stream.bytes, length, 7, &seen, &error));
    free(stream.bytes);
}

static void refuses_file(const char *path, size_t n_bytes, const char *why)
{
    Stream    stream;
    Seen      seen;
    TurfError error = {0};
    stream_begin(&stream);
    bundle_write_head(stream.out, BUNDLE_FILE, false, path, n_bytes);
    assert_int_equal(fclose(stream.out), 0);
    assert_false(reads(stream.bytes, stream.length, 3, &seen, &error));
    assert_non_null(strstr(error.text, why));
    assert_string_equal(seen.text, "h+();");
    free(stream.bytes);
}

static void no_file_leaves_its_folder(void **state)
{
    static const char *const paths[] = {
        "/etc/passwd", "..",       "../x", "a/../../x", "a/..",
        "./x",         "a/./b",    "a//b", "a/",        "",
        "x\n",         "\x1b[31m", "\xff", "a\\b",      "a/b/c/d/e/f/g/h/i/j/k/l/m"};
    char long_name[MAX_BUNDLE_PATH + 2];
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        refuses_file(paths[i], 1, "bad name");
    memset(long_name, 'x', MAX_BUNDLE_PATH + 1);
    long_name[MAX_BUNDLE_PATH + 1] = '\0';
    refuses_file(long_name, 1, "too long");
    long_name[MAX_BUNDLE_NAME + 1] = '\0';
    refuses_file(long_name, 1, "bad name");
    refuses_file("good", MAX_BUNDLE_BYTES + 1, "MiB");
    refuses_file("good", UINT32_MAX, "MiB");
}

static void a_bundle_has_limits(void **state)
{
    Stream    stream;
    Seen      seen;
    TurfError error = {0};
    char      name[32];
    (void)state;
    stream_begin(&stream);
    for (int i = 0; i <= MAX_BUNDLE_FILES; i++) {
        (void)snprintf(name, sizeof name, "f%d", i);
        bundle_write_head(stream.out, BUNDLE_FILE, false, name, 0);
    }
    assert_int_equal(fclose(stream.out), 0);
    assert_false(reads(stream.bytes, stream.length, 1000, &seen, &error));
    assert_non_null(strstr(error.text, "files were built"));
    free(stream.bytes);
    /* two files that are too large together */
    stream_begin(&stream);
    bundle_write_head(stream.out, BUNDLE_FILE, false, "a", 10);
    fputs("0123456789", stream.out);
    bundle_write_head(stream.out, BUNDLE_FILE, false, "b", MAX_BUNDLE_BYTES - 9);
    assert_int_equal(fclose(stream.out), 0);
    assert_false(reads(stream.bytes, stream.length, 1000, &seen, &error));
    assert_non_null(strstr(error.text, "MiB"));
    free(stream.bytes);
    /* a text that is too long */
    stream_begin(&stream);
    bundle_write_head(stream.out, BUNDLE_STEP, false, "build", MAX_BUNDLE_TEXT + 1);
    assert_int_equal(fclose(stream.out), 0);
    assert_false(reads(stream.bytes, stream.length, 1000, &seen, &error));
    free(stream.bytes);
}

static void order_and_kinds_are_checked(void **state)
{
    Stream    stream;
    Seen      seen;
    TurfError error;
    (void)state;
    write_good(&stream);
    char *more = malloc(2 * stream.length);
    assert_non_null(more);
    memcpy(more, stream.bytes, stream.length);
    memcpy(more + stream.length, stream.bytes, stream.length);
    assert_false(reads(more, 2 * stream.length, 64, &seen, &error)); /* after its end */
    assert_false(reads(more + BUNDLE_HEAD_BYTES, stream.length - BUNDLE_HEAD_BYTES, 64, &seen,
                       &error)); /* without its beginning */
    assert_string_equal(seen.text, "");
    memcpy(more + BUNDLE_HEAD_BYTES, stream.bytes, BUNDLE_HEAD_BYTES);
    assert_false(reads(more, stream.length, 64, &seen, &error)); /* it begins twice */
    memcpy(more, "\0\0\0\0\0\0\0\0", BUNDLE_HEAD_BYTES);
    assert_false(reads(more, stream.length, 64, &seen, &error));
    free(more);
    free(stream.bytes);
}

/* Streams with some bytes changed: nothing bad is passed on. Under a sanitizer, too. */
static void random_streams_harm_nothing(void **state)
{
    Stream    stream;
    Seen      seen;
    TurfError error;
    TurfRng   rng = rng_stream(1, 2);
    (void)state;
    write_good(&stream);
    char *bytes = malloc(stream.length);
    assert_non_null(bytes);
    for (int i = 0; i < 20000; i++) {
        memcpy(bytes, stream.bytes, stream.length);
        for (uint64_t n = 1 + rng_next(&rng) % 4; n > 0; n--)
            bytes[rng_next(&rng) % stream.length] = (char)rng_next(&rng);
        (void)reads(bytes, stream.length, 1 + rng_next(&rng) % 40, &seen, &error);
        assert_false(seen.has_bad_path);
        assert_true(seen.n_bytes <= stream.length);
    }
    free(bytes);
    free(stream.bytes);
}

/* ---- recipes --------------------------------------------------------------------------------- */

enum { MAX_FILES = 6 };

static void the_names_of_files_choose_a_recipe(void **state)
{
    static const struct {
        const char *files[MAX_FILES];
        const char *recipe, *main_file; /* recipe: NULL, it is refused */
    } cases[] = {
        {{"bot.py"}, "python", "bot.py"},
        {{"anything.py"}, "python", "anything.py"},
        {{"example.py", "turf_bot.py"}, "python", "example.py"},
        {{"helper.py", "main.py"}, "python", "main.py"},
        {{"a.py", "b.py"}, NULL, NULL},
        {{"bot.py", "run"}, "run", "run"},
        {{"build", "main.rs", "run"}, "run", "run"},
        {{"index.js", "lib/x.js"}, "javascript", "index.js"},
        {{"bot.mjs"}, "javascript", "bot.mjs"},
        {{"a.c", "b.c", "b.h"}, "c", NULL},
        {{"example.c", "turf_bot.h"}, "c", "example.c"},
        {{"bot.cpp", "more.c"}, "c++", "bot.cpp"},
        {{"Example.java", "TurfBot.java"}, "java", "Example.java"},
        {{"a/Main.java", "a/Other.java"}, "java", NULL},
        {{"my_wol.pl"}, "prolog", "my_wol.pl"},
        {{"bot.py", "bot.c"}, "python", "bot.py"},
        {{"a.py", "a.c"}, NULL, NULL},
        {{"README.md", "data.txt"}, NULL, NULL},
        {{"sub/run"}, NULL, NULL},
        {{".py"}, "python", ".py"},
        {{"bot"}, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *main_file;
        TurfError   error = {0};
        size_t      n = 0;
        while (n < MAX_FILES && cases[i].files[n])
            n++;
        const Recipe *recipe = recipe_choose(cases[i].files, n, &main_file, &error);
        if (!cases[i].recipe) {
            assert_null(recipe);
            assert_true(strstr(error.text, "script called run") != NULL);
            continue;
        }
        assert_non_null(recipe);
        assert_string_equal(recipe->name, cases[i].recipe);
        if (cases[i].main_file)
            assert_string_equal(main_file, cases[i].main_file);
        else
            assert_null(main_file);
    }
    assert_null(recipe_choose(NULL, 0, &(const char *){NULL}, &(TurfError){0}));
}

static void commands_are_made_of_the_table(void **state)
{
    static const char *const bad[] = {"-c", "../x.py", "/etc/passwd", "a\nb", ""};
    TurfError                error;
    (void)state;
    char *command = recipe_command(recipe_named("run"), "run", &error);
    assert_non_null(command);
    assert_non_null(strstr(command, "/env ./run"));
    free(command);
    command = recipe_command(recipe_named("run"), "a b'$(id)", &error);
    assert_non_null(command);
    assert_non_null(strstr(command, "'./a b'\\''$(id)'"));
    free(command);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(recipe_command(recipe_named("run"), bad[i], &error));
    assert_null(recipe_command(recipe_named("java"), "Main -version", &error));
    assert_null(recipe_command(recipe_named("java"), "../Main", &error));
    assert_null(recipe_named("sh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bundle_is_read_in_pieces_of_any_size),
        cmocka_unit_test(no_file_leaves_its_folder),
        cmocka_unit_test(a_bundle_has_limits),
        cmocka_unit_test(order_and_kinds_are_checked),
        cmocka_unit_test(random_streams_harm_nothing),
        cmocka_unit_test(the_names_of_files_choose_a_recipe),
        cmocka_unit_test(commands_are_made_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
