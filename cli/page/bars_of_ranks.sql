SELECT label, value, text
FROM (SELECT 'rank ' || rank || CASE outcome WHEN 'finalized' THEN '' ELSE ', ' || outcome END AS label,
             other_percent AS value, printf('%.1f %%', other_percent) AS text, rank,
             row_number() OVER (ORDER BY abs(other_percent - mean) DESC, rank) AS number
      FROM (SELECT *, avg(other_percent) OVER () AS mean FROM processes WHERE rank >= 0))
WHERE number <= 64 ORDER BY rank
