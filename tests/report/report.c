/* Tables and documents in their formats. */
#include "support.h"

#include "report/document.h"
#include "report/svg.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *printed(const Table *table, TableFormat format)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    table_print(table, format, out);
    fclose(out);
    return text;
}

static Table *small_table(void)
{
    static const char *const titles[] = {"name", "number"};
    Table                   *table = table_new("lr", titles);
    table_add(table, "a<b");
    table_add(table, "%d", 12345678);
    table_add(table, "w\xc3\xa4lder");
    table_add(table, "%d", 7);
    return table;
}

static void large_tables_are_printed(void **state)
{
    enum { N_ROWS = 200000 };
    static const char *const titles[] = {"player", "n"};
    (void)state;
    Table *table = table_new("lr", titles);
    for (int i = 0; i < N_ROWS; i++) {
        table_add(table, "x");
        table_add(table, "%d", i);
    }
    char *text = printed(table, TABLE_TEXT);
    assert_memory_equal(text, "player       n\n--------------\nx            0\n", 45);
    assert_int_equal(strlen(text), (N_ROWS + 2) * 15);
    free(text);
    table_free(table);
}

static void columns_line_up_in_text(void **state)
{
    (void)state;
    Table *table = small_table();
    char  *text = printed(table, TABLE_TEXT);
    assert_string_equal(text, "name      number\n"
                              "----------------\n"
                              "a<b     12345678\n"
                              "w\xc3\xa4lder         7\n");
    free(text);
    table_free(table);
}

static void markdown_rule_marks_the_alignment(void **state)
{
    (void)state;
    Table *table = small_table();
    char  *text = printed(table, TABLE_MARKDOWN);
    assert_string_equal(text, "| name   |   number |\n"
                              "|--------|---------:|\n"
                              "| a<b    | 12345678 |\n"
                              "| w\xc3\xa4lder |        7 |\n");
    free(text);
    table_free(table);
}

static void bars_and_line_ends_are_escaped_in_markdown(void **state)
{
    (void)state;
    static const char *const titles[] = {"name", "games"};
    Table                   *table = table_new("lr", titles);
    table_add(table, "a|b\nc");
    table_add(table, "%d", 7);
    table_add(table, "longer");
    table_add(table, "%d", 8);
    char *text = printed(table, TABLE_MARKDOWN);
    assert_string_equal(text, "| name   | games |\n"
                              "|--------|------:|\n"
                              "| a\\|b c |     7 |\n"
                              "| longer |     8 |\n");
    free(text);
    table_free(table);
}

static void html_is_escaped(void **state)
{
    (void)state;
    Table *table = small_table();
    char  *text = printed(table, TABLE_HTML);
    assert_non_null(strstr(text, "<td>a&lt;b</td><td class=\"r\">12345678</td></tr>"));
    free(text);
    table_free(table);
}

static void code_and_bold_become_tags_in_html(void **state)
{
    (void)state;
    for (int is_html = 0; is_html < 2; is_html++) {
        char    *text = NULL;
        size_t   length = 0;
        Document document = {open_memstream(&text, &length), is_html};
        document_paragraph(&document, "a **bold** `x<y` %d %%", 5);
        fclose(document.out);
        assert_string_equal(text, is_html
                                      ? "<p>a <strong>bold</strong> <code>x&lt;y</code> 5 %</p>\n"
                                      : "\na **bold** `x<y` 5 %\n");
        free(text);
    }
}

/* An axis is drawn by adding steps, so the step must not be too small to change the value. */
static void ticks_of_any_range_are_few_and_round(void **state)
{
    (void)state;
    static const double ranges[][2] = {
        {0, 0},           {0.5, 0.5},    {0.5, 0.5 + 1e-16}, {-3, 7},     {0, 1e12},
        {1e12, 1e12 + 1}, {-1e-9, 1e-9}, {0, 0.013},         {-500, 730}, {99999, 100000}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        double low = ranges[i][0], high = ranges[i][1], step;
        svg_widen(&low, &high, 6);
        step = svg_tick_step(low, high, 6);
        assert_true(isfinite(step) && step > 0 && low + step > low && high > low);
        assert_true(low <= ranges[i][0] && ranges[i][1] <= high && (high - low) / step < 20);
    }
}

static char *drawn_name(const char *name, int max)
{
    char  *text = NULL;
    size_t length = 0;
    FILE  *out = open_memstream(&text, &length);
    svg_name(out, 1, 2, "start", "name", name, max);
    fclose(out);
    return text;
}

static void long_names_are_cut_between_characters_and_complete_in_the_tooltip(void **state)
{
    (void)state;
    char *text = drawn_name("w\xc3\xa4lder<&>", 4);
    assert_non_null(
        strstr(text, ">w\xc3\xa4l\xe2\x80\xa6<title>w\xc3\xa4lder&lt;&amp;&gt;</title></text>"));
    free(text);
    text = drawn_name("w\xc3\xa4ld", 4);
    assert_non_null(strstr(text, ">w\xc3\xa4ld</text>"));
    free(text);
}

static void counts_have_commas_every_three_digits(void **state)
{
    (void)state;
    static const struct {
        uint64_t    count;
        const char *text;
    } cases[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {25000000, "25,000,000"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        svg_count(cases[i].count, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_line_up_in_text),
        cmocka_unit_test(large_tables_are_printed),
        cmocka_unit_test(markdown_rule_marks_the_alignment),
        cmocka_unit_test(bars_and_line_ends_are_escaped_in_markdown),
        cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(ticks_of_any_range_are_few_and_round),
        cmocka_unit_test(long_names_are_cut_between_characters_and_complete_in_the_tooltip),
        cmocka_unit_test(counts_have_commas_every_three_digits),
        cmocka_unit_test(code_and_bold_become_tags_in_html),
    };
    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
