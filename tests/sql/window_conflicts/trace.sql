-- Four ranks and two windows, halo and lock, in units of 4 bytes; rank 3's part of halo has units of 8.
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Put', 'one-sided'), (2, 'MPI_Get', 'one-sided'), (3, 'MPI_Accumulate', 'one-sided'), (4, 'MPI_Recv', 'point-to-point');
INSERT INTO process (rank, world_size, clock_offset_ns, clock_error_ns, node, threads, calls, mpi_ns, lost, damaged, outcome)
    SELECT value, 4, 0, 50, CASE value WHEN 3 THEN 'b' ELSE 'a' END, 1, 1, 0, 0, 0, 'finalized' FROM json_each('[0,1,2,3]');
INSERT INTO object (rank, object, kind, name, uid, internal, predefined, adopted) SELECT rank, 1, 'communicator', 'all', 701, 0, 0, 0 FROM process
    UNION ALL SELECT rank, 2, 'window', 'halo', 702, 0, 0, 0 FROM process UNION ALL SELECT rank, 3, 'window', 'lock', 703, 0, 0, 0 FROM process;
INSERT INTO communicator (rank, object, size, own_rank) SELECT rank, 1, 4, rank FROM process;
INSERT INTO window (rank, object, communicator, flavor, size_bytes, displacement_unit_bytes)
    SELECT rank, 2, 1, 'create', 256, CASE rank WHEN 3 THEN 8 ELSE 4 END FROM process UNION ALL SELECT rank, 3, 1, 'create', 256, 4 FROM process;
INSERT INTO site SELECT value, NULL, value FROM json_each('[101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120]');
INSERT INTO window_access (rank, object, target, access, function, lock, fence, nth, part, displacement, span_bytes, unit_bytes, basic, basic_bytes, began_ns, until_ns, site) VALUES
    -- Epoch 1: ranks 0 and 2 put to equal places of rank 1, of which they share 4 bytes; rank 2 reads beside them. In epoch 2 it reads the place.
    (0, 2, 1, 'put', 1, 0, 1, NULL, 0, 0, 8, 4, NULL, NULL, 100, 200, 101),
    (2, 2, 1, 'put', 1, 0, 1, NULL, 0, 1, 4, 0, NULL, NULL, 900, 950, 102),
    (2, 2, 1, 'get', 2, 0, 1, NULL, 0, 2, 4, 0, NULL, NULL, 910, 950, 103),
    (2, 2, 1, 'get', 2, 0, 2, NULL, 1, 0, 4, 0, NULL, NULL, 960, 990, 104),
    -- Epoch 3: two reads; accumulations of one datatype, and of another one, and of one at an odd place.
    (0, 2, 1, 'get', 2, 0, 3, NULL, 2, 0, 4, 0, NULL, NULL, 1000, 1100, 105),
    (2, 2, 1, 'get', 2, 0, 3, NULL, 2, 0, 4, 0, NULL, NULL, 1000, 1100, 105),
    (0, 2, 2, 'accumulate', 3, 0, 3, NULL, 2, 0, 8, 0, 77, 4, 1000, 1100, 106),
    (1, 2, 2, 'accumulate', 3, 0, 3, NULL, 2, 1, 8, 0, 77, 4, 1000, 1100, 106),
    (3, 2, 2, 'accumulate', 3, 0, 3, NULL, 2, 2, 4, 0, 88, 4, 5000, 5100, 107),
    -- Epoch 5: reading accumulations race with a put alone.
    (0, 2, 2, 'get', 2, 0, 5, NULL, 9, 0, 4, 0, NULL, NULL, 8000, 8100, 104), (1, 2, 2, 'fetch', 3, 0, 5, NULL, 9, 0, 4, 0, 77, 4, 8000, 8100, 105),
    (3, 2, 2, 'accumulate', 3, 0, 5, NULL, 9, 8, 4, 0, 77, 4, 8200, 8300, 106), (1, 2, 2, 'fetch', 3, 0, 5, NULL, 9, 8, 4, 0, 77, 4, 8000, 8100, 105),
    (1, 2, 2, 'fetch', 3, 0, 5, NULL, 9, 16, 4, 0, 77, 4, 8000, 8100, 108), (3, 2, 2, 'put', 1, 0, 5, NULL, 9, 16, 4, 0, NULL, NULL, 8200, 8300, 109),
    -- Rank 3's units are larger: displacements 1 and 2 are apart there. Rows of several accesses have no certain place.
    (0, 2, 3, 'put', 1, 0, 4, NULL, 3, 1, 8, 0, NULL, NULL, 2000, 2100, 108),
    (1, 2, 3, 'put', 1, 0, 4, NULL, 3, 2, 8, 0, NULL, NULL, 2000, 2100, 109),
    (2, 2, 3, 'put', 1, 0, 4, NULL, 3, 0, 64, 4, NULL, NULL, 2000, 2100, 110),
    -- One process: before a flush and after it.
    (1, 3, 0, 'put', 1, 1, NULL, NULL, 0, 4, 16, 0, NULL, NULL, 3000, 3100, 111),
    (1, 3, 0, 'get', 2, 1, NULL, NULL, 0, 6, 4, 0, NULL, NULL, 3050, 3100, 112),
    (1, 3, 0, 'get', 2, 1, NULL, NULL, 1, 6, 4, 0, NULL, NULL, 3200, 3300, 113),
    -- Locks: at once, one after the other, an exclusive one at once; on another node, within the error of the clocks, and surely.
    (2, 3, 0, 'put', 1, 1, NULL, NULL, 0, 6, 4, 0, NULL, NULL, 3250, 3400, 114),
    (2, 3, 1, 'put', 1, 1, NULL, NULL, 0, 0, 4, 0, NULL, NULL, 4000, 4100, 115),
    (0, 3, 1, 'put', 1, 1, NULL, NULL, 0, 0, 4, 0, NULL, NULL, 4100, 4200, 116),
    (1, 3, 1, 'put', 1, 2, NULL, NULL, 0, 0, 4, 0, NULL, NULL, 4150, 4200, 117),
    (3, 3, 1, 'get', 2, 1, NULL, NULL, 0, 0, 4, 0, NULL, NULL, 4120, 4190, 118),
    (3, 3, 1, 'get', 2, 1, NULL, NULL, 0, 0, 4, 0, NULL, NULL, 3850, 4210, 119),
    -- Exposure: ranks 0 and 2 in one epoch of rank 1, and in two of rank 3.
    (1, 2, 0, 'exposure', 1, 0, 1, 1, 0, 0, 0, 0, NULL, NULL, 6000, NULL, 120), (1, 2, 2, 'exposure', 1, 0, 1, 1, 0, 0, 0, 0, NULL, NULL, 6000, NULL, 120),
    (3, 2, 0, 'exposure', 1, 0, 1, 1, 0, 0, 0, 0, NULL, NULL, 6000, NULL, 120), (3, 2, 2, 'exposure', 1, 0, 2, 1, 0, 0, 0, 0, NULL, NULL, 6000, NULL, 120),
    (0, 2, 1, 'put', 1, 0, NULL, 1, 4, 0, 4, 0, NULL, NULL, 6100, 6200, 111), (2, 2, 1, 'get', 2, 0, NULL, 1, 4, 0, 4, 0, NULL, NULL, 6300, 6400, 112),
    (0, 2, 3, 'put', 1, 0, NULL, 1, 4, 0, 4, 0, NULL, NULL, 6100, 6200, 113), (2, 2, 3, 'get', 2, 0, NULL, 1, 4, 0, 4, 0, NULL, NULL, 6300, 6400, 114),
    -- Rank 0 receives into a place to which rank 1 puts, and then again when that is complete.
    (1, 3, 0, 'put', 1, 1, NULL, NULL, 7, 0, 4, 0, NULL, NULL, 7000, 7100, 101),
    (0, 3, 0, 'write', 4, 0, NULL, NULL, 7, 0, 8, 0, NULL, NULL, 7050, 7051, 102),
    (0, 3, 0, 'write', 4, 0, NULL, NULL, 7, 0, 8, 0, NULL, NULL, 7150, 7151, 103);
