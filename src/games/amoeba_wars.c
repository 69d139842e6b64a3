/* Amoeba Wars: its table; its moves as text and JSON, and pictures. Its positions are written and
 * read by aw_positions.c. */
#include "games/amoeba_wars.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/checked_json.h"
#include "games/aw_kernels.h"
#include "games/aw_positions.h"
#include "games/cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const NamedStart starts[] = {
    {"corners", "an empty 8x8 board, O at the bottom left, X at the top right"},
    {"virus-war", "the same with the rules of Virus War: chains, and who is stuck loses"},
    {NULL, NULL},
};

static const int sizes[] = {4, 5, 6, 7, 8, 10, 12, 16, 26, 0};

static bool start(void *state, const char *name, TurfRng *rng)
{
    (void)rng;
    return aw_named_start(state, name);
}

static void size(const void *state, int *rows, int *cols)
{
    *rows = ((const AwState *)state)->header.rows;
    *cols = ((const AwState *)state)->header.columns;
}

static char cell(const void *state, int row, int col)
{
    return aw_letters[aw_cell_at(state, row, col)];
}

/* ---- moves -------------------------------------------------------------------------------- */

static const char move_form[] = "A2";

static void cell_name(const AwHeader *header, int row, int column, char name[8])
{
    snprintf(name, 8, "%c%u", 'A' + column, (header->rows - (unsigned)row) % 100);
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
    cell_name(header, 0, header->columns - 1, last);
    if (is_bad || !letter || !has_number)
        return error_invalid(error, "'%s' is not a cell; type a letter and a number, like %s",
                             error_quote(quoted, text), move_form);
    if (letter - 'A' >= header->columns || number < 1 || number > header->rows)
        return error_invalid(error, "%c%ld is off the board, which goes from A1 to %s", letter,
                             number, last);
    *move = aw_move(header->rows - (int)number, letter - 'A');
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
    return aw_cell_at(before, aw_row(ply->move), aw_column(ply->move)) == AW_EMPTY ? "spread"
                                                                                   : "kill";
}

/* A side that can make the move is not stuck. */
static inline bool is_legal_on_small(const AwSmall *board, TurfMove move)
{
    return aw_fits(move, AW_SMALL_SIZE) &&
           aw_small_has(board->feasible[board->header.to_move], aw_small_cell(move));
}

static bool is_legal_on_large(const AwLarge *board, TurfMove move)
{
    return aw_fits(move, AW_MAX_SIZE) &&
           aw_large_has(board->feasible[board->header.to_move], aw_large_cell(move));
}

static bool is_legal(const void *state, TurfMove move, TurfError *why_not)
{
    const AwState  *board = state;
    const AwHeader *header = &board->header;
    int             row = aw_row(move), column = aw_column(move);
    char            name[8];
    if (aw_is_small(board) ? is_legal_on_small(&board->small, move)
                           : is_legal_on_large(&board->large, move))
        return true;
    if (row >= header->rows || column >= header->columns)
        return error_invalid(why_not, "there is no such cell");
    if (header->n_feasible[header->to_move] == 0)
        return error_invalid(why_not, "the game is over");
    cell_name(header, row, column, name);
    AwCell cell = aw_cell_at(board, row, column);
    if (cell >= AW_SHADED)
        return error_invalid(why_not, "%s is shaded: nothing lives there any more", name);
    if (cell == (header->to_move ? AW_LIVE_X : AW_LIVE_O))
        return error_invalid(why_not, "%s is your own already", name);
    return error_invalid(why_not, "%s is not next to a live amoeba of yours%s", name,
                         header->rules & AW_CHAINS ? ", nor to a chain of your kills" : "");
}

static void apply(void *state, TurfMove move) { aw_apply(state, move); }

/* With the rules inlined, as in `apply`. */
static __attribute__((flatten)) bool play_on_small(AwSmall *board, TurfMove move)
{
    if (!is_legal_on_small(board, move))
        return false;
    aw_small_apply(board, aw_small_cell(move));
    return true;
}

