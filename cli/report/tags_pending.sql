SELECT CASE count(DISTINCT communicator) WHEN 1 THEN min(communicator) ELSE pattern(communicator) END
           AS communicator,
       direction, site, sum(messages) AS messages,
       CASE WHEN max(last_tag > tag) THEN printf('%d to %d', min(tag), max(last_tag)) ELSE ranges(tag) END
           AS tags
FROM tags_on_one_side GROUP BY pattern(communicator), direction, site
ORDER BY sum(messages) DESC, pattern(communicator), direction, site
