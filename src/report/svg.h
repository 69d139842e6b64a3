/* Drawing in SVG. The classes get their colours from the style sheet of the page. */
#ifndef TURF_REPORT_SVG_H
#define TURF_REPORT_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* `label` describes the picture for screen readers. */
void svg_begin(FILE *out, double width, double height, const char *label);
void svg_end(FILE *out);

/* `anchor` is start, middle or end. */
void svg_text(FILE *out, double x, double y, const char *anchor, const char *class_name,
              const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A name cut to `max` characters, with the whole name as a tooltip. */
void svg_name(FILE *out, double x, double y, const char *anchor, const char *class_name,
              const char *name, int max);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class_name);
void svg_circle(FILE *out, double x, double y, double radius, const char *class_name);
/* A rectangle with a fill opacity and a tooltip, which may be NULL. */
void svg_bar(FILE *out, double x, double y, double width, double height, double opacity,
             const char *class_name, const char *hint);

/* A linear map from values to pixels. */
typedef struct SvgScale {
    double low, high, from, to;
} SvgScale;

double svg_at(const SvgScale *scale, double value);
/* A round distance between ticks, about `n_wanted` of which fit into the range. */
double svg_tick_step(double low, double high, int n_wanted);
/* Widens a range to round numbers. */
void svg_widen(double *low, double *high, int n_wanted);

/* "25,000" */
void svg_count(uint64_t count, char text[32]);

#endif
