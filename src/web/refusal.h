/* Why something was not done: an answer in the making, for whoever has no request at hand. */
#ifndef TURF_WEB_REFUSAL_H
#define TURF_WEB_REFUSAL_H

#include "store/store.h"
#include "web/http.h"

#define SERVER_IS_LEAVING "the server is leaving; come back soon"

typedef struct Refusal {
    unsigned    status;
    const char *code;
    TurfError   message;
    int         cell; /* the first at fault in a list of cells, or -1 */
} Refusal;

/* All are false, so that a function can end with one. */
bool refuse(Refusal *refusal, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool refuse_for_memory(Refusal *refusal);
/* Something that was asked for cannot be, unless it was memory that was wanting. */
bool refuse_as_asked(Refusal *refusal, const TurfError *error);
/* The store has failed, through nobody's fault here; if another program holds it, later it will not. */
bool refuse_unkept(Refusal *refusal, const Store *store, const TurfError *error);

void answer_refusal(Request *request, const Refusal *refusal);
/* The same as refuse_as_asked. */
void answer_fault(Request *request, const TurfError *error);
/* What is in the store cannot be read. */
void answer_unread(Request *request, const TurfError *error);

#endif
