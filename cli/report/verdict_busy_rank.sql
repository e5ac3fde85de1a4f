SELECT kind,
       printf('Rank %d may be late: it spends %.1f %% of its time in MPI, ', rank, least)
       || iif(processes = 2, printf('rank %d %.1f %%', other_rank, median), printf('the others %.1f %% (median)', median))
       || '. To be sure, record with --events keep: report why' AS text
FROM share_findings WHERE kind = 'busy_rank'
