/* Amoeba Wars: its table, and its positions and moves as text, JSON and pictures. */
#include "games/amoeba_wars.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/checked_json.h"
#include "games/aw_kernels.h"
#include "games/cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "OX";

enum { DEFAULT_SIZE = 8 };

static const NamedStart starts[] = {
    {"corners", "an empty 8x8 board, O at the bottom left, X at the top right"},
    {NULL, NULL},
};

static const int sizes[] = {4, 5, 6, 7, 8, 10, 12, 16, 26, 0};

static const char start_forms[] =
    "a size such as 6x6, from 2x2 to 26x26; rows of O, X and ., the top one first; or JSON";

/* ---- cells -------------------------------------------------------------------------------- */

typedef enum Cell { EMPTY, LIVE_O, LIVE_X, SHADED } Cell;

static Cell cell_at(const AwState *state, int row, int column)
{
    bool is_small = aw_is_small(state);
    int  cell = (is_small ? 8 : AW_MAX_SIZE) * row + column;
    for (int side = 0; side < 2; side++)
        if (is_small ? aw_small_has(state->small.live[side], cell)
                     : aw_large_has(state->large.live[side], cell))
            return side ? LIVE_X : LIVE_O;
    bool is_shaded = is_small ? aw_small_has(state->small.shaded, cell)
                              : aw_large_has(state->large.shaded, cell);
    return is_shaded ? SHADED : EMPTY;
}

static bool is_feasible(const AwState *state, unsigned side, int row, int column)
{
    return aw_is_small(state)
               ? aw_small_has(state->small.feasible[side], 8 * row + column)
               : aw_large_has(state->large.feasible[side], AW_MAX_SIZE * row + column);
}

/* Fills an empty cell of a board that is being made. */
static void put(AwState *state, int row, int column, Cell what)
{
    if (what == EMPTY)
        return;
    if (aw_is_small(state))
        aw_small_flip(what == SHADED ? state->small.shaded : state->small.live[what == LIVE_X],
                      8 * row + column);
    else
        aw_large_flip(what == SHADED ? state->large.shaded : state->large.live[what == LIVE_X],
                      AW_MAX_SIZE * row + column);
}

static void recount(AwState *state)
{
    if (aw_is_small(state))
        aw_small_recount(&state->small);
    else
        aw_large_recount(&state->large);
}

static AwState empty_board(int size)
{
    AwState state;
    memset(&state, 0, sizeof state);
    state.header.size = (uint8_t)size;
    state.header.moves_left = 1; /* O begins with a single move */
    return state;
}

static void corners(AwState *state, int size)
{
    *state = empty_board(size);
    put(state, size - 1, 0, LIVE_O);
    put(state, 0, size - 1, LIVE_X);
    recount(state);
}

static bool start(void *state, const char *name, TurfRng *rng)
{
    (void)rng;
    if (strcmp(name, "corners"))
        return false;
    corners(state, DEFAULT_SIZE);
    return true;
}

/* ---- positions written out ---------------------------------------------------------------- */

static bool put_letter(AwState *state, int row, int column, char letter, TurfError *error)
{
    const char *cells = ".OX#", *found = letter ? strchr(cells, letter) : NULL;
    if (!found)
        return error_invalid(error,
                             "row %d from the top has '%c' in column %c; cells are O, X, # and .",
                             row + 1, isprint((unsigned char)letter) ? letter : '?', 'A' + column);
    put(state, row, column, (Cell)(found - cells));
    return true;
}

/* Checks what the header says against the board, once all cells are there. */
static bool finish(AwState *state, TurfError *error)
{
    int n_shaded = 0;
    for (int row = 0; row < state->header.size; row++)
        for (int column = 0; column < state->header.size; column++)
            n_shaded += cell_at(state, row, column) == SHADED;
    int n_killed = state->header.n_killed[0] + state->header.n_killed[1];
    if (n_killed != n_shaded)
        return error_invalid(
            error,
            "there are %d shaded cells, but \"killed\" adds up to %d; JSON can say who killed them",
            n_shaded, n_killed);
    recount(state);
    return true;
}

