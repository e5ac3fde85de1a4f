SELECT * FROM team_members;
