/* The networks in the plainest way: from the bytes of their files, a cell at a time. */
#include "network_slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 64,
    INPUTS_AT = 32,
    BUCKETS_AT = 40,
    SCALARS_AT = 44,
    SCALE_AT = 48,
    HIDDEN = 32
};

struct SlowNetwork {
    unsigned char bytes[65536];
};

SlowNetwork *slow_network_open(const char *path)
{
    SlowNetwork *network = calloc(1, sizeof *network);
    FILE        *file = fopen(path, "rb");
    if (!network || !file || fread(network->bytes, 1, sizeof network->bytes, file) == 0)
        abort();
    fclose(file);
    return network;
}

static long number_at(const SlowNetwork *network, long at, int n_bytes)
{
    long number = 0;
    for (int i = n_bytes - 1; i >= 0; i--)
        number = number * 256 + network->bytes[at + i];
    long half = 1L << (8 * n_bytes - 1);
    return number >= half ? number - 2 * half : number;
}

/* The sum of the weights of the inputs that are set, for a hidden unit; the bias follows the
 * inputs. */
static long hidden_sum(const SlowNetwork *network, const char *inputs, int unit)
{
    long n_inputs = number_at(network, INPUTS_AT, 4);
    long sum = number_at(network, HEADER_BYTES + 2 * (n_inputs * HIDDEN + unit), 2);
    for (long i = 0; i < n_inputs; i++)
        if (inputs[i])
            sum += number_at(network, HEADER_BYTES + 2 * (i * HIDDEN + unit), 2);
    return sum;
}

static long value_of(const SlowNetwork *network, const char *inputs, int bucket, const int *scalars)
{
    long n_inputs = number_at(network, INPUTS_AT, 4), n_buckets = number_at(network, BUCKETS_AT, 4);
    long n_scalars = number_at(network, SCALARS_AT, 4);
    long outputs = HEADER_BYTES + 2 * (n_inputs + 1) * HIDDEN;
    long direct = outputs + 2 * n_buckets * HIDDEN;
    long biases = direct + 4 * n_buckets * n_scalars;
    double sum = (double)number_at(network, biases + 4L * bucket, 4);
    for (long k = 0; k < n_scalars; k++)
        sum += (double)number_at(network, direct + 4 * (bucket * n_scalars + k), 4) * scalars[k];
    for (int unit = 0; unit < HIDDEN; unit++) {
        long hidden = hidden_sum(network, inputs, unit);
        if (hidden < 0)
            hidden = 0;
        if (hidden > 256)
            hidden = 256;
        long weight = number_at(network, outputs + 2L * (bucket * HIDDEN + unit), 2);
        sum += (double)(weight * hidden * hidden);
    }
    double value = sum * (double)number_at(network, SCALE_AT, 4) / (256.0 * 256.0 * 64.0);
    if (value > 8000)
        value = 8000;
    if (value < -8000)
        value = -8000;
    return (long)value; /* towards zero */
}

long slow_network_value(const SlowNetwork *network, const SlowBoard *board)
{
    char      inputs[256] = {0};
    int       n_pieces = 0;
    SlowBoard next = *board;
    slow_crank(&next);
    for (int cell = 0; cell < 64; cell++) {
        char now = board->cell[cell / 8 + 1][cell % 8 + 1];
        char then = next.cell[cell / 8 + 1][cell % 8 + 1];
        n_pieces += now != '.';
        if (now != '.')
            inputs[(now == board->to_move ? 0 : 64) + cell] = 1;
        if (then != '.')
            inputs[(then == board->to_move ? 128 : 192) + cell] = 1;
    }
    int bucket = n_pieces < 2 ? 0 : (n_pieces - 2) / 4;
    return value_of(network, inputs, bucket < 8 ? bucket : 7, NULL);
}

/* The cells that a player could go to if it were to move. */
static void reach_of(const SlowDish *dish, char player, char reach[64])
{
    SlowDish as_player = *dish;
    SlowCell moves[64];
    memset(reach, 0, 64);
    as_player.to_move = player;
    for (int n = slow_dish_moves(&as_player, moves); n > 0; n--)
        reach[8 * moves[n - 1].row + moves[n - 1].column] = 1;
}

long slow_dish_network_value(const SlowNetwork *network, const SlowDish *dish)
{
    char own = dish->to_move, enemy = own == 'O' ? 'X' : 'O', reach[2][64];
    char inputs[448] = {0};
    int  n_taken = 0, n_reach[2] = {0}, n_prey[2] = {0};
    reach_of(dish, own, reach[0]);
    reach_of(dish, enemy, reach[1]);
    for (int i = 0; i < 64; i++) {
        char cell = dish->cell[i / 8][i % 8];
        n_taken += cell != '.';
        inputs[i] = cell == own;
        inputs[64 + i] = cell == enemy;
        inputs[128 + i] = cell == '#';
        for (int side = 0; side < 2; side++) {
            n_reach[side] += reach[side][i];
            n_prey[side] += reach[side][i] && cell != '.';
            inputs[(cell == '.' ? 192 : 320) + 64 * side + i] = reach[side][i];
        }
    }
    int fullness = n_taken / 16 < 3 ? n_taken / 16 : 3;
    int open = n_prey[0] < dish->moves_left ? n_prey[0] : dish->moves_left;
    int scalars[4] = {slow_dish_score(dish, own) - slow_dish_score(dish, enemy),
                      n_reach[0] - n_reach[1], open, n_prey[1]};
    return value_of(network, inputs, 4 * (dish->moves_left - 1) + fullness, scalars);
}

void slow_network_free(SlowNetwork *network) { free(network); }
