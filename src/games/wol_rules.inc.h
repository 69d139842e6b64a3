/* The bit-level rules of War of Life, written once and included once for each kind of word: for
 * uint64_t (one board) by war_of_life.h, and for a vector of them (many boards) by the kernels.
 * Only bitwise operators and shifts by constants appear, which mean the same for both.
 *
 *   WORD        the type
 *   RULE(name)  how to name the functions
 *
 * Bit 8*(r-1) + (c-1) is the cell (r,c). */

#define NOT_COLUMN_1 UINT64_C(0xfefefefefefefefe)
#define NOT_COLUMN_8 UINT64_C(0x7f7f7f7f7f7f7f7f)

/* Conway's crank for two colours: all 64 cells at once, by adding up neighbours in binary with one
 * bit plane per digit. A piece stays with 2 or 3 neighbours; an empty cell with exactly 3 gets the
 * colour of at least two of them. */
static inline void RULE(crank)(WORD *own, WORD *other)
{
    WORD all = *own | *other;

    /* How many of left and right are taken, and of left, right and the cell itself. */
    WORD left = (all & NOT_COLUMN_8) << 1, right = (all & NOT_COLUMN_1) >> 1;
    WORD sides_1 = left ^ right, sides_2 = left & right;
    WORD three_1 = sides_1 ^ all, three_2 = sides_2 | (sides_1 & all);

    /* Plus the three above and the three below. The count is 2 or 3 exactly when one of the four
     * carries of weight 2 is set; 8 neighbours set two of them, so nothing overflows unseen. */
    WORD above_1 = three_1 << 8, above_2 = three_2 << 8;
    WORD below_1 = three_1 >> 8, below_2 = three_2 >> 8;
    WORD rows_1 = above_1 ^ below_1;
    WORD is_odd = rows_1 ^ sides_1;
    WORD carry = (above_1 & below_1) | (rows_1 & sides_1);
    WORD rows_2 = above_2 ^ below_2, rest_2 = sides_2 ^ carry;
    WORD two_or_three = (rows_2 ^ rest_2) & ~((above_2 & below_2) | (sides_2 & carry));
    WORD born = two_or_three & is_odd & ~all;

    /* Of three neighbours, are two or more our own? With at most three in all, any carry of weight
     * 2 says yes. */
    WORD mine = *own;
    WORD mine_left = (mine & NOT_COLUMN_8) << 1, mine_right = (mine & NOT_COLUMN_1) >> 1;
    WORD mine_sides_1 = mine_left ^ mine_right, mine_sides_2 = mine_left & mine_right;
    WORD mine_three_1 = mine_sides_1 ^ mine, mine_three_2 = mine_sides_2 | (mine_sides_1 & mine);
    WORD mine_above = mine_three_1 << 8, mine_below = mine_three_1 >> 8;
    WORD mine_carry = (mine_above & mine_below) | ((mine_above | mine_below) & mine_sides_1);
    WORD mostly_mine = mine_carry | mine_sides_2 | mine_three_2 << 8 | mine_three_2 >> 8;

    *own = (*own & two_or_three) | (born & mostly_mine);
    *other = (*other & two_or_three) | (born & ~mostly_mine);
}

/* For each of the eight directions, the pieces that have an empty cell next to them on that side,
 * in the order of the bit distances -9 -8 -7 -1 +1 +7 +8 +9. */
static inline void RULE(movable)(WORD own, WORD empty, WORD movable[8])
{
    movable[0] = own & empty << 9 & NOT_COLUMN_1;
    movable[1] = own & empty << 8;
    movable[2] = own & empty << 7 & NOT_COLUMN_8;
    movable[3] = own & empty << 1 & NOT_COLUMN_1;
    movable[4] = own & empty >> 1 & NOT_COLUMN_8;
    movable[5] = own & empty >> 7 & NOT_COLUMN_1;
    movable[6] = own & empty >> 8;
    movable[7] = own & empty >> 9 & NOT_COLUMN_8;
}

#undef NOT_COLUMN_1
#undef NOT_COLUMN_8
