SELECT id FROM whole_communicators ORDER BY id;
