-- Three ranks, in reverse order on the communicator 2, and graphs on it. 3: rank 2 of it (in the world: 0) sends to 1, which receives from 0 instead.
-- 4: they agree; one neighbor is there twice, one rank is its own. 5: a list is not complete. 6: one rank has not kept its part.
-- 7: an edge is there twice for its source, once for its destination. Rank 0 names a neighbor that is none.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_split', 'communicator'), (2, 'MPI_Dist_graph_create_adjacent', 'topology');
INSERT INTO frame (frame, module, offset, function, file, line) VALUES (101, NULL, 1, 'main', 'graph.c', 7);
INSERT INTO site VALUES (201, NULL, 101), (202, NULL, 101), (203, NULL, 101);
INSERT INTO process (rank, world_size, node, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
SELECT value, 3, 'node', 0, 'finalized', 1, 1, 1, 0, 0 FROM json_each('[0,1,2]');
INSERT INTO object (rank, object, kind, parent, function, site, created_ns, freed_ns, internal, predefined, adopted, uid)
SELECT rank, 2, 'communicator', 1, 1, 201, 1, 2, 0, 0, 0, 77 FROM process;
INSERT INTO object (rank, object, kind, parent, function, site, created_ns, freed_ns, internal, predefined, adopted, uid, detail)
SELECT rank, object, 'communicator', 2, 2, 202 + (rank = 1), 1, 2, 0, 0, 0, 100 + object,
       json_object('indegree', json_array_length(sources) + (object = 5), 'sources', json(sources), 'outdegree', json_array_length(dests), 'destinations', json(dests))
FROM (SELECT 0 AS rank, 3 AS object, '[]' AS sources, '[1]' AS dests UNION ALL SELECT 1, 3, '[0]', '[]' UNION ALL SELECT 2, 3, '[]', '[]'
      UNION ALL SELECT 0, 4, '[0]', '[1,1]' UNION ALL SELECT 1, 4, '[2,2]', '[]' UNION ALL SELECT 2, 4, '[0]', '[2,0]'
      UNION ALL SELECT 0, 5, '[]', '[1]' UNION ALL SELECT 1, 5, '[]', '[]' UNION ALL SELECT 2, 5, '[]', '[]'
      UNION ALL SELECT 0, 6, '[]', '[1]' UNION ALL SELECT 1, 6, '[]', '[]'
      UNION ALL SELECT 0, 7, '[]', '[1,1]' UNION ALL SELECT 1, 7, '[2]', '[]' UNION ALL SELECT 2, 7, '[]', '[9]');
INSERT INTO communicator (rank, object, size, own_rank, topology)
SELECT rank, object, 3, CASE object WHEN 2 THEN 2 - rank END, CASE object WHEN 2 THEN 'none' ELSE 'dist_graph' END FROM object WHERE object > 1;
