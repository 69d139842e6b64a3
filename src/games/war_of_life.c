/* War of Life: its table, and its positions and moves as text, JSON and pictures. */
#include "games/war_of_life.h"

#include "base/error.h"
#include "base/checked_json.h"
#include "games/cells.h"
#include "games/wol_kernels.h"

#include <ctype.h>
#include <string.h>

static const char *const colours[2] = {"blue", "red"};
static const char *const letters[2] = {"b", "r"};

static uint64_t cell_at(int row, int column) /* from 1 */
{
    return UINT64_C(1) << (8 * (row - 1) + column - 1);
}

/* ---- starts ------------------------------------------------------------------------------- */

static const NamedStart starts[] = {
    {"random", "12 and 12, all such boards equally likely"},
    {"cross", "blue on the main diagonal, red on the other"},
    {"checkers", "two chequered rows each, face to face"},
    {"gliders", "two gliders that approach"},
    {NULL, NULL},
};

static bool start(void *state, const char *name, TurfRng *rng)
{
    WolState board = {.pieces = {0, 0}};
    if (!strcmp(name, "random")) {
        board = wol_random_start(rng);
    } else if (!strcmp(name, "cross")) {
        for (int i = 1; i <= 8; i++) {
            board.pieces[0] |= cell_at(i, i);
            board.pieces[1] |= cell_at(i, 9 - i);
        }
    } else if (!strcmp(name, "checkers")) {
        for (int i = 1; i <= 8; i++) {
            board.pieces[0] |= cell_at(i % 2 ? 3 : 4, i);
            board.pieces[1] |= cell_at(i % 2 ? 5 : 6, i);
        }
    } else if (!strcmp(name, "gliders")) {
        board.pieces[0] =
            cell_at(1, 3) | cell_at(2, 1) | cell_at(2, 3) | cell_at(3, 2) | cell_at(3, 3);
        board.pieces[1] =
            cell_at(6, 6) | cell_at(6, 7) | cell_at(6, 8) | cell_at(7, 6) | cell_at(8, 7);
    } else {
        return false;
    }
    memcpy(state, &board, sizeof board);
    return true;
}

/* ---- positions written out ---------------------------------------------------------------- */

static const char start_forms[] = "a board: eight rows of b, r and . (newlines or / between them), "
                                  "JSON, or Prolog [[[1,2],...],[[3,4],...]]";

/* One row of eight cells; `row` is from 1. */
static bool parse_row(WolState *board, int row, const char *text, size_t length, TurfError *error)
{
    int column = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ' || c == '\t' || c == '\r')
            continue;
        if (++column > 8)
            break;
        if (c == 'b' || c == 'B')
            board->pieces[0] |= cell_at(row, column);
        else if (c == 'r' || c == 'R')
            board->pieces[1] |= cell_at(row, column);
        else if (c != '.')
            return error_invalid(error, "row %d has '%c' in column %d; cells are b, r and .", row,
                                 isprint((unsigned char)c) ? c : '?', column);
    }
    if (column != 8)
        return error_invalid(error, "row %d has %s8 cells; a War of Life board is 8 rows of 8", row,
                             column > 8 ? "more than " : "fewer than ");
    return true;
}

static bool parse_rows(WolState *board, const char *text, TurfError *error)
{
    int rows = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n/"), blanks = strspn(line, " \t\r");
        if (blanks < length) {
            rows++;
            if (rows <= 8 && !parse_row(board, rows, line, length, error))
                return false;
        }
        line += length + (line[length] != '\0');
    }
    if (rows != 8)
        return error_invalid(
            error, "the board has %d row%s; a War of Life board is 8 rows of 8 cells b, r and .",
            rows, rows == 1 ? "" : "s");
    return true;
}

static bool json_row_strings(WolState *board, const json_t *rows, TurfError *error)
{
    size_t n_rows = json_array_size(rows);
    if (!json_is_array(rows) || n_rows != 8)
        return error_invalid(
            error, "\"board\" has %zu rows; a War of Life board is 8 strings of 8 cells b, r and .",
            n_rows);
    for (size_t i = 0; i < 8; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_string(row))
            return error_invalid(
                error, "row %zu of \"board\" is not a string of 8 cells b, r and .", i + 1);
        if (!parse_row(board, (int)i + 1, json_string_value(row), json_string_length(row), error))
            return false;
    }
    return true;
}

