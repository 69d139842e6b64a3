/* Positions of Amoeba Wars and its family as text and JSON, and the rules that come with them.
 *
 * A position that has been read is whole: its counts and feasible cells agree with its cells, and
 * with chains every shaded cell has its killer. */
#include "games/aw_positions.h"

#include "base/checked_json.h"
#include "base/error.h"
#include "games/cells.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 8 };

const char aw_letters[] = ".OX#ox";

const char aw_start_forms[] =
    "a size such as 6x6, from 2x2 to 26x26; rows of O, X and ., the top one first; or JSON; "
    "rules follow, such as 6x6,chains,steps=3,first=1,end=stuck";

/* ---- cells -------------------------------------------------------------------------------- */

AwCell aw_cell_at(const AwState *state, int row, int column)
{
    bool is_small = aw_is_small(state);
    int  cell = (is_small ? 8 : AW_MAX_SIZE) * row + column;
    for (int side = 0; side < 2; side++)
        if (is_small ? aw_small_has(state->small.live[side], cell)
                     : aw_large_has(state->large.live[side], cell))
            return side ? AW_LIVE_X : AW_LIVE_O;
    bool is_shaded = is_small ? aw_small_has(state->small.shaded, cell)
                              : aw_large_has(state->large.shaded, cell);
    if (!is_shaded)
        return AW_EMPTY;
    if (!(state->header.rules & AW_CHAINS))
        return AW_SHADED;
    bool is_by_o = is_small ? aw_small_has(state->small.shaded_by_o, cell)
                            : aw_large_has(state->large.shaded_by_o, cell);
    return is_by_o ? AW_SHADED_BY_O : AW_SHADED_BY_X;
}

/* Fills an empty cell of a board that is being made. */
static void put(AwState *state, int row, int column, AwCell what)
{
    bool      is_small = aw_is_small(state);
    int       cell = (is_small ? 8 : AW_MAX_SIZE) * row + column;
    uint64_t *set = is_small ? state->small.shaded : state->large.shaded,
             *by_o = is_small ? state->small.shaded_by_o : state->large.shaded_by_o;
    if (what == AW_EMPTY)
        return;
    if (what < AW_SHADED)
        set =
            is_small ? state->small.live[what == AW_LIVE_X] : state->large.live[what == AW_LIVE_X];
    aw_large_flip(set, cell);
    if (what == AW_SHADED_BY_O && state->header.rules & AW_CHAINS)
        aw_large_flip(by_o, cell);
}

static void recount(AwState *state)
{
    if (aw_is_small(state))
        aw_small_recount(&state->small);
    else
        aw_large_recount(&state->large);
}

/* ---- rules -------------------------------------------------------------------------------- */

typedef struct Rules {
    long     steps, first; /* moves a turn, and in the first one */
    unsigned bits;         /* AW_CHAINS, AW_STUCK */
} Rules;

static const Rules default_rules = {.steps = AW_DEFAULT_STEPS, .first = AW_DEFAULT_FIRST};

static bool check_rules(const Rules *rules, TurfError *error)
{
    bool is_step_bad = rules->steps < 1 || rules->steps > AW_MAX_STEPS;
    if (is_step_bad || rules->first < 1 || rules->first > AW_MAX_STEPS)
        return error_invalid(error, "%s is the moves of %s, from 1 to %d",
                             is_step_bad ? "steps" : "first",
                             is_step_bad ? "a turn" : "the first turn", AW_MAX_STEPS);
    return true;
}

static bool unknown_rule(const char *word, TurfError *error)
{
    char quoted[ERROR_QUOTE_BYTES];
    return error_invalid(error,
                         "there is no rule '%s'; rules are chains, steps=1..5, first=1..5 and "
                         "end=score or end=stuck",
                         error_quote(quoted, word));
}

/* steps=N or first=N. */
static bool read_number(const char *word, const char *name, long *number)
{
    size_t length = strlen(name);
    char  *end = NULL;
    if (strncmp(word, name, length) != 0 || word[length] != '=' ||
        !isdigit((unsigned char)word[length + 1]))
        return false;
    *number = strtol(word + length + 1, &end, 10);
    return *end == '\0';
}

static bool read_rule(Rules *rules, const char *word, TurfError *error)
{
    if (read_number(word, "steps", &rules->steps) || read_number(word, "first", &rules->first))
        return check_rules(rules, error);
    if (!strcmp(word, "chains"))
        rules->bits |= AW_CHAINS;
    else if (!strcmp(word, "end=stuck"))
        rules->bits |= AW_STUCK;
    else if (!strcmp(word, "end=score"))
        rules->bits &= ~(unsigned)AW_STUCK;
    else
        return unknown_rule(word, error);
    return true;
}

