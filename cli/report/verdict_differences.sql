WITH apart (pairs, messages, bytes) AS (
         SELECT sum(pairs), sum(messages), sum(bytes) FROM traffic_findings
         WHERE kind IN ('not_received', 'not_sent', 'truncated') HAVING count(*)),
     answers AS (
         SELECT kind, name, answer || ' on ' || iif(count(*) = 1, 'rank ', 'ranks ') || ranges(rank) AS text,
                row_number() OVER (PARTITION BY kind, name ORDER BY count(*) DESC, min(rank)) AS number,
                count(*) OVER (PARTITION BY kind, name) AS answers
         FROM attribute_findings_by_rank WHERE kind = 'attribute_differs' GROUP BY kind, name, answer)
SELECT 'not_received' AS kind,
       'Sender and receiver counts differ for ' || pairs || iif(pairs = 1, ' pair', ' pairs') || ' of ranks, by ' || messages
       || iif(messages = 1, ' message', ' messages') || ' and ' || bytes(bytes) || ': see report traffic' AS text
FROM apart
UNION ALL
SELECT kind, name || ' differs between ranks of MPI_COMM_WORLD: ' || group_concat(text, ', ')
             || iif(answers > 2, ' and ' || (answers - 2) || ' more', '') || '. The standard requires one value for all'
FROM (SELECT * FROM answers WHERE number <= 2 ORDER BY name, number) GROUP BY name
UNION ALL
SELECT kind, name || ' is ' || min(CAST(answer AS INT)) || ' on ' || iif(count(*) = 1, 'rank ', 'ranks ') || ranges(rank)
             || ': the standard guarantees 32767'
FROM attribute_findings_by_rank WHERE kind = 'tag_ub_too_small' GROUP BY kind, name
