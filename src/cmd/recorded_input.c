/* Recorded games for commands: from the database, or from a file of JSON lines. */
#include "cmd/recorded_input.h"

#include "cmd/console.h"
#include "cmd/database.h"
#include "report/run_view.h"
#include "store/record_json.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct RecordReader {
    Store  *store;
    json_t *records;
} RecordReader;

static bool take_record(void *context, const GameRecord *record)
{
    RecordReader *reader = context;
    TurfError     error;
    RunView       view;
    if (!run_view_load(&view, reader->store, record->run, RUN_VIEW_HEAD, &error))
        die("%s", error.text);
    if (record->pairing >= view.n_pairings)
        die("the database is damaged: game %lld has no pairing", (long long)record->id);
    json_array_append_new(reader->records,
                          record_to_json(record, view.game, view.results[record->pairing].names));
    run_view_release(&view);
    return false;
}

enum { LAST_GAME = -1 };

static json_t *read_database(const Settings *settings, int64_t id)
{
    TurfError    error = {0};
    RecordReader reader = {.store = database_read(settings), .records = json_array()};
    bool         is_last = id == LAST_GAME;
    if (is_last && !records_last_game(reader.store, &id, &error))
        die("%s", error.text);
    if (is_last && id == 0)
        die("no game was recorded in '%s'; games of bots are, and others with --record",
            store_path(reader.store));
    if (!records_find_game(reader.store, id, take_record, &reader, &error)) {
        if (error.code != TURF_ERROR_NOT_FOUND)
            die("%s", error.text);
        die("there is no game %lld in '%s'; 'turf export --format md' lists those of a run",
            (long long)id, store_path(reader.store));
    }
    store_close(reader.store);
    return reader.records;
}

static json_t *read_records(const char *path)
{
    LineReader reader = {.stream = strcmp(path, "-") ? fopen(path, "re") : stdin};
    json_t    *records = json_array();
    if (!reader.stream)
        die("the file '%s' cannot be read: %s", path, strerror(errno));
    for (char *line; (line = line_next(&reader));) {
        json_error_t where;
        if (!*line)
            continue;
        json_t *record = json_loads(line, 0, &where);
        if (!record)
            die("%s, line %d: this is not JSON: %s", path, reader.number, where.text);
        json_array_append_new(records, record);
    }
    if (ferror(reader.stream))
        die("the file '%s' cannot be read: %s", path, strerror(errno));
    if (reader.stream != stdin)
        fclose(reader.stream);
    if (json_array_size(records) == 0)
        die("there is no game in '%s'", path);
    return records;
}

json_t *recorded_input(const Settings *settings, const char *word)
{
    struct stat about;
    char       *end = NULL;
    if (!word)
        return read_database(settings, LAST_GAME);
    long long id = strtoll(word, &end, 10);
    bool      is_number = isdigit((unsigned char)*word) && !*end;
    return is_number && stat(word, &about) != 0 ? read_database(settings, id) : read_records(word);
}