/* The rules after a board: ,RULE,RULE with blanks anywhere between them. */
static bool read_rules(Rules *rules, const char *text, TurfError *error)
{
    while (*text) {
        char   word[32];
        size_t length;
        text += strspn(text, ", \t\r\n");
        length = strcspn(text, ", \t\r\n");
        if (length == 0)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), text);
        if (!read_rule(rules, word, error))
            return false;
        text += length;
    }
    return true;
}

static bool read_json_number(const json_t *json, long *number)
{
    json_int_t value = json_integer_value(json);
    *number = value < 0 || value > 1000 ? 0 : (long)value;
    return json_is_integer(json);
}

static bool read_json_rule(Rules *rules, const char *key, const json_t *value, TurfError *error)
{
    const char *word = json_string_value(value);
    unsigned    bit = 0;
    bool        is_set = false;
    if (!strcmp(key, "chains")) {
        if (!json_is_boolean(value))
            return error_invalid(error, "\"chains\" is true or false");
        bit = AW_CHAINS;
        is_set = json_is_true(value);
    } else if (!strcmp(key, "end")) {
        if (!word || (strcmp(word, "score") && strcmp(word, "stuck")))
            return error_invalid(error, "\"end\" is \"score\" or \"stuck\"");
        bit = AW_STUCK;
        is_set = !strcmp(word, "stuck");
    } else if (!strcmp(key, "steps") || !strcmp(key, "first")) {
        if (!read_json_number(value, *key == 's' ? &rules->steps : &rules->first))
            return error_invalid(error, "\"%s\" is an integer from 1 to %d", key, AW_MAX_STEPS);
        return check_rules(rules, error);
    } else {
        return unknown_rule(key, error);
    }
    rules->bits = is_set ? rules->bits | bit : rules->bits & ~bit;
    return true;
}

/* Changes the rules as a JSON object says; NULL says nothing. */
static bool rules_from_json(Rules *rules, const json_t *json, TurfError *error)
{
    const char *key;
    json_t     *value;
    if (json && !json_is_object(json))
        return error_invalid(error, "\"rules\" is like "
                                    "{\"chains\":true,\"steps\":3,\"end\":\"stuck\"}");
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        if (!read_json_rule(rules, key, value, error))
            return false;
    }
    return true;
}

static AwState empty_board(int rows, int columns, const Rules *rules)
{
    AwState state;
    memset(&state, 0, sizeof state);
    state.header.rows = (uint8_t)rows;
    state.header.columns = (uint8_t)columns;
    state.header.steps = (uint8_t)rules->steps;
    state.header.moves_left = (uint8_t)rules->first;
    state.header.rules = (uint8_t)rules->bits;
    return state;
}

static AwState corners(int rows, int columns, const Rules *rules)
{
    AwState state = empty_board(rows, columns, rules);
    put(&state, rows - 1, 0, AW_LIVE_O);
    put(&state, 0, columns - 1, AW_LIVE_X);
    recount(&state);
    return state;
}

/* ---- text --------------------------------------------------------------------------------- */

/* The rules of a start with a name; false if there is none. */
static bool find_name(const char *name, size_t length, Rules *rules)
{
    static const char virus_war[] = "virus-war", plain[] = "corners";
    *rules = default_rules;
    if (length == strlen(virus_war) && !memcmp(name, virus_war, length))
        rules->bits = AW_CHAINS | AW_STUCK;
    return rules->bits || (length == strlen(plain) && !memcmp(name, plain, length));
}

bool aw_named_start(AwState *state, const char *name)
{
    Rules rules;
    if (!find_name(name, strlen(name), &rules))
        return false;
    *state = corners(DEFAULT_SIZE, DEFAULT_SIZE, &rules);
    return true;
}

static bool put_letter(AwState *state, int row, int column, char letter, int n_by[2],
                       TurfError *error)
{
    const char *found = letter ? strchr(aw_letters, letter) : NULL;
    if (!found)
        return error_invalid(error,
                             "row %d from the top has '%c' in column %c; cells are O, X, # and .",
                             row + 1, isprint((unsigned char)letter) ? letter : '?', 'A' + column);
    AwCell cell = (AwCell)(found - aw_letters);
    if (cell == AW_SHADED && state->header.rules & AW_CHAINS)
        return error_invalid(error,
                             "row %d from the top has '#' in column %c; with chains write o for a "
                             "cell that O killed, x for one that X killed",
                             row + 1, 'A' + column);
    if (cell > AW_SHADED)
        n_by[cell == AW_SHADED_BY_X]++;
    put(state, row, column, cell);
    return true;
}

/* Checks what the header says against the board, once all cells are there; n_by has the cells
 * whose killer the board shows. */
