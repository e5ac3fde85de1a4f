# Opens a recorded run with DBI and RSQLite, and draws the four figures of run.ipynb. Debian: r-base-core, r-cran-rsqlite.
#   callsign run --events all -- mpirun -n 4 ./program
#   callsign merge -o run.db
#   Rscript run.R run.db run.pdf
library(DBI)

arguments <- commandArgs(trailingOnly = TRUE)
# Identifiers have 64 bits: a double would lose digits.
db <- dbConnect(RSQLite::SQLite(), arguments[1], flags = RSQLite::SQLITE_RO, bigint = "character")
pdf(arguments[2], width = 7, height = 4)

# Where the time goes: each bar is a rank, each colour a function.
time <- dbGetQuery(db, "SELECT rank, function, sum(time_ns) / 1e9 AS seconds FROM calls WHERE class <> 'lifecycle' GROUP BY rank, function")
table <- xtabs(seconds ~ function. + rank, setNames(time, c("rank", "function.", "seconds")))
table <- head(table[order(-rowSums(table)), , drop = FALSE], 6)
colours <- hcl.colors(nrow(table), "Dark 3")
barplot(table, col = colours, main = "MPI time by rank", xlab = "rank", ylab = "seconds in MPI", legend.text = rownames(table))

# Who sends to whom.
traffic <- dbGetQuery(db, "SELECT source, dest, sum(bytes) AS bytes FROM traffic_pairs GROUP BY source, dest")
ranks <- seq_len(dbGetQuery(db, "SELECT max(rank) AS rank FROM processes")$rank + 1) - 1
matrix <- xtabs(as.numeric(bytes) ~ factor(source, ranks) + factor(dest, ranks), traffic)
image(ranks, ranks, unclass(matrix), col = hcl.colors(12, "Blues", rev = TRUE), main = "Bytes between ranks", xlab = "sender", ylab = "receiver")

# Who makes whom wait.
waits <- dbGetQuery(db, "SELECT cause, rank, sum(wait_ns) / 1e9 AS seconds FROM wait_states WHERE cause IS NOT NULL GROUP BY cause, rank")
table <- xtabs(seconds ~ factor(rank, ranks) + factor(cause, ranks), waits)
barplot(table, col = hcl.colors(length(ranks), "Dark 3"), main = "Waits by cause", xlab = "rank that causes the wait", ylab = "seconds",
        legend.text = paste("rank", ranks, "waits"))

# What happened when: a twentieth of the run, in its middle.
span <- dbGetQuery(db, "SELECT min(start_ns) / 1e6 AS begin, max(end_ns) / 1e6 AS end FROM events WHERE class <> 'lifecycle'")
middle <- (span$begin + span$end) / 2
half <- (span$end - span$begin) / 40
events <- dbGetQuery(db, "SELECT rank, function, start_ns / 1e6 AS start, end_ns / 1e6 AS end FROM events
                          WHERE thread = 0 AND end_ns > ? AND start_ns < ?", params = list((middle - half) * 1e6, (middle + half) * 1e6))
functions <- sort(unique(events$`function`))
colours <- hcl.colors(length(functions), "Dark 3")
plot(NA, xlim = c(-half, half), ylim = range(ranks) + c(-0.5, 0.5), main = "Calls in the middle of the run", xlab = "ms from the middle", ylab = "rank")
rect(events$start - middle, events$rank - 0.4, events$end - middle, events$rank + 0.4, border = NA, col = colours[match(events$`function`, functions)])
if (length(functions)) legend("topright", functions, fill = colours, bg = "white")

invisible(dev.off())
dbDisconnect(db)
