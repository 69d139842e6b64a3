/* AI Battleground's step, on words that hold a row of a stripe each. Included after
 * games/battleground.h by what is built for several kinds of processor. */

/* ---- columns ------------------------------------------------------------------------------ */

static inline int stripe_width(const BgConfig *config, int stripe)
{
    int cols_left = config->cols - BG_STRIPE_COLS * stripe;
    return cols_left < BG_STRIPE_COLS ? cols_left : BG_STRIPE_COLS;
}

/* A stripe and the one that its columns continue in, on the left and, round the torus, on the
 * right. A single stripe continues in itself; if it has one column, every cell is its own neighbour
 * on either side. */
typedef struct Columns {
    const uint64_t *here, *other; /* by row */
    int             last, last_of_other;
    uint64_t        all;
} Columns;

static inline Columns columns_of(const BgConfig       *config,
                                 const uint64_t *const stripes[BG_MAX_STRIPES], int stripe)
{
    int other = bg_n_stripes(config) - 1 - stripe;
    int last = stripe_width(config, stripe) - 1;
    return (Columns){.here = stripes[stripe],
                     .other = stripes[other],
                     .last = last,
                     .last_of_other = stripe_width(config, other) - 1,
                     .all = ~UINT64_C(0) >> (BG_STRIPE_COLS - 1 - last)};
}

/* Each column's left neighbour in a row, and its right one. */
static inline uint64_t left_of(const Columns *columns, int row)
{
    return (columns->here[row] << 1 | columns->other[row] >> columns->last_of_other) & columns->all;
}

static inline uint64_t right_of(const Columns *columns, int row)
{
    return columns->here[row] >> 1 | (columns->other[row] & 1) << columns->last;
}

/* ---- the step ----------------------------------------------------------------------------- */

/* Neighbours are counted in columns of bits: bit i of all the counts of a row is one word. First,
 * for every cell, it and the two beside it are added up, and the two alone; a count of all eight is
 * then three such sums, from the row above, the row below and the row itself. */
typedef struct Sums {
    uint64_t three[2][BG_MAX_SIDE + 2];
    uint64_t two[2][BG_MAX_SIDE + 2];
} Sums;

/* The sums of rows that stand one below the other; the first goes to `at`. */
static inline void add_beside(const Columns *columns, int n_rows, int at, Sums *sums)
{
    for (int row = 0; row < n_rows; row++) {
        uint64_t here = columns->here[row], left = left_of(columns, row),
                 right = right_of(columns, row);
        uint64_t either = left ^ right, both = left & right;
        sums->two[0][at + row] = either;
        sums->two[1][at + row] = both;
        sums->three[0][at + row] = either ^ here;
        sums->three[1][at + row] = both | (either & here);
    }
}

/* 0 to 8 neighbours of one side in three bits: 8 reads as 0, which is correct: with 8 neighbours of
 * one side there are none of the other, and the cell is dead in the next step either way. */
typedef struct Count {
    uint64_t bit[3];
} Count;

static inline uint64_t carry_of(uint64_t a, uint64_t b, uint64_t c)
{
    return (a & b) | ((a ^ b) & c);
}

/* Of the row whose sums stand at row + 1. */
static inline Count count_around(const Sums *sums, int row)
{
    uint64_t above0 = sums->three[0][row], above1 = sums->three[1][row];
    uint64_t below0 = sums->three[0][row + 2], below1 = sums->three[1][row + 2];
    uint64_t beside0 = sums->two[0][row + 1], beside1 = sums->two[1][row + 1];
    uint64_t carry = carry_of(above0, below0, beside0);
    uint64_t twos = above1 ^ below1 ^ beside1, fours = carry_of(above1, below1, beside1);
    return (Count){{above0 ^ below0 ^ beside0, twos ^ carry, fours ^ (twos & carry)}};
}

/* Born at a lead of exactly 3, survives at a lead of 2 or 3. The lead of player 1 is a number in
 * four bits, from -7 to 7, of which the highest is the sign. */
static inline void step_diff(const Sums sums[2], int rows, uint64_t *first, uint64_t *second)
{
    for (int row = 0; row < rows; row++) {
        Count    a = count_around(&sums[0], row), b = count_around(&sums[1], row);
        uint64_t borrow1 = ~a.bit[0] & b.bit[0];
        uint64_t borrow2 = carry_of(~a.bit[1], b.bit[1], borrow1);
        uint64_t is_minus = carry_of(~a.bit[2], b.bit[2], borrow2);
        uint64_t lead0 = a.bit[0] ^ b.bit[0];
        uint64_t lead1 = a.bit[1] ^ b.bit[1] ^ borrow1;
        uint64_t lead2 = a.bit[2] ^ b.bit[2] ^ borrow2;
        uint64_t first_leads = ~is_minus & ~lead2 & lead1;          /* 2 is 0010, 3 is 0011 */
        uint64_t second_leads = is_minus & lead2 & (lead1 ^ lead0); /* -2 is 1110, -3 is 1101 */
        uint64_t cells1 = first[row], cells2 = second[row];
        first[row] = first_leads & (cells1 | (lead0 & ~cells2));
        second[row] = second_leads & (cells2 | (lead0 & ~cells1));
    }
}

