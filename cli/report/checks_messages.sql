-- Call sites on one source line are one.
WITH located AS MATERIALIZED (SELECT *, location(charged(site)) AS location FROM mismatched_messages),
     joined AS (
         SELECT id, kind, tag, max(messages) AS messages, communicator, side, min(rank) AS rank, other_rank,
                CASE count(*) WHEN 1 THEN min(ranks) ELSE group_concat(ranks, ',') END AS ranks,
                sum(counted) AS counted, max(received) AS received, max(sent_bytes) AS sent_bytes,
                max(received_bytes) AS received_bytes, datatype, min(site) AS site
         FROM located GROUP BY id, kind, tag, side, datatype, location, CASE side WHEN 'pair' THEN rank END,
                            other_rank)
SELECT *, count(*) OVER (PARTITION BY id, kind, tag) AS groups
FROM joined ORDER BY communicator, id, kind, tag, side DESC, rank, other_rank, datatype, site
