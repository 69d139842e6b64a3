/* What a worker's module does for the house: each takes a question and returns the answer, or NULL
 * without memory. choices.c and tournament.c say what is in them. */
#ifndef TURF_WASM_WORK_H
#define TURF_WASM_WORK_H

#include <jansson.h>

json_t *work_think(const json_t *question);
json_t *work_leave(const json_t *question);
json_t *work_play(const json_t *question);

#endif