static bool check_size(long size, TurfError *error)
{
    if (size < AW_LEAST_SIZE || size > AW_MAX_SIZE)
        return error_invalid(error, "a board is from %dx%d to %dx%d", AW_LEAST_SIZE, AW_LEAST_SIZE,
                             AW_MAX_SIZE, AW_MAX_SIZE);
    return true;
}

/* "8" or "8x8". */
static bool parse_size(const char *text, long *size)
{
    char *end = NULL;
    *size = strtol(text, &end, 10);
    if (end == text)
        return false;
    end += strspn(end, " \t");
    if (*end == 'x' || *end == 'X' || *end == '*') {
        char *second = end + 1;
        if (strtol(second, &end, 10) != *size || end == second)
            return false;
    }
    return end[strspn(end, " \t\r\n")] == '\0';
}

static bool parse(void *state, const char *text, TurfError *error)
{
    long    size = 0;
    AwState board;
    if (isdigit((unsigned char)*text)) {
        if (!parse_size(text, &size))
            return error_invalid(error, "a board is square, like 8x8; give %s", start_forms);
        if (!check_size(size, error))
            return false;
        corners(&board, (int)size);
    } else {
        size = (long)strcspn(text, "\n/ \r");
        if (!check_size(size, error))
            return false;
        board = empty_board((int)size);
        int row = 0;
        for (; *(text += strspn(text, "\n/ \r\t")); row++) {
            size_t length = strcspn(text, "\n/ \r\t");
            if ((long)length != size || row == size)
                return error_invalid(error,
                                     "the top row has %ld cells, so %ld rows of %ld make a board",
                                     size, size, size);
            for (int column = 0; column < size; column++)
                if (!put_letter(&board, row, column, text[column], error))
                    return false;
            text += length;
        }
        if (row != size)
            return error_invalid(error, "the board has %d rows of %ld cells; a board is square",
                                 row, size);
        if (!finish(&board, error))
            return false;
    }
    memcpy(state, &board, sizeof board);
    return true;
}

static bool read_header(AwHeader *header, const json_t *json, TurfError *error)
{
    const json_t *to_move = json_object_get(json, "to_move"),
                 *left = json_object_get(json, "moves_left");
    const json_t *killed = json_object_get(json, "killed");
    const char   *letter = to_move ? json_string_value(to_move) : "O";
    if (!letter || (strcmp(letter, "O") && strcmp(letter, "X")))
        return error_invalid(error, "\"to_move\" is \"O\" or \"X\"");
    header->to_move = letter[0] == 'X';
    json_int_t n_left = left ? json_integer_value(left) : 1;
    if (n_left < 1 || n_left > AW_MOVES_A_TURN)
        return error_invalid(error, "\"moves_left\" is 1, 2 or 3");
    header->moves_left = (uint8_t)n_left;
    if (killed && !json_is_object(killed))
        return error_invalid(error, "\"killed\" is like {\"O\":0,\"X\":0}");
    for (int side = 0; side < 2; side++) {
        const char    name[2] = {letters[side], '\0'};
        const json_t *count = json_object_get(killed, name);
        json_int_t    n_killed = count ? json_integer_value(count) : 0;
        if ((count && !json_is_integer(count)) || n_killed < 0 ||
            n_killed > AW_MAX_SIZE * AW_MAX_SIZE)
            return error_invalid(error, "\"killed\" is like {\"O\":0,\"X\":0}");
        header->n_killed[side] = (uint16_t)n_killed;
    }
    return true;
}

static bool from_json(void *state, const json_t *json, TurfError *error)
{
    const json_t *rows = json_object_get(json, "board");
    size_t        size = json_array_size(rows);
    if (size < AW_LEAST_SIZE || size > AW_MAX_SIZE)
        return error_invalid(
            error, "\"board\" has %zu rows; it is from 2 to 26 strings of O, X, # and .", size);
    AwState board = empty_board((int)size);
    if (!read_header(&board.header, json, error))
        return false;
    for (size_t row = 0; row < size; row++) {
        const json_t *text = json_array_get(rows, row);
        if (json_string_length(text) != size)
            return error_invalid(error, "row %zu of \"board\" is not a string of %zu cells",
                                 row + 1, size);
        for (size_t column = 0; column < size; column++)
            if (!put_letter(&board, (int)row, (int)column, json_string_value(text)[column], error))
                return false;
    }
    if (!finish(&board, error))
        return false;
    memcpy(state, &board, sizeof board);
    return true;
}

