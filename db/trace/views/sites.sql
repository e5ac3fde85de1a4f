-- Views: call sites, stacks, and their libraries.

CREATE VIEW sites ( -- call sites with function, file and line
    site, -- number, as in every column named site
    location, -- "function file:line" if resolved, else "module+0xoffset"
    function, -- function that contains it, C++ without parameters, template arguments as <...>. <partial>: the outer
        -- frames of the stack were not recorded
    file, -- source file, with the folders that tell it from others of the module or trace
    line, -- line in it
    function_signature, -- the function in full
    module, -- executable or library
    build_id, -- its build id
    offset, -- return address relative to the module
    caller -- site of the next outer frame
) AS
SELECT s.site,
       coalesce(f.function || coalesce(' ' || f.file || ':' || f.line,
                                       ' in ' || replace(m.path, rtrim(m.path, replace(m.path, '/', '')), ''), ''),
                replace(m.path, rtrim(m.path, replace(m.path, '/', '')), '') || printf('+0x%x', f.offset),
                printf('0x%x', f.offset)),
       f.function, f.file, f.line, f.function_signature, m.path, m.build_id, f.offset, s.caller
FROM site s JOIN frame f USING (frame) LEFT JOIN module m ON m.module = f.module;

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

CREATE VIEW asked_layers ( -- layers that the user asked for, when recording or, with --through, when reading
    patterns -- patterns with commas between them, as in CALLSIGN_THROUGH
) AS
SELECT DISTINCT value FROM meta WHERE key = 'config.THROUGH';

CREATE VIEW layers ( -- libraries and functions between the program and MPI: calls are charged to their callers
    layer, -- name of the library, or the pattern that the user asked for
    pattern, -- glob
    runtime, -- 1: callsign, the MPI or the C library
    matches -- what the pattern matches. library: file names of libraries; function: functions, of libraries that are
        -- often linked statically; any: libraries, functions and source files, if the user asked for the layer
) AS
WITH RECURSIVE
    known (layer, pattern, runtime) AS (VALUES
        ('PETSc', 'libpetsc*', 0),
        ('SLEPc', 'libslepc*', 0),
        ('HDF5', 'libhdf5*', 0),
        ('NetCDF', 'libnetcdf*', 0),
        ('PnetCDF', 'libpnetcdf*', 0),
        ('ADIOS2', 'libadios2*', 0),
        ('FFTW', 'libfftw3*', 0),
        ('heFFTe', 'libheffte*', 0),
        ('ScaLAPACK', 'libscalapack*', 0),
        ('BLACS', 'libblacs*', 0),
        ('ELPA', 'libelpa*', 0),
        ('MUMPS', 'lib[sdcz]mumps*', 0),
        ('SuperLU_DIST', 'libsuperlu_dist*', 0),
        ('HYPRE', 'libHYPRE*', 0),
        ('ParMETIS', 'libparmetis*', 0),
        ('PT-Scotch', 'libptscotch*', 0),
        ('PT-Scotch', 'libptesmumps*', 0),
        ('Trilinos', 'libtrilinos_*', 0),
        ('Trilinos', 'libtpetra*', 0),
        ('Trilinos', 'libepetra*', 0),
        ('Trilinos', 'libteuchos*', 0),
        ('mpi4py', 'MPI.cpython-*', 0),
        ('mpi4py', 'MPI.abi3*', 0),
        ('mpi4py', 'MPI.*.cpython-*', 0), -- for one of several MPIs
        ('mpi4py', 'MPI.*.abi3*', 0),
        ('python extension', '*.cpython-[0-9]*', 0),
        ('python extension', '*.abi3.so', 0),
        ('Python', 'libpython*', 0),
        ('Python', 'python', 0),
        ('Python', 'python[0-9]', 0),
        ('Python', 'python[0-9].[0-9]*', 0),
        ('Boost.MPI', 'libboost_mpi*', 0),
        ('OpenFOAM', 'libPstream*', 0),
        ('callsign', 'libcallsign*', 1),
        ('MPI', 'libmpi_cxx*', 1),
        ('MPI', 'libmpicxx*', 1),
        ('MPI', 'libmpi_java*', 1),
        ('MPI', 'libmpifort*', 1),
        ('MPI', 'libmpi_mpifh*', 1),
        ('MPI', 'libmpi_usempi*', 1),
        ('MPI', 'libmpi.so*', 1),
        ('MPI', 'libmpi_abi.so*', 1),
        ('MPI', 'libmpitrampoline*', 1),
        ('MPI', 'libmpiwrapper*', 1),
        ('MPI', 'libmpigf*', 1),
        ('MPI', 'libmpich*', 1),
        ('MPI', 'libpmpi*', 1),
        ('MPI', 'mca_*', 1),
        ('MPI', 'libopen_mpi*', 1),
        ('MPI', 'libpmix*', 1),
        ('MPI', 'libopen-rte*', 1),
        ('MPI', 'libopen-pal*', 1),
        ('MPI', 'libopal*', 1),
        ('MPI', 'libprrte*', 1),
        ('C library', 'libc.so*', 1),
        ('C library', 'libc-*', 1),
        ('C library', 'libpthread*', 1),
        ('C library', 'ld-*', 1), ('C library', 'ld64.so*', 1)),
    static (layer, pattern) AS (VALUES ('HDF5', 'H5[A-Z_]*'), ('HDF5', 'H5open')),
    word (rest, name) AS (
        SELECT patterns || ',', NULL FROM asked_layers WHERE length(patterns) BETWEEN 1 AND 4096
        UNION ALL
        SELECT substr(rest, instr(rest, ',') + 1), trim(substr(rest, 1, instr(rest, ',') - 1))
        FROM word WHERE rest <> '')
