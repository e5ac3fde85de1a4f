SELECT * FROM latest_ends
