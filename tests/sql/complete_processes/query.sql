SELECT (SELECT group_concat(rank) FROM (SELECT rank FROM complete_processes ORDER BY rank)) AS ranks, (SELECT group_concat(id) FROM whole_communicators) AS communicators;
