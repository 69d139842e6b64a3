/* The rules of Amoeba Wars, written once and included once for small boards, where a set of cells
 * is one word, and once for large ones.
 *
 *   AW_STATE, RULE(name)  how to name the type and the functions
 *   AW_WORDS              words in a set of cells
 *   AW_STRIDE             cells in a row of a set, whatever the size of the board
 *
 * Bit AW_STRIDE * row + column is a cell, row 0 at the top as on the screen. The cells that each
 * side can go to are kept up to date move by move: from the whole word where a set is one, and
 * otherwise by looking at the cells around the move and at no others. */

typedef struct AW_STATE {
    AwHeader header;
    uint64_t live[2][AW_WORDS], shaded[AW_WORDS];
    uint64_t feasible[2][AW_WORDS]; /* where each side could move if it were its turn */
} AW_STATE;

static inline bool RULE(has)(const uint64_t *set, int cell)
{
    return set[cell / 64] >> (cell % 64) & 1;
}
static inline void RULE(flip)(uint64_t *set, int cell)
{
    set[cell / 64] ^= UINT64_C(1) << (cell % 64);
}

#if AW_WORDS == 1

static inline void RULE(find_feasible)(AW_STATE *state, unsigned side)
{
    int      size = state->header.size;
    uint64_t columns = BITS_EVERY((UINT64_C(1) << size) - 1),
             rows = ~UINT64_C(0) >> (64 - AW_STRIDE * size);
    uint64_t live = state->live[side][0];
    uint64_t row = live | (live & BITS_EVERY(0x7f)) << 1 | (live & BITS_EVERY(0xfe)) >> 1;
    uint64_t near = (row | row << AW_STRIDE | row >> AW_STRIDE) & columns & rows;
    state->feasible[side][0] = near & ~live & ~state->shaded[0];
    state->header.n_feasible[side] = (uint16_t)bits_count(state->feasible[side][0]);
}

static inline void RULE(note_birth)(AW_STATE *state, unsigned own, int cell)
{
    (void)cell;
    RULE(find_feasible)(state, own);
}

static inline void RULE(note_kill)(AW_STATE *state, unsigned own, int cell)
{
    (void)cell;
    RULE(find_feasible)(state, own);
    RULE(find_feasible)(state, own ^ 1);
}

#else

enum { RULE(SPAN) = 2 }; /* words that three neighbouring rows of three can touch */

/* The cells around a cell: the words from `first` on. */
typedef struct RULE(Ring) {
    int      first;
    uint64_t cells[RULE(SPAN)];
} RULE(Ring);

static inline RULE(Ring) RULE(ring)(int size, int cell)
{
    int row = cell / AW_STRIDE, column = cell % AW_STRIDE;
    int top = row > 0 ? row - 1 : 0, bottom = row + 1 < size ? row + 1 : row;
    int left = column > 0 ? column - 1 : 0, right = column + 1 < size ? column + 1 : column;
    RULE(Ring) ring = {.first = (AW_STRIDE * top + left) / 64};
    uint64_t stripe = (UINT64_C(1) << (right - left + 1)) - 1;
    for (int r = top; r <= bottom; r++) {
        int at = AW_STRIDE * r + left - 64 * ring.first;
        ring.cells[at / 64] |= stripe << (at % 64);
        if (at < 64 && at + (right - left) >= 64)
            ring.cells[1] |= stripe >> (64 - at);
    }
    RULE(flip)(ring.cells, cell - 64 * ring.first);
    return ring;
}

static inline bool RULE(is_beside)(const AW_STATE *state, const uint64_t *set, int cell)
{
    RULE(Ring) ring = RULE(ring)(state->header.size, cell);
    uint64_t beside = 0;
    for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++)
        beside |= ring.cells[i] & set[ring.first + i];
    return beside != 0;
}

static inline void RULE(set_feasible)(AW_STATE *state, unsigned side, int cell, bool is_feasible)
{
    if (RULE(has)(state->feasible[side], cell) == is_feasible)
        return;
    RULE(flip)(state->feasible[side], cell);
    state->header.n_feasible[side] =
        (uint16_t)(state->header.n_feasible[side] + (is_feasible ? 1 : -1));
}

static inline void RULE(note_birth)(AW_STATE *state, unsigned own, int cell)
{
    RULE(Ring) ring = RULE(ring)(state->header.size, cell);
    RULE(set_feasible)(state, own, cell, false);
    for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
        int      word = ring.first + i;
        uint64_t fresh = ring.cells[i] & ~state->live[own][word] & ~state->shaded[word] &
                         ~state->feasible[own][word];
        state->feasible[own][word] |= fresh;
        state->header.n_feasible[own] =
            (uint16_t)(state->header.n_feasible[own] + bits_count(fresh));
    }
}

/* Some cells around the one that was killed may have been in the enemy's reach from there alone. */
static inline void RULE(note_kill)(AW_STATE *state, unsigned own, int cell)
{
    RULE(Ring) ring = RULE(ring)(state->header.size, cell);
    unsigned enemy = own ^ 1;
    RULE(set_feasible)(state, own, cell, false);
    for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
        uint64_t left = ring.cells[i] & state->feasible[enemy][ring.first + i];
        for (; left; left = bits_rest(left)) {
            int near = 64 * (ring.first + i) + bits_lowest(left);
            RULE(set_feasible)
            (state, enemy, near, RULE(is_beside)(state, state->live[enemy], near));
        }
    }
}

static inline void RULE(find_feasible)(AW_STATE *state, unsigned side)
{
    for (int row = 0; row < state->header.size; row++)
        for (int column = 0; column < state->header.size; column++) {
            int  cell = AW_STRIDE * row + column;
            bool is_free = !RULE(has)(state->live[side], cell) && !RULE(has)(state->shaded, cell);
            RULE(set_feasible)
            (state, side, cell, is_free && RULE(is_beside)(state, state->live[side], cell));
        }
}

#endif

static inline void RULE(apply)(AW_STATE *state, int cell)
{
    AwHeader *header = &state->header;
    unsigned  own = header->to_move, enemy = own ^ 1;
    if (RULE(has)(state->live[enemy], cell)) {
        RULE(flip)(state->live[enemy], cell);
        RULE(flip)(state->shaded, cell);
        header->n_live[enemy]--;
        header->n_killed[own]++;
        RULE(note_kill)(state, own, cell);
    } else {
        RULE(flip)(state->live[own], cell);
        header->n_live[own]++;
        RULE(note_birth)(state, own, cell);
    }
    if (--header->moves_left == 0) {
        header->moves_left = AW_MOVES_A_TURN;
        header->to_move ^= 1;
    }
}

/* The n-th cell that the side to move can go to, from 0. */
static inline int RULE(nth_feasible)(const AW_STATE *state, uint32_t n)
{
    const uint64_t *feasible = state->feasible[state->header.to_move];
    int             word = 0;
    for (uint32_t here; AW_WORDS > 1 && n >= (here = (uint32_t)bits_count(feasible[word])); word++)
        n -= here;
    return 64 * word + bits_lowest(bits_nth(feasible[word], n));
}

/* What apply keeps up to date, from the cells alone. */
static inline void RULE(recount)(AW_STATE *state)
{
    for (unsigned side = 0; side < 2; side++) {
        int n_live = 0;
        for (int word = 0; word < AW_WORDS; word++)
            n_live += bits_count(state->live[side][word]);
        state->header.n_live[side] = (uint16_t)n_live;
        RULE(find_feasible)(state, side);
    }
}
