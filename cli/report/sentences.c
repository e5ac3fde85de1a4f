#include "cli/report/sentences.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "cli/report/finding.h"
#include "cli/rows/rows.h"

/* ---- collecting ---- */

struct collection {
    struct cs_sentences *sentences;
    bool failed;
};

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void collect_line(struct cs_report_output *output, const char *text)
{
    struct collection *collection = output->context;
    struct cs_sentences *sentences = collection->sentences;
    if (!sentences->run && strcmp(output->report->name, "run") == 0) {
        sentences->run = strdup(text);
        collection->failed |= !sentences->run;
        return;
    }
    if (!cs_array_grow(&sentences->sentence, sentences->count, &sentences->room, sizeof *sentences->sentence)) {
        collection->failed = true;
        return;
    }
    const struct cs_finding_kind *kind = cs_finding_find(output->about);
    int severity = cs_report_severity(output);
    struct cs_sentence sentence = {.text = strdup(text),
                                   .kind = copy(output->about),
                                   .picture = kind ? kind->picture : "ranks",
                                   .severity = severity ? severity : CS_SEVERITY_NOTE};
    sentences->sentence[sentences->count++] = sentence;
    collection->failed |= !sentence.text || (output->about && !sentence.kind);
}

static void skip_heading(struct cs_report_output *output, const char *title)
{
    (void)output;
    (void)title;
}

static void skip_table(struct cs_report_output *output, const struct cs_table *table, size_t more)
{
    (void)output;
    (void)table;
    (void)more;
}

/* The communicator of each kind, if all its findings are about one. */
static enum cs_status add_keys(sqlite3 *db, struct cs_sentences *sentences)
{
    struct cs_rows row = cs_rows_begin(
        db, "SELECT f.kind, CASE WHEN count(DISTINCT f.communicator_uid) = 1 THEN min(a.similar_to) END AS key\n"
            "FROM findings f LEFT JOIN object_keys k ON k.id = f.communicator_uid\n"
            "     LEFT JOIN similar_objects a ON a.rank = k.rank AND a.object = k.object GROUP BY f.kind");
    while (cs_rows_next(&row)) {
        const char *kind = cs_rows_text(&row, "kind");
        for (size_t i = 0; i < sentences->count; i++)
            if (sentences->sentence[i].kind && strcmp(sentences->sentence[i].kind, kind) == 0)
                sentences->sentence[i].key = cs_rows_integer(&row, "key");
    }
    return cs_rows_end(&row);
}

/* Insertion keeps the order of equal ones; there are a few dozen at most. */
static void sort_by_severity(struct cs_sentences *sentences)
{
    for (size_t i = 1; i < sentences->count; i++) {
        struct cs_sentence moved = sentences->sentence[i];
        size_t j = i;
        for (; j > 0 && sentences->sentence[j - 1].severity > moved.severity; j--)
            sentences->sentence[j] = sentences->sentence[j - 1];
        sentences->sentence[j] = moved;
    }
}

enum cs_status cs_sentences_collect(const struct cs_report_output *output, struct cs_sentences *sentences)
{
    static const char *const reports[] = {"run", "endings", "verdict"};
    static const struct cs_report_writer writer = {skip_heading, collect_line, skip_table};
    *sentences = (struct cs_sentences){0};
    struct collection collection = {.sentences = sentences};
    struct cs_report_output collecting = *output;
    collecting.writer = &writer;
    collecting.context = &collection;
    collecting.named = false;
    collecting.besides = NULL;
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < sizeof reports / sizeof *reports && status == CS_OK; i++)
        status = cs_report_print(&collecting, cs_report_find(reports[i]));
    sentences->besides = collecting.besides;
    if (status == CS_OK && collection.failed) {
        cs_log("out of memory");
        status = CS_NO_MEMORY;
    }
    if (status == CS_OK)
        status = add_keys(output->db, sentences);
    sort_by_severity(sentences);
    return status;
}

void cs_sentences_free(struct cs_sentences *sentences)
{
    for (size_t i = 0; i < sentences->count; i++) {
        free(sentences->sentence[i].text);
        free(sentences->sentence[i].kind);
    }
    free(sentences->sentence);
    free(sentences->run);
    sqlite3_free(sentences->besides);
}
