WITH part AS (
         SELECT question, row_number() OVER (PARTITION BY question ORDER BY seconds DESC) AS place, part, site,
                iif(rank_percent >= 50, rank, NULL) AS rank
         FROM forecast_paths)
SELECT count(*) AS differ
FROM (SELECT place, part, site, rank FROM part WHERE question = ?1 AND place <= 3
      EXCEPT SELECT place, part, site, rank FROM part WHERE question = 0)
