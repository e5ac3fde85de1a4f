SELECT * FROM timeline
