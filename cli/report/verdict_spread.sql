-- Nothing if all spend the same: another line has it, or busy_rank says more.
SELECT kind,
       iif((SELECT max(threads) > 1 FROM process), 'The threads of ranks', 'Ranks')
       || printf(' spend %.1f %% (rank %d) to %.1f %% (rank %d) of their time in MPI, median %.1f %%', least, rank, most,
                 other_rank, median) AS text
FROM share_findings
WHERE kind = 'other_percent' AND printf('%.1f', least) <> printf('%.1f', most)
      AND NOT EXISTS (SELECT 1 FROM share_findings WHERE kind = 'busy_rank')
