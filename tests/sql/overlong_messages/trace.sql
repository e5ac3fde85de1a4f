-- MPI ended rank 1 in MPI_Recv from rank 0, tag 7: the one message that it has not received has 44 bytes, and room for 40. Rank 2 waits for a message that
-- fits, rank 3 for one with another tag, and rank 4 for a long one while another receive is pending.
INSERT INTO function (function, name, class, transfer) VALUES (1, 'MPI_Recv', 'point-to-point', 'receive'), (2, 'MPI_Barrier', 'collective', 'both');
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome) SELECT value, 5, 0, 1, 1, 0, 0, 0, 'died' FROM json_each('[0,1,2,3,4]');
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1, 'communicator', 'rows', 701, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank) SELECT rank, 1, 5, rank FROM process;
INSERT INTO site VALUES (201, NULL, 201), (202, NULL, 202);
INSERT INTO thread (rank, thread, state, function, object, peer, tag, bytes, site, since_ns, calls, mpi_ns, threads)
    SELECT rank, 0, 'inside', CASE rank WHEN 0 THEN 2 ELSE 1 END, 1, CASE WHEN rank > 0 THEN 0 END, CASE rank WHEN 0 THEN NULL WHEN 3 THEN 8 ELSE 7 END,
           CASE rank WHEN 0 THEN NULL WHEN 2 THEN 44 ELSE 40 END, 202, 9, 1, 1, 1 FROM process;
INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns)
    SELECT 0, 1, 'send', rank, 0, rank, 3, 124, 0 FROM process WHERE rank > 0 UNION ALL SELECT rank, 1, 'receive', 0, 0, rank, 2, 80, 0 FROM process WHERE rank > 0;
INSERT INTO tag (rank, communicator, direction, tag, last_tag, largest_tag, site, messages, types, untyped) VALUES (0, 1, 'send', 7, 7, 7, 201, 12, 0, 0);
INSERT INTO active_request (rank, request, object, transfer, peer, tag, bytes, persistent, copies) VALUES (4, 0, 1, 'receive', 0, 7, 80, 0, 1);
