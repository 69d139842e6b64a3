/* SquirrelWar: its table, and its positions and moves as text, JSON and pictures. */
#include "games/squirrel_war.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "games/ending.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "XO";

static const char start_forms[] =
    "a size from 2x2 to 8x8; 25 values from 1 to 99 (or as many as another size has), row 1 first, "
    "and if you like the rows of X, O and *; or JSON";

/* To offer; 5x5, the default, is a start of its own. */
static const int sizes[] = {2, 3, 4, 6, 7, 8, 0};

static const NamedStart starts[] = {
    {"random", "values drawn evenly from 1 to 99, nothing taken yet"},
    {"keren", "6x6, all squares worth 1"},
    {"narvik", "6x6, squares worth 99 and 1 by turns"},
    {"sevastopol", "6x6, each row worth twice the one above"},
    {"smolensk", "6x6, values without a pattern"},
    {"westerplatte", "6x6, worth most in a ring"},
    {NULL, NULL},
};

/* The boards that came with a coursework in which the game is called War Game. */
static const struct NamedBoard {
    const char *name;
    uint8_t     values[36];
} named_boards[] = {
    {"keren", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
               1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"narvik", {99, 1,  99, 1,  99, 1,  1,  99, 1,  99, 1,  99, 99, 1,  99, 1,  99, 1,
                1,  99, 1,  99, 1,  99, 99, 1,  99, 1,  99, 1,  1,  99, 1,  99, 1,  99}},
    {"sevastopol", {1, 1, 1, 1, 1, 1, 2,  2,  2,  2,  2,  2,  4,  4,  4,  4,  4,  4,
                    8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32}},
    {"smolensk", {66, 76, 28, 66, 11, 9, 31, 39, 50, 8,  33, 14, 80, 76, 39, 59, 2,  48,
                  50, 73, 43, 3,  13, 3, 99, 45, 72, 87, 49, 4,  80, 63, 92, 28, 61, 53}},
    {"westerplatte", {1, 1, 1, 1, 1, 1, 1, 3, 4, 4, 3, 1, 1, 4, 2, 2, 4, 1,
                      1, 4, 2, 2, 4, 1, 1, 3, 4, 4, 3, 1, 1, 1, 1, 1, 1, 1}},
};

/* ---- positions written out ---------------------------------------------------------------- */

static int n_squares_of(const SwPosition *position)
{
    return sw_side(position) * sw_side(position);
}

static void set_size(SwPosition *position, int side)
{
    position->side = side == SW_SIDE ? 0 : (uint8_t)side;
}

static void put_value(SwPosition *position, int square, int value)
{
    if (square < SW_SQUARES)
        position->values.of[square] = (uint8_t)value;
    else
        position->more[square - SW_SQUARES] = (uint8_t)value;
}

static bool start(void *state, const char *name, TurfRng *rng)
{
    SwPosition position = {.unused = {0}};
    bool       is_size = strlen(name) == 3 && name[0] == name[2] && name[1] == 'x' &&
                   name[0] >= '0' + SW_LEAST_SIZE && name[0] <= '0' + SW_MAX_SIZE;
    const struct NamedBoard *board = NULL;
    for (size_t i = 0; i < sizeof named_boards / sizeof *named_boards; i++)
        if (!strcmp(name, named_boards[i].name))
            board = &named_boards[i];
    if (is_size || board)
        set_size(&position, board ? 6 : name[0] - '0');
    else if (strcmp(name, "random"))
        return false;
    for (int i = 0; board && i < n_squares_of(&position); i++)
        put_value(&position, i, board->values[i]);
    for (int i = 0; !board && i < n_squares_of(&position); i++)
        put_value(&position, i, 1 + (int)rng_below(rng, SW_MAX_VALUE));
    memcpy(state, &position, sizeof position);
    return true;
}

static void square_name(int side, int square, char name[3])
{
    name[0] = (char)('A' + square % side);
    name[1] = (char)('1' + square / side);
    name[2] = '\0';
}

static bool set_value(SwPosition *position, int square, long value, TurfError *error)
{
    char name[3];
    square_name(sw_side(position), square, name);
    if (value < 1 || value > SW_MAX_VALUE)
        return error_invalid(error, "the value of %s is %ld; values go from 1 to 99", name, value);
    put_value(position, square, (int)value);
    return true;
}

