WITH distances (distance, words) AS (
         VALUES ('self', ', within the rank'), ('core', ', on one core'), ('package', ', on one package'),
                ('node', ', on one node'), ('remote', ', between nodes'))
SELECT 'Pairs of ranks with the most data:' AS text WHERE EXISTS (SELECT 1 FROM traffic_pairs WHERE partner IS NULL)
UNION ALL SELECT * FROM (
    SELECT '  ' || source || ' -> ' || dest || ' on ' || substr(communicator, 1, 60) || ': ' || bytes(bytes) || ' in '
           || messages || ' ' || transfer || iif(messages = 1, '', 's') || coalesce(words, '')
    FROM traffic_pairs LEFT JOIN distances USING (distance) WHERE partner IS NULL
    ORDER BY bytes DESC, messages DESC, source, dest, communicator, transfer LIMIT 5)
