-- Named by nobody, by the place that made them
-- empty: Every communicator, datatype and window that the program made was named by it or by a rule.
-- Material for naming rules: kind=, function= (made by), library= and caller= or at= (where).
SELECT kind, made_by, library, site, objects, ranks, a_name FROM unnamed
