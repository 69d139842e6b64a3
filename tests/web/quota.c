/* Quotas: how slots are shared, how requests are limited, and how many accounts are kept. */
#include "support.h"

#include "web/quota.h"

static Client client(uint32_t number)
{
    Client made = {{0}};
    memcpy(made.bytes + 12, &number, sizeof number);
    return made;
}

static void a_client_may_take_a_slot_only_while_as_many_stay_free(void **state)
{
    (void)state;
    Quota  quota;
    Client first = client(1), second = client(2), third = client(3);
    quota_init(&quota, 9, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_CLIENT_FULL);
    for (int i = 0; i < 2; i++)
        assert_int_equal(quota_take(&quota, &second, SLOT_LIVE_GAME), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &second, SLOT_LIVE_GAME), QUOTA_CLIENT_FULL);
    assert_int_equal(quota_take(&quota, &third, SLOT_LIVE_GAME), QUOTA_GRANTED);
    quota_force(&quota, &third, SLOT_LIVE_GAME);
    assert_int_equal(quota_take(&quota, &third, SLOT_LIVE_GAME), QUOTA_ALL_FULL);
    assert_int_equal(quota_n_taken(&quota, SLOT_LIVE_GAME), 9);
    for (int i = 0; i < 3; i++)
        quota_give_back(&quota, &first, SLOT_LIVE_GAME);
    /* The first holds two, and three are free. */
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_CLIENT_FULL);
    quota_release(&quota);
}

static void slots_of_one_kind_do_not_count_for_another(void **state)
{
    (void)state;
    Quota  quota;
    Client first = client(1);
    quota_init(&quota, 1, 1);
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &first, SLOT_STREAM), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &first, SLOT_STREAM), QUOTA_ALL_FULL);
    quota_give_back(&quota, &first, SLOT_STREAM);
    assert_int_equal(quota_n_taken(&quota, SLOT_STREAM), 0);
    assert_int_equal(quota_n_taken(&quota, SLOT_LIVE_GAME), 1);
    quota_release(&quota);
}

static void a_burst_of_requests_is_limited_per_client(void **state)
{
    enum { BURST = 400 }; /* of requests that create something; docs/api.md */
    (void)state;
    Quota  quota;
    Client first = client(1), second = client(2);
    int    n_granted = 0;
    quota_init(&quota, 1, 1);
    while (quota_take(&quota, &first, RATE_CREATE) == QUOTA_GRANTED)
        n_granted++;
    assert_in_range(n_granted, BURST, BURST + 10); /* two more a second */
    assert_int_equal(quota_wait_s(&quota, &first, RATE_CREATE), 1);
    assert_int_equal(quota_take(&quota, &first, RATE_READ), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &second, RATE_CREATE), QUOTA_GRANTED);
    quota_release(&quota);
}

static void an_account_with_slots_outlives_any_number_of_other_clients(void **state)
{
    enum { N_CLIENTS = 100000 };
    (void)state;
    Quota  quota;
    Client first = client(1);
    quota_init(&quota, 3, 1);
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_GRANTED);
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_GRANTED);
    for (uint32_t i = 2; i < N_CLIENTS; i++) {
        Client other = client(i);
        assert_int_equal(quota_take(&quota, &other, RATE_READ), QUOTA_GRANTED);
    }
    assert_int_equal(quota_take(&quota, &first, SLOT_LIVE_GAME), QUOTA_CLIENT_FULL);
    quota_release(&quota);
}

static void a_client_that_owes_costs_makes_no_request_until_they_have_leaked_out(void **state)
{
    static const Resource costs[] = {COST_CPU_MS, COST_KIB};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Quota  quota;
        Client first = client(1), second = client(2);
        quota_init(&quota, 1, 1);
        assert_int_equal(quota_take(&quota, &first, RATE_READ), QUOTA_GRANTED);
        quota_charge(&quota, &first, costs[i], 1e9);
        for (Resource rate = RATE_READ; rate <= RATE_CREATE; rate++)
            assert_int_equal(quota_take(&quota, &first, rate), QUOTA_CLIENT_FULL);
        assert_true(quota_wait_s(&quota, &first, RATE_READ) > 1000);
        /* It may still connect, to be told so, and the others notice nothing. */
        assert_int_equal(quota_take(&quota, &first, RATE_CONNECT), QUOTA_GRANTED);
        assert_int_equal(quota_take(&quota, &second, RATE_READ), QUOTA_GRANTED);
        quota_release(&quota);
    }
}

static void small_costs_are_free(void **state)
{
    (void)state;
    Quota  quota;
    Client first = client(1);
    quota_init(&quota, 1, 1);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(quota_take(&quota, &first, RATE_READ), QUOTA_GRANTED);
        quota_charge(&quota, &first, COST_CPU_MS, 1);
        quota_charge(&quota, &first, COST_KIB, 50);
    }
    quota_release(&quota);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_that_owes_costs_makes_no_request_until_they_have_leaked_out),
        cmocka_unit_test(small_costs_are_free),
        cmocka_unit_test(a_client_may_take_a_slot_only_while_as_many_stay_free),
        cmocka_unit_test(slots_of_one_kind_do_not_count_for_another),
        cmocka_unit_test(a_burst_of_requests_is_limited_per_client),
        cmocka_unit_test(an_account_with_slots_outlives_any_number_of_other_clients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
