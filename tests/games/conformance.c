/* One suite for every game: what a game's table promises to those who use it. */
#include "support.h"

#include "games/cells.h"
#include "games/question.h"
#include "players/player.h"

#include <stdlib.h>
#include <string.h>

typedef void Visit(const TurfGame *game, const TurfState *state, TurfRng *rng);

/* Both sides' actions at random, where both move at once; they are legal. */
static void act_at_random(const TurfGame *game, const TurfState *state, TurfRng *rng,
                          TurfCell cells[2][TURF_MAX_CELLS], TurfAction actions[2])
{
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(game, "random", &error);
    for (int side = 0; side < 2; side++) {
        actions[side].cells = cells[side];
        actions[side].n_cells = player_choose_cells(player, state, (TurfSide)side,
                                                    &(TurnContext){.rng = rng}, cells[side]);
        assert_true(game->is_legal_action(state, (TurfSide)side, &actions[side], &error));
    }
    turf_player_free(player);
}

static void play_random_turn(const TurfGame *game, TurfState *state, TurfRng *rng)
{
    if (game_is_simultaneous(game)) {
        static TurfCell cells[2][TURF_MAX_CELLS];
        TurfAction      actions[2];
        act_at_random(game, state, rng, cells, actions);
        game->apply_both(state, actions);
        return;
    }
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = game->moves(state, moves);
    assert_true(n_moves > 0);
    game->apply(state, moves[rng_below(rng, (uint32_t)n_moves)]);
}

static void visit_games(const TurfGame *game, const char *start, int n_games, Visit *visit)
{
    for (int i = 0; i < n_games; i++) {
        TurfRng    rng = rng_stream(strlen(game->name), (uint64_t)i);
        TurfState  state = {{0}};
        TurfEnding ending;
        assert_true(turf_start(game, start, &rng, &state, NULL));
        for (uint32_t length = 0; !game->is_over(&state, &ending); length++) {
            visit(game, &state, &rng);
            play_random_turn(game, &state, &rng);
            assert_true(length < game->longest_game);
        }
        visit(game, &state, &rng);
    }
}

/* Calls `visit` for the positions of random games of every game and every start, the last included.
 */
static void visit_positions(int n_games, Visit *visit)
{
    static const struct {
        const TurfGame *game;
        const char     *start;
    } sizes[] = {{&amoeba_wars, "2x2"},
                 {&amoeba_wars, "9x9"},
                 {&amoeba_wars, "26x26"},
                 {&amoeba_wars, "3x7,chains,steps=2,first=5"},
                 {&amoeba_wars, "11x6,chains,steps=5,end=stuck"},
                 {&ai_battleground, "1x1"},
                 {&ai_battleground, "7x65"},
                 {&squirrel_war, "2x2"},
                 {&squirrel_war, "8x8"}};
    for (size_t g = 0; turf_game_at(g); g++)
        for (const NamedStart *start = turf_game_at(g)->starts; start->name; start++)
            visit_games(turf_game_at(g), start->name, n_games, visit);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        visit_games(sizes[i].game, sizes[i].start, n_games / 3 + 1, visit);
}

static void check_mover(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    TurfEnding ending = TURF_N_ENDINGS;
    bool       is_over = turf_is_over(game, state, &ending);
    TurfMove   moves[TURF_MAX_MOVES];
    assert_int_equal(is_over, turf_to_move(game, state) == TURF_MOVER_NONE);
    if (!game_is_simultaneous(game))
        assert_int_equal(is_over, turf_moves(game, state, moves) == 0);
    if (is_over)
        assert_non_null(turf_game_ending_name(game, ending));
    for (int side = 0; side < 2; side++)
        assert_true(turf_own(game, state, (TurfSide)side) >= 0);
}

static void a_game_is_over_exactly_when_nobody_is_to_move(void **state)
{
    (void)state;
    visit_positions(10, check_mover);
}

