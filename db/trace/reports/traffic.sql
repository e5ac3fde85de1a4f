-- The verdict; what has no pair of processes; whether both accounts of each pair agree. Then by communicator and distance, those whose names
-- differ by digits only together; % is the share of the communicator's data. Then the heaviest pairs and a map. For every run a page is
-- about enough, and the 64 lines of a map. A pair's data is the larger of both accounts.
WITH talked AS MATERIALIZED (
         SELECT communicator, communicator_uid AS id, transfer, source, dest, partner, distance, max(coalesce(sent_messages, 0), coalesce(received_messages, 0)) AS messages,
                max(coalesce(sent_bytes, 0), coalesce(received_bytes, 0)) AS bytes, sent_messages IS NOT NULL AND received_messages IS NOT NULL AS both
         FROM traffic_pairs),
     whole (messages, bytes, pairs, both) AS MATERIALIZED (SELECT sum(messages), sum(bytes), count(*), total(both) FROM talked WHERE partner IS NULL),
     weighed AS MATERIALIZED ( -- by bytes, if there are any
         SELECT t.*, CASE w.bytes WHEN 0 THEN t.messages ELSE t.bytes END AS weight FROM talked t, whole w WHERE t.partner IS NULL),
     near (known, stays, unknown) AS (
         SELECT total(CASE WHEN distance IS NOT NULL THEN weight END), total(CASE WHEN distance <> 'remote' THEN weight END),
                total(CASE WHEN distance IS NULL THEN weight END) FROM weighed),
     heaviest (name, share) AS (
         SELECT pattern(communicator), total(weight) * 100 / nullif((SELECT total(weight) FROM weighed), 0) FROM weighed GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1),
     load (rank, weight) AS MATERIALIZED (
         SELECT rank, sum(weight) FROM (SELECT source AS rank, weight FROM weighed UNION ALL SELECT dest, weight FROM weighed) GROUP BY 1),
     most (rank, times) AS (
         SELECT rank, weight * (SELECT max(count(*), (SELECT count(*) FROM load)) FROM process WHERE rank >= 0)
                      / nullif((SELECT total(weight) FROM load), 0) FROM load ORDER BY weight DESC, rank LIMIT 1),
     apart AS MATERIALIZED (SELECT * FROM traffic_differences),
     summed (reason, text, place, pairs, messages, bytes) AS (
         SELECT a.reason, r.text, r.place, count(*), sum(abs(a.sent_messages - a.received_messages) - CASE a.reason WHEN 'not received' THEN a.unknown_messages ELSE 0 END), sum(abs(a.sent_bytes - a.received_bytes))
         FROM apart a JOIN (
              SELECT 'not received' AS reason, 1 AS place, 'never received' AS text
              UNION ALL SELECT 'truncated', 2, 'longer than the buffers that received them'
              UNION ALL SELECT 'not sent', 3, 'received, but not seen to be sent'
              UNION ALL SELECT 'not recorded', 4, 'something is missing in the trace of one of the two'
              UNION ALL SELECT 'paused', 5, 'one of the two paused the recording (MPI_Pcontrol)') r ON r.reason = a.reason GROUP BY 1, 2, 3),
     example (reason, text, place) AS (
         SELECT reason, printf('  %d -> %d on %s: sent %d, %s; received %d, %s', source, dest, substr(communicator, 1, 60), sent_messages, bytes(sent_bytes),
                               received_messages, bytes(received_bytes)),
                row_number() OVER (PARTITION BY reason ORDER BY abs(sent_messages - received_messages) DESC, abs(sent_bytes - received_bytes) DESC, source, dest)
         FROM apart),
     line (section, a, b, line) AS (
         SELECT 0, 0, 0, CASE WHEN w.pairs = 0 THEN CASE WHEN EXISTS (SELECT 1 FROM talked) THEN 'No message went between two processes of MPI_COMM_WORLD'
                                                         ELSE 'No message was counted'
                                                              || CASE WHEN EXISTS (SELECT 1 FROM profile p JOIN function f ON f.function = p.function
                                                                                   WHERE f.class = 'point-to-point' AND p.sent_bytes + p.received_bytes > 0)
                                                                      THEN ': traces of schema version 6 and later have their partners' ELSE '' END END
              ELSE bytes(w.bytes) || ' in ' || w.messages || CASE w.messages WHEN 1 THEN ' message' ELSE ' messages' END || ': '
                   || CASE WHEN n.known = 0 THEN 'how far they went is not known'
                           WHEN n.stays = n.known THEN CASE WHEN n.unknown > 0 THEN 'what is known of stays on a node' ELSE 'all stays on a node' END
                           WHEN n.stays = 0 THEN 'none stays on a node' ELSE printf('%.1f %% stays on a node', n.stays * 100 / n.known) END
                   || CASE WHEN n.known > 0 AND n.unknown > 0 THEN printf(' (of %.1f %% it is not known)', n.unknown * 100 / (n.known + n.unknown)) ELSE '' END
                   || CASE WHEN h.share IS NULL THEN '' WHEN h.share > 99.95 THEN '; all is on ' || substr(h.name, 1, 60) ELSE printf('; %.1f %% is on ', h.share) || substr(h.name, 1, 60) END
                   || CASE WHEN m.times IS NULL THEN '' WHEN m.times < 1.1 THEN '; all ranks about the same' ELSE printf('; rank %d has the most, %.3g times the mean', m.rank, m.times) END END
         FROM whole w, near n LEFT JOIN heaviest h LEFT JOIN most m ON (SELECT count(*) FROM process) > 1 -- of one rank nothing is to be compared
         UNION ALL
         SELECT 1, CASE partner WHEN 'MPI_PROC_NULL' THEN 1 WHEN 'others' THEN 2 ELSE 3 END, 0,
                CASE partner WHEN 'MPI_PROC_NULL' THEN 'To and from MPI_PROC_NULL: ' WHEN 'others' THEN 'Beyond the first 4096 partners of a thread: '
                             ELSE 'To and from processes that are not in MPI_COMM_WORLD: ' END || sum(messages)
                || CASE sum(messages) WHEN 1 THEN ' message' ELSE ' messages' END || CASE sum(bytes) WHEN 0 THEN '' ELSE ', ' || bytes(sum(bytes)) END
                || CASE count(DISTINCT coalesce(source, dest)) WHEN 1 THEN ', rank ' ELSE ', ranks ' END
                || CASE WHEN length(ranges(coalesce(source, dest))) > 60 THEN rtrim(substr(ranges(coalesce(source, dest)), 1, 57), '0123456789-') || '...'
                        ELSE ranges(coalesce(source, dest)) END
         FROM talked WHERE partner IS NOT NULL GROUP BY partner
         UNION ALL
         SELECT 1, 4, 0, 'One-sided: ' || group_concat(text, ', ')
         FROM (SELECT transfer || ' ' || bytes(sum(bytes)) || ' in ' || sum(messages) AS text FROM talked WHERE transfer <> 'message' AND partner IS NULL GROUP BY transfer ORDER BY transfer DESC)
         HAVING count(*) > 0
         UNION ALL
         SELECT 2, 0, 0, CASE WHEN w.both = 1 THEN 'Both accounts of the only pair that has two agree' ELSE printf('Both accounts agree for all %d pairs that have two', w.both) END
         FROM whole w WHERE w.both > 0 AND NOT EXISTS (SELECT 1 FROM apart)
         UNION ALL
         SELECT 2, place, 0, printf('%d pair%s not agree, by ', pairs, CASE pairs WHEN 1 THEN ' does' ELSE 's do' END)
                             || CASE messages WHEN 0 THEN '' WHEN 1 THEN '1 message and ' ELSE messages || ' messages and ' END || bytes(bytes) || ': ' || text
         FROM summed
         UNION ALL
         SELECT 2, s.place, e.place, CASE WHEN e.place <= 2 OR s.pairs = 3 THEN e.text ELSE printf('  and %d more: view traffic_differences', s.pairs - 2) END
         FROM summed s JOIN example e ON e.reason = s.reason WHERE e.place <= 3 AND s.place <= 3)
