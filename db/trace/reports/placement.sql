-- The verdict; what is not known; a map of nodes, packages, NUMA nodes and cores with the ranks that made most of their calls there; then
-- what is remarkable. Nodes of equal shape share a part of the map, which shows the first of them; if there are many shapes, less has to be
-- equal (level). A line is head, ranks and tail; of what is long only the first lines are shown. For every run a page is enough.
WITH seat AS MATERIALIZED (
         SELECT b.rank, coalesce(substr(b.node, 1, 64), 'a node without a name') AS node, b.package, b.numa_node, b.core IS NOT NULL AS known,
                coalesce(b.core, b.cpu) AS unit, b.moves, b.allowed_cpus, b.bound, b.wide, b.memory_elsewhere,
                CASE WHEN b.memory_policy LIKE 'bind %' THEN substr(b.memory_policy, 6) ELSE b.memory_nodes END AS memory
         FROM bindings b WHERE b.rank >= 0),
     one AS MATERIALIZED (
         SELECT seat.*, dense_rank() OVER (ORDER BY node, package, numa_node, known, unit) AS place,
                dense_rank() OVER (ORDER BY node, package, numa_node, known) AS box
         FROM seat),
     place AS MATERIALIZED ( -- a core; where that is not known, a processor
         SELECT place, box, node, package, numa_node, known, unit, count(*) AS count, ranges(rank) AS ranks FROM one GROUP BY place),
     box AS MATERIALIZED ( -- a package, or what of it is in a NUMA node
         SELECT o.box, o.node, o.package, o.numa_node, o.known, count(*) AS count, ranges(o.rank) AS ranks, ranges(o.unit) AS units,
                count(DISTINCT o.unit) AS places, min(p.count) AS least, max(p.count) AS most
         FROM one o JOIN place p ON p.place = o.place GROUP BY o.box),
     node AS MATERIALIZED (SELECT node, count(*) AS count, ranges(rank) AS ranks, min(rank) AS first FROM one GROUP BY node),
     number (list, numbers) AS MATERIALIZED (SELECT list, count(*) FROM cpu_lists GROUP BY list),
     whole (node, package, cores) AS MATERIALIZED ( -- packages with the cores that nobody was seen on
         SELECT substr(p.node, 1, 64), c.package, max(all_of.numbers) / max(core.numbers)
         FROM (SELECT DISTINCT rank, package, package_cpus, core_cpus FROM processor) c JOIN process p ON p.rank = c.rank
              JOIN number all_of ON all_of.list = c.package_cpus JOIN number core ON core.list = c.core_cpus GROUP BY 1, 2),

     shape (level, node, shape) AS MATERIALIZED (
         SELECT 1, node, group_concat(printf('%s/%s/%d/%s:%d', package, numa_node, known, unit, count), ' ')
         FROM (SELECT * FROM place ORDER BY place) GROUP BY node
         UNION ALL SELECT 2, node, group_concat(printf('%s/%s/%d:%d', package, numa_node, known, count), ' ')
         FROM (SELECT * FROM box ORDER BY box) GROUP BY node
         UNION ALL SELECT 3, node, count FROM node),
     level (level) AS MATERIALIZED (
         SELECT coalesce(min(level), 3) FROM (SELECT level FROM shape GROUP BY level HAVING count(DISTINCT shape) <= 5)),
     part (part, node, nodes) AS MATERIALIZED (
         SELECT row_number() OVER (ORDER BY first), node, nodes
         FROM (SELECT n.node, count(*) AS nodes, min(n.first) AS first
               FROM shape s JOIN level l ON l.level = s.level JOIN node n ON n.node = s.node GROUP BY s.shape)),
     map AS MATERIALIZED ( -- of the first parts
         SELECT p.part, b.*, row_number() OVER (PARTITION BY p.part ORDER BY b.box) AS number
         FROM part p JOIN box b ON b.node = p.node WHERE p.part <= 5),
     room (boxes, few, lines) AS MATERIALIZED ( -- in a part; few: each core has a line; how many times the lines of findings a small run may have
         SELECT max(2, 12 / max(1, max(part))), total(places + 1) <= 20, CASE WHEN (SELECT count(*) FROM one) <= 32 THEN 3 ELSE 1 END FROM map),

     communicator AS MATERIALIZED (
         SELECT coalesce(pattern(c.name), '(from ' || r.created_by || ')', '(no name)') AS pattern, count(*) AS count, min(c.name) AS name,
                min(c.size) AS least, max(c.size) AS most, min(c.nodes) AS least_nodes, max(c.nodes) AS most_nodes
         FROM communicator_nodes c JOIN run_communicators r ON r.id = c.id WHERE NOT c.predefined GROUP BY 1),
     title (about, most, head, ranks, tail, count) AS ( -- of what is remarkable, and how many lines it may have
         SELECT 1, 3, 'Oversubscribed nodes:', NULL, '', NULL
         UNION ALL SELECT 2, 1, 'Control groups allow less than the ranks can use:', NULL, '', NULL
         UNION ALL SELECT 3, (SELECT CASE WHEN few THEN 0 ELSE 2 END FROM room), 'Sharing a core:', ranges(o.rank), '', NULL
         FROM one o JOIN place p ON p.place = o.place WHERE p.count > 1 AND p.unit IS NOT NULL
         UNION ALL SELECT 4, 2, 'Moved from one processor to another:', ranges(rank), printf(', %d time%s in all', total(moves), CASE total(moves) WHEN 1 THEN '' ELSE 's' END),
                          count(*) FROM one WHERE moves > 0
         UNION ALL SELECT 5, 0, 'Allowed on more than one package:', ranges(rank), '', NULL FROM one WHERE wide
         UNION ALL SELECT 6, 2, 'Memory bound to another NUMA node than the processor''s:', ranges(rank), '', NULL FROM one WHERE memory_elsewhere
         UNION ALL SELECT 7, 3, 'Bound differently:', NULL, '', NULL
         UNION ALL SELECT 8, 4, 'Communicators with members on several nodes:', NULL, '', NULL
         UNION ALL SELECT 9, 1, 'Processes that never got a rank:', NULL, '', NULL),
     finding (about, weight, head, ranks, tail) AS (
         SELECT 1, max(load, bound_load), printf('  %s: %d ranks on %d %s%s', substr(node, 1, 64), ranks, cores,
                                                  CASE WHEN cpus_per_core THEN 'core' ELSE 'processor' END, CASE cores WHEN 1 THEN '' ELSE 's' END)
                || CASE WHEN bound_load > load THEN printf('; %.3g for each of a set that they are bound to', bound_load) ELSE '' END, NULL, ''
         FROM node_loads WHERE (load > 1 OR bound_load > 1) AND (SELECT count(*) FROM node) > 1
         UNION ALL SELECT 2, -cpu_quota, printf('  %s: %.3g processor%s at a time', substr(node, 1, 64), cpu_quota, CASE cpu_quota WHEN 1 THEN '' ELSE 's' END), NULL, ''
         FROM node_loads WHERE quota_short
         UNION ALL SELECT 3, count, '  ', ranks,
                          CASE known WHEN 1 THEN ': core ' ELSE ': processor ' END || unit || coalesce(' of package ' || package, '') || ', ' || node
         FROM place WHERE count > 1 AND unit IS NOT NULL
         UNION ALL SELECT 4, moves, '  ', rank, printf(': %d time%s, on processors %s, %s', moves, CASE moves WHEN 1 THEN '' ELSE 's' END,
                                                             (SELECT ranges(cpu) FROM thread_processor t WHERE t.rank = o.rank), node)
         FROM (SELECT * FROM one WHERE moves > 0 ORDER BY moves DESC, rank LIMIT 10) o
         UNION ALL SELECT 5, 0, NULL, NULL, NULL FROM one WHERE wide GROUP BY NULL
         UNION ALL SELECT 6, count(*), '  ', ranges(rank), printf(': memory of NUMA node %s, processor of NUMA node %d', substr(memory, 1, 64), numa_node)
         FROM one WHERE memory_elsewhere GROUP BY memory, numa_node
         UNION ALL SELECT 7, count(*), '  ', ranges(rank), CASE bound WHEN 'no' THEN ': not bound' WHEN 'part' THEN ': to a part of the node'
                                                                    WHEN 'packages' THEN ': to several packages' ELSE ': to a ' || bound END
         FROM one WHERE bound IS NOT NULL AND (SELECT count(DISTINCT bound) FROM one) > 1 GROUP BY bound
         UNION ALL SELECT 8, -least, '  ' || substr(CASE count WHEN 1 THEN coalesce(name, pattern) ELSE pattern || ' (' || count || ')' END, 1, 80) || ': '
                          || CASE WHEN least < most THEN least || ' to ' ELSE '' END || most || ' ranks on '
                          || CASE WHEN least_nodes < most_nodes THEN least_nodes || ' to ' ELSE '' END || most_nodes || ' nodes', NULL, ''
         FROM communicator
         UNION ALL SELECT 9, -pid, '  process ' || pid || ' on ' || coalesce(substr(node, 1, 64), 'a node without a name'), NULL, ''
         FROM process WHERE rank < 0),
     findings AS (
         SELECT f.*, t.most * r.lines AS most, t.head AS title, t.ranks AS title_ranks, t.tail AS title_tail,
                row_number() OVER (ORDER BY f.about, f.weight DESC) = 1 AS first,
                row_number() OVER (PARTITION BY f.about ORDER BY f.weight DESC, CAST(f.ranks AS INT), f.head, f.tail) AS number,
                max(count(*) OVER (PARTITION BY f.about), coalesce(t.count, 0)) AS count
         FROM finding f JOIN title t ON t.about = f.about, room r),

     line (section, a, b, c, head, ranks, tail) AS (
         SELECT 0, 0, 0, 0, verdict, NULL, '' FROM run_placement
         UNION ALL SELECT 1, 0, 0, 0, 'Not known on', ranges(rank), ': ' || substr(value, 1, 120) FROM meta
         WHERE key = 'note.placement' AND rank >= 0 AND value IN (SELECT DISTINCT value FROM meta WHERE key = 'note.placement' LIMIT 2) GROUP BY value
         UNION ALL SELECT 1, 1, 0, 0, 'Not known on', ranges(rank), ': which processors they may use' FROM one WHERE allowed_cpus IS NULL HAVING count(*)
         UNION ALL SELECT 1, 2, 0, 0, 'Not known on', ranges(rank), ': which processor they were on' FROM one WHERE unit IS NULL HAVING count(*)
         UNION ALL SELECT 2, 0, 0, 0, '', NULL, '' WHERE EXISTS (SELECT 1 FROM one)
         UNION ALL SELECT 2, p.part, 0, 0, p.node || ':', n.ranks,
                          coalesce(', processor name ' || (SELECT substr(min(q.processor_name), 1, 64) FROM placements q JOIN one o ON o.rank = q.rank
                                                           WHERE o.node = p.node AND q.processor_name <> p.node), '')
                          || CASE WHEN p.nodes = 1 THEN ''
                                  ELSE printf('; %d more node%s as many ranks%s', p.nodes - 1, CASE p.nodes WHEN 2 THEN ' has' ELSE 's have' END,
                                              CASE l.level WHEN 1 THEN ' on the same cores' WHEN 2 THEN ' in each package' ELSE '' END) END
         FROM part p JOIN node n ON n.node = p.node, level l WHERE p.part <= 5
         UNION ALL SELECT 2, m.part, m.number, 0,
                          '  ' || CASE WHEN m.package IS NULL AND m.numa_node IS NULL THEN 'package not known'
                                       ELSE coalesce('package ' || m.package, '') || coalesce(printf(' (%d cores)', w.cores), '')
                                            || CASE WHEN m.package IS NOT NULL AND m.numa_node IS NOT NULL THEN ', ' ELSE '' END
                                            || coalesce('NUMA node ' || m.numa_node, '') END || ':',
                          CASE WHEN NOT r.few THEN m.ranks END,
                          CASE WHEN r.few THEN '' WHEN m.places = 0 THEN ' on processors not known'
                               ELSE CASE m.known WHEN 1 THEN ' on cores ' ELSE ' on processors ' END
                                    || CASE WHEN length(m.units) > 40 THEN rtrim(substr(m.units, 1, 37), '0123456789-') || '...' ELSE m.units END
                                    || CASE WHEN m.least < m.most THEN printf(', %d to %d', m.least, m.most) ELSE ', ' || m.most END || ' on each' END
         FROM map m LEFT JOIN whole w ON w.node = m.node AND w.package = m.package, room r WHERE m.number <= r.boxes
         UNION ALL SELECT 2, m.part, m.number, p.place,
                          CASE p.known WHEN 1 THEN '    core ' || p.unit ELSE '    processor ' || coalesce(p.unit, 'not known') END || ':', p.ranks, ''
         FROM map m JOIN place p ON p.box = m.box, room r WHERE r.few AND m.number <= r.boxes
         UNION ALL SELECT 2, m.part, 1000, 0, printf('  and %d more, with %d ranks', count(*), sum(m.count)), NULL, ''
         FROM map m, room r WHERE m.number > r.boxes GROUP BY m.part
         UNION ALL SELECT 2, 1000, 0, 0, printf('and %d more nodes', sum(nodes)), NULL, '' FROM part WHERE part > 5 HAVING count(*)
         UNION ALL SELECT 3, CASE k.b WHEN 0 THEN 0 ELSE f.about END, k.b, f.number,
                          CASE k.b WHEN 0 THEN '' WHEN 1 THEN f.title WHEN 2 THEN f.head ELSE printf('  and %d more', f.count - f.most) END,
                          CASE k.b WHEN 1 THEN f.title_ranks WHEN 2 THEN f.ranks END, CASE k.b WHEN 1 THEN f.title_tail WHEN 2 THEN f.tail ELSE '' END
         FROM findings f JOIN (SELECT 0 AS b UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) k
              ON CASE k.b WHEN 0 THEN f.first WHEN 1 THEN f.number = 1 WHEN 2 THEN f.number <= f.most ELSE f.number = f.most + 1 AND f.most > 0 END)
SELECT CASE WHEN ranks IS NULL THEN head
            ELSE head || CASE WHEN head GLOB '*[^ ]*' THEN CASE WHEN ranks GLOB '*[-,]*' THEN ' ranks ' ELSE ' rank ' END ELSE '' END
                 || CASE WHEN length(ranks) > 60 THEN rtrim(substr(ranks, 1, 57), '0123456789-') || '...' ELSE ranks END END || tail AS line
FROM line ORDER BY section, a, b, c, head
