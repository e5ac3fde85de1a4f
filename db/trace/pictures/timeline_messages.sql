-- The messages that came latest, then the largest.
SELECT * FROM late_messages
