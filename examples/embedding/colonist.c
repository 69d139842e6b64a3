/* A player of AI Battleground, where both sides move at once, using only turf.h. It tries cells one
 * by one and keeps those after which it is furthest ahead in some turns' time:
 *
 *     cc colonist.c $(pkg-config --cflags --libs turf) -o colonist && ./colonist */
#include <stdio.h>
#include <stdlib.h>
#include <turf.h>

enum { N_TRIES = 12, N_TURNS_AHEAD = 3, N_GAMES = 10 };

static void check(bool is_ok, const TurfError *error)
{
    if (is_ok)
        return;
    fprintf(stderr, "colonist: %s\n", error->text);
    exit(1);
}

/* The lead of a side after this action, if nobody does anything for some turns. */
static int lead_after(const TurfGame *game, const TurfState *state, TurfSide side,
                      const TurfAction *mine)
{
    TurfState  next = *state;
    TurfAction actions[2] = {{NULL, 0}, {NULL, 0}}, nothing[2] = {{NULL, 0}, {NULL, 0}};
    actions[side] = *mine;
    if (!turf_play_both(game, &next, actions, NULL))
        return -TURF_MAX_CELLS; /* not legal */
    for (int i = 0; i < N_TURNS_AHEAD && !turf_is_over(game, &next, NULL); i++)
        (void)turf_play_both(game, &next, nothing, NULL);
    return turf_own(game, &next, side) - turf_own(game, &next, (TurfSide)!side);
}

/* Called from several threads at once: what it needs is on its stack. */
static size_t choose(void *context, const TurfGame *game, const TurfState *state, TurfSide side,
                     TurfRng *rng, TurfCell *cells)
{
    uint8_t    mask[TURF_MAX_CELLS];
    int32_t    numbers[TURF_MAX_NUMBERS];
    size_t     reach[TURF_MAX_CELLS], n_reach = 0, n_cells = 0;
    int        rows, cols;
    TurfAction mine = {cells, 0};
    (void)context;
    turf_board_size(game, state, &rows, &cols);
    turf_numbers(game, state, side, numbers); /* the first is how many cells it may list */
    turf_action_mask(game, state, side, mask);
    for (size_t action = 0; action < (size_t)(rows * cols); action++)
        if (mask[action])
            reach[n_reach++] = action;
    int best = lead_after(game, state, side, &mine);
    for (int i = 0; i < N_TRIES && n_reach > 0 && n_cells < (size_t)numbers[0]; i++) {
        size_t at = turf_rng_below(rng, (uint32_t)n_reach), action = reach[at];
        reach[at] = reach[--n_reach];
        cells[n_cells] = (TurfCell){(int)action / cols, (int)action % cols};
        mine.n_cells = n_cells + 1;
        int lead = lead_after(game, state, side, &mine);
        if (lead <= best)
            continue;
        best = lead;
        n_cells++;
    }
    return n_cells;
}

int main(void)
{
    static const char *const rivals[] = {"dummy", "random"};
    TurfError                error;
    const TurfGame          *game = turf_game_find("ai-battleground", &error);
    TurfPlayer              *mine =
        game ? turf_player_custom_cells(game, "colonist", choose, NULL, &error) : NULL;
    check(mine, &error);
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        TurfPlayer    *rival = turf_player_open(game, rivals[i], &error);
        TurfPairing    pairing = {{mine, rival}, N_GAMES, true};
        TurfRunOptions options = {.seed = 1, .start = "16x16"};
        TurfTotals     totals;
        check(rival && turf_run(game, &pairing, 1, &options, &totals, &error), &error);
        printf("colonist won %d and lost %d of %d games against %s\n",
               (int)totals.endings[TURF_WON_BY_FIRST], (int)totals.endings[TURF_WON_BY_SECOND],
               (int)totals.n_games, turf_player_name(rival));
        turf_player_free(rival);
    }
    turf_player_free(mine);
    return 0;
}
