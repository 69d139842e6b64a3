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
    "25 values from 1 to 99, row 1 first, and if you like five rows of X, O and *; or JSON";

static const NamedStart starts[] = {
    {"random", "values drawn evenly from 1 to 99, nothing taken yet"},
    {NULL, NULL},
};

static bool start(void *state, const char *name, TurfRng *rng)
{
    SwPosition position = {.unused = {0}};
    if (strcmp(name, "random"))
        return false;
    for (int i = 0; i < SW_SQUARES; i++)
        position.values.of[i] = (uint8_t)(1 + rng_below(rng, SW_MAX_VALUE));
    memcpy(state, &position, sizeof position);
    return true;
}

/* ---- positions written out ---------------------------------------------------------------- */

static void square_name(int square, char name[3])
{
    name[0] = (char)('A' + square % SW_SIDE);
    name[1] = (char)('1' + square / SW_SIDE);
    name[2] = '\0';
}

static bool set_value(SwPosition *position, int square, long value, TurfError *error)
{
    char name[3];
    square_name(square, name);
    if (value < 1 || value > SW_MAX_VALUE)
        return error_invalid(error, "the value of %s is %ld; values go from 1 to 99", name, value);
    position->values.of[square] = (uint8_t)value;
    return true;
}

static bool set_cell(SwPosition *position, int square, char cell, TurfError *error)
{
    char name[3];
    square_name(square, name);
    if (cell == 'X' || cell == 'O')
        position->board.pieces[cell == 'O'] |= sw_bit(square);
    else if (cell != '*' && cell != '.')
        return error_invalid(error, "%s is '%c'; a square is X, O or *", name,
                             isprint((unsigned char)cell) ? cell : '?');
    return true;
}

static bool parse(void *state, const char *text, TurfError *error)
{
    SwPosition position = {.unused = {0}};
    int        n_values = 0, n_cells = 0;
    while (*(text += strspn(text, " \t\r\n,;/[]\"")))
        if (isdigit((unsigned char)*text) && n_values < SW_SQUARES) {
            char *end = NULL;
            long  value = strtol(text, &end, 10);
            if (!set_value(&position, n_values++, value, error))
                return false;
            text = end;
        } else if (n_values == SW_SQUARES && n_cells < SW_SQUARES) {
            if (!set_cell(&position, n_cells++, *text++, error))
                return false;
        } else {
            return error_invalid(error, "there is '%c' after %d values and %d squares; give %s",
                                 isprint((unsigned char)*text) ? *text : '?', n_values, n_cells,
                                 start_forms);
        }
    if (n_values != SW_SQUARES || (n_cells != 0 && n_cells != SW_SQUARES))
        return error_invalid(error, "there are %d values and %d squares; give %s", n_values,
                             n_cells, start_forms);
    memcpy(state, &position, sizeof position);
    return true;
}

static bool read_json_values(SwPosition *position, const json_t *rows, TurfError *error)
{
    for (size_t r = 0; r < SW_SIDE; r++) {
        const json_t *row = json_array_get(rows, r);
        if (json_array_size(rows) != SW_SIDE || json_array_size(row) != SW_SIDE)
            return error_invalid(error,
                                 "\"values\" is five rows of five numbers, [[20,16,1,32,30],...]");
        for (size_t c = 0; c < SW_SIDE; c++) {
            const json_t *value = json_array_get(row, c);
            if (!json_is_integer(value))
                return error_invalid(
                    error, "\"values\" has something in row %zu that is not an integer", r + 1);
            if (!set_value(position, (int)(SW_SIDE * r + c), (long)json_integer_value(value),
                           error))
                return false;
        }
    }
    return true;
}

