SELECT kind, created_by, library, site, objects, ranks, example FROM unnamed
