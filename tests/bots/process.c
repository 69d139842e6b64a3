/* Child processes as the bots of an arena: what only threads can get wrong. */
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

static void a_conversation_goes_on_for_as_long_as_it_takes(void **state)
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
    while (!process_has_ended(process))
        ;
    return process_stop(process);
}

static void the_last_words_of_a_bot_count_and_so_does_how_it_ended(void **state)
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

/* And SIGPIPE, which nobody here has asked to be spared, does not end the program. */
static void a_bot_that_does_not_listen_is_gone(void **state)
{
    (void)state;
    Process process;
    int     status = end_of_script("exec <&-; kill -9 $$", &process);
    assert_int_equal(process.answer, PROCESS_GONE);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    free(process.error_text);
    assert_non_null(start_one(&process));
    kill(process.pid, SIGKILL);
    while (!process_has_ended(&process))
        ;
    process_ask(&process, strdup("a question\n"), clock_ns() + INT64_C(20000000000), NULL);
    Process *processes[] = {&process};
    process_wait(processes, 1);
    assert_int_equal(process.answer, PROCESS_GONE);
    process_stop(&process);
    free(process.error_text);
}

static void what_was_said_before_a_question_is_no_answer_to_it(void **state)
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
        cmocka_unit_test(a_conversation_goes_on_for_as_long_as_it_takes),
        cmocka_unit_test(the_last_words_of_a_bot_count_and_so_does_how_it_ended),
        cmocka_unit_test(a_bot_that_does_not_listen_is_gone),
        cmocka_unit_test(what_was_said_before_a_question_is_no_answer_to_it),
        cmocka_unit_test(a_program_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
