/* turf selfplay: games of a player against itself as positions to learn from, in records of one
 * size or as JSON lines. docs/selfplay.md describes both. */
#include "arena/selfplay.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "cmd/console.h"
#include "cmd/plan_options.h"
#include "games/planes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, NO_VALUE = INT16_MIN, DEFAULT_GAMES = 1000 };

/* Numbers are little-endian, as on every processor that turf runs on. */
typedef struct FileHeader {
    char     magic[8];
    uint32_t version, record_bytes;
    char     game[20];
    uint16_t rows, cols, n_planes, plane_words, unit;
    uint8_t  unused[18];
} FileHeader;

typedef struct Record {
    int16_t  value;
    uint16_t move, ply, own[2];
    int8_t   result;
    uint8_t  side, moves_left;
    uint8_t  unused[3];
    /* the planes follow */
} Record;

static_assert(sizeof(FileHeader) == 64 && sizeof(Record) == 16, "as documented");

typedef struct Sheet {
    const TurfGame *game;
    FILE           *out;
    bool            is_json, has_header;
    uint64_t        n_games, n_positions;
} Sheet;

static void write_header(Sheet *sheet, const SelfplayGame *game)
{
    const void *state = &game->positions[0].state;
    int         rows, cols;
    sheet->game->size(state, &rows, &cols);
    size_t n_words = game_plane_words(sheet->game, state), n_planes = game_n_planes(sheet->game);
    FileHeader header = {.magic = "TURFPLAY",
                         .version = VERSION,
                         .record_bytes = (uint32_t)(sizeof(Record) + 8 * n_planes * n_words),
                         .rows = (uint16_t)rows,
                         .cols = (uint16_t)cols,
                         .n_planes = (uint16_t)n_planes,
                         .plane_words = (uint16_t)n_words,
                         .unit = (uint16_t)game->unit};
    memcpy(header.game, sheet->game->name, strlen(sheet->game->name));
    (void)fwrite(&header, sizeof header, 1, sheet->out);
    sheet->has_header = true;
}

static int16_t value_within_range(const SelfplayPosition *position)
{
    if (!position->has_value)
        return NO_VALUE;
    if (position->value > INT16_MAX)
        return INT16_MAX;
    return (int16_t)(position->value < -INT16_MAX ? -INT16_MAX : position->value);
}

static void write_record(const Sheet *sheet, const SelfplayPosition *position)
{
    const TurfGame *game = sheet->game;
    const void     *state = &position->state;
    int             n_left = game->moves_left ? game->moves_left(state) : 1;
    Record          record = {.value = value_within_range(position),
                              .move = (uint16_t)position->move,
                              .ply = (uint16_t)position->ply,
                              .result = (int8_t)position->result,
                              .side = (uint8_t)position->side,
                              .moves_left = (uint8_t)n_left};
    for (int side = 0; side < 2; side++)
        record.own[side] = (uint16_t)game->own(state, (TurfSide)side);
    uint64_t planes[MAX_PLANES * MAX_BOARD_SIDE * MAX_BOARD_SIDE / 64];
    size_t   n_words = game_n_planes(game) * game_plane_words(game, state);
    game_planes(game, state, planes);
    (void)fwrite(&record, sizeof record, 1, sheet->out);
    (void)fwrite(planes, sizeof *planes, n_words, sheet->out);
}

static bool write_line(const Sheet *sheet, const SelfplayGame *game,
                       const SelfplayPosition *position)
{
    const void *state = &position->state;
    json_t     *value = json_null();
    if (position->has_value)
        value = json_real(game->unit ? (double)position->value / game->unit : position->value);
    json_t *line = json_pack("{s:I,s:i,s:o,s:o,s:o,s:i}", "game", (json_int_t)game->number, "ply",
                             (int)position->ply, "position", sheet->game->to_json(state), "move",
                             sheet->game->move_to_json(state, position->move), "value", value,
                             "result", position->result);
    bool    is_written = line && json_dumpf(line, sheet->out, JSON_COMPACT) == 0;
    (void)fputc('\n', sheet->out);
    json_decref(line);
    return is_written;
}

