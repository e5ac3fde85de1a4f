SELECT made_by, made, remaining, peak, alive FROM growth;
