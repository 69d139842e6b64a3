/* Child processes as the bots of an arena: what only threads can get wrong. */
#include "base/clock.h"
#include "bots/process.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *const echo[] = {"/bin/cat", NULL};

static void *start_one(void *process)
{
    TurfError error;
    return process_start(process, echo, &(ProcessTerms){0}, &error) ? process : NULL;
}

static void assert_echoes(Process *process, const char *text)
{
    size_t length;
    process_ask(process, text, clock_ns() + INT64_C(20000000000), NULL);
    process_wait(&process, 1);
    assert_int_equal(process->answer, PROCESS_ANSWERED);
    assert_string_equal(process_line(process, &length), "hello");
}

static void a_process_outlives_the_thread_that_started_it(void **state)
{
    (void)state;
    Process   process;
    pthread_t thread;
    void     *started;
    pthread_create(&thread, NULL, start_one, &process);
    pthread_join(thread, &started);
    assert_non_null(started);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* time for the kernel to end it, if it is to */
    assert_echoes(&process, "hello\n");
    assert_int_equal(process_stop(&process), 0);
    free(process.error_text);
}

static void many_threads_can_start_processes_at_once(void **state)
{
    (void)state;
    enum { N = 16 };
    static Process processes[N];
    pthread_t      threads[N];
    void          *started;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, start_one, &processes[i]);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], &started);
        assert_non_null(started);
    }
    for (int i = 0; i < N; i++) {
        assert_echoes(&processes[i], "hello\n");
        process_stop(&processes[i]);
        free(processes[i].error_text);
    }
}

static void a_program_that_is_not_there_is_named(void **state)
{
    (void)state;
    char *const words[] = {"/nowhere/bot", NULL};
    Process     process;
    TurfError   error;
    assert_false(process_start(&process, words, &(ProcessTerms){0}, &error));
    assert_non_null(strstr(error.text, "/nowhere/bot cannot be run: No such file"));
    assert_false(process_start(&process, echo, &(ProcessTerms){.folder = "/nowhere"}, &error));
    assert_non_null(strstr(error.text, "in /nowhere"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_outlives_the_thread_that_started_it),
        cmocka_unit_test(many_threads_can_start_processes_at_once),
        cmocka_unit_test(a_program_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