static bool finish(AwState *state, bool has_killed, const int n_by[2], TurfError *error)
{
    AwHeader *header = &state->header;
    int       n_shaded = 0;
    for (int row = 0; row < header->rows; row++)
        for (int column = 0; column < header->columns; column++)
            n_shaded += aw_cell_at(state, row, column) >= AW_SHADED;
    for (int side = 0; side < 2 && !has_killed; side++)
        header->n_killed[side] = (uint16_t)n_by[side];
    int n_killed = header->n_killed[0] + header->n_killed[1];
    if (n_killed != n_shaded)
        return error_invalid(error,
                             "there are %d shaded cells, but \"killed\" adds up to %d; write o for "
                             "a cell that O killed, x for one that X killed, or JSON",
                             n_shaded, n_killed);
    if (header->n_killed[0] < n_by[0] || header->n_killed[1] < n_by[1])
        return error_invalid(error,
                             "\"killed\" says that O killed %d and X %d, but the board "
                             "shows %d and %d",
                             header->n_killed[0], header->n_killed[1], n_by[0], n_by[1]);
    recount(state);
    return true;
}

static bool check_size(long rows, long columns, TurfError *error)
{
    long least = rows < columns ? rows : columns, most = rows < columns ? columns : rows;
    if (least < AW_LEAST_SIZE || most > AW_MAX_SIZE)
        return error_invalid(error, "a board is from %dx%d to %dx%d", AW_LEAST_SIZE, AW_LEAST_SIZE,
                             AW_MAX_SIZE, AW_MAX_SIZE);
    return true;
}

/* "8", "8x8" or "6x10", up to `stop`. */
static bool parse_size(const char *text, const char *stop, long *rows, long *columns)
{
    char *end = NULL;
    *rows = *columns = strtol(text, &end, 10);
    if (end == text)
        return false;
    end += strspn(end, " \t");
    if (*end == 'x' || *end == 'X' || *end == '*') {
        char *second = end + 1;
        *columns = strtol(second, &end, 10);
        if (end == second)
            return false;
    }
    return end + strspn(end, " \t\r\n") == stop;
}

static bool parse_rows(AwState *board, const char *text, const char *stop, const Rules *rules,
                       TurfError *error)
{
    static const char blanks[] = "\n/ \r\t", ends[] = "\n/ \r\t,";
    long              columns = (long)strcspn(text, ends), rows = 0;
    int               n_by[2] = {0, 0};
    for (const char *at = text; (at += strspn(at, blanks)) < stop; at += strcspn(at, ends))
        rows++;
    if (rows < AW_LEAST_SIZE) /* rather a word than a board */
        return error_invalid(error, "a board has at least 2 rows; give %s", aw_start_forms);
    if (!check_size(rows, columns, error))
        return false;
    *board = empty_board((int)rows, (int)columns, rules);
    for (int row = 0; row < rows; row++) {
        text += strspn(text, blanks);
        if ((long)strcspn(text, ends) != columns)
            return error_invalid(error, "the top row has %ld cells, but row %d has %zu", columns,
                                 row + 1, strcspn(text, ends));
        for (int column = 0; column < columns; column++)
            if (!put_letter(board, row, column, *text++, n_by, error))
                return false;
    }
    return finish(board, false, n_by, error);
}

