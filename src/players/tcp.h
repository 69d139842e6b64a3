/* Bots that connect to turf by TCP. */
#ifndef TURF_PLAYERS_TCP_H
#define TURF_PLAYERS_TCP_H

#include <stdbool.h>

#include "turf.h"

/* Listens at "PORT" of this machine alone, or at "ADDRESS:PORT"; -1 with the reason if that cannot
 * be. */
int tcp_listen(const char *place, TurfError *error);

#endif
