/* Sentences of findings, by the templates of gen/model/finding.model. */
#pragma once

#include <stdbool.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "findings.h"

/* Appends the sentence of a row of the view findings, or of a view that it unites. Returns false if C code writes the
   sentences of this kind. */
bool cs_finding_add(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row);

/* Prints the sentence of each row of a SELECT that has one, and where there is more. severity: only of these; 0: all.
   CS_SQL: logged. */
enum cs_status cs_findings_print(struct cs_report_output *output, const char *sql, int severity);
enum cs_status cs_findings_print_rows(struct cs_report_output *output, struct cs_rows *rows,
                                      int severity); /* and ends them */

/* Appends " on rows #2", by the columns communicator, object_kind, communicators, number and names of the row. Nothing
   if it has no communicator. */
void cs_finding_add_communicator(struct cs_phrase *line, struct cs_rows *row);
