SELECT created_by, created, not_freed, peak, live FROM growth;
