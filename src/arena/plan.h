/* A plan: everything that decides which games are played, and its players.
 *
 * A plan has one canonical JSON text: equal plans are equal texts, and any machine that plays the
 * plan plays the same games. */
#ifndef TURF_ARENA_PLAN_H
#define TURF_ARENA_PLAN_H

#include "base/sprt.h"
#include "games/game.h"
#include "players/player.h"
#include "store/runs.h"

typedef enum ScheduleKind {
    SCHEDULE_MATCH,       /* the first entrant against the second */
    SCHEDULE_ROUND_ROBIN, /* every ordered pair, and each entrant against itself */
    SCHEDULE_GAUNTLET,    /* the first entrant against each of the others, on both sides */
    SCHEDULE_SWISS,       /* rounds of entrants with equal points */
    SCHEDULE_KNOCK_OUT,   /* rounds of winners; entrants are seeded in their order */
    SCHEDULE_PAIRS,       /* the pairs that the plan lists: a round of a league */
    N_SCHEDULES
} ScheduleKind;

/* Two entrants of a plan, from 0. */
typedef struct PlanPair {
    size_t first, second;
} PlanPair;

typedef struct Plan {
    const TurfGame *game;
    ScheduleKind    schedule;
    uint64_t        n_games;  /* per pairing */
    uint64_t        n_rounds; /* of a Swiss tournament; else 1 */
    PlanPair       *pairs;    /* of SCHEDULE_PAIRS; else none */
    size_t          n_pairs;
    bool            swaps_sides;
    uint64_t        seed;
    char          **starts; /* used in turn; none: the default start */
    size_t          n_starts;
    uint64_t        time_ms, move_cap_ms;
    uint64_t        n_recorded; /* games per pairing to store move by move */
    char           *sandbox;    /* as typed; NULL: auto */
    uint64_t        bot_mib, bot_processes, bot_cpu_seconds; /* limits of a bot; 0: default */
    uint64_t        is_reusing;                              /* 1: a bot process plays many games */
    bool            has_sprt; /* a match that ends when the SPRT accepts a hypothesis */
    Sprt            sprt;
    EntrantRecord  *entrants;
    TurfPlayer    **players; /* of the entrants; NULL: not opened yet */
    size_t          n_entrants;
} Plan;

/* Frees what the plan points to, also its players. */
void plan_release(Plan *plan);

/* Opens a player for the plan. Players that connect to the same port share one listener. */
TurfPlayer *plan_open_player(const Plan *plan, const char *spec, TurfError *error);
/* Adds a player as an entrant and takes it over, also on failure. False when out of memory. */
bool plan_add_player(Plan *plan, TurfPlayer *player);
/* Adds an entrant whose player is not open yet; the texts are copied. False when out of memory. */
bool plan_add_entrant(Plan *plan, const char *name, const char *spec, const char *folder);
/* Opens the players that are not open yet, as in a plan that was read from JSON. */
bool plan_open_players(Plan *plan, TurfError *error);

bool plan_has_name(const Plan *plan, const char *name);
/* False when out of memory. */
bool plan_add_start(Plan *plan, const char *start);

/* False when out of memory. */
bool plan_add_pair(Plan *plan, size_t first, size_t second);

const char *schedule_name(ScheduleKind schedule);
/* N_SCHEDULES if there is none of that name. */
ScheduleKind schedule_find(const char *name);

/* Is one of its starts drawn anew for each game? */
bool plan_has_random_start(const Plan *plan);

/* One line; freed by the caller. NULL when out of memory. */
char *plan_to_json(const Plan *plan);
bool  plan_from_json(Plan *plan, const char *json, TurfError *error);
/* FNV-1a of the JSON, in hexadecimal. */
void plan_hash(const char *json, char hash[17]);
/* Describes the first difference between two plans, as "the seed: 1 here, 2 there". False: they are
 * equal. */
bool plan_difference(const char *here, const char *there, char *text, size_t room);

#endif
