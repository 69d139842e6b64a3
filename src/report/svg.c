/* SVG elements written straight to a stream; text is escaped. */
#include "report/svg.h"

#include "base/utf8.h"
#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void svg_begin(FILE *out, double width, double height, const char *label)
{
    fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width, height);
    html_escape(label, out);
    fprintf(out, "\" style=\"max-width:%.0fpx\">\n", width);
}

void svg_end(FILE *out) { fputs("</svg>\n", out); }

static void open_text(FILE *out, double x, double y, const char *anchor, const char *class_name)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor,
            class_name);
}

void svg_text(FILE *out, double x, double y, const char *anchor, const char *class_name,
              const char *format, ...)
{
    char    text[160]; /* a label: names have svg_name */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    open_text(out, x, y, anchor, class_name);
    html_escape(text, out);
    fputs("</text>\n", out);
}

void svg_name(FILE *out, double x, double y, const char *anchor, const char *class_name,
              const char *name, int max)
{
    size_t length = strlen(name), shown = utf8_prefix(name, (size_t)max);
    open_text(out, x, y, anchor, class_name);
    if (shown < length) {
        html_escape_part(name, utf8_prefix(name, (size_t)max - 1), out);
        fputs("\u2026<title>", out);
        html_escape(name, out);
        fputs("</title>", out);
    } else {
        html_escape(name, out);
    }
    fputs("</text>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class_name)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
            x2, y2, class_name);
}

void svg_circle(FILE *out, double x, double y, double radius, const char *class_name)
{
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n", x, y, radius,
            class_name);
}

void svg_bar(FILE *out, double x, double y, double width, double height, double opacity,
             const char *class_name, const char *hint)
{
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"", x, y,
            fmax(0, width), fmax(0, height), class_name);
    if (opacity < 1)
        fprintf(out, " fill-opacity=\"%.3f\"", opacity);
    if (hint) {
        fputs("><title>", out);
        html_escape(hint, out);
        fputs("</title></rect>\n", out);
    } else {
        fputs("/>\n", out);
    }
}

double svg_at(const SvgScale *scale, double value)
{
    double range = scale->high - scale->low;
    return range > 0 ? scale->from + (value - scale->low) / range * (scale->to - scale->from)
                     : scale->from;
}

double svg_tick_step(double low, double high, int n_wanted)
{
    double rough = (high - low) / n_wanted;
    double largest = fmax(1e-3, fmax(fabs(low), fabs(high)));
    if (!(rough > 1e-6 * largest)) /* equal, up to rounding */
        return 1;
    double power = pow(10, floor(log10(rough))), times = rough / power;
    if (times <= 1)
        return power;
    if (times <= 2)
        return 2 * power;
    if (times <= 2.5 && power >= 10) /* 25, but not 2.5 */
        return 2.5 * power;
    return times <= 5 ? 5 * power : 10 * power;
}

void svg_widen(double *low, double *high, int n_wanted)
{
    double step = svg_tick_step(*low, *high, n_wanted);
    *low = floor(*low / step) * step;
    *high = ceil(*high / step) * step;
    if (*high <= *low)
        *high = *low + step;
}

void svg_count(uint64_t count, char text[32])
{
    char digits[24];
    int  n_digits = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count), at = 0;
    for (int i = 0; i < n_digits; i++) {
        if (i > 0 && (n_digits - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}
