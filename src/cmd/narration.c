#include "cmd/narration.h"

#include "base/stats.h"
#include "cmd/console.h"
#include "games/totals.h"

#include <unistd.h>

bool narration_is_wanted(const Run *run, const Settings *settings)
{
    if (settings->wants_json_lines)
        return true;
    bool has_bots = false;
    for (size_t i = 0; i < run->plan.n_entrants; i++)
        has_bots |= run->players[i]->kind->is_bot;
    return has_bots && !settings->is_quiet && !isatty(STDERR_FILENO);
}

/* The player on a side of the board. */
static const char *name_of(const Run *run, const GameRecord *record, int side)
{
    return turf_player_name(run->pairings[record->pairing].players[side ^ record->is_swapped]);
}

static void tell_game(const Run *run, const GameRecord *record)
{
    fprintf(stderr, "%s against %s, game %llu: ",
            turf_player_name(run->pairings[record->pairing].players[0]),
            turf_player_name(run->pairings[record->pairing].players[1]),
            (unsigned long long)record->game + 1);
    if (record->ending <= TURF_WON_BY_SECOND)
        fprintf(stderr, "%s wins", name_of(run, record, (int)record->ending));
    else
        fputs(run->plan.game->ending_names[record->ending], stderr);
    fprintf(stderr, " after %u moves", record->length);
    if (record->forfeiter >= 0)
        fprintf(stderr, ", %s forfeits (%s): %s", name_of(run, record, record->forfeiter),
                turf_forfeit_name(record->reason), record->explanation ? record->explanation : "");
    fputc('\n', stderr);
}

static void print_line(json_t *json)
{
    print_json(json, JSON_COMPACT);
    fflush(stdout);
}

static json_t *names_of(const Run *run, size_t pairing)
{
    return json_pack("[s,s]", turf_player_name(run->pairings[pairing].players[0]),
                     turf_player_name(run->pairings[pairing].players[1]));
}

static void print_game(const Run *run, const GameRecord *record, const Settings *settings)
{
    bool    is_won = record->ending <= TURF_WON_BY_SECOND;
    json_t *json = json_pack("{s:s,s:I,s:o,s:I,s:s,s:s,s:s?,s:s,s:I}", "type", "game", "pairing",
                             (json_int_t)record->pairing, "players", names_of(run, record->pairing),
                             "game", (json_int_t)record->game, "first", name_of(run, record, 0),
                             "second", name_of(run, record, 1), "winner",
                             is_won ? name_of(run, record, (int)record->ending) : NULL, "outcome",
                             run->plan.game->ending_names[record->ending], "length",
                             (json_int_t)record->length);
    if (record->forfeiter >= 0)
        json_object_set_new(json, "forfeit",
                            json_pack("{s:s,s:s,s:s}", "player",
                                      name_of(run, record, record->forfeiter), "reason",
                                      turf_forfeit_name(record->reason), "text",
                                      record->explanation ? record->explanation : ""));
    if (!settings->hides_times)
        json_object_set_new(json, "seconds", json_real(record->seconds));
    print_line(json);
}

static void print_part(const Run *run, const BatchResult *result)
{
    TurfTotals totals = totals_of_sides(result->totals);
    print_line(json_pack(
        "{s:s,s:I,s:o,s:I,s:I,s:[I,I],s:I}", "type", "games", "pairing",
        (json_int_t)result->games.pairing, "players", names_of(run, result->games.pairing), "game",
        (json_int_t)result->games.first, "games", (json_int_t)totals.n_games, "wins",
        (json_int_t)totals.endings[TURF_WON_BY_FIRST],
        (json_int_t)totals.endings[TURF_WON_BY_SECOND], "draws", (json_int_t)stats_draws(&totals)));
}

void narrate_results(const Run *run, const Settings *settings, const BatchResult *results)
{
    for (const BatchResult *result = results; result; result = result->next) {
        if (!settings->wants_json_lines && result->is_single)
            tell_game(run, &result->played[0].record);
        else if (settings->wants_json_lines && result->is_single)
            print_game(run, &result->played[0].record, settings);
        else if (settings->wants_json_lines)
            print_part(run, result);
    }
}
