/* turf serve without a network, for a page in one file: the server's state and handlers as a
 * WebAssembly module.
 *
 *   transport.c   requests and streams
 *   house.c       the server's parts, its database, its regular work
 *   jobs.c        work for other workers: choices.c of players, games of tournament.c
 *   scripts.c     bots that are scripts of the page (bots/process.h)
 *   stand_ins.c   what a page does not need, such as a sandbox of the kernel
 *
 * Each worker has a module of its own: one keeps the games and the database, the others choose
 * moves and play games for it. Nothing here has threads. */
#ifndef TURF_WASM_HOUSE_H
#define TURF_WASM_HOUSE_H

#include "web/server.h"

#define EXPORT(name) __attribute__((export_name(name)))
#define IMPORT(name) __attribute__((import_module("page"), import_name(name)))

Server *house(void);

/* Hands a job to the page, which gives it to a worker and calls job_done with what that answers.
 * Takes the question over. The number of the job; 0: out of memory. */
typedef void JobDone(void *context, const json_t *answer);
int          job_add(json_t *question, JobDone *done, void *context);

/* Games of the tournaments that are played: to be called regularly. */
void tournaments_work(void);

#endif
