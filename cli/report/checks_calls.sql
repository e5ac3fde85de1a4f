-- What is printed once for a mismatch: values that all groups share are not repeated. Call sites on one source line are one.
WITH located AS MATERIALIZED (SELECT *, location(charged(site)) AS location FROM mismatches),
     joined AS (
         SELECT id, kind, number, max(last_number) AS last_number, object_name, side, function, root, operation,
                size_bytes, datatype, members, min(site) AS site, location, min(rank) AS rank,
                CASE count(*) WHEN 1 THEN min(ranks) ELSE group_concat(ranks, ',') END AS ranks
         FROM located GROUP BY id, kind, number, side, function, root, operation, size_bytes, datatype, location,
                            members, CASE WHEN kind IN ('call', 'data', 'group') THEN rank END)
SELECT j.*, count(*) OVER same AS groups, min(location) OVER same IS max(location) OVER same
                                          AND count(location) OVER same = count(*) OVER same AS one_site,
       min(function) OVER same IS max(function) OVER same AS one_function
FROM joined j WINDOW same AS (PARTITION BY id, kind, number)
ORDER BY object_name, id, number, kind, rank, side
