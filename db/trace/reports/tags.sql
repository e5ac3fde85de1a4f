-- Tags by communicator and call site, the largest first. Communicators whose names differ only by digits share a row.
-- Rows beyond the 40th are added up in one row.
-- column count: number of communicators in the row
-- column tags: the tags, as ranges
-- column largest: the largest of them
WITH row AS (
         SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE pattern(communicator) END AS name,
                count(DISTINCT communicator_uid) AS count, direction,
                CASE WHEN NOT max(last_tag > tag) THEN ranges(tag) END AS tags, min(tag) AS first_tag,
                max(largest_tag) AS largest, sum(messages) AS messages, site,
                row_number() OVER (ORDER BY max(largest_tag) DESC, pattern(communicator), direction DESC,
                                            sum(messages) DESC, site) AS number
         FROM tags GROUP BY pattern(communicator), direction, site)
SELECT CASE WHEN number <= 40 THEN name END AS communicator, sum(count) AS count,
       CASE WHEN number <= 40 THEN direction END AS direction, CASE WHEN number <= 40 THEN tags END AS tags,
       CASE WHEN number <= 40 THEN first_tag END AS first_tag, max(largest) AS largest, sum(messages) AS messages,
       CASE WHEN number <= 40 THEN site END AS site,
       CASE WHEN number > 40 THEN count(*) END AS more
FROM row GROUP BY min(number, 41) ORDER BY min(number)
