/* A plan: everything that decides which games are played. It is written in one way only, so that
 * equal plans are equal texts, and whatever plays a plan anywhere plays the same games. */
#ifndef TURF_ARENA_PLAN_H
#define TURF_ARENA_PLAN_H

#include "base/sprt.h"
#include "games/game.h"
#include "players/player.h"
#include "store/runs.h"

typedef enum ScheduleKind {
    SCHEDULE_MATCH,       /* the first entrant against the second */
    SCHEDULE_ROUND_ROBIN, /* every ordered pair, and everybody against itself */
    SCHEDULE_GAUNTLET,    /* the first entrant against each of the others, both ways round */
    SCHEDULE_SWISS,       /* rounds, in which those meet who stand alike */
    N_SCHEDULES
} ScheduleKind;

typedef struct Plan {
    const TurfGame *game;
    ScheduleKind    schedule;
    uint64_t        n_games;  /* of a pairing */
    uint64_t        n_rounds; /* of a Swiss event; otherwise 1 */
    bool            swaps_sides;
    uint64_t        seed;
    char          **starts; /* taken in turns; none: the usual start */
    size_t          n_starts;
    uint64_t        time_ms, move_cap_ms;
    uint64_t        n_recorded; /* games of a pairing to keep move by move */
    char           *sandbox;    /* as typed; NULL is auto */
    uint64_t        bot_mib, bot_processes, bot_cpu_seconds; /* limits of a bot; 0: as usual */
    uint64_t        is_reusing; /* 1: one process of a bot plays many games */
    bool            has_sprt;   /* a match that ends as soon as this test is settled */
    Sprt            sprt;
    EntrantRecord  *entrants;
    size_t          n_entrants;
} Plan;

/* Frees what the plan points to. */
void plan_release(Plan *plan);

/* Is one of the entrants called that? */
bool plan_has_name(const Plan *plan, const char *name);
bool plan_add_entrant(Plan *plan, const TurfPlayer *player);
bool plan_add_start(Plan *plan, const char *start);

const char *schedule_name(ScheduleKind schedule);
/* N_SCHEDULES if there is none of that name. */
ScheduleKind schedule_find(const char *name);

/* One line, the same for equal plans; freed by the caller. NULL when memory is short. */
char *plan_to_json(const Plan *plan);
bool  plan_from_json(Plan *plan, const char *json, TurfError *error);
/* Sixteen characters that tell plans apart at a glance. */
void plan_hash(const char *json, char hash[17]);
/* Says in a few words how two plans differ, as "the seed: 1 here, 2 there". False if they do not.
 */
bool plan_difference(const char *here, const char *there, char *text, size_t room);

/* The player that an entrant describes, under its name; `others` are those before it. The plan has
 * to stay. */
TurfPlayer *plan_open_player(const Plan *plan, size_t entrant, TurfPlayer *const *others,
                             TurfError *error);

#endif
