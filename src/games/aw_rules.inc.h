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
    uint64_t shaded_by_o[AW_WORDS]; /* with chains: the shaded cells that O killed */
#if AW_WORDS == 1
    uint64_t board; /* all cells */
#endif
} AW_STATE;

static inline bool RULE(has)(const uint64_t *set, int cell)
{
    return set[cell / 64] >> (cell % 64) & 1;
}
static inline void RULE(flip)(uint64_t *set, int cell)
{
    set[cell / 64] ^= UINT64_C(1) << (cell % 64);
}

/* The cells that a side has killed, as far as the rules ask for them; word by word. */
static inline uint64_t RULE(kills)(const AW_STATE *state, unsigned side, int word)
{
    return side ? state->shaded[word] & ~state->shaded_by_o[word] : state->shaded_by_o[word];
}

#if AW_WORDS == 1

/* The cells of a set and those around them. */
static inline uint64_t RULE(near)(uint64_t set)
{
    uint64_t row = set | (set & BITS_EVERY(0x7f)) << 1 | (set & BITS_EVERY(0xfe)) >> 1;
    return row | row << AW_STRIDE | row >> AW_STRIDE;
}

/* A side's live cells, and the chains of its kills that touch them. */
static inline uint64_t RULE(linked)(const AW_STATE *state, unsigned side)
{
    uint64_t linked = state->live[side][0], kills = RULE(kills)(state, side, 0);
    for (uint64_t more = kills; more; linked |= more)
        more = RULE(near)(linked) & kills & ~linked;
    return linked;
}

static inline void RULE(find_feasible)(AW_STATE *state, unsigned side, unsigned rules)
{
    uint64_t live = state->live[side][0], sources = live;
    if (rules & AW_CHAINS)
        sources = RULE(linked)(state, side);
    state->feasible[side][0] = RULE(near)(sources) & state->board & ~live & ~state->shaded[0];
    state->header.n_feasible[side] = (uint16_t)bits_count(state->feasible[side][0]);
}

static inline void RULE(note_birth)(AW_STATE *state, unsigned own, int cell, unsigned rules)
{
    (void)cell;
    RULE(find_feasible)(state, own, rules);
}

static inline void RULE(note_kill)(AW_STATE *state, unsigned own, int cell, unsigned rules)
{
    (void)cell;
    RULE(find_feasible)(state, own, rules);
    RULE(find_feasible)(state, own ^ 1, rules);
}

#else

enum { RULE(SPAN) = 2 }; /* words that three neighbouring rows of three can touch */

/* The cells around a cell: the words from `first` on. */
typedef struct RULE(Ring) {
    int      first;
    uint64_t cells[RULE(SPAN)];
} RULE(Ring);

static inline RULE(Ring) RULE(ring)(const AwHeader *header, int cell)
{
    int row = cell / AW_STRIDE, column = cell % AW_STRIDE;
    int top = row > 0 ? row - 1 : 0, bottom = row + 1 < header->rows ? row + 1 : row;
    int left = column > 0 ? column - 1 : 0,
        right = column + 1 < header->columns ? column + 1 : column;
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
    RULE(Ring) ring = RULE(ring)(&state->header, cell);
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

/* Adds the cells of a ring that the side can go to. */
static inline void RULE(reach_ring)(AW_STATE *state, unsigned side, const RULE(Ring) * ring)
{
    for (int i = 0; i < RULE(SPAN) && ring->first + i < AW_WORDS; i++) {
        int      word = ring->first + i;
        uint64_t fresh = ring->cells[i] & ~state->live[side][word] & ~state->shaded[word] &
                         ~state->feasible[side][word];
        state->feasible[side][word] |= fresh;
        state->header.n_feasible[side] =
            (uint16_t)(state->header.n_feasible[side] + bits_count(fresh));
    }
}

/* Adds what is within the side's reach from a cell of its own and through the chains of its kills
 * that begin beside it; not through those in `seen`. */
static inline void RULE(reach_from)(AW_STATE *state, unsigned side, int cell, uint64_t *seen)
{
    uint16_t stack[AW_STRIDE * AW_STRIDE];
    int      n_left = 0;
    for (stack[n_left++] = (uint16_t)cell; n_left > 0;) {
        RULE(Ring) ring = RULE(ring)(&state->header, stack[--n_left]);
        RULE(reach_ring)(state, side, &ring);
        for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
            int      word = ring.first + i;
            uint64_t links = ring.cells[i] & RULE(kills)(state, side, word) & ~seen[word];
            seen[word] |= links;
            for (; links; links = bits_rest(links))
                stack[n_left++] = (uint16_t)(64 * word + bits_lowest(links));
        }
    }
}