static void check_moves(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfMove  moves[TURF_MAX_MOVES];
    TurfState copy = *state;
    TurfError error;
    size_t    n_moves = turf_moves(game, state, moves);
    if (game_is_simultaneous(game))
        return;
    for (size_t i = 0; i < n_moves; i++) {
        assert_true(i == 0 || moves[i - 1] < moves[i]);
        assert_true(game->is_legal(state, moves[i], &error));
        TurfState applied = *state, played = *state;
        game->apply(&applied, moves[i]);
        assert_true(turf_play(game, &played, moves[i], &error));
        assert_memory_equal(&played, &applied, sizeof played);
    }
    for (int i = 0; i < 50; i++) {
        TurfMove move = rng_below(rng, i < 40 ? 64 * 64 : UINT32_MAX);
        bool     is_listed = false;
        for (size_t m = 0; m < n_moves; m++)
            is_listed |= moves[m] == move;
        error = (TurfError){0};
        assert_int_equal(turf_play(game, &copy, move, &error), is_listed);
        if (is_listed) {
            copy = *state;
        } else {
            assert_memory_equal(&copy, state, sizeof copy);
            assert_true(strlen(error.text) > 0);
        }
    }
}

static void listed_moves_can_be_played_and_others_are_refused_without_a_trace(void **state)
{
    (void)state;
    visit_positions(6, check_moves);
}

static void check_action_index(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    static uint8_t mask[MAX_ACTIONS];
    TurfMove       moves[TURF_MAX_MOVES], move;
    size_t         n_actions = turf_n_actions(game, state), n_set[2] = {0, 0};
    size_t         n_moves = turf_moves(game, state, moves);
    TurfMover      mover = turf_to_move(game, state);
    (void)rng;
    for (int side = 0; side < 2; side++) {
        turf_action_mask(game, state, (TurfSide)side, mask);
        for (size_t i = 0; i < n_actions; i++)
            n_set[side] += mask[i];
        if (mover == TURF_MOVER_BOTH)
            continue;
        assert_int_equal(n_set[side], (int)mover == side ? n_moves : 0);
        for (size_t i = 0; (int)mover == side && i < n_actions; i++) {
            assert_true(turf_move_of_action(game, state, i, &move, NULL));
            assert_int_equal(mask[i], game->is_legal(state, move, NULL));
            if (mask[i])
                assert_int_equal(turf_action_of_move(game, state, move), i);
        }
    }
    assert_false(turf_move_of_action(game, state, n_actions, &move, NULL));
}

static void legal_actions_are_the_legal_moves(void **state)
{
    (void)state;
    visit_positions(3, check_action_index);
}

static void check_planes(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    static char    cells[TURF_MAX_CELLS];
    static uint8_t planes[4 * TURF_MAX_CELLS];
    int            rows, cols;
    (void)rng;
    turf_board_size(game, state, &rows, &cols);
    turf_board(game, state, cells);
    int n_cells = rows * cols;
    for (int side = 0; side < 2; side++) {
        turf_planes(game, state, (TurfSide)side, planes);
        for (int i = 0; i < n_cells; i++) {
            assert_int_equal(cells[i], game->cell(state, i / cols, i % cols));
            assert_int_equal(planes[i], cells[i] == *game->side_letters[side]);
            assert_int_equal(planes[n_cells + i], cells[i] == *game->side_letters[!side]);
            if (game == &amoeba_wars) {
                bool is_shaded = strchr("#ox", cells[i]) != NULL,
                     is_rivals = cells[i] == "xo"[side];
                assert_int_equal(planes[2 * n_cells + i], is_shaded + is_rivals);
            }
            if (game == &squirrel_war)
                assert_in_range(planes[2 * n_cells + i], 1, 99);
        }
    }
}

static void planes_show_the_cells_of_both_sides(void **state)
{
    (void)state;
    visit_positions(2, check_planes);
}