/* The coursework's [[[r,c],...],[[r,c],...]], blue first, which happens to be JSON as well. */
static bool from_prolog(WolState *board, const json_t *lists, TurfError *error)
{
    if (json_array_size(lists) != 2)
        return error_invalid(
            error, "a Prolog board is two lists of cells, blue first: [[[1,2],...],[[3,4],...]]");
    for (int side = 0; side < 2; side++) {
        TurfCell  cells[TURF_MAX_CELLS];
        size_t    n_cells;
        TurfError why;
        if (!cells_from_json(json_array_get(lists, (size_t)side), cells, &n_cells, &why))
            return error_invalid(error, "%s pieces: %s", colours[side], why.text);
        for (size_t i = 0; i < n_cells; i++) {
            int row = cells[i].row, column = cells[i].col;
            if (row < 1 || row > 8 || column < 1 || column > 8)
                return error_invalid(error, "%s piece %zu is not a cell [row,column] from 1 to 8",
                                     colours[side], i + 1);
            if ((board->pieces[0] | board->pieces[1]) & cell_at(row, column))
                return error_invalid(error, "the cell [%d,%d] is listed twice", row, column);
            board->pieces[side] |= cell_at(row, column);
        }
    }
    return true;
}

static bool from_json(void *state, const json_t *json, TurfError *error)
{
    WolState board = {.pieces = {0, 0}};
    if (json_is_array(json)) {
        bool is_good = from_prolog(&board, json, error);
        memcpy(state, &board, sizeof board);
        return is_good;
    }
    if (!json_is_object(json))
        return error_invalid(
            error,
            "a position is an object like {\"board\":[8 rows],\"to_move\":\"b\",\"moves_made\":0}");
    if (!json_row_strings(&board, json_object_get(json, "board"), error))
        return false;

    const json_t *to_move = json_object_get(json, "to_move");
    const char   *letter = to_move ? json_string_value(to_move) : "b";
    if (!letter || (strcmp(letter, "b") && strcmp(letter, "r")))
        return error_invalid(error, "\"to_move\" is \"b\" or \"r\"");
    board.to_move = letter[0] == 'r';

    const json_t *made = json_object_get(json, "moves_made");
    json_int_t    n_made = made ? json_integer_value(made) : 0;
    if ((made && !json_is_integer(made)) || n_made < 0 || n_made > WOL_LONGEST)
        return error_invalid(error, "\"moves_made\" must be an integer from 0 to %d", WOL_LONGEST);
    board.moves_made = (uint32_t)n_made;
    memcpy(state, &board, sizeof board);
    return true;
}

static bool parse_lists(WolState *board, const char *text, TurfError *error)
{
    TurfError why;
    size_t    length = strlen(text);
    while (length > 0 && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '.'))
        length--; /* a Prolog term may end with its full stop */
    json_t *json = json_read_bytes(text, length, 0, &why);
    bool    is_good;
    if (!json)
        return error_set(error, why.code, "the board cannot be read (%.200s); give %s", why.text,
                         start_forms);
    if (json_is_string(json_array_get(json, 0)))
        is_good = json_row_strings(board, json, error);
    else
        is_good = from_prolog(board, json, error);
    json_decref(json);
    return is_good;
}

static bool parse(void *state, const char *text, TurfError *error)
{
    WolState board = {.pieces = {0, 0}};
    if (*text == '[' ? !parse_lists(&board, text, error) : !parse_rows(&board, text, error))
        return false;
    memcpy(state, &board, sizeof board);
    return true;
}

static char letter_of(const WolState *board, int cell)
{
    if (board->pieces[0] >> cell & 1)
        return 'b';
    return board->pieces[1] >> cell & 1 ? 'r' : '.';
}

static void size(const void *state, int *rows, int *cols)
{
    (void)state;
    *rows = *cols = 8;
}

static char cell(const void *state, int row, int col) { return letter_of(state, 8 * row + col); }

static json_t *to_json(const void *state)
{
    const WolState *board = state;
    return json_pack("{s:o,s:s,s:i}", "board", game_board_json(&war_of_life, state), "to_move",
                     letters[board->to_move], "moves_made", (int)board->moves_made);
}

/* ---- moves -------------------------------------------------------------------------------- */

