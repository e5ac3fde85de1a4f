-- Who waits for whom, and who is missing
-- First circles of ranks that wait for each other; then the collective calls that somebody is in, with the members that are not; then
-- who else waits; then who is outside MPI, or gone. A call that lasts has to be told from one that only passes: a circle is a deadlock when all its
-- waits were seen to last for a second together. Choices among requests and receives from any rank are on no circle: somebody else may end them.
WITH wait (rank, thread, outcome, call, way, object, label, id, peer, peer_rank, tag, site, since_ns, seen_ns, alone, ns) AS MATERIALIZED (
         SELECT rank, thread, outcome, call, way, object, object_name, id, peer, peer_rank, tag, site, since_ns, seen_ns, alone,
                CASE outcome WHEN 'running' THEN seen_ns - since_ns END
         FROM waits WHERE rank >= 0),
     gap AS MATERIALIZED (SELECT * FROM missing),
     running (running) AS MATERIALIZED (SELECT EXISTS (SELECT 1 FROM process WHERE outcome = 'running')),
     team (node, call, id, label, size, inside) AS MATERIALIZED ( -- node: of the graph, below all ranks
         SELECT -row_number() OVER (ORDER BY id, call), call, id, object_name, size, inside FROM gap GROUP BY call, id),
     mutual (rank, thread, other, met, unsure) AS MATERIALIZED ( -- waits for each other on the same communicator. met: one sends what the other receives
         SELECT w.rank, w.thread, v.rank,
                max((w.way = 'send' AND v.way = 'receive' OR w.way = 'receive' AND v.way = 'send') AND (w.tag = v.tag OR w.tag = -1 OR v.tag = -1)
                    OR w.way = 'exchange' OR v.way = 'exchange'),
                max((w.way = 'completion' OR v.way = 'completion') AND (w.tag = v.tag OR w.tag = -1 OR v.tag = -1))
         FROM wait w JOIN wait v ON v.rank = w.peer_rank
         WHERE v.id IS w.id AND (v.peer_rank = w.rank OR v.peer = -1) AND w.way IN ('send', 'receive', 'exchange', 'completion')
               AND v.way IN ('send', 'receive', 'exchange', 'completion') GROUP BY 1, 2, 3),
     edge (a, b) AS MATERIALIZED (
         SELECT w.rank, w.peer_rank FROM wait w LEFT JOIN mutual m ON m.rank = w.rank AND m.thread = w.thread, running
         WHERE w.way IN ('send', 'receive', 'exchange', 'completion') AND w.peer_rank IS NOT NULL AND w.alone AND coalesce(m.met, 0) = 0
               AND (w.outcome = 'running' OR NOT running)
         UNION
         -- Who is not the root may wait for the root only, all others for everybody.
         SELECT w.rank, CASE WHEN w.peer_rank <> w.rank THEN w.peer_rank ELSE t.node END
         FROM wait w JOIN team t ON t.call = w.call AND t.id = w.id, running
         WHERE w.way = 'collective' AND w.alone AND (w.outcome = 'running' OR NOT running)
               AND (w.peer_rank IS NULL OR w.peer_rank = w.rank
                    OR EXISTS (SELECT 1 FROM gap g WHERE g.call = w.call AND g.id = w.id AND g.rank = w.peer_rank))
         UNION
         SELECT t.node, g.rank FROM gap g JOIN team t ON t.call = g.call AND t.id = g.id WHERE g.rank IS NOT NULL),
     node (circle, place, node) AS MATERIALIZED (
         SELECT c.key, n.key, n.value FROM json_each((SELECT cycles(a, b) FROM edge)) c, json_each(c.value) n),
     link (circle, place, rank, next, team) AS MATERIALIZED ( -- team: next is not in its call
         SELECT circle, place, node, CASE WHEN after < 0 THEN beyond ELSE after END, CASE WHEN after < 0 THEN after END
         FROM (SELECT circle, place, node, coalesce(lead(node) OVER round, first_value(node) OVER round) AS after,
                      coalesce(lead(node, 2) OVER round, CASE WHEN lead(node) OVER round IS NULL THEN nth_value(node, 2) OVER round END,
                               first_value(node) OVER round) AS beyond
               FROM node WINDOW round AS (PARTITION BY circle ORDER BY place))
         WHERE node >= 0),
     held (circle, place, rank, next, thread) AS MATERIALIZED (
         SELECT k.circle, k.place, k.rank, k.next, min(w.thread)
         FROM link k LEFT JOIN team t ON t.node = k.team
              JOIN wait w ON w.rank = k.rank AND CASE WHEN k.team THEN w.call = t.call AND w.id = t.id ELSE w.peer_rank = k.next END
         GROUP BY 1, 2),
     circle (circle, ranks, waits, lasted_ns, unsure, running) AS MATERIALIZED (
         SELECT h.circle, ranges(h.rank), count(*), min(w.seen_ns) - max(w.since_ns), count(*) = 2 AND max(coalesce(m.unsure, 0)), max(w.outcome = 'running')
         FROM held h JOIN wait w ON w.rank = h.rank AND w.thread = h.thread
              LEFT JOIN mutual m ON m.rank = h.rank AND m.thread = h.thread AND m.other = h.next
         GROUP BY 1),
     spoken (rank, thread, text) AS MATERIALIZED ( -- for whom and with which tag
         SELECT w.rank, w.thread,
                coalesce(CASE w.way WHEN 'receive' THEN ' from ' WHEN 'send' THEN ' to ' WHEN 'collective' THEN ', root ' ELSE ' with ' END
                         || CASE w.peer WHEN -1 THEN 'any rank' WHEN -2 THEN 'MPI_PROC_NULL' WHEN -3 THEN 'MPI_ROOT'
                            ELSE CASE WHEN w.peer_rank IS NULL THEN 'its rank ' || w.peer ELSE 'rank ' || w.peer_rank
                                 || CASE WHEN w.peer <> w.peer_rank THEN ' (rank ' || w.peer || ' there)' ELSE '' END END
                            || CASE WHEN p.outcome = 'running' THEN '' ELSE coalesce(', which ' || p.outcome, '') END END, '')
                || coalesce(CASE w.tag WHEN -1 THEN ', any tag' ELSE ', tag ' || w.tag END, '')
         FROM wait w LEFT JOIN process p ON p.rank = w.peer_rank),
     idle (rank, outcome, call, label, site, ns) AS MATERIALIZED ( -- none of its threads is inside
         SELECT p.rank, p.outcome, f.name, l.label, nullif(t.site, 0), CASE p.outcome WHEN 'running' THEN p.last_seen_ns - max(t.until_ns) END
         FROM process p LEFT JOIN thread t ON t.rank = p.rank LEFT JOIN function f ON f.function = t.function
              LEFT JOIN labels l ON l.rank = t.rank AND l.object = t.object
         WHERE p.rank >= 0 AND p.rank NOT IN (SELECT rank FROM wait) GROUP BY p.rank),
     told (team, text, ranks, count, least, most, first) AS MATERIALIZED ( -- the missing, those in the same state together
         SELECT t.node, CASE WHEN g.rank IS NULL THEN '' WHEN g.state = 'finalized' THEN 'finalized' ELSE
                    CASE WHEN g.state = 'running' THEN '' ELSE g.state || ' ' END
                    || CASE WHEN g.within THEN 'in ' || g.other_call || coalesce(' on ' || g.other_name, '') || coalesce(s.text, '') || coalesce(', at ' || location(g.site), '')
                       ELSE 'outside MPI' || coalesce(', last call: ' || g.other_call || coalesce(' on ' || g.other_name, '') || coalesce(', at ' || location(g.site), ''), '') END END,
                ranges(g.rank), count(g.rank), min(CASE g.state WHEN 'running' THEN g.seen_ns - g.since_ns END),
                max(CASE g.state WHEN 'running' THEN g.seen_ns - g.since_ns END), min(g.rank)
         FROM gap g JOIN team t ON t.call = g.call AND t.id = g.id
              LEFT JOIN spoken s ON g.within AND s.rank = g.rank AND s.thread = (SELECT min(w.thread) FROM wait w WHERE w.rank = g.rank)
         GROUP BY 1, 2),
     called (team, ranks, count, site, least, most, ended) AS MATERIALIZED (
         SELECT t.node, ranges(w.rank), count(DISTINCT w.rank), CASE count(DISTINCT w.site) WHEN 1 THEN min(w.site) END, min(w.ns), max(w.ns), min(w.outcome <> 'running')
         FROM team t JOIN wait w ON w.call = t.call AND w.id = t.id WHERE w.way = 'collective' GROUP BY 1),
     other (text, ranks, count, least, most, first) AS MATERIALIZED ( -- who waits and was not told yet
         SELECT CASE WHEN w.outcome = 'running' THEN '' ELSE w.outcome || ' ' END || 'in ' || w.call
                || coalesce(' on ' || CASE WHEN many THEN pattern(w.label) ELSE w.label END, '') || CASE WHEN many THEN '' ELSE s.text END
                || coalesce(', at ' || location(w.site), ''),
                ranges(w.rank), count(DISTINCT w.rank), min(w.ns), max(w.ns), min(w.rank)
         FROM wait w JOIN spoken s ON s.rank = w.rank AND s.thread = w.thread,
              (SELECT count(*) > 16 AS many FROM (SELECT DISTINCT call, label, peer, tag, site FROM wait WHERE way <> 'collective' OR id IS NULL))
         WHERE (w.way <> 'collective' OR w.id IS NULL) AND NOT EXISTS (SELECT 1 FROM held h WHERE h.rank = w.rank AND h.thread = w.thread AND h.circle < 3)
         GROUP BY 1),
     apart (text, ranks, count, least, most, first) AS MATERIALIZED ( -- likewise of those outside MPI
         SELECT CASE WHEN outcome = 'finalized' THEN 'finalized' ELSE CASE WHEN outcome = 'running' THEN '' ELSE outcome || ' ' END || 'outside MPI'
                     || coalesce(', last call: ' || call || coalesce(' on ' || CASE WHEN many THEN pattern(label) ELSE label END, '')
                                 || coalesce(', at ' || location(site), ''), '') END,
                ranges(rank), count(*), min(ns), max(ns), min(rank)
         FROM idle, (SELECT count(*) > 16 AS many FROM (SELECT DISTINCT call, label, site FROM idle))
         WHERE rank NOT IN (SELECT rank FROM gap WHERE rank IS NOT NULL) GROUP BY 1),
     total (ranks, waiting, outside, gone, finalized, running) AS (
         SELECT count(*), sum(w.rank IS NOT NULL AND p.outcome = 'running'), sum(w.rank IS NULL AND p.outcome = 'running'),
                sum(p.outcome NOT IN ('running', 'finalized')), sum(p.outcome = 'finalized'), max(p.outcome = 'running')
         FROM process p LEFT JOIN (SELECT DISTINCT rank FROM wait) w ON w.rank = p.rank WHERE p.rank >= 0),
     silent (node, ranks, count, least, most) AS ( -- on other nodes; a rank that waits writes nothing, nor does one that is dead
         SELECT p.node, ranges(p.rank), count(*), min(CAST(m.value AS INT)) * 1000000000, max(CAST(m.value AS INT)) * 1000000000
         FROM meta m JOIN process p USING (rank) WHERE m.key = 'journal.still_s' AND p.outcome = 'running' GROUP BY 1),
     line (section, a, b, line) AS (
         SELECT 0, 0, 0, CASE WHEN ranks = 0 THEN 'No rank is recorded yet'
                         WHEN finalized = ranks THEN 'Nobody waits: ' || CASE ranks WHEN 1 THEN 'the only rank' ELSE 'all ' || ranks || ' ranks' END || ' finalized'
                         ELSE ranks || CASE ranks WHEN 1 THEN ' rank: ' ELSE ' ranks: ' END
                              || substr(CASE WHEN waiting THEN ', ' || waiting || ' in a call of MPI' ELSE '' END
                                        || CASE WHEN outside THEN ', ' || outside || ' outside MPI' ELSE '' END
                                        || CASE WHEN gone THEN ', ' || gone || ' gone without MPI_Finalize' ELSE '' END
                                        || CASE WHEN finalized THEN ', ' || finalized || ' finalized' ELSE '' END, 3) END
         FROM total
         UNION ALL
         SELECT 0, 1, place, CASE WHEN place > 3 THEN 'and those of ' || (nodes - 3) || ' more nodes'
                ELSE CASE count WHEN 1 THEN 'Rank ' ELSE 'Ranks ' END || ranks || ' on ' || node
                     || CASE count WHEN 1 THEN ' is not known to be alive: its journal was' ELSE ' are not known to be alive: their journals were' END
                     || ' last written ' || duration(least) || CASE WHEN duration(most) <> duration(least) THEN ' to ' || duration(most) ELSE '' END
                     || ' ago. Ask on ' || node || ' to know' END
         FROM (SELECT *, row_number() OVER (ORDER BY node) AS place, count(*) OVER () AS nodes FROM silent) WHERE place <= 4
         UNION ALL
         SELECT 1, circle, -1, CASE WHEN NOT running THEN 'Probably a deadlock: ranks ' || ranks || CASE waits WHEN 1 THEN ' waited for itself' ELSE ' waited for each other when they ended' END
                                    WHEN unsure THEN 'Perhaps a deadlock: ranks ' || ranks || ' wait for each other, unless one of the requests is the message that the other expects'
                                    WHEN lasted_ns >= 1000000000 THEN 'Deadlock: '
                                         || CASE waits WHEN 1 THEN 'rank ' || ranks || ' waits for itself' ELSE 'ranks ' || ranks || ' wait for each other' END
                                    ELSE 'A circle that may pass: ranks ' || ranks || ' wait for each other since less than a second. Ask again' END
         FROM circle WHERE circle < 3
         UNION ALL
         SELECT 1, h.circle, row_number() OVER (PARTITION BY h.circle ORDER BY h.place),
                '  ' || w.rank || CASE WHEN c.running THEN ' waits for ' ELSE ' waited for ' END || h.next || ': ' || w.call || coalesce(' on ' || w.label, '') || s.text
                || CASE WHEN w.way = 'collective' THEN ', which ' || h.next || ' is not in' ELSE '' END
                || coalesce(', for ' || duration(w.ns), '') || coalesce(', at ' || location(w.site), '')
         FROM held h JOIN circle c ON c.circle = h.circle JOIN wait w ON w.rank = h.rank AND w.thread = h.thread JOIN spoken s ON s.rank = w.rank AND s.thread = w.thread
         WHERE h.circle < 3 AND (SELECT count(*) FROM held i WHERE i.circle = h.circle AND i.place < h.place) < 8
         UNION ALL
         SELECT 1, circle, 9, '  and ' || (waits - 8) || ' more, round to the first' FROM circle WHERE circle < 3 AND waits > 8
         UNION ALL
         SELECT 1, 3, 0, 'and ' || (count(*) - 3) || ' more circles' FROM circle HAVING count(*) > 3
         UNION ALL
         SELECT 2, -t.node, 0, t.call || ' on ' || t.label || ': ' || CASE c.count WHEN 1 THEN 'rank ' ELSE 'ranks ' END || c.ranks
                || CASE WHEN c.ended THEN CASE c.count WHEN 1 THEN ' was' ELSE ' were' END ELSE CASE c.count WHEN 1 THEN ' is' ELSE ' are' END END
                || ' in it' || coalesce(', ' || t.inside || ' of ' || t.size || ' members', '') || coalesce(', for ' || duration(c.least), '')
                || CASE WHEN c.most > c.least AND duration(c.most) <> duration(c.least) THEN ' to ' || duration(c.most) ELSE '' END || coalesce(', at ' || location(c.site), '')
         FROM team t JOIN called c ON c.team = t.node WHERE t.node >= -5
         UNION ALL
         SELECT 2, -team, place, CASE WHEN ranks IS NULL AND inside = size THEN '  nobody is missing: it is under way'
                                      WHEN ranks IS NULL THEN '  of the others no journal is here'
                                      ELSE '  missing: ' || CASE count WHEN 1 THEN 'rank ' ELSE 'ranks ' END || ranks || ', ' || text || coalesce(', for ' || duration(least), '')
                                           || CASE WHEN most > least AND duration(most) <> duration(least) THEN ' to ' || duration(most) ELSE '' END END
         FROM (SELECT d.*, t.size, t.inside, row_number() OVER (PARTITION BY d.team ORDER BY d.count DESC, d.first) AS place FROM told d JOIN team t ON t.node = d.team)
         WHERE team >= -5 AND place <= 3
         UNION ALL
         SELECT 2, -team, 4, '  and ' || (sum(count) - (SELECT sum(count) FROM (SELECT count FROM told i WHERE i.team = d.team ORDER BY count DESC, first LIMIT 3)))
                             || ' more are missing: view missing' FROM told d WHERE team >= -5 GROUP BY team HAVING count(*) > 3
         UNION ALL
         SELECT 2, 6, 0, 'and ' || (count(*) - 5) || ' more collective calls: view missing' FROM team HAVING count(*) > 5
         UNION ALL
         SELECT section, place, 0, CASE WHEN place > 8 THEN 'and ' || (lines - 8) || ' more such lines: view ' || CASE section WHEN 3 THEN 'waits' ELSE 'threads' END
                ELSE CASE count WHEN 1 THEN 'Rank ' ELSE 'Ranks ' END || ranks || CASE WHEN text GLOB 'in *' OR text GLOB 'outside *' THEN CASE count WHEN 1 THEN ' is ' ELSE ' are ' END ELSE ' ' END
                     || text || coalesce(', for ' || duration(least), '') || CASE WHEN most > least AND duration(most) <> duration(least) THEN ' to ' || duration(most) ELSE '' END END
         FROM (SELECT 3 AS section, row_number() OVER (ORDER BY count DESC, first) AS place, count(*) OVER () AS lines, * FROM other
               UNION ALL SELECT 4, row_number() OVER (ORDER BY text GLOB '*finalized', count, first), count(*) OVER (), * FROM apart
               WHERE (SELECT finalized < ranks FROM total)) WHERE place <= 9)
SELECT line FROM line WHERE line IS NOT NULL ORDER BY section, a, b