static void check_equality(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfState  copy, changed = *state;
    TurfEnding ending;
    char      *json = turf_position_to_json(game, state);
    assert_non_null(json);
    memset(&copy, 0xff, sizeof copy); /* bytes that the game does not use may be anything */
    memcpy(&copy, state, turf_state_size(game));
    assert_true(turf_equal(game, state, &copy));
    assert_int_equal(turf_hash(game, state), turf_hash(game, &copy));
    memset(&copy, 0, sizeof copy);
    assert_true(turf_position_from_text(game, json, &copy, NULL));
    assert_true(turf_equal(game, state, &copy));
    free(json);
    if (game->is_over(state, &ending)) {
        assert_int_equal(turf_reward(game, state, TURF_FIRST),
                         (ending == TURF_WON_BY_FIRST) - (ending == TURF_WON_BY_SECOND));
        assert_int_equal(turf_reward(game, state, TURF_SECOND),
                         -turf_reward(game, state, TURF_FIRST));
        return;
    }
    assert_int_equal(turf_reward(game, state, TURF_FIRST), 0);
    play_random_turn(game, &changed, rng);
    assert_false(turf_equal(game, state, &changed));
}

static void equal_positions_compare_equal_and_later_ones_do_not(void **state)
{
    (void)state;
    visit_positions(3, check_equality);
}

static void check_random_move(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfMove move;
    bool     is_asked = !game_is_simultaneous(game) && game->to_move(state) != TURF_MOVER_NONE;
    assert_int_equal(turf_random_move(game, state, rng, &move, NULL), is_asked);
    if (is_asked)
        assert_true(game->is_legal(state, move, NULL));
}

static void random_moves_are_legal(void **state)
{
    (void)state;
    visit_positions(20, check_random_move);
}

static void check_json(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    TurfState again = {{0}};
    TurfError error;
    char     *text = turf_position_to_json(game, state);
    assert_non_null(text);
    assert_true(turf_start(game, text, NULL, &again, &error));
    assert_memory_equal(&again, state, game->state_size);
    assert_int_equal(game->hash(&again), game->hash(state));
    free(text);
}

static void positions_survive_json(void **state)
{
    (void)state;
    visit_positions(6, check_json);
}

static void check_move_notation(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    TurfMove moves[TURF_MAX_MOVES];
    size_t   n_moves = turf_moves(game, state, moves);
    for (size_t i = 0; i < n_moves; i += 7) {
        TurfMove  again = ~moves[i];
        TurfError error;
        json_t   *json = game->move_to_json(state, moves[i]);
        assert_true(game->move_from_json(state, json, &again, &error));
        assert_int_equal(again, moves[i]);
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        assert_true(turf_move_from_text(game, state, text, &again, &error));
        assert_int_equal(again, moves[i]);
        free(text);
        json_decref(json);
    }
}

static void moves_survive_json_and_text(void **state)
{
    (void)state;
    visit_positions(4, check_move_notation);
}

static void check_cells(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    int rows = 0, cols = 0;
    game->size(state, &rows, &cols);
    assert_in_range(rows, 1, MAX_BOARD_SIDE);
    assert_in_range(cols, 1, MAX_BOARD_SIDE);
    json_t *position = game->to_json(state), *board = json_object_get(position, "board");
    assert_int_equal(json_array_size(board), rows);
    for (int row = 0; row < rows; row++) {
        const char *text = json_string_value(json_array_get(board, (size_t)row));
        assert_int_equal(strlen(text), cols);
        for (int col = 0; col < cols; col++)
            assert_int_equal(text[col], game->cell(state, row, col));
    }
    json_decref(position);
    assert_int_equal(game_owner(game, game->side_letters[0][0]), TURF_FIRST);
    assert_int_equal(game_owner(game, game->side_letters[1][0]), TURF_SECOND);
}

static void a_board_in_json_has_a_symbol_for_each_cell(void **state)
{
    (void)state;
    visit_positions(2, check_cells);
}

/* So that people can choose any move by pointing. */
static void check_move_cells(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    TurfMove moves[TURF_MAX_MOVES];
    TurfCell cells[2][MAX_MOVE_CELLS];
    int      rows, cols;
    size_t   n_moves = turf_moves(game, state, moves), n_before = 0;
    game->size(state, &rows, &cols);
    for (size_t i = 0; i < n_moves; i++) {
        size_t n_cells = game_move_cells(game, state, moves[i], cells[i % 2]);
        assert_in_range(n_cells, 0, MAX_MOVE_CELLS);
        for (size_t k = 0; k < n_cells; k++)
            assert_true(cells[i % 2][k].row >= 0 && cells[i % 2][k].row < rows &&
                        cells[i % 2][k].col >= 0 && cells[i % 2][k].col < cols);
        assert_true(i == 0 || n_cells != n_before ||
                    memcmp(cells[0], cells[1], n_cells * sizeof *cells[0]) != 0);
        n_before = n_cells;
        assert_in_range(moves[i], 0, UINT16_MAX); /* as the trees of the searches keep them */
    }
}

