SELECT * FROM team_times;