static bool set_cell(SwPosition *position, int square, char cell, TurfError *error)
{
    char     name[3];
    uint64_t bit = UINT64_C(1) << square;
    square_name(sw_side(position), square, name);
    if (cell == 'X' || cell == 'O') {
        position->board.pieces[cell == 'O'] |= (uint32_t)bit;
        position->high[cell == 'O'] |= (uint32_t)(bit >> 32);
    } else if (cell != '*' && cell != '.') {
        return error_invalid(error, "%s is '%c'; a square is X, O or *", name,
                             isprint((unsigned char)cell) ? cell : '?');
    }
    return true;
}

static const char separators[] = " \t\r\n,;/[]\"";

/* The side of a board whose values are written out; 5 unless so many make another one. */
static int side_of_text(const char *text)
{
    int n_values = 0;
    while (*(text += strspn(text, separators)) && isdigit((unsigned char)*text)) {
        n_values++;
        text += strspn(text, "0123456789");
    }
    for (int side = SW_LEAST_SIZE; side <= SW_MAX_SIZE; side++)
        if (side * side == n_values)
            return side;
    return SW_SIDE;
}

static bool parse(void *state, const char *text, TurfError *error)
{
    SwPosition position = {.unused = {0}};
    int        n_values = 0, n_cells = 0;
    size_t     n_digits = strspn(text, "0123456789");
    if (n_digits > 0 && text[n_digits] == 'x')
        return error_invalid(error, "%.8s: boards are square, from 2x2 to 8x8", text);
    set_size(&position, side_of_text(text));
    int n_squares = n_squares_of(&position);
    while (*(text += strspn(text, separators)))
        if (isdigit((unsigned char)*text) && n_values < n_squares) {
            char *end = NULL;
            long  value = strtol(text, &end, 10);
            if (!set_value(&position, n_values++, value, error))
                return false;
            text = end;
        } else if (n_values == n_squares && n_cells < n_squares) {
            if (!set_cell(&position, n_cells++, *text++, error))
                return false;
        } else {
            return error_invalid(error, "there is '%c' after %d values and %d squares; give %s",
                                 isprint((unsigned char)*text) ? *text : '?', n_values, n_cells,
                                 start_forms);
        }
    if (n_values != n_squares || (n_cells != 0 && n_cells != n_squares))
        return error_invalid(error, "there are %d values and %d squares; give %s", n_values,
                             n_cells, start_forms);
    memcpy(state, &position, sizeof position);
    return true;
}

static bool read_json_values(SwPosition *position, const json_t *rows, TurfError *error)
{
    size_t side = json_array_size(rows);
    if (side >= SW_LEAST_SIZE && side <= SW_MAX_SIZE)
        set_size(position, (int)side);
    side = (size_t)sw_side(position);
    for (size_t r = 0; r < side; r++) {
        const json_t *row = json_array_get(rows, r);
        if (json_array_size(rows) != side || json_array_size(row) != side)
            return error_invalid(error,
                                 "\"values\" is five rows of five numbers, or as many from 2 "
                                 "to 8, [[20,16,1,32,30],...]");
        for (size_t c = 0; c < side; c++) {
            const json_t *value = json_array_get(row, c);
            if (!json_is_integer(value))
                return error_invalid(
                    error, "\"values\" has something in row %zu that is not an integer", r + 1);
            if (!set_value(position, (int)(side * r + c), (long)json_integer_value(value), error))
                return false;
        }
    }
    return true;
}

static bool read_json_board(SwPosition *position, const json_t *rows, TurfError *error)
{
    size_t side = (size_t)sw_side(position);
    for (size_t r = 0; r < side; r++) {
        const json_t *row = json_array_get(rows, r);
        if (json_array_size(rows) != side || json_string_length(row) != side)
            return error_invalid(
                error, "\"board\" is %zu strings of %zu squares X, O and *, as the values are",
                side, side);
        for (size_t c = 0; c < side; c++)
            if (!set_cell(position, (int)(side * r + c), json_string_value(row)[c], error))
                return false;
    }
    return true;
}

