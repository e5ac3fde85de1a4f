-- column rule: its text
SELECT rule AS line, text AS rule, objects, examples FROM rules
