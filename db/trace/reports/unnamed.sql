-- Objects that nobody named, by call site
-- empty: Every communicator, datatype and window that the program created was named by it or by a rule.
-- drop: library, ranks, example, kind
-- Material for naming rules: kind=, function= (created by), library= and caller= or at= (where).
SELECT kind, created_by, library, site, objects, ranks, example FROM unnamed