static void moves_are_told_apart_by_their_cells(void **state)
{
    (void)state;
    visit_positions(2, check_move_cells);
}

/* What the table leaves out is found by trying. */
static void check_reach(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    static TurfCell cells[TURF_MAX_CELLS], tried[TURF_MAX_CELLS];
    TurfGame        slow = *game;
    int             rows, cols;
    slow.reach = NULL;
    slow.max_cells = NULL;
    game->size(state, &rows, &cols);
    if (!game_is_simultaneous(game) || rows * cols > 600)
        return;
    for (int side = 0; side < 2; side++) {
        size_t max = game_max_cells(game, state, (TurfSide)side);
        size_t n_cells = game_reach(game, state, (TurfSide)side, cells);
        if (max == 0)
            continue;
        assert_int_equal(game_reach(&slow, state, (TurfSide)side, tried), n_cells);
        assert_memory_equal(tried, cells, n_cells * sizeof *cells);
        assert_int_equal(game_max_cells(&slow, state, (TurfSide)side),
                         max < n_cells ? max : n_cells);
    }
}

static void cells_within_reach_are_those_that_may_be_listed(void **state)
{
    (void)state;
    visit_positions(1, check_reach);
}

static void check_question(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    (void)rng;
    BotTime    time = {.left_ms = 500, .gain_ms = 100};
    TurfEnding ending;
    if (game->is_over(state, &ending))
        return;
    TurfMover mover = game->to_move(state);
    for (int side = 0; side < 2; side++) {
        TurfState again = {{0}};
        TurfSide  read = TURF_FIRST;
        TurfError error;
        if (mover != TURF_MOVER_BOTH && (int)mover != side)
            continue;
        char   *text = question_text(game, state, (TurfSide)side, &time);
        json_t *question = json_loads(text, 0, NULL);
        assert_true(question_read(game, question, &again, &read, &error));
        assert_int_equal(json_integer_value(json_object_get(question, "timeLeftForMove")), 500);
        if (!game->question) { /* not a wire of its own */
            assert_memory_equal(&again, state, game->state_size);
            assert_int_equal(read, side);
            assert_string_equal(json_string_value(json_object_get(question, "game_name")),
                                game->name);
        }
        json_decref(question);
        free(text);
    }
}

static void a_bot_is_asked_about_the_position_by_name(void **state)
{
    (void)state;
    visit_positions(2, check_question);
}

static void check_actions(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfEnding ending;
    if (!game_is_simultaneous(game) || game->is_over(state, &ending))
        return;
    static TurfCell cells[2][TURF_MAX_CELLS], again[2][TURF_MAX_CELLS];
    TurfAction      actions[2], read[2];
    TurfCell       *room[2] = {again[0], again[1]};
    TurfError       error = {0};
    TurfState       copy = *state;
    act_at_random(game, state, rng, cells, actions);
    json_t *json = game_actions_to_json(game, actions);
    assert_true(game_actions_from_json(game, json, room, read, &error));
    json_decref(json);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(read[side].n_cells, actions[side].n_cells);
        assert_memory_equal(again[side], cells[side], actions[side].n_cells * sizeof(TurfCell));
    }
    TurfCell   far_off = {-1, 0};
    TurfAction bad[2] = {actions[0], {&far_off, 1}};
    assert_false(turf_play_both(game, &copy, bad, &error));
    assert_true(strlen(error.text) > 0);
    assert_memory_equal(&copy, state, sizeof copy);
}

static void actions_survive_json_and_bad_ones_are_refused_without_a_trace(void **state)
{
    (void)state;
    visit_positions(5, check_actions);
}

/* Positions one move apart are different, and so are their hashes. */
static void check_hash(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    TurfState  next = *state;
    TurfEnding ending;
    if (game->is_over(state, &ending))
        return;
    play_random_turn(game, &next, rng);
    assert_int_not_equal(memcmp(&next, state, game->state_size), 0);
    assert_true(game->hash(&next) != game->hash(state));
}