/* Born with exactly 3 of one side and none of the other, survives with 2 or 3 of its own. */
static inline void step_classic(const Sums sums[2], int rows, uint64_t *first, uint64_t *second)
{
    for (int row = 0; row < rows; row++) {
        Count    a = count_around(&sums[0], row), b = count_around(&sums[1], row);
        uint64_t no_a = ~(a.bit[0] | a.bit[1] | a.bit[2]), no_b = ~(b.bit[0] | b.bit[1] | b.bit[2]);
        uint64_t cells1 = first[row], cells2 = second[row];
        first[row] = a.bit[1] & ~a.bit[2] & (cells1 | (a.bit[0] & no_b & ~cells2));
        second[row] = b.bit[1] & ~b.bit[2] & (cells2 | (b.bit[0] & no_a & ~cells1));
    }
}

/* The rows whose sums stand at 1 to n_rows, by the rules of the game. */
static inline void step_rows(const BgConfig *config, const Sums sums[2], int n_rows,
                             uint64_t *first, uint64_t *second)
{
    if (config->ruleset == BG_CLASSIC)
        step_classic(sums, n_rows, first, second);
    else
        step_diff(sums, n_rows, first, second);
}

/* The sums of a whole stripe, and round the torus the last row's before the first and the first's
 * after the last. */
static inline void add_up(const BgConfig *config, const uint64_t *const stripes[BG_MAX_STRIPES],
                          int stripe, Sums *sums)
{
    Columns columns = columns_of(config, stripes, stripe);
    int     rows = config->rows;
    add_beside(&columns, rows, 1, sums);
    for (int bit = 0; bit < 2; bit++) {
        sums->three[bit][0] = sums->three[bit][rows];
        sums->three[bit][rows + 1] = sums->three[bit][1];
    }
}

/* One generation; the stripes of a side may stand anywhere. */
static inline void step_board(const BgConfig *config, uint64_t *const first[BG_MAX_STRIPES],
                              uint64_t *const second[BG_MAX_STRIPES])
{
    const uint64_t *const sides[2][BG_MAX_STRIPES] = {{first[0], first[1]}, {second[0], second[1]}};
    Sums                  sums[BG_MAX_STRIPES][2];
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int side = 0; side < 2; side++)
            add_up(config, sides[side], stripe, &sums[stripe][side]);
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        step_rows(config, sums[stripe], config->rows, first[stripe], second[stripe]);
}

/* ---- the cells in reach ------------------------------------------------------------------- */

/* Adds to a set the eight neighbours of its cells: first those beside, then whole rows. */
static inline void spread(const BgConfig *config, uint64_t *const set[BG_MAX_STRIPES])
{
    const uint64_t *const stripes[] = {set[0], set[1]};
    uint64_t              wide[BG_MAX_STRIPES][BG_MAX_SIDE + 2];
    int                   rows = config->rows;
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++) {
        Columns columns = columns_of(config, stripes, stripe);
        for (int row = 0; row < rows; row++)
            wide[stripe][row + 1] =
                columns.here[row] | left_of(&columns, row) | right_of(&columns, row);
        wide[stripe][0] = wide[stripe][rows];
        wide[stripe][rows + 1] = wide[stripe][1];
    }
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < rows; row++)
            set[stripe][row] = wide[stripe][row] | wide[stripe][row + 1] | wide[stripe][row + 2];
}

/* Every cell that the side of `own` may colonise. */
static inline void find_reach(const BgConfig *config, const uint64_t *const own[BG_MAX_STRIPES],
                              const uint64_t *const other[BG_MAX_STRIPES],
                              uint64_t *const       reach[BG_MAX_STRIPES])
{
    int distance = bg_reach_distance(config);
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < config->rows; row++)
            reach[stripe][row] = own[stripe][row];
    for (int i = 0; i < distance; i++)
        spread(config, reach);
    for (int stripe = 0; stripe < bg_n_stripes(config); stripe++)
        for (int row = 0; row < config->rows; row++)
            reach[stripe][row] &= ~(own[stripe][row] | other[stripe][row]);
}
