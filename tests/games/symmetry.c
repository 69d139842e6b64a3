/* Symmetries: turned and mirrored boards play the same games. */
#include "support.h"

#include "games/game.h"

#include <stdlib.h>
#include <string.h>

typedef struct Setup {
    const TurfGame *game;
    const char     *start;
    size_t          n_symmetries;
} Setup;

static const Setup setups[] = {
    {&war_of_life, NULL, 8},         {&amoeba_wars, "5x5", 8},      {&squirrel_war, NULL, 8},
    {&ai_battleground, NULL, 8},     {&ai_battleground, "7x65", 4}, {&amoeba_wars, "8x8", 8},
    {&amoeba_wars, "5x7,chains", 4}, {&squirrel_war, "6x6", 8},
};

enum { N_SETUPS = sizeof setups / sizeof setups[0], N_PLIES = 12 };

static TurfState start_of(const Setup *setup)
{
    TurfRng   rng = turf_rng(3);
    TurfState state = {{0}};
    TurfError error;
    if (!turf_start(setup->game, setup->start, &rng, &state, &error))
        fail_msg("%s", error.text);
    return state;
}

static TurfState image_of(const TurfGame *game, const TurfState *state, size_t symmetry)
{
    TurfState image = {{0}};
    TurfError error;
    if (!turf_transform(game, state, symmetry, &image, &error))
        fail_msg("%s", error.text);
    return image;
}

/* The legal actions of the image are the images of the legal actions. */
static void assert_masks_agree(const TurfGame *game, const TurfState *state, const TurfState *image,
                               size_t symmetry, TurfSide side)
{
    size_t   n_actions = turf_n_actions(game, state);
    uint8_t *mask = malloc(n_actions), *of_image = malloc(n_actions);
    assert_non_null(mask);
    assert_non_null(of_image);
    turf_action_mask(game, state, side, mask);
    turf_action_mask(game, image, side, of_image);
    for (size_t action = 0; action < n_actions; action++)
        assert_int_equal(mask[action], of_image[turf_action_under(game, state, symmetry, action)]);
    free(mask);
    free(of_image);
}

/* Plays an action, or where both sides move at once a cell for each. */
static void play(const TurfGame *game, TurfState *state, const size_t actions[2])
{
    TurfMove move;
    int      rows, cols;
    turf_board_size(game, state, &rows, &cols);
    if (!game_is_simultaneous(game)) {
        assert_true(turf_move_of_action(game, state, actions[0], &move, NULL));
        assert_true(turf_play(game, state, move, NULL));
        return;
    }
    TurfCell   cells[2];
    TurfAction both[2];
    for (int side = 0; side < 2; side++) {
        cells[side] = (TurfCell){(int)actions[side] / cols, (int)actions[side] % cols};
        both[side] = (TurfAction){&cells[side], 1};
    }
    assert_true(turf_play_both(game, state, both, NULL));
}

/* A legal action of a side; SIZE_MAX if it has none. */
static size_t draw(const TurfGame *game, const TurfState *state, TurfSide side, TurfRng *rng)
{
    size_t   n_actions = turf_n_actions(game, state), n_legal = 0, found = SIZE_MAX;
    uint8_t *mask = malloc(n_actions);
    assert_non_null(mask);
    turf_action_mask(game, state, side, mask);
    for (size_t action = 0; action < n_actions; action++)
        if (mask[action] && turf_rng_below(rng, (uint32_t)++n_legal) == 0)
            found = action;
    free(mask);
    return found;
}

static void play_images(const Setup *setup, size_t symmetry)
{
    const TurfGame *game = setup->game;
    TurfState       state = start_of(setup), image = image_of(game, &state, symmetry);
    TurfRng         rng = turf_rng(symmetry);
    for (int ply = 0; ply < N_PLIES && !turf_is_over(game, &state, NULL); ply++) {
        TurfMover mover = turf_to_move(game, &state);
        TurfSide  side = mover == TURF_MOVER_SECOND ? TURF_SECOND : TURF_FIRST;
        assert_masks_agree(game, &state, &image, symmetry, side);
        size_t actions[2] = {draw(game, &state, side, &rng), draw(game, &state, TURF_SECOND, &rng)};
        size_t images[2];
        if (actions[0] == SIZE_MAX || (mover == TURF_MOVER_BOTH && actions[1] == SIZE_MAX))
            return;
        for (int i = 0; i < 2; i++)
            images[i] = turf_action_under(game, &state, symmetry, actions[i]);
        play(game, &state, actions);
        play(game, &image, images);
        TurfState expected = image_of(game, &state, symmetry);
        assert_true(turf_equal(game, &expected, &image));
    }
}

static void images_of_positions_play_the_images_of_games(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++) {
        TurfState state = start_of(&setups[s]);
        assert_int_equal(turf_n_symmetries(setups[s].game, &state), setups[s].n_symmetries);
        for (size_t k = 0; k < setups[s].n_symmetries; k++)
            play_images(&setups[s], k);
    }
}

static void inverse_leads_back(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < N_SETUPS; s++)
        for (size_t k = 0; k < setups[s].n_symmetries; k++) {
            const TurfGame *game = setups[s].game;
            size_t          inverse = k == 5 || k == 6 ? 11 - k : k;
            TurfState       state = start_of(&setups[s]), image = image_of(game, &state, k);
            TurfState       back = image_of(game, &image, inverse);
            assert_true(turf_equal(game, &state, &back));
            for (size_t action = 0; action < turf_n_actions(game, &state); action += 7)
                assert_int_equal(turf_action_under(game, &image, inverse,
                                                   turf_action_under(game, &state, k, action)),
                                 action);
        }
}

static void first_row_goes_where_the_number_says(void **unused)
{
    /* Corners of 8x8: 0 top left, 7 top right, 56 bottom left. */
    static const size_t of_corner[8] = {0, 7, 56, 63, 0, 7, 56, 63};
    static const size_t of_next[8] = {1, 6, 57, 62, 8, 15, 48, 55};
    TurfState           state = start_of(&setups[0]);
    (void)unused;
    for (size_t k = 0; k < 8; k++) {
        assert_int_equal(turf_cell_under(&war_of_life, &state, k, 0), of_corner[k]);
        assert_int_equal(turf_cell_under(&war_of_life, &state, k, 1), of_next[k]);
    }
}

static void unknown_symmetries_are_rejected(void **unused)
{
    TurfState state = start_of(&setups[0]), image = state;
    TurfError error;
    (void)unused;
    assert_false(turf_transform(&war_of_life, &state, 8, &image, &error));
    assert_string_equal(error.text, "there is no symmetry 8 here: there are 8, from 0");
    assert_true(turf_equal(&war_of_life, &state, &image));
    assert_int_equal(turf_cell_under(&war_of_life, &state, 8, 5), 5);
    assert_int_equal(turf_cell_under(&war_of_life, &state, 1, 64), 64);
    assert_int_equal(turf_action_under(&war_of_life, &state, 1, 512), 512);
    assert_false(turf_transform(NULL, &state, 0, &image, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_of_positions_play_the_images_of_games),
        cmocka_unit_test(inverse_leads_back),
        cmocka_unit_test(first_row_goes_where_the_number_says),
        cmocka_unit_test(unknown_symmetries_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