static void size(const void *state, int *rows, int *cols)
{
    *rows = *cols = ((const AwState *)state)->header.size;
}

static char cell(const void *state, int row, int col) { return ".OX#"[cell_at(state, row, col)]; }

static json_t *to_json(const void *state)
{
    const AwHeader *header = &((const AwState *)state)->header;
    const char      to_move[2] = {letters[header->to_move], '\0'};
    return json_pack("{s:o,s:s,s:i,s:{s:i,s:i}}", "board", game_board_json(&amoeba_wars, state),
                     "to_move", to_move, "moves_left", header->moves_left, "killed", "O",
                     header->n_killed[0], "X", header->n_killed[1]);
}

/* ---- moves -------------------------------------------------------------------------------- */

static const char move_form[] = "A2";

static void cell_name(const AwHeader *header, int row, int column, char name[8])
{
    snprintf(name, 8, "%c%u", 'A' + column, (header->size - (unsigned)row) % 100);
}

/* A2, a2 or 2a, with blanks anywhere. */
static bool move_from_text(const void *state, const char *text, TurfMove *move, TurfError *error)
{
    const AwHeader *header = &((const AwState *)state)->header;
    char            quoted[ERROR_QUOTE_BYTES], letter = '\0';
    long            number = 0;
    bool            is_bad = false, was_digit = false, has_number = false;
    for (const char *at = text; *at && !is_bad; at++) {
        unsigned char c = (unsigned char)*at;
        if (isalpha(c)) {
            is_bad = letter != '\0';
            letter = (char)toupper(c);
        } else if (isdigit(c)) {
            is_bad = has_number && !was_digit;
            number = number < 1000 ? 10 * number + (c - '0') : number;
            has_number = true;
        } else if (!isspace(c) && c != '"') {
            is_bad = true;
        }
        was_digit = isdigit(c);
    }
    char last[8];
    cell_name(header, 0, header->size - 1, last);
    if (is_bad || !letter || !has_number)
        return error_invalid(error, "'%s' is not a cell; type a letter and a number, like %s",
                             error_quote(quoted, text), move_form);
    if (letter - 'A' >= header->size || number < 1 || number > header->size)
        return error_invalid(error, "%c%ld is off the board, which goes from A1 to %s", letter,
                             number, last);
    *move = aw_move(header->size - (int)number, letter - 'A');
    return true;
}

static bool move_from_json(const void *state, const json_t *json, TurfMove *move, TurfError *error)
{
    if (!json_is_string(json))
        return error_invalid(error, "a move is a cell in quotes, like \"%s\"", move_form);
    return move_from_text(state, json_string_value(json), move, error);
}

static json_t *move_to_json(const void *state, TurfMove move)
{
    char name[8];
    cell_name(&((const AwState *)state)->header, aw_row(move), aw_column(move), name);
    return json_string(name);
}

/* A kill fills no cell, so the table's default will not do. */
static size_t move_cells(const void *state, TurfMove move, TurfCell cells[MAX_MOVE_CELLS])
{
    (void)state;
    cells[0] = (TurfCell){aw_row(move), aw_column(move)};
    return 1;
}

static const char *ply_kind(const void *before, const Ply *ply)
{
    return cell_at(before, aw_row(ply->move), aw_column(ply->move)) == EMPTY ? "spread" : "kill";
}

static bool is_legal(const void *state, TurfMove move, TurfError *why_not)
{
    const AwState  *board = state;
    const AwHeader *header = &board->header;
    int             row = aw_row(move), column = aw_column(move);
    char            name[8];
    if (row >= header->size || column >= header->size)
        return error_invalid(why_not, "there is no such cell");
    if (header->n_feasible[header->to_move] == 0)
        return error_invalid(why_not, "the game is over");
    if (is_feasible(board, header->to_move, row, column))
        return true;
    cell_name(header, row, column, name);
    Cell cell = cell_at(board, row, column);
    if (cell == SHADED)
        return error_invalid(why_not, "%s is shaded: nothing lives there any more", name);
    if (cell == (header->to_move ? LIVE_X : LIVE_O))
        return error_invalid(why_not, "%s is your own already", name);
    return error_invalid(why_not, "%s is not next to a live amoeba of yours", name);
}

