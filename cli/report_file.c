#include "cli/report_file.h"

#include <stdio.h>
#include <string.h>

/* The text after "-- key: " if the line begins like this; NULL otherwise. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, "-- ", 3) != 0 || strncmp(line + 3, key, length) != 0 || strncmp(line + 3 + length, ": ", 2) != 0)
        return NULL;
    return line + 3 + length + 2;
}

static void parse_line(struct cs_report *report, const char *line)
{
    const char *value;
    if ((value = value_of(line, "overview"))) {
        sscanf(value, "%d, %zu rows", &report->position, &report->rows);
    } else if ((value = value_of(line, "empty"))) {
        report->empty = value;
        report->empty_length = strcspn(value, "\n");
    } else if ((value = value_of(line, "drop"))) {
        report->drop = value;
        report->drop_length = strcspn(value, "\n");
    } else if (!report->title) {
        report->title = line + 2 + strspn(line + 2, " ");
        report->title_length = strcspn(report->title, "\n");
    }
}

struct cs_report cs_report_parse(const struct cs_report_file *file)
{
    struct cs_report report = {.name = file->name, .sql = file->sql};
    for (const char *line = file->sql; strncmp(line, "--", 2) == 0;) {
        parse_line(&report, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return report;
}

int cs_report_drop_turn(const struct cs_report *report, const char *column)
{
    static const char between[] = ", ";
    size_t begin = 0, length;
    for (int turn = 1; begin < report->drop_length;
         turn++, begin += length + strspn(report->drop + begin + length, between)) {
        length = strcspn(report->drop + begin, ", \n");
        if (length == strlen(column) && strncmp(report->drop + begin, column, length) == 0)
            return turn;
    }
    return 0;
}

const struct cs_report_file *cs_report_find(const char *name)
{
    for (size_t i = 0; i < cs_reports_count; i++)
        if (strcmp(name, cs_reports[i].name) == 0)
            return &cs_reports[i];
    return NULL;
}
