/* A team of threads. `round` counts the pieces of work: a member that sees it change does its part
 * and takes one off `n_left`. Both sides spin for a moment before they sleep, since a step of a
 * batch takes less time than waking a thread.
 *
 * Locks: `lock` guards sleeping and waking; work and context are written before `round` is. */
#include "envs/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_SPINS = 2000 };

typedef struct Member {
    Team     *team;
    size_t    part;
    pthread_t thread;
} Member;

struct Team {
    size_t           n_members, n_threads; /* threads were started, one less when all were */
    pid_t            owner;
    pthread_mutex_t  lock;
    pthread_cond_t   has_begun, is_done;
    TeamWork        *work;
    void            *context;
    _Atomic uint64_t round;
    atomic_size_t    n_left;
    atomic_bool      is_over;
    Member           members[];
};

static inline void rest(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* ---- members ------------------------------------------------------------------------------ */

static bool has_news(Team *team, uint64_t seen)
{
    return atomic_load(&team->round) != seen || atomic_load(&team->is_over);
}

static void await_round(Team *team, uint64_t seen)
{
    for (int i = 0; i < MAX_SPINS; i++) {
        if (has_news(team, seen))
            return;
        rest();
    }
    pthread_mutex_lock(&team->lock);
    while (!has_news(team, seen))
        pthread_cond_wait(&team->has_begun, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

static void *serve(void *argument)
{
    Member *member = argument;
    Team   *team = member->team;
    for (uint64_t seen = 0;; seen++) {
        await_round(team, seen);
        if (atomic_load(&team->is_over))
            return NULL;
        team->work(team->context, member->part);
        if (atomic_fetch_sub(&team->n_left, 1) > 1)
            continue;
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->is_done);
        pthread_mutex_unlock(&team->lock);
    }
}

/* ---- the caller --------------------------------------------------------------------------- */

/* Signals are for the caller's own threads. */
static bool start_threads(Team *team)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t part = 1; part < team->n_members; part++) {
        Member *member = &team->members[part];
        *member = (Member){.team = team, .part = part};
        if (pthread_create(&member->thread, NULL, serve, member) != 0)
            break;
        team->n_threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return team->n_threads + 1 == team->n_members;
}

Team *team_new(size_t n_members)
{
    Team *team = calloc(1, sizeof *team + n_members * sizeof *team->members);
    if (!team)
        return NULL;
    team->n_members = n_members;
    team->owner = getpid();
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->has_begun, NULL);
    pthread_cond_init(&team->is_done, NULL);
    if (start_threads(team))
        return team;
    team_free(team);
    return NULL;
}

void team_free(Team *team)
{
    if (!team)
        return;
    if (getpid() != team->owner) { /* the threads and their locks stayed behind */
        free(team);
        return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->is_over, true);
    pthread_cond_broadcast(&team->has_begun);
    pthread_mutex_unlock(&team->lock);
    for (size_t i = 1; i <= team->n_threads; i++)
        pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->is_done);
    pthread_cond_destroy(&team->has_begun);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

static void await_members(Team *team)
{
    for (int i = 0; i < MAX_SPINS; i++) {
        if (atomic_load(&team->n_left) == 0)
            return;
        rest();
    }
    pthread_mutex_lock(&team->lock);
    while (atomic_load(&team->n_left) > 0)
        pthread_cond_wait(&team->is_done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

void team_run(Team *team, TeamWork *work, void *context)
{
    if (getpid() != team->owner) {
        for (size_t part = 0; part < team->n_members; part++)
            work(context, part);
        return;
    }
    team->work = work;
    team->context = context;
    atomic_store(&team->n_left, team->n_members - 1);
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->round, 1);
    pthread_cond_broadcast(&team->has_begun);
    pthread_mutex_unlock(&team->lock);
    work(context, 0);
    await_members(team);
}
