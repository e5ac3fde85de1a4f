/* The sentence of the report placement that the overview uses, too. */
#pragma once

struct cs_phrase;
struct cs_rows;

/* Appends a row of the view run_placement: "8 ranks on 2 nodes, 6 cores: oversubscribed 2x; no rank bound". */
void cs_placement_add_summary(struct cs_phrase *line, struct cs_rows *row);

/* The same as a finding of the overview, with waiting_percent of core_findings: "4 ranks on 1 node, 2 cores:
   oversubscribed 2x; ranks wait 88.1 % of their time outside MPI for a core: report why". */
void cs_placement_add_finding(struct cs_phrase *line, struct cs_rows *row);