static void different_positions_have_different_hashes(void **state)
{
    (void)state;
    visit_positions(10, check_hash);
}

static void check_picture(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    for (int has_colour = 0; has_colour < 2; has_colour++) {
        DrawStyle style = {.has_colour = has_colour};
        char     *text = NULL;
        size_t    length = 0;
        TurfMove  moves[TURF_MAX_MOVES];
        size_t    n_moves = turf_moves(game, state, moves);
        FILE     *out = open_memstream(&text, &length);
        game_draw(game, state, &style, out);
        if (n_moves > 0)
            game_draw_move(game, state, moves[rng_below(rng, (uint32_t)n_moves)], &style, out);
        fclose(out);
        assert_true(length > 0);
        assert_true(has_colour || !strchr(text, '\033'));
        free(text);
    }
}

static char *picture(const TurfGame *game, const TurfState *state, TurfRng rng, int n_columns)
{
    DrawStyle style = {.n_columns = n_columns};
    char     *text = NULL;
    size_t    length = 0;
    TurfMove  moves[TURF_MAX_MOVES];
    size_t    n_moves = turf_moves(game, state, moves);
    FILE     *out = open_memstream(&text, &length);
    game_draw(game, state, &style, out);
    if (n_moves > 0)
        game_draw_move(game, state, moves[rng_below(&rng, (uint32_t)n_moves)], &style, out);
    fclose(out);
    return text;
}

static size_t width_of(const char *text)
{
    size_t width = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        width = strcspn(line, "\n") > width ? strcspn(line, "\n") : width;
    return width;
}

static void check_narrow_picture(const TurfGame *game, const TurfState *state, TurfRng *rng)
{
    enum { COLUMNS = 40 };
    char  *narrow = picture(game, state, *rng, COLUMNS), *wide = picture(game, state, *rng, 0);
    char  *needed = strstr(narrow, "(This board needs ");
    size_t n_needed = needed ? strtoul(needed + strlen("(This board needs "), NULL, 10) : 0;
    if (needed) { /* a line of its own that says what is missing */
        assert_true(n_needed > COLUMNS);
        memmove(needed, strchr(needed, '\n') + 1, strlen(strchr(needed, '\n')));
        char *enough = picture(game, state, *rng, (int)n_needed);
        assert_null(strstr(enough, "needs"));
        assert_true(width_of(enough) <= n_needed);
        free(enough);
    }
    assert_true(width_of(narrow) <= COLUMNS);
    if (!needed && width_of(wide) <= COLUMNS)
        assert_string_equal(narrow, wide);
    free(narrow);
    free(wide);
}

static void pictures_fit_40_columns_or_say_how_many_they_need(void **state)
{
    (void)state;
    visit_positions(3, check_narrow_picture);
}

static void pictures_can_be_drawn_of_every_position(void **state)
{
    (void)state;
    visit_positions(3, check_picture);
}

static void games_are_found_by_name_short_name_and_prefix(void **state)
{
    (void)state;
    TurfError error;
    for (size_t g = 0; turf_game_at(g); g++) {
        const TurfGame *game = turf_game_at(g);
        assert_ptr_equal(turf_game_find(game->name, &error), game);
        assert_ptr_equal(turf_game_find(game->short_name, &error), game);
    }
    assert_ptr_equal(turf_game_find("war", &error), &war_of_life);
    assert_ptr_equal(turf_game_find("war_of_life", &error), &war_of_life);
    assert_null(turf_game_find("chess", &error));
    assert_non_null(strstr(error.text, "war-of-life"));
    assert_null(turf_game_find("", &error));
}

static void starts_that_do_not_exist_are_refused_with_those_that_do(void **state)
{
    (void)state;
    for (size_t g = 0; turf_game_at(g); g++) {
        TurfState position;
        TurfError error;
        TurfRng   rng = turf_rng(1);
        assert_false(turf_start(turf_game_at(g), "nonsense", &rng, &position, &error));
        assert_non_null(strstr(error.text, turf_game_at(g)->starts[0].name));
    }
}