bool aw_parse(void *state, const char *text, TurfError *error)
{
    const char *stop = text + strcspn(text, ",");
    long        rows = DEFAULT_SIZE, columns = DEFAULT_SIZE;
    Rules       rules;
    AwState     board;
    bool        is_size = isdigit((unsigned char)*text);
    bool        is_name = find_name(text, (size_t)(stop - text), &rules);
    if (!read_rules(&rules, stop, error))
        return false;
    if (is_size && !parse_size(text, stop, &rows, &columns))
        return error_invalid(error, "a size is like 8x8 or 6x10; give %s", aw_start_forms);
    if (is_size || is_name) {
        if (!check_size(rows, columns, error))
            return false;
        board = corners((int)rows, (int)columns, &rules);
    } else if (!parse_rows(&board, text, stop, &rules, error)) {
        return false;
    }
    memcpy(state, &board, sizeof board);
    return true;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static bool read_killed(AwHeader *header, const json_t *killed, TurfError *error)
{
    if (killed && !json_is_object(killed))
        return error_invalid(error, "\"killed\" is like {\"O\":0,\"X\":0}");
    for (int side = 0; side < 2; side++) {
        const json_t *count = json_object_get(killed, side ? "X" : "O");
        json_int_t    n_killed = count ? json_integer_value(count) : 0;
        if ((count && !json_is_integer(count)) || n_killed < 0 ||
            n_killed > AW_MAX_SIZE * AW_MAX_SIZE)
            return error_invalid(error, "\"killed\" is like {\"O\":0,\"X\":0}");
        header->n_killed[side] = (uint16_t)n_killed;
    }
    return true;
}

static bool read_header(AwHeader *header, const json_t *json, TurfError *error)
{
    const json_t *to_move = json_object_get(json, "to_move"),
                 *left = json_object_get(json, "moves_left");
    const char *letter = to_move ? json_string_value(to_move) : "O";
    if (!letter || (strcmp(letter, "O") && strcmp(letter, "X")))
        return error_invalid(error, "\"to_move\" is \"O\" or \"X\"");
    header->to_move = letter[0] == 'X';
    /* The first turn may be longer than the others. */
    int        max_left = json_object_get(json, "rules") ? AW_MAX_STEPS : AW_DEFAULT_STEPS;
    json_int_t n_left = left ? json_integer_value(left) : header->moves_left;
    if (n_left < 1 || n_left > max_left)
        return error_invalid(error, "\"moves_left\" is %s",
                             max_left == AW_MAX_STEPS ? "from 1 to 5" : "1, 2 or 3");
    header->moves_left = (uint8_t)n_left;
    return read_killed(header, json_object_get(json, "killed"), error);
}

bool aw_from_json(void *state, const json_t *json, TurfError *error)
{
    const json_t *list = json_object_get(json, "board");
    size_t rows = json_array_size(list), columns = json_string_length(json_array_get(list, 0));
    Rules  rules = default_rules;
    int    n_by[2] = {0, 0};
    if (rows < AW_LEAST_SIZE || rows > AW_MAX_SIZE)
        return error_invalid(
            error, "\"board\" has %zu rows; it is from 2 to 26 strings of O, X, # and .", rows);
    if (!check_size((long)rows, (long)(columns > 1000 ? 1000 : columns), error) ||
        !rules_from_json(&rules, json_object_get(json, "rules"), error))
        return false;
    AwState board = empty_board((int)rows, (int)columns, &rules);
    if (!read_header(&board.header, json, error))
        return false;
    for (size_t row = 0; row < rows; row++) {
        const json_t *text = json_array_get(list, row);
        if (json_string_length(text) != columns)
            return error_invalid(error, "row %zu of \"board\" is not a string of %zu cells",
                                 row + 1, columns);
        for (size_t column = 0; column < columns; column++)
            if (!put_letter(&board, (int)row, (int)column, json_string_value(text)[column], n_by,
                            error))
                return false;
    }
    if (!finish(&board, json_object_get(json, "killed") != NULL, n_by, error))
        return false;
    memcpy(state, &board, sizeof board);
    return true;
}

json_t *aw_to_json(const void *state)
{
    const AwHeader *header = &((const AwState *)state)->header;
    json_t         *json =
        json_pack("{s:o,s:s,s:i,s:{s:i,s:i}}", "board", game_board_json(&amoeba_wars, state),
                  "to_move", header->to_move ? "X" : "O", "moves_left", header->moves_left,
                  "killed", "O", header->n_killed[0], "X", header->n_killed[1]);
    if (!aw_has_default_rules(header))
        json_put(&json, "rules",
                 json_pack("{s:b,s:i,s:s}", "chains", (header->rules & AW_CHAINS) != 0, "steps",
                           header->steps, "end", header->rules & AW_STUCK ? "stuck" : "score"));
    return json;
}

bool aw_configure(void *state, const json_t *changes, bool is_new, TurfError *error)
{
    AwState board;
    memcpy(&board, state, sizeof board);
    AwHeader *header = &board.header;
    Rules     rules = {.steps = header->steps, .first = header->moves_left, .bits = header->rules};
    if (!rules_from_json(&rules, changes, error))
        return false;
    if (!is_new && json_object_get(changes, "first"))
        return error_invalid(error, "a position says \"moves_left\", not \"first\"");
    bool is_chained = rules.bits & ~(unsigned)header->rules & AW_CHAINS;
    if (is_chained && header->n_killed[0] + header->n_killed[1] > 0)
        return error_invalid(error, "with chains a position says who killed its shaded cells: give "
                                    "its \"rules\" with it");
    header->steps = (uint8_t)rules.steps;
    header->moves_left = (uint8_t)rules.first;
    header->rules = (uint8_t)rules.bits;
    if (!(rules.bits & AW_CHAINS)) /* then nobody asks who killed a cell */
        memset(aw_is_small(&board) ? board.small.shaded_by_o : board.large.shaded_by_o, 0,
               (aw_is_small(&board) ? 1 : AW_LARGE_WORDS) * sizeof(uint64_t));
    recount(&board);
    memcpy(state, &board, sizeof board);
    return true;
}
