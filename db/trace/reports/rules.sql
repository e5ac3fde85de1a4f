-- Naming rules
-- empty: No naming rules were in force (CALLSIGN_NAMES, or callsign run --names).
-- drop: examples
-- What each rule named, all ranks together. One that named nothing has 0 objects.
SELECT rule AS line, text AS rule, objects, examples FROM rules
