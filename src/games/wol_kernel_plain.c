/* The kernel without vectors, compiled once for any processor and once for those that count and
 * scatter bits in one instruction; KERNEL is its name.
 *
 * One step of one game is a long chain of operations that wait for each other, so several games
 * are played in turns: the processor works on all of them at once. */
#include "games/totals.h"
#include "games/war_of_life.h"
#include "games/wol_kernels.h"

enum { ABREAST = 4 };

typedef struct Seat {
    WolState state;
    TurfRng  rng[2];
} Seat;

static void sit(Seat *seat, const RandomGames *batch, uint64_t game)
{
    TurfRng rng = rng_stream(batch->start_streams, game);
    seat->state = wol_random_start(&rng);
    seat->rng[0] = rng_stream(batch->side_streams[0], game);
    seat->rng[1] = rng_stream(batch->side_streams[1], game);
}

void KERNEL(const RandomGames *batch, TurfTotals *totals);
/* One move, or false when the game is over. */
static inline bool step(Seat *seat, TurfEnding *ending)
{
    TurfMove move;
    if (wol_is_decided(&seat->state, ending))
        return false;
    *ending = TURF_STALEMATE;
    if (!wol_draw_move(&seat->state, rng_next(&seat->rng[seat->state.to_move]), &move))
        return false;
    wol_apply(&seat->state, move);
    return true;
}

void KERNEL(const RandomGames *batch, TurfTotals *totals)
{
    Seat     seats[ABREAST];
    uint64_t next = batch->first_game, end = next + batch->n_games;
    int      n_seats = 0;
    while (n_seats < ABREAST && next < end)
        sit(&seats[n_seats++], batch, next++);

    while (n_seats > 0) {
        for (int i = 0; i < n_seats; i++) {
            TurfEnding ending;
            if (step(&seats[i], &ending))
                continue;
            totals_add_game(totals, ending, seats[i].state.moves_made);
            if (next < end)
                sit(&seats[i], batch, next++);
            else
                seats[i--] = seats[--n_seats];
        }
    }
}
