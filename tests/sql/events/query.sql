SELECT * FROM events;
