-- What most of the MPI time goes to, which rank the others wait for, how much of its time each rank spends in MPI, what most messages are on
-- and what of them did not arrive, what the standard has one answer to and ranks are told otherwise, tags that other MPIs may refuse, what
-- was never freed, and where the ranks are if that is wrong. Each line names what its % are of; each % is one of the tables'.
WITH site (function, location, percent) AS MATERIALIZED (
         SELECT function, location(site), sum(percent) FROM call_sites WHERE percent IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 1),
     place (similar_to, communicator, number, row_name, percent) AS MATERIALIZED (
         SELECT similar_to, communicator, number, row_name, percent FROM communicator_time),
     spent (function, ns, percent) AS MATERIALIZED (SELECT function, seconds * 1e9, percent FROM function_time),
     whole (ns) AS (SELECT nullif(total(ns), 0) FROM spent WHERE percent IS NOT NULL),
     unreturned (calls, ns) AS (SELECT count(*), total(time_ns) FROM call_times WHERE open AND NOT lifecycle),
     unknown (calls) AS (SELECT count(*) FROM thread t JOIN process p USING (rank) WHERE t.state = 'inside' AND p.outcome = 'died'),
     share (kind, rank, percent, number, ranks) AS ( -- kind 0: of all MPI functions, 1: without Init and Finalize
         SELECT kind, rank, percent, row_number() OVER (PARTITION BY kind ORDER BY percent, rank), count(*) OVER (PARTITION BY kind)
         FROM (SELECT k.column1 AS kind, p.rank, CASE k.column1 WHEN 0 THEN p.mpi_percent ELSE p.other_percent END AS percent
               FROM processes p, (VALUES (0), (1)) k WHERE p.rank >= 0) WHERE percent IS NOT NULL),
     spread (kind, text) AS (
         SELECT kind, printf('least %.1f (rank %d), median %.1f, most %.1f (rank %d)', min(percent), max(CASE number WHEN 1 THEN rank END),
                             avg(CASE WHEN number IN ((ranks + 1) / 2, (ranks + 2) / 2) THEN percent END), max(percent),
                             max(CASE number WHEN ranks THEN rank END))
         FROM share GROUP BY kind HAVING count(*) > 1),
     carried (similar_to, transfer, distance, bytes) AS MATERIALIZED (
         SELECT g.similar_to, t.transfer, t.distance, max(coalesce(t.sent_bytes, 0), coalesce(t.received_bytes, 0))
         FROM traffic_pairs t LEFT JOIN (SELECT CAST(coalesce(o.uid, (o.rank << 32) + o.object) AS INT) AS id, min(a.similar_to) AS similar_to
                                FROM object o JOIN similar_objects a USING (rank, object) WHERE o.kind = 'communicator' GROUP BY 1) g ON g.id = t.communicator_uid
         WHERE t.partner IS NULL AND t.source <> t.dest),
     apart (pairs, messages, bytes) AS (
         SELECT count(*), sum(abs(sent_messages - received_messages)), sum(abs(sent_bytes - received_bytes))
         FROM traffic_differences WHERE reason IN ('not received', 'not sent', 'truncated')),
     not_freed (rank, kind, created_by, site, objects) AS MATERIALIZED (
         SELECT l.rank, l.kind, l.created_by, l.site, count(*) FROM leaks l JOIN process p ON p.rank = l.rank AND p.outcome = 'finalized' GROUP BY 1, 2, 3, 4),
     held (kind, objects, ranks, rank, least, most) AS (
         SELECT kind, sum(objects), count(*), min(rank), min(objects), max(objects)
         FROM (SELECT kind, rank, sum(objects) AS objects FROM not_freed GROUP BY 1, 2) GROUP BY 1)
SELECT printf('MPI time without Init and Finalize: %.1f %% is ', c.percent)
       || CASE WHEN c.similar_to IS NULL THEN 'in calls without a communicator' ELSE 'on ' || c.row_name END
       || CASE WHEN s.function = f.function AND s.percent = f.percent THEN '' ELSE printf(', %.1f %% is in ', f.percent) || f.function END
       || printf(', %.1f %% is in ', s.percent) || s.function || coalesce(' at ' || nullif(s.location, ''), '')
       || CASE WHEN u.ns * 1000 < w.ns THEN '' ELSE printf('; %.1f %% is in %d call%s not returned', u.ns * 100.0 / w.ns, u.calls,
                                                   CASE u.calls WHEN 1 THEN ' that has' ELSE 's that have' END) END
       || CASE k.calls WHEN 0 THEN '' ELSE '; the time of the last call of dead ranks is not known and not counted' END AS line