static bool read_json_board(SwPosition *position, const json_t *rows, TurfError *error)
{
    for (size_t r = 0; r < SW_SIDE; r++) {
        const json_t *row = json_array_get(rows, r);
        if (json_array_size(rows) != SW_SIDE || json_string_length(row) != SW_SIDE)
            return error_invalid(error, "\"board\" is five strings of five squares X, O and *");
        for (size_t c = 0; c < SW_SIDE; c++)
            if (!set_cell(position, (int)(SW_SIDE * r + c), json_string_value(row)[c], error))
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

static char cell_of(const SwState *board, int square)
{
    if (board->pieces[0] & sw_bit(square))
        return 'X';
    return board->pieces[1] & sw_bit(square) ? 'O' : '*';
}

static void size(const void *state, int *rows, int *cols)
{
    (void)state;
    *rows = *cols = SW_SIDE;
}

static char cell(const void *state, int row, int col)
{
    return cell_of(&((const SwPosition *)state)->board, SW_SIDE * row + col);
}

static json_t *to_json(const void *state)
{
    const SwPosition *position = state;
    json_t           *values = json_array();
    for (int r = 0; r < SW_SIDE; r++) {
        json_t *row = json_array();
        for (int c = 0; c < SW_SIDE; c++)
            json_add(&row, json_integer(position->values.of[SW_SIDE * r + c]));
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
    (void)state;
    char quoted[ERROR_QUOTE_BYTES];
    int  column = -1, row = -1;
    if (strlen(text) == 2) { /* C3, c3 or 3c */
        int letter = isdigit((unsigned char)text[0]) ? 1 : 0;
        column = toupper((unsigned char)text[letter]) - 'A';
        row = text[!letter] - '1';
    }
    if (column < 0 || column >= SW_SIDE || row < 0 || row >= SW_SIDE)
        return error_invalid(error, "'%s' is not a square; squares are A1 to E5",
                             error_quote(quoted, text));
    *move = (TurfMove)(SW_SIDE * row + column);
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
    (void)state;
    char name[3];
    square_name((int)move, name);
    return json_string(name);
}

static const char *ply_kind(const void *before, const Ply *ply)
{
    return sw_is_raid(&((const SwPosition *)before)->board, (int)ply->move) ? "raid" : "sneak";
}

static bool is_legal(const void *state, TurfMove move, TurfError *why_not)
{
    const SwPosition *position = state;
    char              name[3];
    if (move >= SW_SQUARES)
        return error_invalid(why_not, "there is no such square: they are A1 to E5");
    if (sw_empty(&position->board) & sw_bit((int)move))
        return true;
    square_name((int)move, name);
    return error_invalid(why_not, "%s is taken by %c", name, cell_of(&position->board, (int)move));
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* One square: its value and its owner, or what a move there would be. */
enum { WIDTH = 58 }; /* of the picture of a board; with less, squares are closer */

static void draw_square(const SwPosition *position, int square, const DrawStyle *style, FILE *out)
{
    static const char *const paint[2] = {"\033[1;34m", "\033[1;31m"};
    char                     cell = cell_of(&position->board, square), mark[16];
    if (cell != '*')
        snprintf(mark, sizeof mark, "%c", cell);
    else if (sw_is_raid(&position->board, square))
        snprintf(mark, sizeof mark, "r%d",
                 sw_sum(&position->values, sw_taken(&position->board, square)));
    else
        snprintf(mark, sizeof mark, "s");
    bool is_painted = style->has_colour && cell != '*';
    fprintf(out, draw_is_narrow(style, WIDTH) ? " %s%2d%-4s%s" : "  %s%2d %-4s%s",
            is_painted ? paint[cell == 'O'] : "", position->values.of[square], mark,
            is_painted ? "\033[0m" : "");
}

static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    const SwPosition *position = state;
    bool              is_narrow = draw_is_narrow(style, WIDTH);
    fputs(is_narrow ? "     A      B      C      D      E\n"
                    : "       A        B        C        D        E\n",
          out);
    for (int r = 0; r < SW_SIDE; r++) {
        fprintf(out, "  %d", r + 1);
        for (int c = 0; c < SW_SIDE; c++)
            draw_square(position, SW_SIDE * r + c, style, out);
        fputc('\n', out);
    }
    if (sw_empty(&position->board))
        fprintf(out,
                is_narrow ? "  For %c: r is a raid and what it takes,\n  s is a sneak.\n"
                          : "  For %c: r is a raid and the points it takes, s is a sneak.\n",
                letters[position->board.to_move]);
    fprintf(out, "  X %d - %d O\n", sw_sum(&position->values, position->board.pieces[0]),
            sw_sum(&position->values, position->board.pieces[1]));
}

static void draw_move(const void *before, TurfMove move, const DrawStyle *style, FILE *out)
{
    SwPosition  after = *(const SwPosition *)before;
    uint32_t    taken = sw_taken(&after.board, (int)move);
    const char *comma = "";
    fprintf(out, "  That is a %s", sw_is_raid(&after.board, (int)move) ? "raid" : "sneak");
    if (taken)
        fputs(", and takes ", out);
    for (uint32_t left = taken; left; left &= left - 1) {
        char name[3];
        square_name(sw_lowest(left), name);
        fprintf(out, "%s%s", comma, name);
        comma = ", ";
    }
    fputs(".\n", out);
    sw_apply(&after.board, (int)move);
    draw(&after, style, out);
}

/* ---- the table ---------------------------------------------------------------------------- */

static TurfMover to_move(const void *state)
{
    const SwPosition *position = state;
    if (!sw_empty(&position->board))
        return TURF_MOVER_NONE;
    return position->board.to_move ? TURF_MOVER_SECOND : TURF_MOVER_FIRST;
}

static size_t moves(const void *state, TurfMove *list)
{
    size_t n_moves = 0;
    for (uint32_t left = sw_empty(&((const SwPosition *)state)->board); left; left &= left - 1)
        list[n_moves++] = (TurfMove)sw_lowest(left);
    return n_moves;
}

static void apply(void *state, TurfMove move)
{
    sw_apply(&((SwPosition *)state)->board, (int)move);
}

static int own(const void *state, TurfSide side)
{
    const SwPosition *position = state;
    return sw_sum(&position->values, position->board.pieces[side]);
}

static bool is_over(const void *state, TurfEnding *ending)
{
    if (sw_empty(&((const SwPosition *)state)->board))
        return false;
    int lead = own(state, TURF_FIRST) - own(state, TURF_SECOND);
    *ending = ending_of_lead(lead);
    return true;
}

static int cell_value(const void *state, int row, int col)
{
    return ((const SwPosition *)state)->values.of[SW_SIDE * row + col];
}

static size_t n_actions(const void *state)
{
    (void)state;
    return SW_SQUARES;
}

static uint64_t hash(const void *state)
{
    const SwPosition *position = state;
    uint64_t          key = rng_stream_family(position->board.pieces[0], position->board.pieces[1]);
    uint64_t          words[4] = {position->board.to_move};
    memcpy(words + 1, position->values.of, 24);
    for (int i = 0; i < 4; i++)
        key = rng_stream_family(key, words[i]);
    return rng_stream_family(key, position->values.of[24]);
}

/* Terms of the search's own measure (search/squirrel_node.h), and the player's opponent model. */
/* An eighth of all points while many squares are empty, by a fit to games of alphabeta:nodes=3000
 * against itself (docs/analysis.md). Near the end the solver knows better. */
static int telling_lead(const void *state)
{
    const SwPosition *position = state;
    int               total = 0;
    for (int square = 0; square < SW_SQUARES; square++)
        total += position->values.of[square];
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
    .levels = levels,
    .state_size = sizeof(SwPosition),
    .longest_game = SW_SQUARES,
    .start = start,
    .parse = parse,
    .from_json = from_json,
    .to_json = to_json,
    .size = size,
    .cell = cell,
    .to_move = to_move,
    .moves = moves,
    .is_legal = is_legal,
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
