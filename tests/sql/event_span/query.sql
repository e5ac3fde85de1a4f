SELECT * FROM event_span;