-- Shared locks that do not meet, after one call in which all met: no call orders them; and after two such calls, and at once. Then a window with an exclusive lock.
INSERT INTO window_access (rank, object, target, access, function, lock, part, displacement, offset_bytes, span_bytes, unit_bytes, meeting_object, meeting, began_ns, until_ns, site) VALUES
    (1, 3, 2, 'put', 1, 1, 20, 0, NULL, 4, 0, 1, 5, 9000, 9100, 111), (2, 3, 2, 'put', 1, 1, 20, 0, NULL, 4, 0, 1, 5, 9200, 9300, 112),
    (1, 3, 2, 'put', 1, 1, 20, 4, NULL, 4, 0, 1, 5, 9000, 9100, 113), (2, 3, 2, 'put', 1, 1, 20, 4, NULL, 4, 0, 1, 6, 9200, 9300, 114),
    (1, 3, 2, 'put', 1, 1, 20, 8, NULL, 4, 0, 1, 5, 9000, 9100, 115), (2, 3, 2, 'put', 1, 1, 20, 8, NULL, 4, 0, 1, 5, 9050, 9300, 116),
    (1, 3, 2, 'put', 1, 1, 20, 12, NULL, 4, 0, 1, 5, 9000, 9100, 117), (2, 3, 2, 'put', 1, 1, 20, 12, 4, 4, 0, 1, 5, 9200, 9300, 118),
    (1, 2, 2, 'put', 1, 1, 20, 40, NULL, 4, 0, 1, 5, 9000, 9100, 119), (2, 2, 2, 'put', 1, 1, 20, 40, NULL, 4, 0, 1, 5, 9200, 9300, 120),
    (0, 2, 2, 'exclusion', 1, 2, 0, 0, NULL, 0, 0, NULL, NULL, 9150, NULL, 101);
