-- Four ranks. All but rank 2 fail alike on rows, which has another number on rank 3; rank 3 also fails somewhere else.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Recv', 'point-to-point'), (2, 'MPI_File_open', 'io');
INSERT INTO process (rank, world_size, clock_offset_ns, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 4, 0, 1, 1, 0, 0, 0, 'finalized' FROM json_each('[0,1,2,3]');
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1 + rank / 3, 'communicator', 'rows', 701, 0, 0, 0 FROM process;
INSERT INTO site VALUES (201, NULL, 201), (202, NULL, 202);
INSERT INTO failed_call (rank, at_ns, object, function, peer, tag, site, error) VALUES
    (0, 5, 1, 1, 1, 7, 201, 'MPI_ERR_TRUNCATE'), (1, 5, 1, 1, 1, 7, 201, 'MPI_ERR_TRUNCATE'), (3, 5, 2, 1, 1, 7, 201, 'MPI_ERR_TRUNCATE'),
    (3, 6, 2, 1, 1, 8, 202, 'MPI_ERR_TRUNCATE'), (1, 9, NULL, 2, NULL, NULL, 202, 'MPI_ERR_NO_SUCH_FILE'), (1, 9, NULL, 2, NULL, NULL, 0, 'code 70');
