SELECT time, what, object, peer, bytes, location
FROM (SELECT 1 AS part, -since_ns AS turn, 'thread ' || thread AS time,
             CASE state WHEN 'inside' THEN call ELSE 'outside MPI' END AS what, object_name AS object,
             CASE peer WHEN 'MPI_ANY_SOURCE' THEN 'any' WHEN 'MPI_PROC_NULL' THEN 'null' ELSE peer END AS peer, bytes, location
      FROM threads
      UNION ALL
      SELECT * FROM (SELECT 2, -start_ns, round(start_ns / 1e9, 6), e.function, object_name,
                            CASE peer WHEN -1 THEN 'any' WHEN -2 THEN 'null' ELSE peer END, bytes, s.location
                     FROM events e LEFT JOIN sites s USING (site) ORDER BY start_ns DESC LIMIT 30))
ORDER BY part, turn
