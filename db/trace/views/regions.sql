-- Views: regions of the program, and the fifths of the run.

CREATE VIEW regions ( -- regions of the program, and what changed in them from the first fifth of the run to the last
    region, -- number
    path, -- names from the outermost region, with / between them
    name, -- its own name
    parent, -- region that it is in; 0: none
    ranks, -- ranks that ended it at least once
    entries, -- how often it was ended, all ranks together
    seconds, -- time between begin and end, mean of these ranks
    most_seconds, -- the same for the rank with the most
    mpi_percent, -- MPI time of the threads that began it, as share of seconds; NULL: another thread ended it
    imbalance_percent, -- how far the mean time outside MPI is below that of the busiest rank; NULL: as mpi_percent, or
        -- there is one rank
    busiest_rank, -- lowest rank with the most time outside MPI
    early_ns, -- time between begin and end, mean of those that ended in the first fifth of the run; NULL: none
    late_ns, -- the same for the last fifth
    early_mpi_percent, -- MPI share of those; NULL: none, or as mpi_percent
    late_mpi_percent -- the same for the last fifth
) AS
WITH work (rank, region, path, name, parent, entries, time_ns, mpi_ns, work_ns, early_entries, early_time_ns,
           early_mpi_ns, late_entries, late_time_ns, late_mpi_ns, busiest) AS (
         SELECT rank, region, path, name, parent, entries, time_ns, mpi_ns, max(time_ns - mpi_ns, 0), early_entries,
                early_time_ns, early_mpi_ns, late_entries, late_time_ns, late_mpi_ns,
                row_number() OVER (PARTITION BY region ORDER BY time_ns - mpi_ns DESC, rank)
         FROM region)
SELECT region, path, name, parent, count(*), sum(entries), avg(time_ns) / 1e9, max(time_ns) / 1e9,
       CASE WHEN count(mpi_ns) = count(*) THEN total(mpi_ns) * 100 / nullif(total(time_ns), 0) END,
       CASE WHEN count(mpi_ns) = count(*) AND count(*) > 1
            THEN 100 - avg(work_ns) * 100 / nullif(max(work_ns), 0) END,
       CASE WHEN count(mpi_ns) = count(*) AND count(*) > 1 THEN max(CASE busiest WHEN 1 THEN rank END) END,
       total(early_time_ns) / nullif(sum(early_entries), 0), total(late_time_ns) / nullif(sum(late_entries), 0),
       CASE WHEN count(mpi_ns) = count(*) THEN total(early_mpi_ns) * 100 / nullif(total(early_time_ns), 0) END,
       CASE WHEN count(mpi_ns) = count(*) THEN total(late_mpi_ns) * 100 / nullif(total(late_time_ns), 0) END
FROM work GROUP BY region ORDER BY path;

CREATE VIEW region_communicators ( -- MPI time in regions by communicator, window and file. Calls count for the
        -- innermost region that they were in
    region, -- number of the region
    path, -- as in regions
    communicator, -- name, or how it was created; "(no communicator)"
    kind, -- communicator, window, file; NULL: none of them
    ranks, -- ranks that used it there
    calls, -- calls that returned
    seconds, -- time in these calls, all ranks together
    percent, -- share in the MPI time of the region
    sent_bytes, -- bytes that the program passed to the MPI
    received_bytes -- bytes that the program got from the MPI
) AS
WITH path (region, path) AS MATERIALIZED (SELECT region, min(path) FROM region GROUP BY region),
     used (region, communicator, kind, ranks, calls, time_ns, sent_bytes, received_bytes) AS MATERIALIZED (
         SELECT p.region, coalesce(n.label, '(no communicator)'), o.kind, count(DISTINCT p.rank), sum(p.calls),
                total(p.time_ns), sum(p.sent_bytes), sum(p.received_bytes)
         FROM (SELECT rank, region, coalesce(nullif(object, 0), communicator) AS object, sum(calls) AS calls,
                      total(time_ns) AS time_ns, sum(sent_bytes) AS sent_bytes, sum(received_bytes) AS received_bytes
               FROM region_profile GROUP BY 1, 2, 3) p
              LEFT JOIN object o ON o.rank = p.rank AND o.object = p.object
              LEFT JOIN labels n ON n.rank = p.rank AND n.object = p.object
         GROUP BY 1, 2, 3)
SELECT u.region, path.path, u.communicator, u.kind, u.ranks, u.calls, u.time_ns / 1e9,
       u.time_ns * 100 / nullif(total(u.time_ns) OVER (PARTITION BY u.region), 0), u.sent_bytes, u.received_bytes
FROM used u LEFT JOIN path ON path.region = u.region ORDER BY path.path, u.time_ns DESC, u.communicator;

CREATE VIEW rank_fifths ( -- MPI time of each rank in each fifth of its run between MPI_Init and MPI_Finalize
    rank, -- rank of the process
    fifth, -- 1 to 5
    begin_ns, -- begin of the fifth
    end_ns, -- its end
    mpi_ns, -- MPI time in it, all threads together
    lasted_ns, -- its duration, for each thread that called MPI
    mpi_percent -- MPI time, as share of lasted_ns
) AS
SELECT rank, fifth, begin_ns, end_ns, mpi_ns, (end_ns - begin_ns) * max(threads, 1),
       mpi_ns * 100.0 / nullif((end_ns - begin_ns) * max(threads, 1), 0)
FROM fifth WHERE rank >= 0;

CREATE VIEW fifths ( -- MPI time in each fifth of the run between MPI_Init and MPI_Finalize
    fifth, -- 1 to 5
    ranks, -- ranks that lasted long enough
    from_ns, -- begin on the first rank
    to_ns, -- end on the last rank
    seconds, -- its duration, mean of the ranks
    mpi_percent, -- MPI time, as share of the time of all threads
    imbalance_percent, -- how far the mean time outside MPI is below that of the busiest rank; NULL: one rank
    busiest_rank, -- lowest rank with the most time outside MPI; NULL: one rank
    least_percent, -- least MPI share of a rank
    most_percent, -- most MPI share of a rank
    most_rank -- lowest rank with it
) AS
WITH share (rank, fifth, begin_ns, end_ns, mpi_ns, lasted_ns, work_ns, percent, busiest, most) AS (
         SELECT rank, fifth, begin_ns, end_ns, mpi_ns, lasted_ns, work_ns, percent,
                row_number() OVER (PARTITION BY fifth ORDER BY work_ns DESC, rank),
                row_number() OVER (PARTITION BY fifth ORDER BY percent DESC, rank)
         FROM (SELECT *, max(lasted_ns - mpi_ns, 0) AS work_ns, mpi_percent AS percent FROM rank_fifths))
SELECT fifth, count(*), min(begin_ns), max(end_ns), avg(end_ns - begin_ns) / 1e9,
       total(mpi_ns) * 100 / nullif(total(lasted_ns), 0),
       CASE WHEN count(*) > 1 THEN 100 - avg(work_ns) * 100 / nullif(max(work_ns), 0) END,
       CASE WHEN count(*) > 1 THEN max(CASE busiest WHEN 1 THEN rank END) END, min(percent), max(percent),
       max(CASE most WHEN 1 THEN rank END)
FROM share GROUP BY fifth ORDER BY fifth;
