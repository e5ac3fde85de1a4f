#include "cli/text/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text/text.h"

void cs_html_text(FILE *stream, const char *text, size_t limit)
{
    char *visible = limit ? cs_text_visible_part(text, strlen(text), limit) : cs_text_visible(text, strlen(text));
    for (const char *c = visible ? visible : "?"; *c; c++) {
        switch (*c) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        case '\'':
            fputs("&#39;", stream);
            break;
        default:
            fputc(*c, stream);
        }
    }
    free(visible);
}

void cs_html_json(FILE *stream, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (json[i] == '<') /* in JSON it stands in texts only */
            fputs("\\u003c", stream);
        else
            fputc(json[i], stream);
    }
}

/* ---- pictures ---- */

#define WIDTH       960.0
#define LABEL_WIDTH 380.0
#define TEXT_WIDTH  100.0
#define BAR_HEIGHT  22.0
#define LABEL_BYTES 56

static void begin_svg(FILE *stream, const char *title, double height)
{
    fprintf(stream,
            "<svg class=\"static\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"13\" aria-label=\"",
            WIDTH, height, WIDTH, height);
    cs_html_text(stream, title, 0);
    fputs("\"><title>", stream);
    cs_html_text(stream, title, 0);
    fputs("</title>\n", stream);
}

void cs_html_bars(FILE *stream, const char *title, const struct cs_html_bar *bars, size_t count)
{
    double most = 0, room = WIDTH - LABEL_WIDTH - TEXT_WIDTH;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, bars[i].value);
    begin_svg(stream, title, (double)count * BAR_HEIGHT + 4);
    for (size_t i = 0; i < count; i++) {
        double y = (double)i * BAR_HEIGHT + 2, width = most > 0 ? bars[i].value / most * room : 0;
        fprintf(stream, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\" fill=\"currentColor\">", LABEL_WIDTH - 8,
                y + 15);
        cs_html_text(stream, bars[i].label, LABEL_BYTES);
        fprintf(stream,
                "</text><rect class=\"bar\" x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\" fill=\"#0072b2\"/>"
                "<text x=\"%.1f\" y=\"%.0f\" fill=\"currentColor\">",
                LABEL_WIDTH, y + 2, fmax(width, 0.5), BAR_HEIGHT - 5, LABEL_WIDTH + width + 6, y + 15);
        cs_html_text(stream, bars[i].text, 0);
        fputs("</text>\n", stream);
    }
    fputs("</svg>\n", stream);
}

#define LANE_LEFT   80.0
#define LANE_TOP    20.0
#define LANE_HEIGHT 18.0

void cs_html_lanes(FILE *stream, const char *title, const char *from, const char *until, char (*labels)[24],
                   size_t lanes, const struct cs_html_part *parts, size_t count, const char *const *colors,
                   size_t colors_count)
{
    /* by Okabe and Ito; the last one is for all others */
    static const char *const palette[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#d55e00", "#b8a800", "#8a94a0"};
    double below = LANE_TOP + (double)lanes * LANE_HEIGHT, room = WIDTH - LANE_LEFT;
    begin_svg(stream, title, below + 8 + (double)colors_count * LANE_HEIGHT);
    fprintf(stream,
            "<text x=\"%.0f\" y=\"14\" fill=\"currentColor\">%s</text><text x=\"%.0f\" y=\"14\" "
            "text-anchor=\"end\" fill=\"currentColor\">%s</text>\n",
            LANE_LEFT, from, WIDTH, until);
    for (size_t i = 0; i < lanes; i++)
        fprintf(stream, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\" fill=\"currentColor\">%s</text>\n",
                LANE_LEFT - 6, LANE_TOP + (double)i * LANE_HEIGHT + 13, labels[i]);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "<rect class=\"c%u\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\" fill=\"%s\"/>\n",
                parts[i].color, LANE_LEFT + parts[i].from * room, LANE_TOP + (double)parts[i].lane * LANE_HEIGHT + 2,
                fmax((parts[i].until - parts[i].from) * room, 0.4), LANE_HEIGHT - 4, palette[parts[i].color]);
    for (size_t i = 0; i < colors_count; i++) {
        double y = below + 4 + (double)i * LANE_HEIGHT;
        fprintf(stream,
                "<rect class=\"c%zu\" x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                "<text x=\"%.0f\" y=\"%.0f\" fill=\"currentColor\">",
                i, LANE_LEFT, y + 2, palette[i], LANE_LEFT + 18, y + 12);
        cs_html_text(stream, colors[i], LABEL_BYTES);
        fputs("</text>\n", stream);
    }
    fputs("</svg>\n", stream);
}

#define MATRIX_WIDTH 480.0
#define MATRIX_LEFT  60.0
#define MATRIX_TOP   40.0

void cs_html_matrix(FILE *stream, const char *title, const struct cs_html_cell *cells, size_t count, int64_t size,
                    int64_t step)
{
    double most = 0, side = MATRIX_WIDTH / (double)(size ? size : 1);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, cells[i].value);
    begin_svg(stream, title, MATRIX_TOP + MATRIX_WIDTH + 8);
    fprintf(
        stream,
        "<text x=\"%.0f\" y=\"14\" fill=\"currentColor\">dest</text><text x=\"4\" y=\"%.0f\" "
        "fill=\"currentColor\">source</text><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
        "stroke=\"currentColor\" stroke-opacity=\"0.4\"/>\n",
        MATRIX_LEFT, MATRIX_TOP - 10, MATRIX_LEFT, MATRIX_TOP, MATRIX_WIDTH, MATRIX_WIDTH);
    for (int64_t i = 0; i<size; i += size> 16 ? (size + 15) / 16 : 1)
        fprintf(stream,
                "<text x=\"%.1f\" y=\"%.0f\" font-size=\"10\" text-anchor=\"middle\" fill=\"currentColor\">%" PRId64
                "</text><text x=\"%.0f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"end\" fill=\"currentColor\">%" PRId64
                "</text>\n",
                MATRIX_LEFT + ((double)i + 0.5) * side, MATRIX_TOP - 4, i * step, MATRIX_LEFT - 4,
                MATRIX_TOP + ((double)i + 0.5) * side + 3, i * step);
    for (size_t i = 0; i < count; i++)
        if (cells[i].value > 0)
            fprintf(stream,
                    "<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#0072b2\" "
                    "fill-opacity=\"%.2f\"/>\n",
                    MATRIX_LEFT + (double)cells[i].column * side, MATRIX_TOP + (double)cells[i].row * side, side, side,
                    0.12 + 0.88 * cells[i].value / most);
    fputs("</svg>\n", stream);
}
