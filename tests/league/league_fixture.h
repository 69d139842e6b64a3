/* A league of SquirrelWar in a database of its own, for the tests of leagues. */
#ifndef TURF_TESTS_LEAGUE_FIXTURE_H
#define TURF_TESTS_LEAGUE_FIXTURE_H

#include "league/league.h"
#include "players/player.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Fixture {
    char   folder[64], path[96];
    Store *store;
    League league;
} Fixture;

static inline void open_league(Fixture *fixture)
{
    TurfError error = {0};
    fixture->store = store_open(fixture->path, STORE_MAKE, &error);
    assert_string_equal(error.text, "");
}

static inline int begin(void **state)
{
    static Fixture fixture;
    TurfError      error = {0};
    strcpy(fixture.folder, "/tmp/turf-league-XXXXXX");
    assert_non_null(mkdtemp(fixture.folder));
    snprintf(fixture.path, sizeof fixture.path, "%s/cup.db", fixture.folder);
    open_league(&fixture);
    Plan plan = {.game = turf_game_find("squirrel-war", NULL),
                 .schedule = SCHEDULE_PAIRS,
                 .n_games = 2,
                 .n_rounds = 1,
                 .swaps_sides = true,
                 .seed = 7};
    assert_true(league_new(fixture.store, &plan, AUDIENCE_GAMES, &error));
    assert_true(league_open(&fixture.league, fixture.store, &error));
    *state = &fixture;
    return 0;
}

static inline int end(void **state)
{
    Fixture *fixture = *state;
    league_release(&fixture->league);
    store_close(fixture->store);
    unlink(fixture->path);
    return rmdir(fixture->folder);
}

static inline void add(Fixture *fixture, const char *spec)
{
    TurfError   error = {0};
    TurfPlayer *player = player_open_any(fixture->league.plan.game, spec, &error);
    assert_non_null(player);
    assert_true(league_add(&fixture->league, player, NULL, &error));
    turf_player_free(player);
}

#endif
