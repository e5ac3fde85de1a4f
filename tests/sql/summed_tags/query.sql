SELECT * FROM summed_tags ORDER BY id, direction, tag, last_tag, site;
