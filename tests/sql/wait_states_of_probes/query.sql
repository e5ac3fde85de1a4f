SELECT * FROM wait_states;
