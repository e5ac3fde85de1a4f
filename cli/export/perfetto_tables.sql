-- What each part reads, so that no part reads the events of others.
CREATE TEMP TABLE part_calls (part INT, rank INT, thread INT, first INT, last INT,
                              PRIMARY KEY (part, rank, thread)) WITHOUT ROWID;
CREATE TEMP TABLE call_place AS
SELECT site, location(site) AS location FROM (SELECT DISTINCT site FROM event WHERE site IS NOT NULL);
CREATE UNIQUE INDEX temp.call_place_site ON call_place (site);
CREATE TEMP VIEW joined_messages AS SELECT * FROM message_pairs WHERE receive_end_ns >= send_start_ns;
CREATE INDEX temp.message_pairs_start ON shared_message_pairs (send_start_ns);
CREATE TEMP TABLE joined_collectives AS SELECT * FROM collective_times;
CREATE INDEX temp.joined_collectives_start ON joined_collectives (first_ns);
CREATE TEMP TABLE bytes_in_flight (at_ns INTEGER PRIMARY KEY, bytes INT);
INSERT INTO bytes_in_flight SELECT at_ns, sum(sum(bytes)) OVER (ORDER BY at_ns)
FROM (SELECT send_start_ns AS at_ns, bytes FROM joined_messages
      UNION ALL
      SELECT receive_end_ns, -bytes FROM joined_messages)
GROUP BY at_ns
