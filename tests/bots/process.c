/* Bots as child processes, used from several threads. */
#include "base/clock.h"
#include "bots/process.h"
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
    process_ask(process, strdup(text), clock_ns() + INT64_C(20000000000), NULL);
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
    nanosleep(&(struct timespec){.tv_nsec = 100000000},
              NULL); /* time for the kernel to end it, if it is to */
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

static void a_process_answers_many_questions(void **state)
{
    (void)state;
    enum { N_QUESTIONS = 50 };
    Process process;
    assert_non_null(start_one(&process));
    for (int i = 0; i < N_QUESTIONS; i++)
        assert_echoes(&process, "hello\n");
    process_stop(&process);
    free(process.error_text);
}

/* Waits for what a shell makes of a question, and for its end. */
static int end_of_script(const char *script, Process *process)
{
    char *const words[] = {"/bin/sh", "-c", (char *)(uintptr_t)script, NULL};
    TurfError   error;
    assert_true(process_start(process, words, &(ProcessTerms){0}, &error));
    process_ask(process, strdup("a question\n"), clock_ns() + INT64_C(20000000000), NULL);
    process_wait(&process, 1);
    while (!process_has_exited(process))
        ;
    return process_stop(process);
}

static void the_answer_and_status_of_a_process_that_exits_are_kept(void **state)
{
    (void)state;
    Process process;
    int     status =
        end_of_script("read question; echo hello; echo 'I am leaving' >&2; exit 3", &process);
    assert_int_equal(process.answer, PROCESS_ANSWERED);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_string_equal(process.error_text, "I am leaving\n");
    free(process.error_text);
}

/* SIGPIPE has its default action here, and must not end the program. */
static void a_process_that_exited_is_gone_without_sigpipe(void **state)
{
    (void)state;
    Process process;
    int     status = end_of_script("exec <&-; kill -9 $$", &process);
    assert_int_equal(process.answer, PROCESS_GONE);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    free(process.error_text);
    assert_non_null(start_one(&process));
    kill(process.pid, SIGKILL);
    while (!process_has_exited(&process))
        ;
    process_ask(&process, strdup("a question\n"), clock_ns() + INT64_C(20000000000), NULL);
    Process *processes[] = {&process};
    process_wait(processes, 1);
    assert_int_equal(process.answer, PROCESS_GONE);
    process_stop(&process);
    free(process.error_text);
}

static void output_before_a_question_is_no_answer(void **state)
{
    (void)state;
    char *const words[] = {"/bin/sh", "-c", "echo early; echo ready >&2; read question; echo hello",
                           NULL};
    Process     process;
    TurfError   error;
    assert_true(process_start(&process, words, &(ProcessTerms){0}, &error));
    struct pollfd ready = {.fd = process.errors, .events = POLLIN};
    while (poll(&ready, 1, -1) != 1)
        ;
    assert_echoes(&process, "a question\n");
    process_stop(&process);
    free(process.error_text);
}

static void a_missing_program_is_named_in_the_error(void **state)
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
        cmocka_unit_test(a_process_answers_many_questions),
        cmocka_unit_test(the_answer_and_status_of_a_process_that_exits_are_kept),
        cmocka_unit_test(a_process_that_exited_is_gone_without_sigpipe),
        cmocka_unit_test(output_before_a_question_is_no_answer),
        cmocka_unit_test(a_missing_program_is_named_in_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
