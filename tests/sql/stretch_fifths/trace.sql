-- Two threads run the code before MPI_Recv; only one of them has a sample in the code before MPI_Send.
INSERT INTO function (function, name, class) VALUES (3, 'MPI_Send', 'point-to-point'), (5, 'MPI_Recv', 'point-to-point');
CREATE TABLE temp.used (thread, from_function, from_site, function, site, one, two, three, four, five);
INSERT INTO used VALUES (0, 3, 1, 5, 2, 100, 100, 100, 100, 600), (1, 3, 1, 5, 2, 50, 50, 50, 50, 50), (0, 5, 2, 3, 1, 9, 0, 0, 0, 1), (1, 5, 2, 3, 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO stretch (rank, thread, communicator, object, region, from_function, from_site, function, site, stretches, time_ns, min_ns, max_ns, call_ns, seen_ns, exact_ns,
                     core_ns, system_ns, sleeps, switches, minor_faults, major_faults, read_bytes, written_bytes, disk_bytes, others_ns, call_seen_ns, call_core_ns,
                     fifth_1_ns, fifth_2_ns, fifth_3_ns, fifth_4_ns, fifth_5_ns)
SELECT 0, thread, 1, 0, 0, from_function, from_site, function, site, 10, 1000000000, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
       one * 1000000, two * 1000000, three * 1000000, four * 1000000, five * 1000000 FROM used;
DROP TABLE used;