static bool play(void *state, TurfMove move, TurfError *why_not)
{
    AwState *board = state;
    if (aw_is_small(board) && play_on_small(&board->small, move))
        return true;
    if (!is_legal(state, move, why_not))
        return false;
    apply(state, move);
    return true;
}

/* ---- pictures ----------------------------------------------------------------------------- */

static void draw(const void *state, const DrawStyle *style, FILE *out)
{
    static const char *const paint[] = {"",        "\033[1;34m", "\033[1;31m",
                                        "\033[2m", "\033[2;34m", "\033[2;31m"};
    const AwState           *board = state;
    const AwHeader          *header = &board->header;
    int                      label = header->rows >= 10 ? 2 : 1;
    bool                     is_narrow = draw_is_narrow(style, label + 1 + 2 * header->columns);
    const char              *bar = is_narrow ? "" : "|"; /* between cells */
    char                     rule[2 * AW_MAX_SIZE + 3];
    memset(rule, '-', sizeof rule);
    rule[is_narrow ? label + 1 + header->columns : 2 * header->columns + 2] = '\0';
    fprintf(out, "O %02d - %02d X\n%s\n", aw_score(header, TURF_FIRST),
            aw_score(header, TURF_SECOND), rule);
    for (int row = 0; row < header->rows; row++) {
        fprintf(out, "%*d|", label, header->rows - row);
        for (int column = 0; column < header->columns; column++) {
            AwCell cell = aw_cell_at(board, row, column);
            bool   is_painted = style->has_colour && cell != AW_EMPTY;
            char   letter = cell == AW_EMPTY && !is_narrow ? ' ' : aw_letters[cell];
            fprintf(out, "%s%c%s%s", is_painted ? paint[cell] : "", letter,
                    is_painted ? "\033[0m" : "", bar);
        }
        fputc('\n', out);
    }
    fprintf(out, is_narrow ? "%s\n%*s|" : "%s\n\n%*s|", rule, is_narrow ? label : 0, "");
    for (int column = 0; column < header->columns; column++)
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
    for (int word = 0; word < AW_LARGE_WORDS; word++)
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
    const AwHeader *header = &((const AwState *)state)->header;
    return (size_t)(header->rows * header->columns);
}

static TurfMove move_of_action(const void *state, size_t action)
{
    int columns = ((const AwState *)state)->header.columns;
    return aw_move((int)action / columns, (int)action % columns);
}

static size_t action_of_move(const void *state, TurfMove move)
{
    int columns = ((const AwState *)state)->header.columns;
    return (size_t)(columns * aw_row(move) + aw_column(move));
}

static const char *const number_names[] = {"moves_left", "killed", "killed_by_other", NULL};

static void write_numbers(const void *state, TurfSide side, int32_t *list)
{
    const AwHeader *header = &((const AwState *)state)->header;
    list[0] = header->moves_left;
    list[1] = header->n_killed[side];
    list[2] = header->n_killed[!side];
}

static bool is_over(const void *state, TurfEnding *ending)
{
    return aw_is_over(&((const AwState *)state)->header, ending);
}

static int own(const void *state, TurfSide side)
{
    return aw_score(&((const AwState *)state)->header, side);
}

static int moves_left(const void *state) { return ((const AwState *)state)->header.moves_left; }

static uint64_t mix_words(uint64_t key, const void *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes / sizeof(uint64_t); i++) {
        uint64_t word;
        memcpy(&word, (const char *)from + i * sizeof word, sizeof word);
        key = rng_stream_family(key, word);
    }
    return key;
}

/* The rules of the family count only where they are not the default: `turf choose` draws from the
 * hash, and plays the default game as it always has. */
