-- Objects that threads are inside of or wait for: `near`, for hang_objects.sql and others.
WITH hand (rank, object) AS MATERIALIZED (
         SELECT rank, object FROM thread
         UNION SELECT rank, inner_object FROM thread WHERE state = 'inside'
         UNION SELECT rank, object FROM active_request),
     uids (uid) AS MATERIALIZED (
         SELECT DISTINCT o.uid FROM object o JOIN hand h ON h.rank = o.rank AND h.object = o.object WHERE o.uid IS NOT NULL),
     near (rank, object) AS MATERIALIZED (
         SELECT rank, object FROM object
         WHERE uid IN (SELECT uid FROM uids) AND kind IN ('communicator', 'window', 'file')
         UNION SELECT rank, object FROM hand WHERE object IS NOT NULL)