/* ---- pictures ----------------------------------------------------------------------------- */

static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    static const char *const paint[4] = {"", "\033[1;34m", "\033[1;31m", "\033[2m"};
    const AwState           *board = state;
    const AwHeader          *header = &board->header;
    int                      label = header->size >= 10 ? 2 : 1;
    bool                     is_narrow = draw_is_narrow(style, label + 1 + 2 * header->size);
    const char              *bar = is_narrow ? "" : "|"; /* between cells */
    char                     rule[2 * AW_MAX_SIZE + 3];
    memset(rule, '-', sizeof rule);
    rule[is_narrow ? label + 1 + header->size : 2 * header->size + 2] = '\0';
    fprintf(out, "O %02d - %02d X\n%s\n", aw_score(header, TURF_FIRST),
            aw_score(header, TURF_SECOND), rule);
    for (int row = 0; row < header->size; row++) {
        fprintf(out, "%*d|", label, header->size - row);
        for (int column = 0; column < header->size; column++) {
            Cell cell = cell_at(board, row, column);
            bool is_painted = style->has_colour && cell != EMPTY;
            fprintf(out, "%s%c%s%s", is_painted ? paint[cell] : "",
                    (is_narrow ? ".OX#" : " OX#")[cell], is_painted ? "\033[0m" : "", bar);
        }
        fputc('\n', out);
    }
    fprintf(out, is_narrow ? "%s\n%*s|" : "%s\n\n%*s|", rule, is_narrow ? label : 0, "");
    for (int column = 0; column < header->size; column++)
        fprintf(out, "%c%s", 'A' + column, bar);
    fputc('\n', out);
}

/* ---- the table ---------------------------------------------------------------------------- */

static TurfMover to_move(const void *state)
{
    const AwHeader *header = &((const AwState *)state)->header;
    if (header->n_feasible[header->to_move] == 0)
        return TURF_MOVER_NONE;
    return header->to_move ? TURF_MOVER_SECOND : TURF_MOVER_FIRST;
}

static size_t moves(const void *state, TurfMove *list)
{
    const AwState *board = state;
    unsigned       side = board->header.to_move;
    size_t         n_moves = 0;
    if (aw_is_small(board)) {
        for (uint64_t left = board->small.feasible[side][0]; left; left = bits_rest(left)) {
            int cell = bits_lowest(left);
            list[n_moves++] = aw_move(cell / 8, cell % 8);
        }
        return n_moves;
    }
    for (int word = 0; word < 11; word++)
        for (uint64_t left = board->large.feasible[side][word]; left; left = bits_rest(left)) {
            int cell = 64 * word + bits_lowest(left);
            list[n_moves++] = aw_move(cell / AW_MAX_SIZE, cell % AW_MAX_SIZE);
        }
    return n_moves;
}

static TurfMove random_move(const void *state, TurfRng *rng)
{
    const AwState *board = state;
    uint32_t       n = rng_below(rng, board->header.n_feasible[board->header.to_move]);
    if (aw_is_small(board)) {
        int cell = aw_small_nth_feasible(&board->small, n);
        return aw_move(cell / 8, cell % 8);
    }
    int cell = aw_large_nth_feasible(&board->large, n);
    return aw_move(cell / AW_MAX_SIZE, cell % AW_MAX_SIZE);
}

static size_t n_actions(const void *state)
{
    size_t side = ((const AwState *)state)->header.size;
    return side * side;
}

static TurfMove move_of_action(const void *state, size_t action)
{
    int side = ((const AwState *)state)->header.size;
    return aw_move((int)action / side, (int)action % side);
}

static size_t action_of_move(const void *state, TurfMove move)
{
    int side = ((const AwState *)state)->header.size;
    return (size_t)(side * aw_row(move) + aw_column(move));
}

