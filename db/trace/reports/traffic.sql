-- Traffic by communicator and distance. Communicators whose names differ only by digits share a row. If there are more
-- than six rows, those from the sixth on are added up in one row. % is the row's share of the data, or of the messages
-- if they have no data.
-- column count: number of communicators in the row
-- column self_percent: share of the data, or of the messages if they have no data, from a process to itself
-- column core_percent: the same between processes that share a core
-- column package_percent: between processes that share a package, but no core
-- column node_percent: between processes that share a node; anything closer is unknown
-- column remote_percent: between processes on different nodes
WITH weighed AS (
         SELECT *, pattern(communicator) AS pattern,
                CASE sum(bytes) OVER (PARTITION BY pattern(communicator), transfer) WHEN 0 THEN messages
                     ELSE bytes END AS weight
         FROM traffic_distances WHERE partner IS NULL),
     row AS (
         SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE pattern END AS name,
                count(DISTINCT communicator_uid) AS count, transfer, sum(pairs) AS pairs, sum(messages) AS messages,
                sum(bytes) AS bytes, sum(CASE distance WHEN 'self' THEN weight END) AS self,
                sum(CASE distance WHEN 'core' THEN weight END) AS core,
                sum(CASE distance WHEN 'package' THEN weight END) AS package,
                sum(CASE distance WHEN 'node' THEN weight END) AS node,
                sum(CASE distance WHEN 'remote' THEN weight END) AS remote, nullif(total(weight), 0) AS whole,
                row_number() OVER (ORDER BY sum(bytes) DESC, sum(messages) DESC, pattern, transfer) AS number
         FROM weighed GROUP BY pattern, transfer),
     shown (rows) AS (SELECT CASE WHEN count(*) = 6 THEN 6 ELSE 5 END FROM row)
SELECT CASE WHEN number <= rows THEN name END AS communicator, sum(count) AS count,
       CASE WHEN min(transfer) = max(transfer) THEN min(transfer) END AS transfer, sum(pairs) AS pairs,
       sum(messages) AS messages, sum(bytes) AS bytes, sum(self) * 100 / sum(whole) AS self_percent,
       sum(core) * 100 / sum(whole) AS core_percent, sum(package) * 100 / sum(whole) AS package_percent,
       sum(node) * 100 / sum(whole) AS node_percent, sum(remote) * 100 / sum(whole) AS remote_percent,
       CASE WHEN number > rows THEN count(*) END AS more
FROM row, shown GROUP BY min(number, rows + 1) ORDER BY min(number)