static const char move_form[] = "3 8 2 7";

static bool move_from_numbers(const long number[4], TurfMove *move, TurfError *error)
{
    for (int i = 0; i < 4; i++)
        if (number[i] < 1 || number[i] > 8)
            return error_invalid(error, "%ld is off the board: rows and columns go from 1 to 8",
                                 number[i]);
    *move = wol_move((int)(8 * (number[0] - 1) + number[1] - 1),
                     (int)(8 * (number[2] - 1) + number[3] - 1));
    return true;
}

static bool move_from_text(const void *state, const char *text, TurfMove *move, TurfError *error)
{
    (void)state;
    long number[4];
    int  n = 0;
    for (const char *at = text; *(at += strspn(at, " \t\r\n,;()[]"));) {
        char *end = NULL;
        if (n == 4 || !isdigit((unsigned char)*at))
            return error_invalid(
                error, "a move is row and column, from and to, like %s or [3,8,2,7]", move_form);
        number[n++] = strtol(at, &end, 10);
        at = end;
    }
    if (n < 4)
        return error_invalid(
            error, "a move is four numbers, row and column from and to, like %s or [3,8,2,7]",
            move_form);
    return move_from_numbers(number, move, error);
}

static bool move_from_json(const void *state, const json_t *json, TurfMove *move, TurfError *error)
{
    (void)state;
    long number[4];
    if (json_array_size(json) != 4)
        return error_invalid(error, "a move is [r1,c1,r2,c2], like [3,8,2,7]");
    for (size_t i = 0; i < 4; i++) {
        const json_t *item = json_array_get(json, i);
        if (!json_is_integer(item))
            return error_invalid(error, "a move is four integers [r1,c1,r2,c2], like [3,8,2,7]");
        number[i] = (long)json_integer_value(item);
    }
    return move_from_numbers(number, move, error);
}

static json_t *move_to_json(const void *state, TurfMove move)
{
    (void)state;
    int from = (int)(move / 64), to = (int)(move % 64);
    return json_pack("[i,i,i,i]", from / 8 + 1, from % 8 + 1, to / 8 + 1, to % 8 + 1);
}

static size_t move_cells(const void *state, TurfMove move, TurfCell cells[MAX_MOVE_CELLS])
{
    (void)state;
    int from = (int)(move / 64), to = (int)(move % 64);
    cells[0] = (TurfCell){from / 8, from % 8};
    cells[1] = (TurfCell){to / 8, to % 8};
    return 2;
}

static void move_label(const void *state, TurfMove move, char text[32])
{
    (void)state;
    unsigned from = move / 64 % 64, to = move % 64;
    snprintf(text, 32, "%u,%u to %u,%u", from / 8 + 1, from % 8 + 1, to / 8 + 1, to % 8 + 1);
}

static const char *ply_kind(const void *before, const Ply *ply)
{
    (void)before, (void)ply;
    return "crank";
}

static void play_before_step(void *state, const Ply *ply)
{
    if (ply->side != SIDE_NOBODY)
        wol_slide(state, ply->move);
}

static bool is_legal(const void *state, TurfMove move, TurfError *why_not)
{
    const WolState *board = state;
    unsigned        mover = board->to_move;
    TurfEnding      ending;
    if (wol_is_legal(board, move))
        return true;
    if (move >= 64 * 64)
        return error_invalid(why_not, "there is no such move");
    int      from = (int)(move / 64), to = (int)(move % 64);
    int      r1 = from / 8 + 1, c1 = from % 8 + 1, r2 = to / 8 + 1, c2 = to % 8 + 1;
    uint64_t source = wol_from(move), target = wol_to(move);
    if (wol_is_over(board, &ending))
        return error_invalid(why_not, "the game is over");
    if (board->pieces[mover ^ 1] & source)
        return error_invalid(why_not, "the piece at %d,%d is %s, and %s is to move", r1, c1,
                             colours[mover ^ 1], colours[mover]);
    if (!(board->pieces[mover] & source))
        return error_invalid(why_not, "there is no piece at %d,%d", r1, c1);
    if (!(wol_beside(source) & target))
        return error_invalid(why_not, "%d,%d is not next to %d,%d: a piece moves one step", r2, c2,
                             r1, c1);
    return error_invalid(why_not, "%d,%d is taken by a %s piece", r2, c2,
                         colours[(board->pieces[1] & target) != 0]);
}

