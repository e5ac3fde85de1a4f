-- Four equal ranks. The world; a part that is the world again (12); a second one made after that was freed (13), and one with a name
-- made while 13 lived (14). A duplicate, a topology, one with an attribute, a part by type, one in another order, an intercommunicator, one that
-- is alone, and a pair of halves (30, 31).
INSERT INTO function (function, name, class) VALUES (1, 'MPI_Comm_split', 'communicator'), (2, 'MPI_Comm_dup_with_info', 'communicator'),
    (3, 'MPI_Comm_split_type', 'communicator'), (4, 'MPI_Cart_create', 'topology'), (5, 'MPI_Intercomm_create', 'communicator');
CREATE TEMP TABLE made (object, name, function, members, born, freed, topology);
INSERT INTO made VALUES (10, 'world', NULL, '0-3', 0, NULL, 'none'), (12, NULL, 1, '0-3', 100, 200, 'none'), (13, NULL, 1, '0-3', 300, 900, 'none'),
    (14, 'again', 1, '0-3', 400, 500, 'none'), (15, 'dup', 2, '0-3', 100, 900, 'none'), (16, 'cart', 4, '0-3', 100, 900, 'cart'),
    (17, 'cached', 1, '0-3', 100, 900, 'none'), (18, 'node', 3, '0-3', 100, 900, 'none'), (19, 'turned', 1, '3,2,1,0', 100, 900, 'none'),
    (20, 'bridge', 5, '0-3', 100, 900, 'none'), (21, 'self', 1, '0', 100, 900, 'none'), (22, 'own', 1, '0', 100, 900, 'none'),
    (30, 'half 1', 1, '0,1', 600, 700, 'none'), (31, 'half 2', 1, '0,1', 650, NULL, 'none'), (32, 'half 3', 1, '0,1', 699, 710, 'none');
INSERT INTO object (rank, object, kind, name, name_origin, uid, function, site, created_ns, freed_ns, internal, predefined, adopted)
SELECT r.value, object, 'communicator', name, 'program', 1000 + object, function, object, CASE WHEN object > 10 THEN born END, freed, 0, object = 10, 0
FROM made, json_each('[0, 1, 2, 3]') r WHERE r.value < CASE members WHEN '0' THEN 1 WHEN '0,1' THEN 2 ELSE 4 END;
INSERT INTO communicator (rank, object, size, own_rank, remote_size, members, topology)
SELECT o.rank, o.object, CASE m.members WHEN '0' THEN 1 WHEN '0,1' THEN 2 ELSE 4 END, o.rank, CASE m.name WHEN 'bridge' THEN 2 END,
       CASE o.rank WHEN 0 THEN m.members END, m.topology
FROM object o JOIN made m USING (object);
INSERT INTO attribute (rank, object, keyval, operation, found, value_kind, value, site, calls) VALUES
    (2, 17, 5, 'set', 1, 'address', 1, 0, 1), (2, 12, 5, 'get', 0, 'none', 0, 0, 1);
DROP TABLE made;