SELECT layer, pattern, runtime, 'library' FROM known
UNION ALL
SELECT DISTINCT 'python extension', substr(key, 18) || '.so', 0, 'library' FROM meta
WHERE key GLOB 'python_extension.*'
UNION ALL
SELECT layer, pattern, 0, 'function' FROM static
UNION ALL
SELECT DISTINCT name, name, 0, 'any' FROM word WHERE length(name) BETWEEN 1 AND 200;

CREATE VIEW site_layers ( -- the layers that the innermost frame of each call site is in; a row for each pattern that
        -- matches it
    site, -- number of the site
    caller, -- site of the next outer frame
    layer, -- as in layers; NULL: in no layer
    pattern, -- as in layers
    runtime, -- 1: the layer is callsign, the MPI or the C library
    kind -- partial: stands for frames that were not recorded; generated: code of no library; python: a line of Python;
        -- NULL: others
) AS
WITH
    layer (layer, pattern, runtime, matches) AS MATERIALIZED (SELECT layer, pattern, runtime, matches FROM layers),
    -- the function that the frame belongs to, not one that was inlined into it
    frames (site, caller, module, library, function, file, kind) AS (
        SELECT site, caller, module, replace(module, rtrim(module, replace(module, '/', '')), ''),
               CASE WHEN function LIKE '% (inlined into %'
                    THEN rtrim(substr(function, instr(function, ' (inlined into ') + 15), ')')
                    ELSE replace(function, ' (tail call)', '') END,
               CASE WHEN function NOT LIKE '% (inlined into %' THEN file END,
               CASE WHEN module IS NULL AND function = '<partial>' THEN 'partial'
                    WHEN module IS NULL THEN 'generated'
                    WHEN module = file OR module GLOB '*/' || file THEN 'python' END
        FROM sites)
SELECT f.site, f.caller, l.layer, l.pattern, coalesce(l.runtime, 0), f.kind
FROM frames f LEFT JOIN layer l
     ON l.matches <> 'function' AND f.library GLOB l.pattern
        OR l.matches <> 'library' AND f.function GLOB l.pattern
        OR l.matches = 'any' AND (f.file GLOB l.pattern OR f.file GLOB '*/' || l.pattern
                                  OR instr(l.pattern, '/') AND f.module GLOB l.pattern);

