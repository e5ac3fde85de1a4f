-- What each rank did when.
SELECT * FROM timeline
