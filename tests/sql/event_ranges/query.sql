SELECT * FROM event_ranges;