SELECT line FROM line ORDER BY section, a, b;

WITH talked AS MATERIALIZED (
         SELECT pattern(communicator) AS name, communicator_uid AS id, communicator, transfer, coalesce(distance, '?') AS distance, max(coalesce(sent_messages, 0), coalesce(received_messages, 0)) AS messages,
                max(coalesce(sent_bytes, 0), coalesce(received_bytes, 0)) AS bytes
         FROM traffic_pairs WHERE partner IS NULL),
     weighed AS MATERIALIZED (
         SELECT *, CASE sum(bytes) OVER (PARTITION BY name, transfer) WHEN 0 THEN messages ELSE bytes END AS weight FROM talked),
     kind (name, count, transfer, pairs, messages, bytes, own, core, package, node, remote, unknown, whole, number) AS MATERIALIZED (
         SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE name END, count(DISTINCT id), transfer, count(*), sum(messages), sum(bytes),
                sum(CASE distance WHEN 'self' THEN weight END), sum(CASE distance WHEN 'core' THEN weight END), sum(CASE distance WHEN 'package' THEN weight END),
                sum(CASE distance WHEN 'node' THEN weight END), sum(CASE distance WHEN 'remote' THEN weight END), sum(CASE distance WHEN '?' THEN weight END),
                nullif(total(weight), 0), row_number() OVER (ORDER BY sum(bytes) DESC, sum(messages) DESC, name, transfer)
         FROM weighed GROUP BY name, transfer),
     room (rows) AS (SELECT CASE WHEN count(*) = 6 THEN 6 ELSE 5 END FROM kind)
SELECT CASE WHEN number <= rows THEN name ELSE 'and ' || count(*) || ' more' END AS communicator, sum(count) AS count,
       CASE WHEN min(transfer) = max(transfer) THEN min(transfer) END AS transfer, sum(pairs) AS pairs, sum(messages) AS messages, sum(bytes) AS bytes,
       sum(own) * 100 / sum(whole) AS self_percent, sum(core) * 100 / sum(whole) AS core_percent, sum(package) * 100 / sum(whole) AS package_percent,
       sum(node) * 100 / sum(whole) AS node_percent, sum(remote) * 100 / sum(whole) AS remote_percent