static inline void RULE(find_feasible)(AW_STATE *state, unsigned side, unsigned rules)
{
    uint64_t seen[AW_WORDS] = {0};
    memset(state->feasible[side], 0, sizeof state->feasible[side]);
    state->header.n_feasible[side] = 0;
    bool has_chains = rules & AW_CHAINS;
    if (!has_chains) /* no chain leads on */
        memset(seen, 0xff, sizeof seen);
    for (int word = 0; word < AW_WORDS; word++)
        for (uint64_t left = state->live[side][word]; left; left = bits_rest(left))
            RULE(reach_from)(state, side, 64 * word + bits_lowest(left), seen);
}

static inline void RULE(note_birth)(AW_STATE *state, unsigned own, int cell, unsigned rules)
{
    RULE(set_feasible)(state, own, cell, false);
    if (rules & AW_CHAINS) {
        uint64_t seen[AW_WORDS] = {0};
        RULE(reach_from)(state, own, cell, seen);
        return;
    }
    RULE(Ring) ring = RULE(ring)(&state->header, cell);
    RULE(reach_ring)(state, own, &ring);
}

/* Some cells around the one that was killed may have been in the enemy's reach from there alone. */
static inline void RULE(note_kill)(AW_STATE *state, unsigned own, int cell, unsigned rules)
{
    unsigned enemy = own ^ 1;
    RULE(set_feasible)(state, own, cell, false);
    if (rules & AW_CHAINS) {
        uint64_t seen[AW_WORDS] = {0};
        RULE(reach_from)(state, own, cell, seen);
        RULE(find_feasible)(state, enemy, rules);
        return;
    }
    RULE(Ring) ring = RULE(ring)(&state->header, cell);
    for (int i = 0; i < RULE(SPAN) && ring.first + i < AW_WORDS; i++) {
        uint64_t left = ring.cells[i] & state->feasible[enemy][ring.first + i];
        for (; left; left = bits_rest(left)) {
            int near = 64 * (ring.first + i) + bits_lowest(left);
            RULE(set_feasible)
            (state, enemy, near, RULE(is_beside)(state, state->live[enemy], near));
        }
    }
}

#endif

/* `rules` are those of the header; where they are known, the compiler leaves the others out. */
static inline void RULE(apply_by)(AW_STATE *state, int cell, unsigned rules)
{
    AwHeader *header = &state->header;
    unsigned  own = header->to_move, enemy = own ^ 1;
    if (RULE(has)(state->live[enemy], cell)) {
        RULE(flip)(state->live[enemy], cell);
        RULE(flip)(state->shaded, cell);
        if (rules & AW_CHAINS && own == 0)
            RULE(flip)(state->shaded_by_o, cell);
        header->n_live[enemy]--;
        header->n_killed[own]++;
        RULE(note_kill)(state, own, cell, rules);
    } else {
        RULE(flip)(state->live[own], cell);
        header->n_live[own]++;
        RULE(note_birth)(state, own, cell, rules);
    }
    if (--header->moves_left == 0) {
        header->moves_left = header->steps;
        header->to_move ^= 1;
    }
}

static inline void RULE(apply)(AW_STATE *state, int cell)
{
    RULE(apply_by)(state, cell, state->header.rules);
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
#if AW_WORDS == 1
    state->board = BITS_EVERY((UINT64_C(1) << state->header.columns) - 1) &
                   ~UINT64_C(0) >> (64 - AW_STRIDE * state->header.rows);
#endif
    for (unsigned side = 0; side < 2; side++) {
        int n_live = 0;
        for (int word = 0; word < AW_WORDS; word++)
            n_live += bits_count(state->live[side][word]);
        state->header.n_live[side] = (uint16_t)n_live;
        RULE(find_feasible)(state, side, state->header.rules);
    }
}
