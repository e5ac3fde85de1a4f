-- Functions in which every member waits for all the others: who spends the least time there comes last, the latest.
-- What the members wait together lies between two bounds: at least what they spend beyond the least of them, at most
-- what their calls took beyond the fastest call. of time %: the lower bound, of the time of all members in this
-- function. least and most: of one member, all its calls.
SELECT name || CASE WHEN min(id) OVER same < max(id) OVER same THEN coalesce(' of ' || members, '') ELSE '' END
            || CASE WHEN communicators > 1 THEN ' and ' || (communicators - 1) || ' more' ELSE '' END
            || CASE WHEN kind IN ('window', 'file') AND name NOT GLOB '(*' THEN ' (' || kind || ')' ELSE '' END
            AS communicator,
       size, function, latest_rank AS latest, seconds, waiting_seconds AS waiting_at_least_seconds,
       waiting_percent AS of_time_percent, waiting_most_seconds AS at_most_seconds, least_seconds, most_seconds
FROM (SELECT b.*, b.communicator || coalesce(' #' || t.number, '') AS name
      FROM balance b LEFT JOIN communicator_time t ON t.similar_to = b.similar_to WHERE b.latest_rank IS NOT NULL)
WINDOW same AS (PARTITION BY name, kind)
ORDER BY waiting_seconds DESC, seconds DESC, 1, function