static bool from_json(void *state, const json_t *json, TurfError *error)
{
    SwPosition    position = {.unused = {0}};
    const json_t *board = json_object_get(json, "board"),
                 *to_move = json_object_get(json, "to_move");
    const char *letter = to_move ? json_string_value(to_move) : "X";
    if (!read_json_values(&position, json_object_get(json, "values"), error))
        return false;
    if (board && !read_json_board(&position, board, error))
        return false;
    if (!letter || (strcmp(letter, "X") && strcmp(letter, "O")))
        return error_invalid(error, "\"to_move\" is \"X\" or \"O\"");
    position.board.to_move = letter[0] == 'O';
    memcpy(state, &position, sizeof position);
    return true;
}

static char cell_of(const SwPosition *position, int square)
{
    if (sw_pieces(position, 0) >> square & 1)
        return 'X';
    return sw_pieces(position, 1) >> square & 1 ? 'O' : '*';
}

static void size(const void *state, int *rows, int *cols) { *rows = *cols = sw_side(state); }

static char cell(const void *state, int row, int col)
{
    return cell_of(state, sw_side(state) * row + col);
}

static json_t *to_json(const void *state)
{
    const SwPosition *position = state;
    json_t           *values = json_array();
    int               side = sw_side(position);
    for (int r = 0; r < side; r++) {
        json_t *row = json_array();
        for (int c = 0; c < side; c++)
            json_add(&row, json_integer(sw_value_at(position, side * r + c)));
        json_add(&values, row);
    }
    const char to_move[2] = {letters[position->board.to_move], '\0'};
    return json_pack("{s:o,s:o,s:s}", "values", values, "board",
                     game_board_json(&squirrel_war, state), "to_move", to_move);
}

/* ---- moves -------------------------------------------------------------------------------- */

static const char move_form[] = "C3";

static bool move_from_text(const void *state, const char *text, TurfMove *move, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES], last[3];
    int  side = sw_side(state), column = -1, row = -1;
    if (strlen(text) == 2) { /* C3, c3 or 3c */
        int letter = isdigit((unsigned char)text[0]) ? 1 : 0;
        column = toupper((unsigned char)text[letter]) - 'A';
        row = text[!letter] - '1';
    }
    square_name(side, side * side - 1, last);
    if (column < 0 || column >= side || row < 0 || row >= side)
        return error_invalid(error, "'%s' is not a square; squares are A1 to %s",
                             error_quote(quoted, text), last);
    *move = (TurfMove)(side * row + column);
    return true;
}

static bool move_from_json(const void *state, const json_t *json, TurfMove *move, TurfError *error)
{
    if (!json_is_string(json))
        return error_invalid(error, "a move is a square in quotes, like \"%s\"", move_form);
    return turf_move_from_text(&squirrel_war, state, json_string_value(json), move, error);
}

static json_t *move_to_json(const void *state, TurfMove move)
{
    char name[3];
    square_name(sw_side(state), (int)move, name);
    return json_string(name);
}

static const char *ply_kind(const void *before, const Ply *ply)
{
    return sw_raids(before, (int)ply->move) ? "raid" : "sneak";
}

static bool is_legal(const void *state, TurfMove move, TurfError *why_not)
{
    const SwPosition *position = state;
    char              name[3];
    int               side = sw_side(position);
    if (move >= (TurfMove)n_squares_of(position)) {
        square_name(side, side * side - 1, name);
        return error_invalid(why_not, "there is no such square: they are A1 to %s", name);
    }
    if (sw_free_squares(position) >> move & 1)
        return true;
    square_name(side, (int)move, name);
    return error_invalid(why_not, "%s is taken by %c", name, cell_of(position, (int)move));
}

static bool play(void *state, TurfMove move, TurfError *why_not)
{
    SwPosition *position = state;
    bool        is_five = sw_is_five(position);
    if (!(is_five && sw_is_legal(&position->board, move)) && !is_legal(state, move, why_not))
        return false;
    if (is_five)
        sw_apply(&position->board, (int)move);
    else
        sw_play(position, (int)move);
    return true;
}