static const char *const number_names[] = {"moves_left", "killed", "killed_by_other", NULL};

static void write_numbers(const void *state, TurfSide side, int32_t *list)
{
    const AwHeader *header = &((const AwState *)state)->header;
    list[0] = header->moves_left;
    list[1] = header->n_killed[side];
    list[2] = header->n_killed[!side];
}

static void apply(void *state, TurfMove move) { aw_apply(state, move); }

static bool is_over(const void *state, TurfEnding *ending)
{
    return aw_is_over(&((const AwState *)state)->header, ending);
}

static int own(const void *state, TurfSide side)
{
    return aw_score(&((const AwState *)state)->header, side);
}

static int moves_left(const void *state) { return ((const AwState *)state)->header.moves_left; }

static uint64_t hash(const void *state)
{
    const AwState *board = state;
    uint64_t       key = 0, words[sizeof(AwState) / sizeof(uint64_t)];
    size_t         n_words =
        (aw_is_small(board) ? sizeof board->small : sizeof board->large) / sizeof(uint64_t);
    memcpy(words, board, n_words * sizeof(uint64_t));
    for (size_t i = 0; i < n_words; i++)
        key = rng_stream_family(key, words[i]);
    return key;
}

static bool play_random_games(const RandomGames *games, TurfTotals *totals)
{
    const AwState *begin = games->start;
    if (!begin || !aw_is_small(begin))
        return false;
    aw_kernel_best()->play(games, totals);
    return true;
}

static int measure(const void *state, TurfSide side, unsigned without)
{
    return aw_measure(state, side, without);
}

/* Three points on 8x8, by a fit to games of alphabeta:nodes=3000 against itself
 * (docs/analysis.md). */
static int telling_lead(const void *state)
{
    return 3 * GAME_UNIT * ((const AwState *)state)->header.size / AW_SMALL_SIZE;
}

static const char *const measure_terms[] = {"kills", "reach", "net", NULL};

static const GameLevel levels[LEVEL_HIGHEST] = {
    {"random", 0},
    {"land-grab:ties=random", 80},
    {"land-grab:ties=random", 55},
    {"land-grab:ties=random", 25},
    {"minimax:ties=random", 25},
    {"minimax:ties=random", 5},
    {"alphabeta:depth=2,ties=random,hash=1", 10},
    {"alphabeta:depth=3,ties=random,hash=1", 0},
    {"alphabeta:depth=5,ties=random,hash=1", 0},
    {"alphabeta:nodes=100000,ties=random", 0},
};

const TurfGame amoeba_wars = {
    .name = "amoeba-wars",
    .short_name = "aw",
    .title = "Amoeba Wars",
    .summary = "spread and kill on an N x N board, three moves a turn",
    .side_names = {"O", "X"},
    .side_letters = {"O", "X"},
    .side_colours = {"#a9c515", "#8443d9"},
    .has_letters = true,
    .ending_names = {"O", "X", "tie", NULL, NULL},
    .starts = starts,
    .start_forms = start_forms,
    .move_form = move_form,
    .json_move_form = "\"A2\"",
    .is_on_points = true,
    .sizes = sizes,
    .is_console = true,
    .levels = levels,
    .state_size = sizeof(AwState),
    .longest_game = 2 * AW_MAX_SIZE * AW_MAX_SIZE, /* a cell is taken once and shaded once */
    .moves_per_turn = AW_MOVES_A_TURN,
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
    .moves_left = moves_left,
    .hash = hash,
    .measure = measure,
    .telling_lead = telling_lead,
    .measure_terms = measure_terms,
    .hand_made_terms = AW_WITHOUT_KILLS | AW_WITHOUT_REACH | AW_WITHOUT_NET,
    .move_from_text = move_from_text,
    .move_from_json = move_from_json,
    .move_to_json = move_to_json,
    .move_cells = move_cells,
    .ply_kind = ply_kind,
    .draw = draw,
    .random_move = random_move,
    .play_random_games = play_random_games,
    .plane_symbols = "#",
    .n_actions = n_actions,
    .move_of_action = move_of_action,
    .action_of_move = action_of_move,
    .number_names = number_names,
    .numbers = write_numbers,
};
