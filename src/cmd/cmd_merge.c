/* turf merge: merges the shards of a run, and prints the result that one machine would have
 * printed. The output is written to a temporary file, which is renamed at the end. */
#include "arena/merge.h"

#include "arena/run.h"
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/outcome.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LISTED_PAIRINGS = 30 };

static void print_missing_shards(const MergeShards *shards)
{
    for (int i = 0; i < shards->n_shards && shards->n_shards > 1; i++)
        if (!shards->is_there[i])
            fprintf(stderr, "  shard %d/%d is not among them\n", i + 1, shards->n_shards);
}

static void print_range(const GameRange *range, const char *comma)
{
    fprintf(stderr, "%s %llu", comma, (unsigned long long)range->first + 1);
    if (range->n > 1)
        fprintf(stderr, " to %llu", (unsigned long long)range->first + range->n);
}

/* One line for each pairing that lacks games: how many, and their first numbers. */
static void print_missing_games(const Run *run, const GameSet *missing)
{
    enum { MAX_LISTED_RANGES = 3 };
    int n_lines = 0;
    for (size_t i = 0, next; i < missing->n; i = next) {
        size_t   pairing = missing->list[i].pairing;
        uint64_t n_games = 0;
        for (next = i; next < missing->n && missing->list[next].pairing == pairing; next++)
            n_games += missing->list[next].n;
        if (n_lines++ >= MAX_LISTED_PAIRINGS)
            continue;
        fprintf(stderr, "  %s against %s: %llu games,",
                turf_player_name(run->pairings[pairing].players[0]),
                turf_player_name(run->pairings[pairing].players[1]), (unsigned long long)n_games);
        for (size_t s = i; s < next && s < i + MAX_LISTED_RANGES; s++)
            print_range(&missing->list[s], s > i ? "," : "");
        fputs(next > i + MAX_LISTED_RANGES ? ", ...\n" : "\n", stderr);
    }
    if (n_lines > MAX_LISTED_PAIRINGS)
        fprintf(stderr, "  and so on in %d more pairings\n", n_lines - MAX_LISTED_PAIRINGS);
}

/* Prints the result, or the games that are missing. Returns the exit status. */
static int print_run(const Settings *settings, const char *path, Store *store, int64_t run_id,
                     const MergeShards *shards)
{
    TurfError error;
    RunRecord record;
    Run       run;
    GameSet   missing = {0};
    if (!runs_find(store, run_id, &record, &error) ||
        !run_resume(&run, store, &record, false, &error))
        die("%s", error.text);
    int status = EXIT_FAULTS;
    if (run_is_whole(&run)) {
        outcome_print(&run, settings);
        status = outcome_status(&run, settings);
    } else {
        GameIterator left = run_games_left(&run, ALL_GAMES);
        for (GameRange games; next_games(&left, &games);)
            if (!game_set_add(&missing, games))
                die("out of memory");
        fprintf(stderr,
                "turf merge: %llu of %llu games are missing; 'turf resume --db %s' plays them\n",
                (unsigned long long)(run_n_games(&run) - run_n_played(&run)),
                (unsigned long long)run_n_games(&run), path);
        print_missing_shards(shards);
        print_missing_games(&run, &missing);
    }
    game_set_release(&missing);
    run_release(&run);
    run_record_release(&record);
    return status;
}

int cmd_merge(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    TurfError       error;
    MergeShards     shards;
    int64_t         record;
    char            quoted[ERROR_QUOTE_BYTES], folder[PATH_MAX], *temporary = NULL;
    if (!settings->output)
        die("-o FILE is missing: turf merge %s", arguments->command->usage);
    if (access(settings->output, F_OK) == 0)
        die("'%s' exists already; name a new file, or remove it",
            error_quote(quoted, settings->output));
    (void)snprintf(folder, sizeof folder, "%s", settings->output);
    if (access(dirname(folder), W_OK | X_OK) != 0)
        die("cannot create '%s': %s", error_quote(quoted, settings->output), strerror(errno));
    temporary = format_text("%s.%ld.new", settings->output, (long)getpid());
    Store *store = store_open(temporary, STORE_MAKE, &error);
    if (!store)
        die("%s", error.text);
    if (!merge_runs(arguments->words, (size_t)arguments->n_words, store, &record, &shards,
                    &error)) {
        store_close(store);
        unlink(temporary);
        die("%s", error.text);
    }
    int status = print_run(settings, settings->output, store, record, &shards);
    store_close(store); /* folds the write-ahead log into the file */
    if (rename(temporary, settings->output) != 0) {
        int why = errno;
        unlink(temporary);
        errno = why;
        die("cannot write '%s': %s", error_quote(quoted, settings->output), strerror(errno));
    }
    free(shards.is_there);
    free(temporary);
    return status;
}
