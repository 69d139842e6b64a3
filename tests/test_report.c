/* Tables and documents in their formats. */
#include "support.h"

#include "report/document.h"
#include "report/table.h"

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

static void markdown_has_its_rule_with_alignment(void **state)
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

static void html_is_escaped(void **state)
{
    (void)state;
    Table *table = small_table();
    char  *text = printed(table, TABLE_HTML);
    assert_non_null(strstr(text, "<td>a&lt;b</td><td class=\"r\">12345678</td></tr>"));
    free(text);
    table_free(table);
}

static void running_text_becomes_tags_in_html_only(void **state)
{
    (void)state;
    for (int is_html = 0; is_html < 2; is_html++) {
        char    *text = NULL;
        size_t   length = 0;
        Document document = {open_memstream(&text, &length), is_html};
        document_paragraph(&document, "a **bold** `x<y` %d %%", 5);
        fclose(document.out);
        assert_string_equal(text, is_html ? "<p>a <strong>bold</strong> <code>x&lt;y</code> 5 %</p>\n"
                                          : "\na **bold** `x<y` 5 %\n");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_line_up_in_text),
        cmocka_unit_test(markdown_has_its_rule_with_alignment),
        cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(running_text_becomes_tags_in_html_only),
    };
    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
