SELECT * FROM attribute_findings_by_rank ORDER BY kind, rank, object_kind, object, keyval, answer, site;