static bool write_game(void *context, const SelfplayGame *game, TurfError *error)
{
    Sheet *sheet = context;
    bool   is_written = true;
    if (!sheet->is_json && !sheet->has_header && game->n_positions > 0)
        write_header(sheet, game);
    for (size_t i = 0; i < game->n_positions; i++) {
        if (sheet->is_json)
            is_written = is_written && write_line(sheet, game, &game->positions[i]);
        else
            write_record(sheet, &game->positions[i]);
    }
    sheet->n_games++;
    sheet->n_positions += game->n_positions;
    is_written = is_written && !ferror(sheet->out);
    return is_written || error_set(error, TURF_ERROR_IO, "the file could not be written");
}

static bool wants_json(const Settings *settings)
{
    const char *format = settings->format;
    char        quoted[ERROR_QUOTE_BYTES];
    if (!format) {
        const char *dot = strrchr(settings->output, '.');
        return dot && !strcmp(dot, ".jsonl");
    }
    if (strcmp(format, "jsonl") != 0 && strcmp(format, "binary") != 0)
        die("--format must be binary or jsonl, not '%s'", error_quote(quoted, format));
    return !strcmp(format, "jsonl");
}

static void check(const Settings *settings, const TurfPlayer *player)
{
    if (!settings->output)
        die("selfplay needs a file to write; add -o FILE");
    if (game_is_simultaneous(player->game))
        die("selfplay needs a game with turns; in %s both sides move at once", player->game->name);
    if (settings->device && strcmp(settings->device, "cpu") && strcmp(settings->device, "auto"))
        die("selfplay keeps every position, which no device does; remove --device");
    if (player->kind->is_external)
        die("selfplay needs a built-in player; 'turf match' and 'turf export' record bots");
}

int cmd_selfplay(const Arguments *arguments)
{
    const Settings *settings = &arguments->settings;
    const TurfGame *game = read_game(arguments->words[0]);
    TurfPlayer     *player = read_player(game, arguments->words[1]);
    int64_t         begin_ns = clock_ns();
    int             shard, n_shards;
    TurfError       error;
    check(settings, player);
    read_shard(settings, &shard, &n_shards);
    char        *start = read_start(game, settings);
    uint64_t     n_games = settings->has_n_games ? settings->n_games : DEFAULT_GAMES;
    bool         is_json = wants_json(settings);
    OutputFile   output = output_open(settings->output);
    Sheet        sheet = {.game = game, .out = output.stream, .is_json = is_json};
    SelfplayPlan plan = {.player = player,
                         .start = start,
                         .seed = settings->seed,
                         .first_game = n_games * (uint64_t)(shard - 1) / (uint64_t)n_shards,
                         .end_game = n_games * (uint64_t)shard / (uint64_t)n_shards,
                         .max_opening = (uint32_t)settings->max_opening,
                         .random_percent = (uint32_t)settings->random_percent,
                         .n_jobs = settings->n_jobs ? (int)settings->n_jobs : cpu_count(),
                         .is_interrupted = console_is_interrupted,
                         .deliver = write_game,
                         .context = &sheet};
    console_catch_interrupt();
    if (!selfplay_run(&plan, &error))
        die("%s", error.text);
    output_close(&output);
    bool is_whole = sheet.n_games == plan.end_game - plan.first_game;
    if (!settings->is_quiet || !is_whole)
        fprintf(stderr, "%s%llu games, %llu positions, %.1f s\n", is_whole ? "" : "stopped after ",
                (unsigned long long)sheet.n_games, (unsigned long long)sheet.n_positions,
                clock_seconds_since(begin_ns));
    free(start);
    turf_player_free(player);
    return is_whole ? EXIT_FINE : EXIT_INTERRUPTED;
}
