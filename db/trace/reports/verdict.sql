-- What stands out
-- overview: 3
-- What most of the MPI time goes to, which rank the others wait for, what most messages are on and what of them did not arrive, what the
-- standard has one answer to and ranks are told otherwise, tags that other MPIs may refuse, what was never freed, and where the ranks are if
-- that is wrong. % is the share of all time in MPI but that of MPI_Init and MPI_Finalize.
WITH cell (first, rank, object, function, site, ns) AS MATERIALIZED (
         SELECT coalesce(a.similar_to, (p.rank << 32) + nullif(p.communicator, 0), -1), p.rank, coalesce(a.object, p.communicator), f.name, p.site, p.time_ns
         FROM profile p LEFT JOIN similar_objects a ON a.rank = p.rank AND a.object = coalesce(nullif(p.object, 0), p.communicator)
              JOIN function f ON f.function = p.function
         WHERE coalesce(f.class, '') <> 'lifecycle'),
     whole (ns) AS (SELECT nullif(total(ns), 0) FROM cell),
     most_on (first, names, label, ns) AS (
         SELECT c.first, count(DISTINCT n.label), min(n.label), total(c.ns)
         FROM cell c LEFT JOIN labels n ON n.rank = c.rank AND n.object = c.object GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT 1),
     most_in (function, ns) AS (
         SELECT function, total(ns) FROM cell WHERE first = (SELECT first FROM most_on) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1),
     most_from (site, ns) AS (
         SELECT site, total(ns) FROM cell WHERE first = (SELECT first FROM most_on) AND function = (SELECT function FROM most_in)
         GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1),
     share (communicator, function, site) AS (
         SELECT printf('%.1f %%', c.ns * 100.0 / w.ns), printf('%.1f %%', f.ns * 100.0 / w.ns), printf('%.1f %%', s.ns * 100.0 / w.ns)
         FROM most_on c, most_in f, most_from s, whole w),
     busy (rank, percent) AS MATERIALIZED (
         SELECT p.rank, min(100, total(c.ns) * 100.0 / nullif((p.last_seen_ns - p.began_ns) * max(1, (SELECT count(*) FROM thread t WHERE t.rank = p.rank)), 0))
         FROM process p JOIN cell c ON c.rank = p.rank GROUP BY p.rank),
     spread (least, most) AS (SELECT min(percent), max(percent) FROM busy),
     talked AS MATERIALIZED (
         SELECT pattern(communicator) AS name, distance, max(coalesce(sent_bytes, 0), coalesce(received_bytes, 0)) AS bytes FROM talk WHERE partner IS NULL),
     apart (pairs, messages, bytes) AS (
         SELECT count(*), sum(abs(sent_messages - received_messages)), sum(abs(sent_bytes - received_bytes))
         FROM talk_differences WHERE reason IN ('not received', 'not sent', 'truncated')),
     not_freed (kind, created_by, site, objects) AS MATERIALIZED (
         SELECT l.kind, l.created_by, l.site, count(*) FROM leaks l JOIN process p ON p.rank = l.rank AND p.outcome = 'finalized' GROUP BY 1, 2, 3)
SELECT 'Of the MPI time, ' || share.communicator || CASE c.first WHEN -1 THEN ' is in calls without a communicator'
           ELSE ' is on ' || c.label || CASE WHEN c.names > 1 THEN ' and ' || (c.names - 1) || ' more' ELSE '' END END
       || CASE WHEN share.function = share.communicator THEN ', in ' ELSE ', ' || share.function || ' in ' END || f.function
       || CASE WHEN s.site = 0 THEN '' WHEN share.site = share.function THEN ', called from ' || location(s.site)
          ELSE ', ' || share.site || ' called from ' || location(s.site) END AS line
FROM share, most_on c, most_in f, most_from s
UNION ALL
SELECT 'Beside MPI_Init and MPI_Finalize, no MPI function took time' WHERE (SELECT ns FROM whole) IS NULL AND EXISTS (SELECT 1 FROM profile)
UNION ALL
SELECT 'The others wait for rank ' || latest_rank || ' in ' || function || ' on ' || communicator || ': ' || duration(waiting_seconds * 1e9)
       || printf(' together, %.1f %% of the MPI time', waiting_seconds * 1e11 / ns)
