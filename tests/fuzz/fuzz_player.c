/* Descriptions of players. Opens no ports. */
#include "fuzz.h"
#include "players/player.h"

#include <stdlib.h>
#include <string.h>

/* Claims: the canonical description survives a round trip. */
static void check_player(const TurfGame *game, const TurfPlayer *player)
{
    TurfError error;
    json_t   *name = json_string(player->name), *spec = json_string(player->spec);
    claim(name && spec, "a player that is not UTF-8");
    fuzz_check_line(player->name);
    TurfPlayer *again = turf_player_open(game, player->spec, &error);
    claim(again, "'%s' cannot be read again: %s", player->spec, error.text);
    claim(!strcmp(again->spec, player->spec), "'%s' is '%s' when read again", player->spec,
          again->spec);
    turf_player_free(again);
    json_decref(name);
    json_decref(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const TurfGame *game = fuzz_game(&data, &size);
    char           *text = fuzz_text(data, size);
    TurfError       error = {0};
    TurfPlayer     *player = turf_player_open(game, text, &error);
    if (player)
        check_player(game, player);
    else
        fuzz_check_line(error.text);
    turf_player_free(player);
    free(text);
    return 0;
}
