-- The tables and views of the trace. Those of events take long if there are many.
SELECT name, name IN ('event', 'events', 'messages')
             AND (SELECT count(*) FROM event) > 5000 AS too_long
FROM (SELECT name, type FROM sqlite_schema
      UNION SELECT name, type FROM sqlite_temp_schema)
WHERE type IN ('table', 'view') ORDER BY 1