FROM (SELECT * FROM balance LIMIT 1), whole WHERE waiting_seconds * 1e9 >= 0.05 * ns AND waiting_percent >= 20
UNION ALL
SELECT printf('Rank %d spends the least of its time in MPI, %.1f %%; rank %d the most, %.1f %%', (SELECT min(rank) FROM busy WHERE percent = least), least,
              (SELECT min(rank) FROM busy WHERE percent = most), most)
FROM spread WHERE most - least >= 10
UNION ALL
SELECT 'Of ' || bytes(sum(bytes)) || ' between ranks, '
       || (SELECT printf('%.1f %% is on ', total(bytes) * 100 / (SELECT sum(bytes) FROM talked)) || name FROM talked GROUP BY name ORDER BY total(bytes) DESC, name LIMIT 1)
       || CASE WHEN (SELECT count(DISTINCT node) FROM process) > 1 AND count(distance)
               THEN printf('; %.1f %% stays on a node', total(CASE WHEN distance <> 'remote' THEN bytes END) * 100 / nullif(total(CASE WHEN distance IS NOT NULL THEN bytes END), 0))
               ELSE '' END
FROM talked HAVING sum(bytes) > 0
UNION ALL
SELECT printf('Sent and received do not agree between %d pair%s of ranks, by %d message%s and %s: see the report traffic', pairs, CASE pairs WHEN 1 THEN '' ELSE 's' END,
              messages, CASE messages WHEN 1 THEN '' ELSE 's' END, bytes(bytes))
FROM apart WHERE pairs > 0
UNION ALL
SELECT 'The program uses tags up to ' || tag || ', on ' || communicator || ', and never asked for MPI_TAG_UB: every MPI allows 32767 only'
FROM (SELECT tag, communicator FROM tags_too_large LIMIT 1)
WHERE NOT EXISTS (SELECT 1 FROM attribute a JOIN keyval k ON k.rank = a.rank AND k.kind = 'communicator' AND k.keyval = a.keyval AND k.name = 'MPI_TAG_UB'
                  WHERE a.operation = 'get' AND coalesce(a.kind, 'communicator') = 'communicator')
UNION ALL
SELECT name || ' differs between ranks of MPI_COMM_WORLD: ' || max(CASE place WHEN 1 THEN answer END) || ', ' || max(CASE place WHEN 2 THEN answer END)
       || CASE WHEN count(*) > 2 THEN ' and ' || (count(*) - 2) || ' more' ELSE '' END || '. The standard has one for all'
FROM (SELECT name, answer || ' on ' || ranges(rank) AS answer, row_number() OVER (PARTITION BY name ORDER BY count(*) DESC, min(rank)) AS place
      FROM attribute_findings WHERE about = 'differs' GROUP BY name, answer)
GROUP BY name
UNION ALL
SELECT 'MPI_TAG_UB is ' || min(CAST(answer AS INT)) || ' on ranks ' || ranges(rank) || ': the standard guarantees 32767'
FROM attribute_findings WHERE about = 'too small' HAVING count(*) > 0
UNION ALL
SELECT 'Never freed: ' || group_concat(objects || ' ' || kind || CASE objects WHEN 1 THEN '' ELSE 's' END, ', ')
       || (SELECT CASE WHEN objects < total THEN '; ' || objects || ' of them by ' ELSE ', all by ' END || created_by || coalesce(' at ' || location(site), '')
           FROM not_freed, (SELECT sum(objects) AS total FROM not_freed) ORDER BY objects DESC, created_by, site LIMIT 1)
FROM (SELECT kind, sum(objects) AS objects FROM not_freed GROUP BY 1 ORDER BY 2 DESC, 1) HAVING count(*) > 0
UNION ALL
SELECT verdict FROM run_placement WHERE wrong