/* ---- pictures ----------------------------------------------------------------------------- */

enum { MARGIN = 3, SQUARE = 9, NARROW_SQUARE = 7, LEGEND = 58 };

/* The columns of the picture of a board; with less, squares are closer. */
static int width_of(const SwPosition *position)
{
    int  side = sw_side(position), board = MARGIN + SQUARE * side;
    bool has_legend = side >= SW_SIDE || sw_free_squares(position);
    return has_legend && board < LEGEND ? LEGEND : board;
}

/* One square: its value and its owner, or what a move there would be. */
static void draw_square(const SwPosition *position, int square, const DrawStyle *style, FILE *out)
{
    static const char *const paint[2] = {"\033[1;34m", "\033[1;31m"};
    char                     cell = cell_of(position, square), mark[16];
    if (cell != '*')
        snprintf(mark, sizeof mark, "%c", cell);
    else if (sw_raids(position, square))
        snprintf(mark, sizeof mark, "r%d", sw_total(position, sw_loot(position, square)));
    else
        snprintf(mark, sizeof mark, "s");
    bool is_painted = style->has_colour && cell != '*';
    fprintf(out, draw_is_narrow(style, width_of(position)) ? " %s%2d%-4s%s" : "  %s%2d %-4s%s",
            is_painted ? paint[cell == 'O'] : "", sw_value_at(position, square), mark,
            is_painted ? "\033[0m" : "");
}

static void draw_board(const SwPosition *position, const DrawStyle *style, FILE *out)
{
    int  side = sw_side(position);
    bool is_narrow = draw_is_narrow(style, width_of(position));
    int  n_shown = side;
    if (draw_is_narrow(style, MARGIN + NARROW_SQUARE * side)) {
        n_shown = (style->n_columns - MARGIN) / NARROW_SQUARE;
        n_shown = n_shown < 1 ? 1 : n_shown;
    }
    fputs(is_narrow ? "     A" : "       A", out);
    for (int c = 1; c < n_shown; c++)
        fprintf(out, is_narrow ? "      %c" : "        %c", 'A' + c);
    fputc('\n', out);
    for (int r = 0; r < side; r++) {
        fprintf(out, "  %d", r + 1);
        for (int c = 0; c < n_shown; c++)
            draw_square(position, side * r + c, style, out);
        fputc('\n', out);
    }
    if (sw_free_squares(position))
        fprintf(out,
                is_narrow ? "  For %c: r is a raid and what it takes,\n  s is a sneak.\n"
                          : "  For %c: r is a raid and the points it takes, s is a sneak.\n",
                letters[position->board.to_move]);
    fprintf(out, "  X %d - %d O\n", sw_total(position, sw_pieces(position, 0)),
            sw_total(position, sw_pieces(position, 1)));
}

static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    draw_board(state, style, out);
    draw_needed_columns(style, MARGIN + NARROW_SQUARE * sw_side(state), out);
}

static void draw_move(const void *before, TurfMove move, const DrawStyle *style, FILE *out)
{
    SwPosition  after = *(const SwPosition *)before;
    uint64_t    taken = sw_loot(&after, (int)move);
    const char *comma = "";
    fprintf(out, "  That is a %s", sw_raids(&after, (int)move) ? "raid" : "sneak");
    if (taken)
        fputs(", and takes ", out);
    for (uint64_t left = taken; left; left = bits_rest(left)) {
        char name[3];
        square_name(sw_side(&after), bits_lowest(left), name);
        fprintf(out, "%s%s", comma, name);
        comma = ", ";
    }
    fputs(".\n", out);
    sw_play(&after, (int)move);
    draw_board(&after, style, out);
}

/* ---- the table ---------------------------------------------------------------------------- */

static TurfMover to_move(const void *state)
{
    const SwPosition *position = state;
    if (!sw_free_squares(position))
        return TURF_MOVER_NONE;
    return position->board.to_move ? TURF_MOVER_SECOND : TURF_MOVER_FIRST;
}

static size_t moves(const void *state, TurfMove *list)
{
    size_t n_moves = 0;
    for (uint64_t left = sw_free_squares(state); left; left = bits_rest(left))
        list[n_moves++] = (TurfMove)bits_lowest(left);
    return n_moves;
}