FROM kind, room GROUP BY min(number, rows + 1) ORDER BY min(number);

WITH RECURSIVE talked AS MATERIALIZED (
         SELECT communicator, transfer, source, dest, distance, max(coalesce(sent_messages, 0), coalesce(received_messages, 0)) AS messages,
                max(coalesce(sent_bytes, 0), coalesce(received_bytes, 0)) AS bytes
         FROM traffic_pairs WHERE partner IS NULL),
     top AS (SELECT *, row_number() OVER (ORDER BY bytes DESC, messages DESC, source, dest, communicator, transfer) AS number FROM talked),
     size (ranks) AS (SELECT max(max(coalesce(world_size, 0)), max(rank) + 1, coalesce((SELECT max(max(source, dest)) + 1 FROM talked), 0)) FROM process),
     bin (width) AS (SELECT 1 UNION ALL SELECT CASE width WHEN 1 THEN 2 ELSE width * 2 END FROM bin, size WHERE ranks > CASE width WHEN 1 THEN 64 ELSE width * 32 END),
     scale (width, bins, ranks) AS MATERIALIZED (SELECT max(width), (ranks + max(width) - 1) / max(width), ranks FROM bin, size),
     cell (y, x, weight) AS MATERIALIZED (
         SELECT source / width, dest / width, max(1, CASE (SELECT sum(bytes) FROM talked) WHEN 0 THEN sum(messages) ELSE sum(bytes) END) FROM talked, scale GROUP BY 1, 2),
     peak (weight) AS MATERIALIZED (SELECT max(weight) FROM cell),
     number (n) AS MATERIALIZED (SELECT 0 UNION ALL SELECT n + 1 FROM number, scale WHERE n + 1 < bins),
     place (n, node) AS MATERIALIZED (SELECT rank, node FROM process, scale WHERE rank >= 0 AND width = 1),
     map (y, signs) AS MATERIALIZED (
         SELECT y, group_concat(sign, '')
         FROM (SELECT a.n AS y, CASE WHEN c.weight IS NULL THEN ' ' WHEN c.weight > p.weight / 4.0 THEN '@' WHEN c.weight > p.weight / 16.0 THEN '#'
                                     WHEN c.weight > p.weight / 64.0 THEN '*' WHEN c.weight > p.weight / 256.0 THEN '+' WHEN c.weight > p.weight / 1024.0 THEN '='
                                     WHEN c.weight > p.weight / 4096.0 THEN '-' WHEN c.weight > p.weight / 16384.0 THEN ':' ELSE '.' END AS sign
               FROM number a JOIN number b LEFT JOIN cell c ON c.y = a.n AND c.x = b.n JOIN peak p ORDER BY a.n, b.n)
         GROUP BY y),
     line (section, a, line) AS (
         SELECT 0, 0, 'The heaviest pairs:' WHERE EXISTS (SELECT 1 FROM talked)
         UNION ALL
         SELECT 0, number, printf('  %d -> %d on %s: %s in %d%s', source, dest, substr(communicator, 1, 60), bytes(bytes), messages,
                                  CASE WHEN transfer <> 'message' THEN ' of ' || transfer WHEN messages = 1 THEN ' message' ELSE ' messages' END) || coalesce(', ' || distance, '')
         FROM top WHERE number <= 5
         UNION ALL
         SELECT 1, 0, '' WHERE EXISTS (SELECT 1 FROM talked)
         UNION ALL
         SELECT 1, 1, 'Source (lines) and dest (columns)' || CASE width WHEN 1 THEN '' ELSE ', ' || width || ' ranks each' END || '. From @, up to '
                      || CASE (SELECT sum(bytes) FROM talked) WHEN 0 THEN p.weight || ' messages' ELSE bytes(p.weight) END || ', to # * + = - : . each a quarter'
         FROM scale, peak p WHERE p.weight IS NOT NULL
         UNION ALL
         SELECT 1, 2, '        ' || rtrim(group_concat(printf('%-8d', n * width), '')) FROM (SELECT n, width FROM number, scale WHERE n % 8 = 0 ORDER BY n)
         WHERE EXISTS (SELECT 1 FROM talked) HAVING count(*) > 0
         UNION ALL
         SELECT 1, 3 + m.y, printf('%6d |%s|', m.y * width, m.signs)
                            || CASE WHEN width = 1 AND (SELECT count(DISTINCT node) FROM process WHERE rank >= 0) > 1
                                         AND NOT EXISTS (SELECT 1 FROM place q WHERE q.n = m.y - 1 AND q.node = p.node)
                                    THEN ' ' || substr(p.node, 1, 32) ELSE '' END
         FROM map m, scale LEFT JOIN place p ON p.n = m.y WHERE EXISTS (SELECT 1 FROM talked))
SELECT line FROM line ORDER BY section, a
