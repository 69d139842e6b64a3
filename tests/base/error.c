/* Error codes: what a program learns from turf.h when something fails, and how codes follow from
 * errno. */
#include "support.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const TurfGame *amoeba(void) { return turf_game_find("amoeba-wars", NULL); }

static void assert_code(const TurfError *error, TurfErrorCode code)
{
    if (error->code != code)
        fail_msg("code %d, not %d: %s", (int)error->code, (int)code, error->text);
    assert_true(strlen(error->text) > 10);
}

static void unknown_game_is_not_found_and_ambiguous_prefix_is_invalid(void **state)
{
    (void)state;
    TurfError error = {0};
    assert_null(turf_game_find("chess", &error));
    assert_code(&error, TURF_ERROR_NOT_FOUND);
    assert_null(turf_game_find("a", &error));
    assert_code(&error, TURF_ERROR_INVALID);
}

static void bad_start_is_invalid(void **state)
{
    (void)state;
    static const char *const starts[] = {"nowhere", "3 by 3", "{\"board\":", "{\"board\":[]}"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        TurfError error = {0};
        TurfState position;
        TurfRng   rng = turf_rng(1);
        assert_false(turf_start(amoeba(), starts[i], &rng, &position, &error));
        assert_code(&error, TURF_ERROR_INVALID);
    }
}

static void illegal_and_malformed_moves_are_invalid(void **state)
{
    (void)state;
    TurfError error = {0};
    TurfState position;
    TurfMove  move = 0;
    TurfRng   rng = turf_rng(1);
    assert_true(turf_start(amoeba(), NULL, &rng, &position, &error));
    assert_false(turf_move_from_text(amoeba(), &position, "forward", &move, &error));
    assert_code(&error, TURF_ERROR_INVALID);
    assert_false(turf_play(amoeba(), &position, UINT32_MAX, &error));
    assert_code(&error, TURF_ERROR_INVALID);
}

static void assert_no_player(const char *spec, TurfErrorCode code)
{
    TurfError error = {0};
    assert_null(turf_player_open(amoeba(), spec, &error));
    assert_code(&error, code);
}

static void unknown_players_and_programs_are_not_found_and_bad_options_invalid(void **state)
{
    (void)state;
    assert_no_player("nobody-knows-it", TURF_ERROR_NOT_FOUND);
    assert_no_player("bot:no-such-program-anywhere", TURF_ERROR_NOT_FOUND);
    assert_no_player("minimax:depth=many", TURF_ERROR_INVALID);
    assert_no_player("minimax:colour=red", TURF_ERROR_INVALID);
    assert_no_player("tcp:no-port", TURF_ERROR_INVALID);
}

static void port_in_use_is_busy(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t          length = sizeof address;
    char               spec[32];
    int                listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    snprintf(spec, sizeof spec, "tcp:%d", ntohs(address.sin_port));
    assert_no_player(spec, TURF_ERROR_BUSY);
    close(listener);
}

static void too_few_file_descriptors_count_as_no_memory(void **state)
{
    (void)state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    TurfError   error = {0};
    TurfPlayer *player = turf_player_open(amoeba(), "tcp:0", &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_null(player);
    assert_code(&error, TURF_ERROR_NO_MEMORY);
}

static void players_of_another_game_are_invalid_in_a_run(void **state)
{
    (void)state;
    TurfError       error = {0};
    const TurfGame *war = turf_game_find("war-of-life", &error);
    TurfPlayer     *player = turf_player_open(amoeba(), "random", &error);
    TurfPairing     pairing = {.players = {player, player}, .n_games = 1};
    TurfRunOptions  options = {.n_jobs = 1};
    TurfTotals      totals;
    assert_false(turf_run(war, &pairing, 1, &options, &totals, &error));
    assert_code(&error, TURF_ERROR_INVALID);
    turf_player_free(player);
}

static void code_follows_from_errno(void **state)
{
    (void)state;
    assert_int_equal(error_code_of(ENOENT), TURF_ERROR_NOT_FOUND);
    assert_int_equal(error_code_of(EADDRINUSE), TURF_ERROR_BUSY);
    assert_int_equal(error_code_of(EMFILE), TURF_ERROR_NO_MEMORY);
    assert_int_equal(error_code_of(EAGAIN), TURF_ERROR_NO_MEMORY);
    assert_int_equal(error_code_of(EINTR), TURF_ERROR_INTERRUPTED);
    assert_int_equal(error_code_of(EACCES), TURF_ERROR_IO);
    assert_int_equal(error_code_of(EIO), TURF_ERROR_IO);
}

static void text_is_one_line_without_control_characters(void **state)
{
    (void)state;
    TurfError error = {0};
    assert_false(error_invalid(&error, "a\nb\x1b[31mc"));
    assert_string_equal(error.text, "a?b?[31mc");
    assert_false(error_invalid(NULL, "nobody listens"));
}

static void error_may_be_null_everywhere(void **state)
{
    (void)state;
    TurfState      position;
    TurfMove       move;
    TurfTotals     totals;
    TurfRng        rng = turf_rng(1);
    TurfRunOptions options = {.n_jobs = 1, .start = "nowhere"};
    TurfPlayer    *player = turf_player_open(amoeba(), "random", NULL);
    TurfPairing    pairing = {.players = {player, player}, .n_games = 1};
    assert_null(turf_game_find("chess", NULL));
    assert_true(turf_start(amoeba(), NULL, &rng, &position, NULL));
    assert_false(turf_move_from_text(amoeba(), &position, "forward", &move, NULL));
    assert_false(turf_play(amoeba(), &position, UINT32_MAX, NULL));
    assert_false(turf_run(amoeba(), &pairing, 1, &options, &totals, NULL));
    assert_false(turf_start(amoeba(), "{\"board\":", &rng, &position, NULL));
    static const char *const specs[] = {"nobody-knows-it",
                                        "bot:no-such-program-anywhere",
                                        "minimax:depth=many",
                                        "tcp:no-port",
                                        "level=99",
                                        "alphabeta:without=nothing",
                                        "=random",
                                        "bot:"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        assert_null(turf_player_open(amoeba(), specs[i], NULL));
    turf_player_free(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_game_is_not_found_and_ambiguous_prefix_is_invalid),
        cmocka_unit_test(bad_start_is_invalid),
        cmocka_unit_test(illegal_and_malformed_moves_are_invalid),
        cmocka_unit_test(unknown_players_and_programs_are_not_found_and_bad_options_invalid),
        cmocka_unit_test(port_in_use_is_busy),
        cmocka_unit_test(too_few_file_descriptors_count_as_no_memory),
        cmocka_unit_test(players_of_another_game_are_invalid_in_a_run),
        cmocka_unit_test(error_may_be_null_everywhere),
        cmocka_unit_test(code_follows_from_errno),
        cmocka_unit_test(text_is_one_line_without_control_characters),
    };
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