static void apply(void *state, TurfMove move) { sw_play(state, (int)move); }

static int own(const void *state, TurfSide side)
{
    const SwPosition *position = state;
    return sw_total(position, sw_pieces(position, side));
}

static bool is_over(const void *state, TurfEnding *ending)
{
    if (sw_free_squares(state))
        return false;
    int lead = own(state, TURF_FIRST) - own(state, TURF_SECOND);
    *ending = ending_of_lead(lead);
    return true;
}

static int cell_value(const void *state, int row, int col)
{
    return sw_value_at(state, sw_side(state) * row + col);
}

static size_t n_actions(const void *state) { return (size_t)n_squares_of(state); }

static uint64_t hash(const void *state)
{
    const SwPosition *position = state;
    uint64_t          key = rng_stream_family(position->board.pieces[0], position->board.pieces[1]);
    uint64_t          words[4] = {position->board.to_move};
    memcpy(words + 1, position->values.of, 24);
    for (int i = 0; i < 4; i++)
        key = rng_stream_family(key, words[i]);
    key = rng_stream_family(key, position->values.of[24]);
    if (sw_is_five(position))
        return key;
    uint64_t more[6] = {position->side, position->high[0] | (uint64_t)position->high[1] << 32};
    memcpy(more + 2, position->more, 32);
    for (int i = 0; i < 6; i++)
        key = rng_stream_family(key, more[i]);
    uint64_t last;
    memcpy(&last, position->more + 32, sizeof last);
    return rng_stream_family(key, last);
}

/* Terms of the search's own measure (search/squirrel_node.h), and the player's opponent model. */
/* An eighth of all points while many squares are empty, by a fit to games of alphabeta:nodes=3000
 * against itself (docs/analysis.md). Near the end the solver knows better. */
static int telling_lead(const void *state)
{
    const SwPosition *position = state;
    int               total = 0;
    for (int square = 0; square < n_squares_of(position); square++)
        total += sw_value_at(position, square);
    return total * GAME_UNIT / 8;
}

static const char *const measure_terms[] = {"chances", "rival", NULL};

static const GameLevel levels[LEVEL_HIGHEST] = {
    {"random", 0},
    {"land-grab:ties=random", 80},
    {"land-grab:ties=random", 55},
    {"land-grab:ties=random", 30},
    {"land-grab:ties=random", 12},
    {"minimax:ties=random", 20},
    {"minimax:ties=random", 0},
    {"alphabeta:depth=4,hash=1", 0},
    {"alphabeta:nodes=10000,hash=4", 0},
    {"alphabeta:nodes=500000,hash=32", 0},
};

const TurfGame squirrel_war = {
    .name = "squirrel-war",
    .short_name = "sw",
    .title = "SquirrelWar",
    .summary = "raid or sneak on 5x5 squares worth points",
    .side_names = {"X", "O"},
    .side_letters = {"X", "O"},
    .side_colours = {"#bd4813", "#6d8cb5"},
    .unit = "nuts",
    .has_letters = true,
    .ending_names = {"X", "O", "tie", NULL, NULL},
    .starts = starts,
    .start_forms = start_forms,
    .move_form = move_form,
    .json_move_form = "\"C3\"",
    .is_on_points = true,
    .sizes = sizes,
    .levels = levels,
    .state_size = sizeof(SwPosition),
    .longest_game = SW_MAX_SQUARES,
    .start = start,
    .parse = parse,
    .from_json = from_json,
    .to_json = to_json,
    .size = size,
    .cell = cell,
    .to_move = to_move,
    .moves = moves,
    .is_legal = is_legal,
    .play = play,
    .apply = apply,
    .is_over = is_over,
    .own = own,
    .hash = hash,
    .telling_lead = telling_lead,
    .measure_terms = measure_terms,
    .move_from_text = move_from_text,
    .move_from_json = move_from_json,
    .move_to_json = move_to_json,
    .ply_kind = ply_kind,
    .draw = draw,
    .draw_move = draw_move,
    .cell_value_bits = 7,
    .cell_value = cell_value,
    .n_actions = n_actions,
    .is_symmetric = true,
};
