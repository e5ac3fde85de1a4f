-- Views: call sites, stacks, and their libraries.

CREATE VIEW sites ( -- call sites with function, file and line
    site, -- number, as in every column named site
    location, -- "function file:line" if resolved, else "module+0xoffset"
    function, -- function that contains it, C++ without parameters, template arguments as <...>
    file, -- source file
    line, -- line in it
    function_signature, -- the function in full
    module, -- executable or library
    build_id, -- its build id
    offset, -- return address relative to the module
    caller -- site of the next outer frame
) AS
SELECT s.site,
       coalesce(f.function || coalesce(' ' || f.file || ':' || f.line,
                                       ' in ' || replace(f.module, rtrim(f.module, replace(f.module, '/', '')), ''),
                                       ''),
                replace(f.module, rtrim(f.module, replace(f.module, '/', '')), '') || printf('+0x%x', f.offset),
                printf('0x%x', f.offset)),
       f.function, f.file, f.line, f.function_signature, f.module, f.build_id, f.offset, s.caller
FROM site s JOIN frame f USING (frame);

CREATE VIEW stacks ( -- every frame of the call stack of every site
    site, -- number of the site
    depth, -- 0: innermost
    location -- function, file and line of the frame
) AS
WITH RECURSIVE walk (site, depth, current) AS (
    SELECT site, 0, site FROM site
    UNION ALL
    SELECT walk.site, depth + 1, s.caller FROM walk JOIN site s ON s.site = walk.current
    WHERE s.caller IS NOT NULL AND depth < 1000)
SELECT walk.site, depth, location FROM walk JOIN sites ON sites.site = walk.current;

CREATE VIEW libraries ( -- the innermost executable or library of a call site that is not callsign, the MPI or the C
        -- library
    site, -- number of the site
    library, -- file name; sites without such a library have no row
    library_site -- the innermost site in that library: the site itself, unless it is in callsign, the MPI or the C
        -- library
) AS
WITH RECURSIVE
    file (frame, name) AS (SELECT frame, replace(module, rtrim(module, replace(module, '/', '')), '') FROM frame),
    step (site, caller, name, passed) AS (
        SELECT s.site, s.caller, f.name,
               f.name IS NULL OR f.name GLOB 'libcallsign*' OR f.name GLOB 'libmpi*' OR f.name GLOB 'libpmpi*'
               OR f.name GLOB 'mca_*'
               OR f.name GLOB 'libopen_mpi*' OR f.name GLOB 'libpmix*' OR f.name GLOB 'libopen-rte*'
               OR f.name GLOB 'libopen-pal*' OR f.name GLOB 'libopal*'
               OR f.name GLOB 'libprrte*' OR f.name GLOB 'libc.so*'
               OR f.name GLOB 'libc-*' OR f.name GLOB 'libpthread*' OR f.name GLOB 'ld-*'
        FROM site s JOIN file f USING (frame)),
    walk (site, current, depth) AS (
        SELECT site, site, 0 FROM site
        UNION ALL
        SELECT w.site, step.caller, depth + 1 FROM walk w JOIN step ON step.site = w.current
        WHERE step.passed AND step.caller IS NOT NULL AND depth < 1000)
SELECT w.site, step.name, w.current FROM walk w JOIN step ON step.site = w.current WHERE NOT step.passed;
