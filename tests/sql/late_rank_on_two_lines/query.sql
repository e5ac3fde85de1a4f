SELECT rank, site, cause_lines, processes, seconds, mean_seconds FROM late_findings;
