SELECT * FROM recording_findings;