static void assert_not_a_board(const char *text, const char *fragment)
{
    TurfState position;
    TurfError error = {0};
    assert_false(game_parse(&war_of_life, text, &position, &error));
    if (!strstr(error.text, fragment))
        fail_msg("'%s' gave: %s", text, error.text);
}

static void boards_that_are_none_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_not_a_board("......../......../......../......../......../......../........", "7 rows");
    assert_not_a_board(
        "......../......../......../......../......../......../......../......../........",
        "9 rows");
    assert_not_a_board("......../......../...x..../......../......../......../......../........",
                       "row 3 has 'x' in column 4");
    assert_not_a_board("......../......../......./......../......../......../......../........",
                       "row 3 has fewer than 8");
    assert_not_a_board("......../........./......../......../......../......../......../........",
                       "row 2 has more than 8");
    assert_not_a_board("", "0 rows");
    assert_not_a_board("[[[1,1]],[[1,1]]]", "listed twice");
    assert_not_a_board("[[[1,9]],[]]", "blue piece 1");
    assert_not_a_board("[[[1,1]]]", "two lists");
    assert_not_a_board("[[[1,1]],[[2,2,2]]]", "red pieces: cell 1");
    assert_not_a_board("[[1,1],[2,2]", "cannot be read");
    assert_not_a_board("{\"board\":[]}", "0 rows");
    assert_not_a_board("{\"to_move\":\"b\"}", "0 rows");
    assert_not_a_board("{", "not JSON");
}

static void a_board_can_be_written_in_every_form(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "b......./......../......../...r..../......../......../......../........",
        "b.......\n........\n........\n...r....\n........\n........\n........\n........\n",
        "b . . . . . . .\r\n. . . . . . . .\r\n. . . . . . . .\r\n. . . r . . . "
        ".\r\n........\n........\n........\n........",
        "[[[1,1]],[[4,4]]]",
        " [ [ [1, 1] ], [ [4, 4] ] ].\n",
        "[\"b.......\",\"........\",\"........\",\"...r....\",\"........\",\"........\",\"........"
        "\",\"........\"]",
        "{\"board\":[\"b.......\",\"........\",\"........\",\"...r....\",\"........\",\"........\","
        "\"........\",\"....."
        "...\"]}",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        WolState  board;
        TurfError error = {0};
        if (!game_parse(&war_of_life, forms[i], &board, &error))
            fail_msg("form %zu: %s", i, error.text);
        assert_board(&board,
                     "b....... ........ ........ ...r.... ........ ........ ........ ........");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_over_exactly_when_nobody_is_to_move),
        cmocka_unit_test(listed_moves_can_be_played_and_others_are_refused_without_a_trace),
        cmocka_unit_test(random_moves_are_legal),
        cmocka_unit_test(legal_actions_are_the_legal_moves),
        cmocka_unit_test(planes_show_the_cells_of_both_sides),
        cmocka_unit_test(equal_positions_compare_equal_and_later_ones_do_not),
        cmocka_unit_test(positions_survive_json),
        cmocka_unit_test(moves_survive_json_and_text),
        cmocka_unit_test(a_board_in_json_has_a_symbol_for_each_cell),
        cmocka_unit_test(moves_are_told_apart_by_their_cells),
        cmocka_unit_test(cells_within_reach_are_those_that_may_be_listed),
        cmocka_unit_test(a_bot_is_asked_about_the_position_by_name),
        cmocka_unit_test(actions_survive_json_and_bad_ones_are_refused_without_a_trace),
        cmocka_unit_test(different_positions_have_different_hashes),
        cmocka_unit_test(pictures_can_be_drawn_of_every_position),
        cmocka_unit_test(pictures_fit_40_columns_or_say_how_many_they_need),
        cmocka_unit_test(games_are_found_by_name_short_name_and_prefix),
        cmocka_unit_test(starts_that_do_not_exist_are_refused_with_those_that_do),
        cmocka_unit_test(boards_that_are_none_are_refused_with_the_reason),
        cmocka_unit_test(a_board_can_be_written_in_every_form),
    };
    return cmocka_run_group_tests_name("conformance", tests, NULL, NULL);
}
