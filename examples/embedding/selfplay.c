/* Self-play: plays a batch of War of Life against itself and writes what a network would learn
 * from, using only turf.h. Here the policy is random; a real one would look at the observations.
 *
 *     cc selfplay.c $(pkg-config --cflags --libs turf) -o selfplay && ./selfplay 10000 games.bin
 *
 * The file has a Sample for every move, those of a game together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turf.h>

enum { N_PLACES = 256, N_CELLS = 64, MAX_LENGTH = 250 };

typedef struct Sample {
    uint8_t  planes[2 * N_CELLS]; /* own pieces, the other's */
    uint16_t action;
    int8_t   result; /* of the game, for the side to move: 1, 0 or -1 */
    uint8_t  side;
} Sample;

static void check(bool is_ok, const TurfError *error)
{
    if (is_ok)
        return;
    fprintf(stderr, "selfplay: %s\n", error->text);
    exit(1);
}

/* Notes the move that each game is about to make. */
static void note(const TurfBatchArrays *arrays, const int32_t  *actions,
                 Sample (*samples)[MAX_LENGTH], const uint32_t *lengths)
{
    for (size_t i = 0; i < N_PLACES; i++) {
        Sample *sample = &samples[i][lengths[i]];
        memcpy(sample->planes, arrays->observations + i * sizeof sample->planes,
               sizeof sample->planes);
        sample->action = (uint16_t)actions[i];
        sample->side = arrays->to_move[i];
    }
}

/* Writes a game that has ended: now its result is known. */
static void write_game(Sample *samples, uint32_t n_samples, int ending, FILE *out)
{
    for (uint32_t i = 0; i < n_samples; i++) {
        samples[i].result = 0;
        if (ending == TURF_WON_BY_FIRST || ending == TURF_WON_BY_SECOND)
            samples[i].result = (int8_t)(ending == (int)samples[i].side ? 1 : -1);
    }
    fwrite(samples, sizeof *samples, n_samples, out);
}

int main(int n_arguments, char **arguments)
{
    TurfError        error;
    const TurfGame  *game = turf_game_find("war-of-life", &error);
    TurfBatchOptions options = {.n_games = N_PLACES, .seed = 1};
    TurfBatch       *batch = turf_batch_new(game, &options, &error);
    long             n_wanted = n_arguments > 1 ? atol(arguments[1]) : 1000, n_games = 0;
    FILE            *out = fopen(n_arguments > 2 ? arguments[2] : "games.bin", "wb");
    check(batch, &error);
    if (!out)
        return perror("selfplay"), 1;

    const TurfBatchArrays *arrays = turf_batch_arrays(batch);
    Sample(*samples)[MAX_LENGTH] = calloc(N_PLACES, sizeof *samples);
    uint32_t lengths[N_PLACES] = {0};
    int32_t  actions[N_PLACES];
    long     n_samples = 0;
    while (samples && n_games < n_wanted) {
        check(turf_batch_sample(batch, actions, &error), &error); /* your policy goes here */
        note(arrays, actions, samples, lengths);
        check(turf_batch_step(batch, actions, &error), &error);
        for (size_t i = 0; i < N_PLACES && n_games < n_wanted; i++) {
            lengths[i]++;
            if (!arrays->ended[i])
                continue;
            write_game(samples[i], lengths[i], arrays->endings[i], out);
            n_samples += lengths[i];
            n_games++;
            lengths[i] = 0;
        }
    }
    if (fclose(out) != 0)
        return perror("selfplay"), 1;
    printf("%ld games, %ld samples of %zu bytes\n", n_games, n_samples, sizeof(Sample));
    free(samples);
    turf_batch_free(batch);
    return 0;
}
