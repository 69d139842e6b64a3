/* Recipes: how a bot of each language is compiled and run.
 *
 * Which recipe fits follows from the names of the files alone. The builder chooses it inside of the
 * sandbox, and only its name and the main file come out: the command of a bot is made here, of this
 * table. */
#ifndef TURF_LEAGUE_RECIPES_H
#define TURF_LEAGUE_RECIPES_H

#include "turf.h"

typedef struct Recipe {
    const char *name, *language;
    const char *extensions; /* of its sources, each with a dot, separated by blanks */
    const char *program;    /* that runs it, with options; NULL: it is a program itself */
    const char *compiler;   /* what checks or compiles it, with options; NULL: nothing to do */
    bool        takes_all;  /* the compiler takes all sources; else the main file alone */
    const char *libraries;  /* more words for the compiler, after the sources; may be NULL */
} Recipe;

/* NULL if there is none. */
const Recipe *recipe_named(const char *name);

/* Which recipe is for these files? `main_file` gets one of them: the script to run, or the source
 * with the main program, which is NULL if that is not to be seen by the names. NULL: INVALID, with
 * a sentence that says what to do. */
const Recipe *recipe_choose(const char *const *files, size_t n_files, const char **main_file,
                            TurfError *error);
bool          recipe_has_source(const Recipe *recipe, const char *file);

/* The name of the program that a compiler makes. */
extern const char recipe_output[];

/* The command of the compiler, which ends with NULL and is freed by command_free. NULL with TURF_OK
 * in the error: nothing has to be done. NOT_FOUND: the compiler is not installed. */
char **recipe_compiler(const Recipe *recipe, const char *const *files, size_t n_files,
                       const char *main_file, TurfError *error);
/* The command of the bot, quoted as for a shell, to be run in its folder; to be freed. `main` is
 * what the builder says: anything. */
char *recipe_command(const Recipe *recipe, const char *main, TurfError *error);

#endif
