/* HTML and SVG. Texts come from hostile programs: every one of them passes through cs_html_text. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Writes a text as characters of HTML, in elements and in quoted attributes. Control characters, characters that change
   the direction and bytes that are not UTF-8 appear as \n, \x1b, \u{202e}. Longer than `limit` bytes (0: any length),
   it loses its middle. */
void cs_html_text(FILE *stream, const char *text, size_t limit);

/* Writes JSON into a script element: no "<" of it can end the element. */
void cs_html_json(FILE *stream, const char *json, size_t length);

/* A bar of a chart. */
struct cs_html_bar {
    const char *label;
    double value;
    const char *text; /* the value in words */
};

/* Writes a chart of horizontal bars, the longest as wide as the picture. */
void cs_html_bars(FILE *stream, const char *title, const struct cs_html_bar *bars, size_t count);

/* A part of a lane of a time line, from 0 to 1; `color` from 0 to 7. */
struct cs_html_part {
    size_t lane;
    double from, until;
    unsigned color;
};

/* Writes a time line: lanes with these labels, below the axis from one text to the other; then the names of the
   colours. */
void cs_html_lanes(FILE *stream, const char *title, const char *from, const char *until, char (*labels)[24],
                   size_t lanes, const struct cs_html_part *parts, size_t count, const char *const *colors,
                   size_t colors_count);

/* A cell of a matrix, from 0. */
struct cs_html_cell {
    int64_t row, column;
    double value;
};

/* Writes a matrix of so many rows and columns: the darker, the more. `step`: row 1 is called so. */
void cs_html_matrix(FILE *stream, const char *title, const struct cs_html_cell *cells, size_t count, int64_t size,
                    int64_t step);
