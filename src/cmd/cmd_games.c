/* turf games: lists the games, their starts and their players. */
#include "cmd/console.h"
#include "players/kinds.h"
#include "players/player_options.h"

static const char human_summary[] = "a person at the terminal ('turf play' only)";

static json_t *game_json(const TurfGame *game)
{
    json_t *starts = json_array(), *endings = json_array(), *players = json_array();
    for (const NamedStart *start = game->starts; start->name; start++)
        json_array_append_new(
            starts, json_pack("{s:s,s:s}", "name", start->name, "summary", start->summary));
    for (int ending = 0; ending < TURF_N_ENDINGS; ending++)
        if (game->ending_names[ending])
            json_array_append_new(endings, json_string(game->ending_names[ending]));
    json_array_append_new(
        players, json_pack("{s:s,s:s,s:n}", "name", "human", "summary", human_summary, "options"));
    for (size_t i = 0; player_kind_at(i); i++) {
        const PlayerKind *kind = player_kind_at(i);
        if (!player_kind_plays(kind, game))
            continue;
        char options[PLAYER_OPTIONS_BYTES];
        player_options_text(kind, options);
        json_array_append_new(players,
                              json_pack("{s:s,s:s,s:s?}", "name", kind->name, "summary",
                                        kind->summary, "options", *options ? options : NULL));
    }
    return json_pack("{s:s,s:s,s:s,s:s,s:[s,s],s:o,s:o,s:o}", "name", game->name, "short_name",
                     game->short_name, "title", game->title, "summary", game->summary, "sides",
                     game->side_names[0], game->side_names[1], "outcomes", endings, "starts",
                     starts, "players", players);
}

static void describe(const TurfGame *game, bool has_gap)
{
    if (has_gap)
        putchar('\n');
    printf("%s (%s): %s\n", game->name, game->short_name, game->summary);
    printf("\n  It ends as: ");
    for (int ending = 0, n = 0; ending < TURF_N_ENDINGS; ending++)
        if (game->ending_names[ending])
            printf("%s%s", n++ ? ", " : "", game->ending_names[ending]);
    printf("\n\n  --start\n");
    for (const NamedStart *start = game->starts; start->name; start++)
        printf("    %-20s %s\n", start->name, start->summary);
    printf("    or %s,\n    or a file that holds one\n", game->start_forms);
    printf("\n  Players\n    %-20s %s\n", "human", human_summary);
    for (size_t i = 0; player_kind_at(i); i++) {
        const PlayerKind *kind = player_kind_at(i);
        if (!player_kind_plays(kind, game))
            continue;
        printf("    %-20s %s\n", kind->name, kind->summary);
        char options[PLAYER_OPTIONS_BYTES];
        if (kind->options)
            printf("    %-20s   options: %s\n", "", player_options_text(kind, options));
    }
}

int cmd_games(const Arguments *arguments)
{
    json_t *list = json_array();
    for (size_t i = 0; turf_game_at(i); i++) {
        if (arguments->settings.wants_json)
            json_array_append_new(list, game_json(turf_game_at(i)));
        else
            describe(turf_game_at(i), i > 0);
    }
    if (arguments->settings.wants_json)
        print_json(json_incref(list), JSON_INDENT(2));
    json_decref(list);
    return EXIT_FINE;
}
