/* Listening sockets for bots that connect by TCP. */
#ifndef TURF_PLAYERS_TCP_H
#define TURF_PLAYERS_TCP_H

#include <stdbool.h>

#include "turf.h"

/* Listens on "PORT" of the loopback address, or on "ADDRESS:PORT". -1: see `error`. */
int tcp_listen(const char *place, TurfError *error);

#endif
