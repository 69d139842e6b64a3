/* The thread pool: the order of jobs, the reserved thread and the bound of the queue. */
#include "support.h"

#include "web/pool.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NOTES = 32 };

/* Which jobs ran in which order, and gates that jobs wait at. */
typedef struct Desk {
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    char            notes[MAX_NOTES + 1];
    bool            is_open[128]; /* by name */
    Pool           *pool;
} Desk;

typedef struct Task {
    Desk *desk;
    char  name;
    bool  has_door; /* waits in the middle until it is opened */
} Task;

static Client client(char name)
{
    Client who = {{0}};
    who.bytes[15] = (uint8_t)name;
    return who;
}

static int open_desk(void **state)
{
    static Desk desk;
    memset(&desk, 0, sizeof desk);
    pthread_mutex_init(&desk.lock, NULL);
    pthread_cond_init(&desk.changed, NULL);
    *state = &desk;
    return 0;
}

static void do_task(void *context)
{
    const Task *task = context;
    Desk       *desk = task->desk;
    pthread_mutex_lock(&desk->lock);
    size_t n_notes = strlen(desk->notes);
    assert_true(n_notes < MAX_NOTES);
    desk->notes[n_notes] = task->name;
    pthread_cond_broadcast(&desk->changed);
    while (task->has_door && !desk->is_open[(int)task->name])
        pthread_cond_wait(&desk->changed, &desk->lock);
    pthread_mutex_unlock(&desk->lock);
}

static bool add(Task *task, char who, bool is_background)
{
    return pool_add(task->desk->pool, &(PoolJob){.run = do_task,
                                                 .context = task,
                                                 .client = client(who),
                                                 .is_background = is_background});
}

static void wait_for(Desk *desk, const char *notes)
{
    pthread_mutex_lock(&desk->lock);
    while (strlen(desk->notes) < strlen(notes))
        pthread_cond_wait(&desk->changed, &desk->lock);
    assert_string_equal(desk->notes, notes);
    pthread_mutex_unlock(&desk->lock);
}

static void open_door(Desk *desk, char name)
{
    pthread_mutex_lock(&desk->lock);
    desk->is_open[(int)name] = true;
    pthread_cond_broadcast(&desk->changed);
    pthread_mutex_unlock(&desk->lock);
}

static void start_pool(Desk *desk, int n_threads, size_t max_jobs)
{
    TurfError error;
    desk->pool = pool_new(n_threads, max_jobs, &error);
    assert_non_null(desk->pool);
}

static void clients_take_turns_and_awaited_jobs_come_before_background_jobs(void **state)
{
    Desk *desk = *state;
    Task  gate = {desk, '-', true};
    start_pool(desk, 1, 100);
    assert_true(add(&gate, 'z', false));
    wait_for(desk, "-");
    static const struct {
        char name, who;
        bool is_background;
    } wanted[] = {{'s', 'c', true},  {'1', 'a', false}, {'2', 'a', false}, {'3', 'a', false},
                  {'4', 'a', false}, {'t', 'c', true},  {'u', 'd', true},  {'5', 'b', false},
                  {'6', 'b', false}, {'7', 'e', false}, {'v', 'd', true}};
    Task tasks[11];
    for (size_t i = 0; i < 11; i++) {
        tasks[i] = (Task){desk, wanted[i].name, false};
        assert_true(add(&tasks[i], wanted[i].who, wanted[i].is_background));
    }
    open_door(desk, '-');
    wait_for(desk, "-"
                   "1572634"
                   "sutv");
    pool_free(desk->pool, NULL);
}

static void a_client_with_one_job_at_a_time_does_not_jump_the_queue(void **state)
{
    Desk *desk = *state;
    Task  gate = {desk, '-', true}, next = {desk, '+', true};
    Task  many[2] = {{desk, '1', false}, {desk, '2', false}},
         few[2] = {{desk, 'x', false}, {desk, 'y', false}};
    start_pool(desk, 1, 100);
    assert_true(add(&gate, 'z', false));
    wait_for(desk, "-");
    assert_true(add(&few[0], 'b', false));
    assert_true(add(&next, 'z', false));
    open_door(desk, '-');
    wait_for(desk, "-x+"); /* 'b' has had its turn, and nothing to do any more */
    assert_true(add(&many[0], 'a', false));
    assert_true(add(&many[1], 'a', false));
    assert_true(add(&few[1], 'b', false));
    open_door(desk, '+');
    wait_for(desk, "-x+1y2");
    pool_free(desk->pool, NULL);
}

static void the_last_free_thread_is_for_a_client_that_waits_and_has_none(void **state)
{
    Desk *desk = *state;
    Task  first = {desk, '1', true}, second = {desk, '2', false}, other = {desk, 'o', false},
         background = {desk, 's', false};
    start_pool(desk, 2, 100);
    assert_true(add(&first, 'a', false));
    wait_for(desk, "1");
    assert_true(add(&second, 'a', false));
    assert_true(add(&background, 'c', true));
    assert_true(add(&other, 'b', false));
    wait_for(desk, "1o"); /* past two that were there before, and not after the one that goes on */
    open_door(desk, '1');
    wait_for(desk, "1o2s");
    pool_free(desk->pool, NULL);
}

static void an_awaited_job_finds_a_thread_beside_background_jobs_of_its_client(void **state)
{
    Desk *desk = *state;
    Task  background[3] = {{desk, '1', true}, {desk, '2', true}, {desk, '3', true}},
         person = {desk, 'p', false};
    start_pool(desk, 3, 100);
    assert_true(add(&background[0], 'a', true));
    wait_for(desk, "1");
    assert_true(add(&background[1], 'a', true));
    wait_for(desk, "12");
    assert_true(add(&background[2], 'a', true));
    assert_true(add(&person, 'a', false));
    wait_for(desk, "12p");
    open_door(desk, '3');
    open_door(desk, '1');
    wait_for(desk, "12p3");
    open_door(desk, '2');
    pool_free(desk->pool, NULL);
}

static void the_queue_is_bounded_and_shared_among_clients(void **state)
{
    Desk *desk = *state;
    Task  gate = {desk, '-', true}, tasks[9];
    start_pool(desk, 1, 8);
    assert_true(add(&gate, 'z', false));
    wait_for(desk, "-");
    const char *who =
        "aaaabbcde"; /* half for the first, half of the rest for the next, and so on */
    for (size_t i = 0; i < 9; i++) {
        tasks[i] = (Task){desk, who[i], false};
        bool is_clients_last = i == 3 || i == 5 || i == 6 || i == 7;
        assert_int_equal(add(&tasks[i], who[i], false), i < 8);
        if (is_clients_last)
            assert_false(add(&tasks[i], who[i], false));
    }
    open_door(desk, '-');
    wait_for(desk, "-abcdabaa");
    pool_free(desk->pool, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(clients_take_turns_and_awaited_jobs_come_before_background_jobs,
                               open_desk),
        cmocka_unit_test_setup(a_client_with_one_job_at_a_time_does_not_jump_the_queue, open_desk),
        cmocka_unit_test_setup(the_last_free_thread_is_for_a_client_that_waits_and_has_none,
                               open_desk),
        cmocka_unit_test_setup(an_awaited_job_finds_a_thread_beside_background_jobs_of_its_client,
                               open_desk),
        cmocka_unit_test_setup(the_queue_is_bounded_and_shared_among_clients, open_desk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