static uint64_t hash(const void *state)
{
    const AwState  *board = state;
    const AwHeader *header = &board->header;
    const struct {
        uint8_t  rows, to_move, moves_left, none;
        uint16_t counts[6];
    } head = {header->rows,
              header->to_move,
              header->moves_left,
              0,
              {header->n_live[0], header->n_live[1], header->n_killed[0], header->n_killed[1],
               header->n_feasible[0], header->n_feasible[1]}};
    const uint64_t *cells = aw_is_small(board) ? board->small.live[0] : board->large.live[0],
                   *by_o = aw_is_small(board) ? board->small.shaded_by_o : board->large.shaded_by_o;
    size_t n_words = aw_is_small(board) ? 1 : AW_LARGE_WORDS;
    bool   is_default =
        header->rules == 0 && header->steps == AW_DEFAULT_STEPS && header->columns == header->rows;
    uint64_t key = mix_words(mix_words(0, &head, sizeof head), cells, 5 * n_words * sizeof *cells);
    if (is_default)
        return key;
    key = rng_stream_family(key, header->rules | (uint64_t)header->steps << 8 |
                                     (uint64_t)header->columns << 16);
    return mix_words(key, by_o, n_words * sizeof *by_o);
}

static bool play_random_games(const RandomGames *games, TurfTotals *totals)
{
    const AwState *begin = games->start;
    if (!begin || !aw_is_small(begin))
        return false;
    aw_kernel_best()->play(games, totals);
    return true;
}

static const char *why_won(const void *state)
{
    const AwHeader *header = &((const AwState *)state)->header;
    if (!(header->rules & AW_STUCK) || header->n_feasible[header->to_move] > 0)
        return NULL;
    return header->to_move ? "X is stuck" : "O is stuck";
}

static int value_when_over(const void *state, TurfSide side)
{
    return aw_value_when_over(&((const AwState *)state)->header, side);
}

static int measure(const void *state, TurfSide side, unsigned without)
{
    return aw_measure(state, side, without);
}

/* Three points on 8x8, by a fit to games of alphabeta:nodes=3000 against itself
 * (docs/analysis.md). */
static int telling_lead(const void *state)
{
    return 3 * GAME_UNIT * ((const AwState *)state)->header.rows / AW_SMALL_SIZE;
}

static const char *const plane_symbols[] = {"#ox", NULL};
static const char *const measure_terms[] = {"kills", "reach", "net", NULL};

static const GameLevel levels[LEVEL_HIGHEST] = {
    {"random", 0},
    {"land-grab:ties=random", 80},
    {"land-grab:ties=random", 55},
    {"land-grab:ties=random", 25},
    {"minimax:ties=random", 25},
    {"minimax:ties=random", 5},
    {"alphabeta:depth=2,ties=random,hash=1", 9},
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
    .start_forms = aw_start_forms,
    .move_form = move_form,
    .json_move_form = "\"A2\"",
    .is_on_points = true,
    .sizes = sizes,
    .is_console = true,
    .levels = levels,
    .state_size = sizeof(AwState),
    .longest_game = 2 * AW_MAX_SIZE * AW_MAX_SIZE, /* a cell is taken once and shaded once */
    .moves_per_turn = AW_DEFAULT_STEPS,
    .start = start,
    .parse = aw_parse,
    .from_json = aw_from_json,
    .to_json = aw_to_json,
    .configure = aw_configure,
    .size = size,
    .cell = cell,
    .to_move = to_move,
    .moves = moves,
    .is_legal = is_legal,
    .play = play,
    .apply = apply,
    .is_over = is_over,
    .own = own,
    .moves_left = moves_left,
    .hash = hash,
    .measure = measure,
    .telling_lead = telling_lead,
    .value_when_over = value_when_over,
    .measure_terms = measure_terms,
    .hand_made_terms = AW_WITHOUT_KILLS | AW_WITHOUT_REACH | AW_WITHOUT_NET,
    .move_from_text = move_from_text,
    .move_from_json = move_from_json,
    .move_to_json = move_to_json,
    .move_cells = move_cells,
    .ply_kind = ply_kind,
    .why_won = why_won,
    .draw = draw,
    .random_move = random_move,
    .play_random_games = play_random_games,
    .plane_symbols = plane_symbols,
    .rival_symbols = {"x", "o"},
    .n_actions = n_actions,
    .move_of_action = move_of_action,
    .action_of_move = action_of_move,
    .number_names = number_names,
    .numbers = write_numbers,
    .is_symmetric = true,
};
