-- Module file for Lmod. Put it into a folder of MODULEPATH as callsign/VERSION.lua, and set the prefix.
help([[
callsign records MPI programs: time, messages, objects by name, leaks, hangs.
    callsign run -- srun ./program
    callsign report
]])
whatis("Name: callsign")
whatis("Description: records MPI programs: time, messages, objects by name, leaks, hangs")

local prefix = "/opt/callsign"
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)

-- Defaults of this site; callsign help settings explains them.
-- setenv("CALLSIGN_JOURNAL", "/dev/shm")