FROM (SELECT * FROM place LIMIT 1) c, (SELECT * FROM spent LIMIT 1) f, site s, unreturned u, unknown k, whole w WHERE w.ns
UNION ALL
SELECT 'No MPI time outside MPI_Init and MPI_Finalize' WHERE (SELECT ns FROM whole) IS NULL AND EXISTS (SELECT 1 FROM spent)
UNION ALL
SELECT 'The others wait for rank ' || b.latest_rank || ' in ' || b.function || ' on ' || b.communicator || coalesce(' #' || c.number, '')
       || CASE WHEN b.kind IN ('window', 'file') AND b.communicator NOT GLOB '(*' THEN ' (' || b.kind || ')' ELSE '' END || ': at least '
       || duration(b.waiting_seconds * 1e9) || printf(' together, %.1f %% of the MPI time without Init and Finalize', b.waiting_seconds * 1e11 / w.ns)
FROM (SELECT * FROM balance LIMIT 1) b, whole w LEFT JOIN place c ON c.similar_to = b.similar_to
WHERE b.waiting_seconds * 1e9 >= 0.05 * w.ns AND b.waiting_percent >= 20
UNION ALL
SELECT 'Time in MPI, % of the time of ' || CASE (SELECT max(threads) > 1 FROM process) WHEN 1 THEN 'the threads of ' ELSE '' END || 'each rank: ' || a.text
       || '; without Init and Finalize: ' || b.text
FROM spread a JOIN spread b ON b.kind = 1 WHERE a.kind = 0
UNION ALL
SELECT CASE WHEN max(transfer = 'message') THEN 'Point-to-point messages' || CASE WHEN max(transfer <> 'message') THEN ' and one-sided transfers' ELSE '' END
            ELSE 'One-sided transfers' END || ' between ranks: ' || bytes(sum(bytes))
       || coalesce((SELECT printf(', %.1f %% of it on ', sum(m.bytes) * 100.0 / (SELECT sum(bytes) FROM carried)) || coalesce(c.row_name, n.label)
                    FROM carried m LEFT JOIN place c ON c.similar_to = m.similar_to
                         JOIN labels n ON n.rank = m.similar_to >> 32 AND n.object = (m.similar_to & 4294967295) GROUP BY m.similar_to ORDER BY sum(m.bytes) DESC, m.similar_to LIMIT 1), '')
       || CASE WHEN (SELECT count(DISTINCT node) FROM process) > 1 AND count(distance) = count(*)
               THEN printf(', %.1f %% of it on one node', total(CASE WHEN distance <> 'remote' THEN bytes END) * 100 / sum(bytes)) ELSE '' END
FROM carried HAVING sum(bytes) > 0
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
      FROM attribute_findings_by_rank WHERE kind = 'attribute_differs' GROUP BY name, answer)
GROUP BY name
UNION ALL
SELECT 'MPI_TAG_UB is ' || min(CAST(answer AS INT)) || ' on ranks ' || ranges(rank) || ': the standard guarantees 32767'
FROM attribute_findings_by_rank WHERE kind = 'tag_ub_too_small' HAVING count(*) > 0
UNION ALL
SELECT 'Never freed: ' || group_concat(CASE WHEN least < most THEN least || ' to ' ELSE '' END || most || ' ' || kind || CASE most WHEN 1 THEN '' ELSE 's' END
                                       || CASE WHEN (SELECT count(*) FROM process) = 1 THEN '' WHEN ranks = 1 THEN ' on rank ' || rank
                                               ELSE ' on each of ' || ranks || ' ranks (' || objects || ' in all)' END, ', ')
       || (SELECT CASE WHEN objects < total THEN '; ' || objects || ' of all ' || total || ' by ' ELSE '; all by ' END || created_by
                  || coalesce(' at ' || nullif(location, ''), '')
           FROM (SELECT created_by, location(site) AS location, sum(objects) AS objects FROM not_freed GROUP BY 1, 2),
                (SELECT sum(objects) AS total FROM not_freed) ORDER BY objects DESC, created_by, location LIMIT 1)
FROM (SELECT * FROM held ORDER BY objects DESC, kind) HAVING count(*) > 0
UNION ALL
SELECT verdict FROM run_placement WHERE wrong
