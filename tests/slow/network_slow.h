/* The networks the slow and obvious way, independent of src/search. */
#ifndef TURF_TESTS_NETWORK_SLOW_H
#define TURF_TESTS_NETWORK_SLOW_H

#include "aw_slow.h"
#include "wol_slow.h"

typedef struct SlowNetwork SlowNetwork;

SlowNetwork *slow_network_open(const char *path);
void         slow_network_free(SlowNetwork *network);
/* The value for the side to move, as in the search; a dish is 8x8. */
long slow_network_value(const SlowNetwork *network, const SlowBoard *board);
long slow_dish_network_value(const SlowNetwork *network, const SlowDish *dish);

#endif
