/* The rules of Amoeba Wars, written once and included once for small boards, where a set of cells is
 * one word, and once for large ones.
 *
 *   AW_STATE, RULE(name)  how to name the type and the functions
 *   AW_WORDS              words in a set of cells
 *   AW_STRIDE             cells in a row of a set, whatever the size of the board
 *
 * Bit AW_STRIDE * row + column is a cell, row 0 at the top as on the screen. The cells that each side
 * can go to are kept up to date: a move looks at the cells around it and at no others. */

enum { RULE(SPAN) = AW_WORDS > 1 ? 2 : 1 }; /* words that three neighbouring rows of three can touch */

typedef struct AW_STATE {
    AwHeader header;
    uint64_t live[2][AW_WORDS], shaded[AW_WORDS];
    uint64_t feasible[2][AW_WORDS]; /* where each side could move if it were its turn */
} AW_STATE;

/* The cells around a cell: the words from `first` on. */
typedef struct RULE(Ring) {
    int      first;
    uint64_t cells[RULE(SPAN)];
} RULE(Ring);

static inline bool RULE(has)(const uint64_t *set, int cell) { return set[cell / 64] >> (cell % 64) & 1; }
static inline void RULE(flip)(uint64_t *set, int cell) { set[cell / 64] ^= UINT64_C(1) << (cell % 64); }

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
        if (AW_WORDS > 1 && at < 64 && at + (right - left) >= 64)
            ring.cells[RULE(SPAN) - 1] |= stripe >> (64 - at);
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

static inline void RULE(apply)(AW_STATE *state, int cell)
{
    AwHeader *header = &state->header;
    unsigned  own = header->to_move, enemy = own ^ 1;
    RULE(Ring) ring = RULE(ring)(header->size, cell);
    RULE(flip)(state->feasible[own], cell);
    header->n_feasible[own]--;
    if (RULE(has)(state->live[enemy], cell)) {
        RULE(flip)(state->live[enemy], cell);
        RULE(flip)(state->shaded, cell);
        header->n_live[enemy]--;
        header->n_killed[own]++;
        /* Some cells around it may have been in the enemy's reach from here alone. */
        for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
            uint64_t left = ring.cells[i] & state->feasible[enemy][ring.first + i];
            for (; left; left = bits_rest(left)) {
                int near = 64 * (ring.first + i) + bits_lowest(left);
                if (!RULE(is_beside)(state, state->live[enemy], near)) {
                    RULE(flip)(state->feasible[enemy], near);
                    header->n_feasible[enemy]--;
                }
            }
        }
    } else {
        RULE(flip)(state->live[own], cell);
        header->n_live[own]++;
        for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
            int      word = ring.first + i;
            uint64_t fresh =
                ring.cells[i] & ~state->live[own][word] & ~state->shaded[word] & ~state->feasible[own][word];
            state->feasible[own][word] |= fresh;
            header->n_feasible[own] = (uint16_t)(header->n_feasible[own] + bits_count(fresh));
        }
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
    for (int word = 0;; word++) {
        uint32_t here = (uint32_t)bits_count(feasible[word]);
        if (n < here)
            return 64 * word + bits_lowest(bits_nth(feasible[word], n));
        n -= here;
    }
}

/* What apply keeps up to date, from the cells alone. */
static inline void RULE(recount)(AW_STATE *state)
{
    AwHeader *header = &state->header;
    for (int side = 0; side < 2; side++) {
        header->n_live[side] = header->n_feasible[side] = 0;
        for (int cell = 0; cell < AW_STRIDE * header->size; cell++) {
            if (cell % AW_STRIDE >= header->size)
                continue;
            bool is_own = RULE(has)(state->live[side], cell);
            header->n_live[side] = (uint16_t)(header->n_live[side] + is_own);
            bool is_feasible =
                !is_own && !RULE(has)(state->shaded, cell) && RULE(is_beside)(state, state->live[side], cell);
            if (is_feasible != RULE(has)(state->feasible[side], cell))
                RULE(flip)(state->feasible[side], cell);
            header->n_feasible[side] = (uint16_t)(header->n_feasible[side] + is_feasible);
        }
    }
}
