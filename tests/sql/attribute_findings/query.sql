SELECT * FROM attribute_findings ORDER BY about, rank, kind, object, keyval, answer, site;
