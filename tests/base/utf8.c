/* Validation agrees with Jansson's, and invalid text is repaired. */
#include "support.h"

#include "base/utf8.h"
#include "base/checked_json.h"

#include <string.h>

/* The bytes at which the ranges of UTF-8 begin and end. */
static const unsigned char edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                      0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
                                      0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};

static void valid_utf8_is_what_jansson_accepts(void **state)
{
    (void)state;
    enum { N_EDGES = sizeof edges, MAX = 4 };
    size_t n_texts = 1, n_whole = 0;
    for (size_t length = 0; length <= MAX; length++, n_texts *= N_EDGES)
        for (size_t number = 0; number < n_texts; number++) {
            char   text[MAX];
            size_t rest = number;
            for (size_t i = 0; i < length; i++, rest /= N_EDGES)
                text[i] = (char)edges[rest % N_EDGES];
            json_t *json = json_stringn(text, length);
            assert_int_equal(utf8_is_valid(text, length), json != NULL);
            n_whole += json != NULL;
            json_decref(json);
        }
    assert_true(n_whole > 1000);
}

static void error_text_with_any_bytes_becomes_json(void **state)
{
    (void)state;
    char    longest[2000];
    json_t *good = json_sentence("w\xc3\xa4lder"),
           *bad = json_sentence("w\xe4lder und w\xc3\xa4lder");
    assert_string_equal(json_string_value(good), "w\xc3\xa4lder");
    assert_string_equal(json_string_value(bad), "w?lder und w\xc3\xa4lder");
    for (size_t i = 0; i < sizeof longest - 2; i += 2)
        memcpy(longest + i, "\xc3\xa4", 2);
    longest[sizeof longest - 2] = '\0';
    json_t *cut = json_sentence(longest);
    assert_int_equal(json_string_length(cut), (sizeof(TurfError) - 1) / 2 * 2);
    assert_memory_equal(json_string_value(cut), longest, json_string_length(cut));
    json_decref(good);
    json_decref(bad);
    json_decref(cut);
}

static void only_invalid_bytes_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *given, *mended;
    } cases[] = {
        {"b\xc3\xb6se \xe2\x82\xac \xf0\x9f\x98\x80\n\t",
         "b\xc3\xb6se \xe2\x82\xac \xf0\x9f\x98\x80\n\t"},
        {"\xb6 after \xc3", "? after ?"},
        {"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "?? ??? ????"}, /* overlong */
        {"\xed\xa0\x80 \xf4\x90\x80\x80 \xf5 \xff", "??? ???? ? ?"},
        {"\xe2\x82z\xc3\xb6", "??z\xc3\xb6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        strcpy(text, cases[i].given);
        utf8_replace_invalid(text, strlen(text));
        assert_string_equal(text, cases[i].mended);
        assert_true(utf8_is_valid(text, strlen(text)));
    }
}

static void
test_a_printable_line_has_no_control_characters_and_no_half_letter_at_its_end(void **state)
{
    (void)state;
    static const struct {
        const char *given, *printed;
    } cases[] = {
        {"\033[31mb\xc3\xb6se\r\n\x7f", "?[31mb\xc3\xb6se???"},
        {"\xc2\x9b[2J\xc2\xa0", "??[2J\xc2\xa0"},
        {"b\xc3", "b"},
        {"b\xf0\x9f\x98", "b"},
        {"\xe2\x82", ""},
        {"\x80\x80", "??"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        strcpy(text, cases[i].given);
        utf8_make_printable(text);
        assert_string_equal(text, cases[i].printed);
    }
}

static void prefix_is_counted_in_characters(void **state)
{
    (void)state;
    assert_int_equal(utf8_prefix("abc", 2), 2);
    assert_int_equal(utf8_prefix("abc", 3), 3);
    assert_int_equal(utf8_prefix("abc", 9), 3);
    assert_int_equal(utf8_prefix("", 9), 0);
    assert_int_equal(utf8_prefix("b\xc3\xb6se", 2), 3);
    assert_int_equal(utf8_prefix("\xe2\x82\xac\xf0\x9f\x98\x80x", 2), 7);
    assert_int_equal(utf8_prefix("\x80\x80\x80\x80\x80\x80\x80\x80\x80", 2),
                     8); /* continuation bytes */
}

static void width_is_in_terminal_columns(void **state)
{
    (void)state;
    assert_int_equal(utf8_width(""), 0);
    assert_int_equal(utf8_width("wald"), 4);
    assert_int_equal(utf8_width("w\xc3\xa4lder"), 6);
    assert_int_equal(utf8_width("wa\xcc\x88lder"), 6);                /* combining diaeresis */
    assert_int_equal(utf8_width("\xe6\xa3\xae\xe6\x9e\x97 wald"), 9); /* two wide characters */
    assert_int_equal(utf8_width("\xe4lder\xff\t"), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_utf8_is_what_jansson_accepts),
        cmocka_unit_test(error_text_with_any_bytes_becomes_json),
        cmocka_unit_test(only_invalid_bytes_are_replaced),
        cmocka_unit_test(prefix_is_counted_in_characters),
        cmocka_unit_test(width_is_in_terminal_columns),
        cmocka_unit_test(
            test_a_printable_line_has_no_control_characters_and_no_half_letter_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