static bool play(void *state, TurfMove move, TurfError *why_not)
{
    if (!wol_is_legal(state, move))
        return is_legal(state, move, why_not);
    wol_apply(state, move);
    return true;
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* One row of a board; the cells of `marked` are capitals. */
static void draw_row(const WolState *board, uint64_t marked, int row, const DrawStyle *style,
                     FILE *out)
{
    static const char *const paint[2] = {"\033[1;34m", "\033[1;31m"};
    fprintf(out, "  %d", row + 1);
    for (int cell = 8 * row; cell < 8 * row + 8; cell++) {
        char c = letter_of(board, cell);
        if (c == '.') {
            fputs(" .", out);
            continue;
        }
        bool is_marked = marked >> cell & 1;
        fprintf(out, " %s%s%c%s", style->has_colour ? paint[c == 'r'] : "",
                style->has_colour && is_marked ? "\033[7m" : "", is_marked ? toupper(c) : c,
                style->has_colour ? "\033[0m" : "");
    }
}

static void draw_board(const WolState *board, uint64_t marked, const DrawStyle *style, FILE *out)
{
    fputs("    1 2 3 4 5 6 7 8\n", out);
    for (int row = 0; row < 8; row++) {
        draw_row(board, marked, row, style, out);
        fputc('\n', out);
    }
}

static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    draw_board(state, 0, style, out);
}

static void draw_move(const void *before, TurfMove move, const DrawStyle *style, FILE *out)
{
    const WolState *first = before;
    WolState        moved = *first;
    wol_slide(&moved, move);
    WolState cranked = moved;
    wol_turn_crank(&cranked);
    uint64_t was = ~wol_empty(&moved), is = ~wol_empty(&cranked), born = is & ~was,
             died = was & ~is;

    bool is_narrow = draw_is_narrow(style, 64); /* then one board below the other */
    if (is_narrow) {
        draw_board(&moved, wol_to(move), style, out);
        fputs("    before the crank; after it:\n", out);
        draw_board(&cranked, born, style, out);
    } else {
        fputs("    1 2 3 4 5 6 7 8         1 2 3 4 5 6 7 8\n", out);
        for (int row = 0; row < 8; row++) {
            draw_row(&moved, wol_to(move), row, style, out);
            fputs(row == 3 ? "  -> " : "     ", out);
            draw_row(&cranked, born, row, style, out);
            fputc('\n', out);
        }
    }
    fprintf(out, "    %-*s%d born, %d died: blue %d, red %d\n", is_narrow ? 0 : 24,
            is_narrow ? "" : "before the crank", bits_count(born), bits_count(died),
            wol_own(&cranked, TURF_FIRST), wol_own(&cranked, TURF_SECOND));
}

/* ---- the table ---------------------------------------------------------------------------- */

static TurfMover to_move(const void *state)
{
    TurfEnding ending;
    if (wol_is_over(state, &ending))
        return TURF_MOVER_NONE;
    return ((const WolState *)state)->to_move ? TURF_MOVER_SECOND : TURF_MOVER_FIRST;
}

static size_t moves(const void *state, TurfMove *list) { return wol_moves(state, list); }

static void apply(void *state, TurfMove move) { wol_apply(state, move); }

static bool is_over(const void *state, TurfEnding *ending) { return wol_is_over(state, ending); }

static int own(const void *state, TurfSide side) { return wol_own(state, side); }

static uint64_t hash(const void *state)
{
    const WolState *board = state;
    uint64_t        key = rng_stream_family(board->pieces[0], board->pieces[1]);
    return rng_stream_family(key, (uint64_t)board->moves_made << 1 | board->to_move);
}

static void pass(void *state) { wol_turn_crank(state); }

static TurfMove random_move(const void *state, TurfRng *rng)
{
    TurfMove move = 0;
    (void)wol_draw_move(state, rng_next(rng), &move);
    return move;
}

static size_t n_actions(const void *state)
{
    (void)state;
    return WOL_N_ACTIONS;
}

/* A step off the board leads back to where it began, which is not legal. */
static TurfMove move_of_action(const void *state, size_t action)
{
    (void)state;
    int from = (int)(action % 64), to = from + wol_distance[action / 64 % 8];
    int sideways = to % 8 - from % 8;
    if (to < 0 || to >= 64 || sideways < -1 || sideways > 1)
        to = from;
    return wol_move(from, to);
}

