SELECT row_number() OVER (ORDER BY similar_to) AS similar, similar_to >> 32 AS rank, similar_to & 4294967295 AS object FROM similar_groups ORDER BY similar_to;
