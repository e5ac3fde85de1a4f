SELECT * FROM talk_differences;
