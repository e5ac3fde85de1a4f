/* The sentence of the report placement that the overview uses, too. */
#pragma once

struct cs_phrase;
struct cs_rows;

/* Appends a row of the view run_placement: "8 ranks on 2 nodes, 6 cores: oversubscribed 2x; no rank bound". */
void cs_placement_add_summary(struct cs_phrase *line, struct cs_rows *row);
