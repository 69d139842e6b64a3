/* Plays a custom strategy against turf's own, using only turf.h:
 *
 *     cc tournament.c $(pkg-config --cflags --libs turf) -o tournament && ./tournament */
#include <stdio.h>
#include <stdlib.h>
#include <turf.h>

enum { N_GAMES = 500, N_OPPONENTS = 4 };

static void check(bool is_ok, const TurfError *error)
{
    if (is_ok)
        return;
    fprintf(stderr, "tournament: %s\n", error->text);
    exit(1);
}

/* The strategy: leave the opponent as few moves as possible. It is called from several threads at
 * once, so it keeps no state. A position is a plain value: to try a move, copy it and play. */
static TurfMove choose_cramping(void *context, const TurfGame *game, const TurfState *state,
                                TurfRng *rng)
{
    TurfMove moves[TURF_MAX_MOVES], replies[TURF_MAX_MOVES], best = 0;
    size_t   n_moves = turf_moves(game, state, moves), fewest = SIZE_MAX;
    (void)context, (void)rng;
    for (size_t i = 0; i < n_moves; i++) {
        TurfState next = *state;
        TurfError error;
        check(turf_play(game, &next, moves[i], &error), &error);
        size_t n_replies = turf_moves(game, &next, replies);
        if (n_replies < fewest)
            fewest = n_replies, best = moves[i];
    }
    return best;
}

int main(void)
{
    static const char *const opponents[N_OPPONENTS] = {"random", "bloodlust", "land-grab",
                                                       "minimax:depth=2"};
    TurfError                error;
    const TurfGame          *game = turf_game_find("war-of-life", &error);
    TurfPlayer              *mine =
        game ? turf_player_custom(game, "cramping", choose_cramping, NULL, &error) : NULL;
    TurfPlayer *players[N_OPPONENTS];
    TurfPairing pairings[N_OPPONENTS];
    TurfTotals  totals[N_OPPONENTS];
    check(mine, &error);
    for (int i = 0; i < N_OPPONENTS; i++) {
        players[i] = turf_player_open(game, opponents[i], &error);
        check(players[i], &error);
        pairings[i] =
            (TurfPairing){.players = {mine, players[i]}, .n_games = N_GAMES, .swap_sides = true};
    }
    check(turf_run(game, pairings, N_OPPONENTS, &(TurfRunOptions){.seed = 1}, totals, &error),
          &error);
    printf("%-16s %6s %6s %6s\n", "cramping against", "won", "lost", "drawn");
    for (int i = 0; i < N_OPPONENTS; i++) {
        unsigned long long won = totals[i].endings[TURF_WON_BY_FIRST],
                           lost = totals[i].endings[TURF_WON_BY_SECOND];
        printf("%-16s %6llu %6llu %6llu\n", turf_player_name(players[i]), won, lost,
               totals[i].n_games - won - lost);
        turf_player_free(players[i]);
    }
    turf_player_free(mine);
    return 0;
}
