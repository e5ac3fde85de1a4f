-- kind nothing: of the run as it is. The other columns until object_name say which answer has the path.
SELECT coalesce(w.kind, 'nothing') AS kind, w.rank AS changed_rank, w.site AS changed_site, w.object_name, w.region,
       p.part, p.site, p.seconds, p.percent, p.rank, p.rank_percent
FROM forecast_paths p LEFT JOIN forecasts w USING (question)
ORDER BY w.saved_seconds DESC NULLS FIRST, question, p.seconds DESC
