-- Views: attribute keys.

CREATE VIEW keyvals ( -- the attribute keys that the program created, with their functions
    rank, -- rank of the process
    object, -- number of the key within the rank; keys count among objects
    kind, -- kind of object of the key
    keyval, -- the MPI's number for it, which may be reused after the free
    created_by, -- function
    language, -- language of the creating call: C; mpif.h (or the module mpi); mpi_f08
    location, -- call site of the creation: function, file and line
    copy_function, -- called for a duplicate: a standard function like MPI_COMM_DUP_FN, or a function of the program
        -- with file and line
    delete_function, -- called when a value ends: a standard function like MPI_COMM_NULL_DELETE_FN, or a function of the
        -- program
    extra_state, -- argument of both: an address, or a Fortran integer
    created_ns, -- when
    freed_location, -- call site of the free: function, file and line; NULL: not freed
    freed_ns, -- when
    holders, -- objects that still had a value at the free, as far as it was seen to be set
    internal -- 1: created inside the MPI library
) AS
-- For an unresolved function, the frame is the address after its first byte.
WITH callback (site, location) AS (
         SELECT site, CASE WHEN function IS NOT NULL THEN location
                           ELSE coalesce(replace(module, rtrim(module, replace(module, '/', '')), '') || '+', '')
                           || printf('0x%x', offset - 1) END
         FROM sites)
SELECT k.rank, k.object, k.kind, k.keyval, f.name, k.language, s.location, coalesce(k.copy_function, c.location),
       coalesce(k.delete_function, d.location),
       CASE k.language WHEN 'C' THEN printf('0x%x', k.extra_state) ELSE k.extra_state END, o.created_ns, fs.location,
       o.freed_ns, k.holders, o.internal
FROM created_keyval k LEFT JOIN object o USING (rank, object) LEFT JOIN function f ON f.function = o.function
     LEFT JOIN sites s ON s.site = o.site LEFT JOIN sites fs ON fs.site = o.freed_site
     LEFT JOIN callback c ON c.site = k.copy_site LEFT JOIN callback d ON d.site = k.delete_site;
