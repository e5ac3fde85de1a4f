-- The lines above the table of traffic. Messages weigh what they carry or, if none has data, their number.
WITH pair AS MATERIALIZED (SELECT * FROM traffic_pairs),
     known (pairs, two_sided, messages, bytes) AS MATERIALIZED (
         SELECT count(*), sum(sent_messages IS NOT NULL AND received_messages IS NOT NULL), sum(messages), sum(bytes)
         FROM pair WHERE partner IS NULL),
     weight AS MATERIALIZED (
         SELECT p.*, CASE WHEN k.bytes THEN p.bytes ELSE p.messages END AS weight
         FROM pair p, known k WHERE p.partner IS NULL),
     place (all_of_them, known, near) AS (
         SELECT total(weight), total(CASE WHEN distance IS NOT NULL THEN weight END),
                total(CASE WHEN distance <> 'remote' THEN weight END)
         FROM weight),
     heaviest (name, weight) AS (
         SELECT pattern(communicator), total(weight) FROM weight GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1),
     load (rank, weight) AS (
         SELECT rank, total(weight)
         FROM (SELECT source AS rank, weight FROM weight UNION ALL SELECT dest, weight FROM weight) GROUP BY rank),
     busiest (rank, times) AS (
         SELECT rank, weight * max((SELECT count(*) FROM load), (SELECT total(rank >= 0) FROM process))
                      / (SELECT nullif(total(weight), 0) FROM load)
         FROM load WHERE (SELECT count(*) FROM process) > 1 ORDER BY weight DESC, rank LIMIT 1),
     transfers (transfer, one, many) AS (VALUES ('put', 'put', 'puts'), ('get', 'get', 'gets')),
     one_sided (text) AS (
         SELECT sum(messages) || ' ' || iif(sum(messages) = 1, one, many) || ' with ' || bytes(sum(bytes))
         FROM weight JOIN transfers USING (transfer) GROUP BY transfer ORDER BY transfer DESC),
     partners (partner, words) AS (
         VALUES ('MPI_PROC_NULL', 'To and from MPI_PROC_NULL: '),
                ('others', 'Beyond the first 4096 peers of a thread: '),
                ('elsewhere', 'To and from processes outside MPI_COMM_WORLD: ')),
     reasons (turn, reason, words, examples) AS (
         VALUES (1, 'not received', 'Sent but never received', 1),
                (2, 'truncated', 'Longer than the buffers that received them', 1),
                (3, 'not sent', 'Received but not recorded as sent', 1),
                (4, 'not recorded', 'Counts differ because one of the two traces is incomplete', 0),
                (5, 'paused', 'Counts differ because MPI_Pcontrol paused the recording of one rank', 0)),
     apart AS MATERIALIZED (
         SELECT *, row_number() OVER (PARTITION BY reason ORDER BY abs(sent_messages - received_messages) DESC,
                                      abs(sent_bytes - received_bytes) DESC, source, dest) AS number,
                count(*) OVER (PARTITION BY reason) AS pairs
         FROM traffic_differences JOIN reasons USING (reason)),
     line (part, turn, number, text) AS (
         SELECT 1, 0, 0,
                iif(NOT k.pairs,
                    iif(EXISTS (SELECT 1 FROM pair), 'No message between processes of MPI_COMM_WORLD was recorded',
                        'No message was recorded'),
                    k.messages || iif(k.messages = 1, ' message, ', ' messages, ') || bytes(k.bytes) || ': '
                    || CASE WHEN p.known = 0 THEN 'distance unknown' WHEN p.near = p.known THEN 'all within nodes'
                            WHEN p.near = 0 THEN 'all between nodes'
                            ELSE printf('%.1f %% within nodes', p.near * 100 / p.known) END
                    || iif(p.known > 0 AND p.known < p.all_of_them,
                           printf(' (distance of %.1f %% unknown)', 100 - p.known * 100 / p.all_of_them), '')
                    || iif(h.weight > 0, iif(h.weight * 100 / p.all_of_them > 99.95, ', all on ',
                                             printf(', %.1f %% on ', h.weight * 100 / p.all_of_them))
                                         || substr(h.name, 1, 60), '')
                    || coalesce((SELECT iif(times < 1.1, '. All ranks send and receive about the same',
                                            printf('. Rank %d sends and receives most, %.3g times the mean', rank, times))
                                 FROM busiest), ''))
         FROM known k, place p LEFT JOIN heaviest h
         UNION ALL
         SELECT 2, instr('MPI_PROC_NULL others elsewhere', partner), 0,
                words || sum(messages) || iif(sum(messages) = 1, ' message, ', ' messages, ')
                || iif(sum(bytes), bytes(sum(bytes)) || ', ', '') || iif(min(coalesce(source, dest)) = max(coalesce(source, dest)), 'rank ', 'ranks ')
                || ranges(coalesce(source, dest), 60)
         FROM pair JOIN partners USING (partner) GROUP BY partner
         UNION ALL
         SELECT 3, 0, 0, 'One-sided: ' || group_concat(text, ', ') FROM one_sided HAVING count(*)
         UNION ALL
         SELECT 4, 0, 0, 'Sender and receiver counts match' || iif(two_sided > 1, ' (' || two_sided || ' pairs of ranks)', '')
         FROM known WHERE two_sided AND NOT EXISTS (SELECT 1 FROM apart)
         UNION ALL
         SELECT 4, turn, 0,
                words || ': ' || iif(messages, messages || iif(messages = 1, ' message, ', ' messages, '), '') || bytes(bytes)
                || ', ' || pairs || iif(pairs = 1, ' pair of ranks', ' pairs of ranks')
         FROM (SELECT turn, words, pairs, total(abs(sent_bytes - received_bytes)) AS bytes,
                      sum(abs(sent_messages - received_messages)
                          - iif(reason = 'not received', coalesce(unknown_messages, 0), 0)) AS messages
               FROM apart GROUP BY turn)
         UNION ALL
         SELECT 4, turn, number,
                '  ' || source || ' -> ' || dest || ' on ' || substr(communicator, 1, 60) || ': sent ' || sent_messages
                || iif(sent_messages = 1, ' message (', ' messages (') || bytes(sent_bytes) || '), received '
                || received_messages || ' (' || bytes(received_bytes) || ')'
         FROM apart WHERE examples AND number <= iif(pairs = 3, 3, 2)
         UNION ALL
         SELECT 4, turn, 3, '  and ' || pairs - 2 || ' more: view traffic_differences'
         FROM apart WHERE examples AND number = 1 AND pairs > 3)
SELECT text FROM line ORDER BY part, turn, number
