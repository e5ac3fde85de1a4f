/* The sentence of the report placement that the overview uses, too. */
#pragma once

struct cs_phrase;
struct cs_rows;

/* Appends a row of the view run_placement, with waiting_percent of core_findings, or all_percent and
   inside of core_wait_findings: "4 ranks on 1 node, 2 cores:
   oversubscribed 2x; ranks wait 88.1 % of their time outside MPI for a core: report why". */
void cs_placement_add_finding(struct cs_phrase *line, struct cs_rows *row);
