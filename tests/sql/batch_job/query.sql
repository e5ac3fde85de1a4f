SELECT * FROM batch_job
