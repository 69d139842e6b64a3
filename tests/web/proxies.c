/* Whose request it is: peers, trusted proxies, X-Forwarded-For. */
#include "support.h"

#include "web/proxies.h"

#include <arpa/inet.h>
#include <netinet/in.h>

static Address peer(const char *text)
{
    struct sockaddr_in  v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return address_of_peer((const struct sockaddr *)&v4);
    assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    return address_of_peer((const struct sockaddr *)&v6);
}

static bool is_same_client(const char *first, const char *second)
{
    Address a = peer(first), b = peer(second);
    Client  one = client_of(&a), other = client_of(&b);
    return client_equals(&one, &other);
}

static void a_client_is_an_ipv4_address_or_an_ipv6_network_of_64_bits(void **state)
{
    (void)state;
    assert_true(is_same_client("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff"));
    assert_false(is_same_client("2001:db8::1", "2001:db8:0:1::1"));
    assert_true(is_same_client("192.0.2.1", "::ffff:192.0.2.1"));
    assert_false(is_same_client("192.0.2.1", "192.0.2.2"));
    assert_false(is_same_client("192.0.2.1", "::192.0.2.1"));
    assert_false(is_same_client("::ffff:0.0.0.0", "::1"));
    Address loopback = peer("::1");
    Client  client = client_of(&loopback);
    assert_false(client_is_none(&client));
}

static Proxies trusting(const char *const *texts, size_t n)
{
    Proxies   proxies;
    TurfError error;
    if (!proxies_read(&proxies, texts, n, &error))
        fail_msg("%s", error.text);
    return proxies;
}

static void networks_are_compared_bit_by_bit(void **state)
{
    static const struct {
        const char *network, *inside, *outside;
    } cases[] = {
        {"127.0.0.1", "127.0.0.1", "127.0.0.2"},
        {"127.0.0.1", "::ffff:127.0.0.1", "::1"},
        {"10.0.0.0/8", "10.255.0.1", "11.0.0.1"},
        {"192.0.2.128/25", "192.0.2.255", "192.0.2.127"},
        {"192.0.2.4/30", "192.0.2.7", "192.0.2.8"},
        {"0.0.0.0/0", "255.0.0.1", "2001:db8::1"},
        {"::/0", "192.0.2.1", NULL},
        {"fd00::/8", "fd12::1", "fe80::1"},
        {"2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"},
        {"::1", "::1", "::2"},
        {"::1/128", "::1", "127.0.0.1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Proxies proxies = trusting(&cases[i].network, 1);
        Address inside = peer(cases[i].inside);
        assert_true(proxies_trust(&proxies, &inside));
        if (!cases[i].outside)
            continue;
        Address outside = peer(cases[i].outside);
        if (proxies_trust(&proxies, &outside))
            fail_msg("%s is in %s", cases[i].outside, cases[i].network);
    }
}

static void other_texts_are_no_proxies(void **state)
{
    static const char *const texts[] = {"",          "localhost",    "127.0.0.1:80",  "10.0.0.0/33",
                                        "10.0.0.0/", "10.0.0.0/-1",  "10.0.0.0/8/8",  "::/129",
                                        "[::1]",     "10.0.0.0/0x8", "10.0.0.0/08000"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Proxies   proxies;
        TurfError error;
        assert_false(proxies_read(&proxies, &texts[i], 1, &error));
        assert_non_null(strstr(error.text, "--trusted-proxy"));
    }
}

/* The client of a request from 127.0.0.1, with 127.0.0.1, 10.0.0.0/8 and ::1 trusted. */
static void check_client(const char *expected, const char *first, const char *second)
{
    static const char *const texts[] = {"127.0.0.1", "10.0.0.0/8", "::1"};
    const char *const        lines[] = {first, second};
    Proxies                  proxies = trusting(texts, 3);
    Address                  from = peer("127.0.0.1"), wanted = peer(expected);
    size_t                   n_lines = second ? 2 : first != NULL;
    Address                  found = proxies_find_client(&proxies, &from, lines, n_lines);
    if (memcmp(&found, &wanted, sizeof found) != 0)
        fail_msg("%s, %s: not %s", first, second ? second : "", expected);
}

static void the_client_is_the_last_address_that_is_not_trusted(void **state)
{
    (void)state;
    check_client("127.0.0.1", NULL, NULL);
    check_client("192.0.2.1", "192.0.2.1", NULL);
    check_client("192.0.2.1", "198.51.100.7, 192.0.2.1", NULL);
    check_client("192.0.2.1", "198.51.100.7,192.0.2.1 , 10.1.2.3,\t127.0.0.1", NULL);
    check_client("192.0.2.1", "198.51.100.7", "192.0.2.1");
    check_client("192.0.2.1", "198.51.100.7, 192.0.2.1", "10.0.0.1");
    check_client("10.0.0.1", "10.0.0.1", "10.0.0.2"); /* all are trusted: the first of them */
    check_client("2001:db8::1", "2001:db8::1", NULL);
    check_client("2001:db8::1", "[2001:db8::1]:4711", NULL);
    check_client("2001:db8::1", "[2001:db8::1]", NULL);
    check_client("192.0.2.1", "192.0.2.1:4711", NULL);
}

static void what_is_no_address_ends_the_search(void **state)
{
    static const char *const odd[] = {
        "",     "unknown",     ",",     "192.0.2.256", "192.0.2",          "[::2",
        "::2]", "192.0.2.1:x", "1:2:3", "192.0.2.1;",  "192.0.2.1:999999", "\"192.0.2.1\""};
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char text[2048];
        check_client("127.0.0.1", odd[i], NULL);
        snprintf(text, sizeof text, "192.0.2.1, %s", odd[i]);
        check_client("127.0.0.1", text, NULL);
        snprintf(text, sizeof text, "%s, 192.0.2.1", odd[i]);
        check_client("192.0.2.1", text, NULL);
        snprintf(text, sizeof text, "192.0.2.1, %s, 10.0.0.9", odd[i]);
        check_client("10.0.0.9", text, NULL);
    }
    char long_one[2048];
    memset(long_one, '1', sizeof long_one - 1);
    long_one[sizeof long_one - 1] = '\0';
    check_client("127.0.0.1", long_one, NULL);
}

static void an_untrusted_peer_is_the_client_whatever_it_says(void **state)
{
    const char *const line = "192.0.2.1", *const trusted = "10.0.0.0/8";
    (void)state;
    Proxies proxies = trusting(&trusted, 1);
    Address from = peer("127.0.0.1");
    Address found = proxies_find_client(&proxies, &from, &line, 1);
    assert_memory_equal(&found, &from, sizeof found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_is_an_ipv4_address_or_an_ipv6_network_of_64_bits),
        cmocka_unit_test(networks_are_compared_bit_by_bit),
        cmocka_unit_test(other_texts_are_no_proxies),
        cmocka_unit_test(the_client_is_the_last_address_that_is_not_trusted),
        cmocka_unit_test(what_is_no_address_ends_the_search),
        cmocka_unit_test(an_untrusted_peer_is_the_client_whatever_it_says),
    };
    return cmocka_run_group_tests_name("proxies", tests, NULL, NULL);
}
