/* Signatures of plans: who began a run?
 *
 * A stored plan names programs, and a database may come from anywhere. So a run with bots is stored
 * with an HMAC-SHA256 of its plan, keyed with a secret of this user: 32 random bytes in
 * $XDG_STATE_HOME/turf/key, or ~/.local/state/turf/key, that only the user may read. Machines that
 * share the home directory share the secret. */
#ifndef TURF_ARENA_PLAN_SIGNATURE_H
#define TURF_ARENA_PLAN_SIGNATURE_H

#include "arena/plan.h"

enum { SIGNATURE_BYTES = 65 }; /* 256 bits in hexadecimal, and a NUL */

/* Does the plan start programs or open ports? */
bool plan_has_bots(const Plan *plan);

/* Makes the secret if there is none. False, and an empty text, if it cannot be read or made, as
 * without a home directory: then the run is not signed. */
bool plan_sign(const char *json, char signature[SIGNATURE_BYTES]);
/* Was it signed with this user's secret? */
bool plan_is_own(const char *json, const char *signature);

#endif