/* Directions are the eight cells around one, row by row. */
static size_t action_under(const void *state, size_t symmetry, size_t action)
{
    int      direction = (int)action / 64, around = direction < 4 ? direction : direction + 1;
    TurfCell from = {(int)action % 64 / 8, (int)action % 8};
    TurfCell to = {from.row + around / 3 - 1, from.col + around % 3 - 1};
    (void)state;
    from = cell_under(symmetry, 8, 8, from);
    to = cell_under(symmetry, 8, 8, to);
    around = 3 * (to.row - from.row + 1) + to.col - from.col + 1;
    return (size_t)(64 * (around < 4 ? around : around - 1) + 8 * from.row + from.col);
}

static size_t action_of_move(const void *state, TurfMove move)
{
    (void)state;
    int    distance = (int)(move % 64) - (int)(move / 64);
    size_t direction = 0;
    while (direction < 7 && wol_distance[direction] != distance)
        direction++;
    return 64 * direction + move / 64 % 64;
}

static const char *const number_names[] = {"moves_made", NULL};

static void write_numbers(const void *state, TurfSide side, int32_t *list)
{
    (void)side;
    list[0] = (int32_t)((const WolState *)state)->moves_made;
}

static bool play_random_games(const RandomGames *games, TurfTotals *totals)
{
    if (games->start)
        return false;
    wol_kernel_best()->play(games, totals);
    return true;
}

static int measure(const void *state, TurfSide side, unsigned without)
{
    return wol_measure(state, side, without);
}

/* A fit to games of alphabeta:nodes=3000 against itself (docs/analysis.md). */
static int telling_lead(const void *state)
{
    (void)state;
    return 50 * GAME_UNIT;
}

static int value_when_over(const void *state, TurfSide side)
{
    return wol_value_when_over(state, side);
}

/* The last is no term but the searches' late move reductions. */
static const char *const measure_terms[] = {"crank", "mobility", "reductions", "net", NULL};

static const GameLevel levels[LEVEL_HIGHEST] = {
    {"random", 0},
    {"land-grab:ties=random", 50},
    {"land-grab:ties=random", 5},
    {"minimax:ties=random", 15},
    {"minimax:ties=random", 0},
    {"alphabeta:depth=1,hash=1", 0},
    {"alphabeta:nodes=300,hash=1", 5},
    {"alphabeta:nodes=750,hash=1", 0},
    {"alphabeta:nodes=5000,hash=1", 0},
    {"alphabeta:nodes=100000,hash=4", 0},
};

const TurfGame war_of_life = {
    .name = "war-of-life",
    .short_name = "wol",
    .title = "War of Life",
    .summary = "pieces move on 8x8, and Conway's crank turns after every move",
    .side_names = {"blue", "red"},
    .side_letters = {"b", "r"},
    .side_symbols = {"●", "◆"},
    .side_colours = {"#1f78e0", "#f0562b"},
    .unit = "pieces",
    .ending_names = {"blue", "red", "draw", "stalemate", "exhausted"},
    .starts = starts,
    .start_forms = start_forms,
    .move_form = move_form,
    .json_move_form = "[3,8,2,7]",
    .levels = levels,
    .state_size = sizeof(WolState),
    .longest_game = WOL_LONGEST,
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
    .measure = measure,
    .telling_lead = telling_lead,
    .value_when_over = value_when_over,
    .measure_terms = measure_terms,
    .hand_made_terms = WOL_WITHOUT_CRANK | WOL_WITHOUT_MOBILITY | WOL_WITHOUT_NET,
    .move_from_text = move_from_text,
    .move_from_json = move_from_json,
    .move_to_json = move_to_json,
    .move_cells = move_cells,
    .move_label = move_label,
    .ply_kind = ply_kind,
    .play_before_step = play_before_step,
    .draw = draw,
    .draw_move = draw_move,
    .pass = pass,
    .random_move = random_move,
    .play_random_games = play_random_games,
    .n_actions = n_actions,
    .move_of_action = move_of_action,
    .action_of_move = action_of_move,
    .number_names = number_names,
    .numbers = write_numbers,
    .is_symmetric = true,
    .action_under = action_under,
};