CREATE VIEW unmatched_layers ( -- layers that the user asked for and that no frame of a call site is in
    pattern -- glob
) AS
SELECT pattern FROM layers WHERE matches = 'any' AND pattern NOT IN (
    SELECT pattern FROM site_layers WHERE pattern IS NOT NULL);

-- kept: overview
CREATE VIEW charged_sites ( -- the frame of each call site that its calls are charged to: the innermost one outside
        -- the view layers. Code without a library below a line of Python is charged to that line
    site, -- number of the site
    charged_site, -- the site of that frame, with its callers; the site itself if the known frames are all in layers
    layer -- the innermost layer that was passed, or that all frames are in; NULL: none
) AS
WITH RECURSIVE
    step (site, caller, layer, passed, runtime, kind) AS MATERIALIZED (
        SELECT site, caller, min(CASE WHEN NOT runtime THEN layer END),
               count(layer) > 0 OR coalesce(max(kind) = 'partial', 0), max(runtime),
               CASE WHEN count(layer) = 0 THEN max(kind) END
        FROM site_layers GROUP BY site),
    -- the outermost frame below the C library starts the program. generated: the first frame of generated code
    walk (site, current, caller, layer, passed, runtime, kind, generated, depth) AS (
        SELECT site, site, caller, layer, passed, runtime, kind, CASE WHEN kind = 'generated' THEN site END, 0
        FROM step
        UNION ALL
        SELECT w.site, s.site, s.caller, CASE WHEN w.generated IS NULL THEN coalesce(w.layer, s.layer) ELSE w.layer END,
               s.passed OR s.caller IS NULL AND w.runtime, s.runtime, s.kind,
               CASE WHEN w.generated IS NULL AND s.kind = 'generated' THEN s.site ELSE w.generated END, depth + 1
        FROM walk w CROSS JOIN step s ON s.site = w.caller
        WHERE (w.passed OR coalesce(w.kind = 'generated', 0)) AND depth < 1000)
SELECT site,
       CASE WHEN generated AND (passed OR kind IS NOT 'python') THEN generated WHEN passed THEN site ELSE current END,
       CASE WHEN generated AND NOT passed AND kind IS 'python' THEN coalesce(layer, 'generated code') ELSE layer END
FROM walk WHERE NOT (passed OR coalesce(kind = 'generated', 0)) OR caller IS NULL;

-- kept: overview
CREATE VIEW libraries ( -- the innermost executable or library of a call site that is not callsign, the MPI or the C
        -- library
    site, -- number of the site
    library, -- file name; sites without such a library have no row
    library_site -- the innermost site in that library: the site itself, unless it is in callsign, the MPI or the C
        -- library
) AS
WITH RECURSIVE
    runtime (pattern) AS MATERIALIZED (SELECT pattern FROM layers WHERE runtime),
    file (frame, name) AS (
        SELECT f.frame, replace(m.path, rtrim(m.path, replace(m.path, '/', '')), '')
        FROM frame f LEFT JOIN module m ON m.module = f.module),
    step (site, caller, name, passed) AS (
        SELECT s.site, s.caller, f.name,
               f.name IS NULL OR EXISTS (SELECT 1 FROM runtime WHERE f.name GLOB pattern)
        FROM site s JOIN file f USING (frame)),
    walk (site, current, depth) AS (
        SELECT site, site, 0 FROM site
        UNION ALL
        SELECT w.site, step.caller, depth + 1 FROM walk w JOIN step ON step.site = w.current
        WHERE step.passed AND step.caller IS NOT NULL AND depth < 1000)
SELECT w.site, step.name, w.current FROM walk w JOIN step ON step.site = w.current WHERE NOT step.passed;
