-- Functions in which every member waits for all the others: the member with the least time comes last. They wait
-- for about their time beyond the least time of one member, at least for the part of it in which they cannot have
-- lacked a core, and at most for the time of their calls beyond the fastest call. "about" stands where the least is
-- unknown.
-- column waiting_at_least_seconds: balance.waiting_least_seconds; NULL if no row has more than 0
-- column waiting_about_seconds: balance.waiting_seconds, if waiting_least_seconds is NULL
-- column of_time_percent: waiting_least_seconds, or else waiting_seconds, as share of seconds
-- of time %: the first one shown, as share of all members' time in this function.
-- least and most: time of one member in all its calls. members: where rows have the same name.
SELECT name AS communicator, CASE WHEN min(id) OVER same < max(id) OVER same THEN members END AS members, communicators,
       kind, size, function, latest_rank AS latest, seconds,
       CASE WHEN max(waiting_least_seconds) OVER () > 0 THEN waiting_least_seconds END AS waiting_at_least_seconds,
       CASE WHEN waiting_least_seconds IS NULL THEN waiting_seconds END AS waiting_about_seconds,
       CASE WHEN waiting_least_seconds IS NULL OR max(waiting_least_seconds) OVER () > 0
            THEN coalesce(waiting_least_seconds, waiting_seconds) * 100 / seconds END AS of_time_percent,
       waiting_most_seconds AS at_most_seconds, least_seconds, most_seconds
FROM (SELECT b.*, row_name(b.communicator, t.number, NULL, NULL, NULL) AS name
      FROM balance b
           -- SQLite expects one row from a view with window functions, and then joins without an index. The second
           -- part has no rows, but SQLite expects many.
           LEFT JOIN (SELECT similar_to, number FROM communicator_time
                      UNION ALL SELECT 0, NULL FROM object WHERE false) t ON t.similar_to = b.similar_to
      WHERE b.latest_rank IS NOT NULL)
WINDOW same AS (PARTITION BY name, kind)
ORDER BY waiting_seconds DESC, seconds DESC, 1, members, communicators, function
