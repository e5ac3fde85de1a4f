SELECT s.part, g.similar_to >> 32 AS first_rank, g.similar_to & 4294967295 AS first_object, s.kind, s.function, s.site, s.size_class, s.ranks, s.calls, s.open,
       s.time_ns, s.least_ns, s.least_rank, s.next_ns, s.most_ns, s.most_rank, s.quarter_ns, s.median_ns, s.three_quarters_ns, s.min_ns, s.max_ns,
       s.sent_bytes, s.received_bytes
FROM summaries s LEFT JOIN similar_groups g USING (similar) ORDER BY s.part, g.similar_to, s.kind, s.function, s.site, s.size_class;
