/* Edit distances between short names (optimal string alignment). Longer words than MAX_LETTERS are
 * not compared: nobody mistypes those. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LETTERS = 32 };

static int least(int a, int b) { return a < b ? a : b; }

static int letter(char c) { return c == '_' ? '-' : tolower((unsigned char)c); }

static int distance(const char *a, const char *b)
{
    int n_a = (int)strlen(a), n_b = (int)strlen(b), rows[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (int i = 0; i <= n_a; i++)
        rows[i][0] = i;
    for (int j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n_a; i++)
        for (int j = 1; j <= n_b; j++) {
            int differs = letter(a[i - 1]) != letter(b[j - 1]);
            int best = least(rows[i - 1][j] + 1, rows[i][j - 1] + 1);
            best = least(best, rows[i - 1][j - 1] + differs);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                best = least(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    return rows[n_a][n_b];
}

const char *suggest(const char *typed, const char *const *names, size_t n_names)
{
    const char *nearest = NULL;
    size_t      length = strlen(typed);
    int         best = length < 5 ? 2 : 3; /* at most one or two letters are wrong */
    if (length == 0 || length > MAX_LETTERS)
        return NULL;
    for (size_t i = 0; i < n_names; i++) {
        if (!names[i] || strlen(names[i]) > MAX_LETTERS)
            continue;
        int d = distance(typed, names[i]);
        if (d < best && d < (int)length && d < (int)strlen(names[i])) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}

const char *suggestion(char text[SUGGESTION_BYTES], const char *typed, const char *const *names,
                       size_t n_names, const char *quote)
{
    const char *nearest = suggest(typed, names, n_names);
    *text = '\0';
    if (nearest)
        (void)snprintf(text, SUGGESTION_BYTES, "; did you mean %s%s%s?", quote, nearest, quote);
    return text;
}
