# Recipe for Spack, for a repository of packages: packages/callsign/package.py.
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *

PROGRAM = r"""
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &row);
    MPI_Comm_set_name(row, "row of the grid");
    MPI_Barrier(row);
    MPI_Finalize(); /* row leaks */
    return 0;
}
"""


class Callsign(CMakePackage):
    """Records what MPI programs do: time, messages, leaks and hangs, by the names of
    communicators, datatypes and windows. It is preloaded, and leaves SQLite files."""

    homepage = "@HOMEPAGE@"
    url = "@URL@/callsign-@VERSION@.tar.xz"

    maintainers(@MAINTAINERS@)

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("debugger", default=True, description="Python for gdb and lldb")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("python@3.9:", type="run", when="+debugger")
    depends_on("py-pycparser", type="build")
    depends_on("uthash", type="build")
    depends_on("elfutils")
    depends_on("libunwind")
    depends_on("mpi")
    depends_on("ncurses")
    depends_on("sqlite@3.37:")

    requires("platform=linux")
    requires("target=x86_64:", "target=aarch64:", policy="one_of")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("CALLSIGN_MPICC", self.spec["mpi"].mpicc),
            self.define("CALLSIGN_TESTS", False),
            self.define("CALLSIGN_BENCH", False),
        ]

    def test_record(self):
        """record an MPI program and read its run"""
        with open("grid.c", "w", encoding="utf-8") as source:
            source.write(PROGRAM)
        Executable(self.spec["mpi"].mpicc)("-g", "-o", "grid", "grid.c")
        callsign = Executable(self.prefix.bin.callsign)
        callsign("run", "--", "./grid")
        leaks = callsign("report", "leaks", "--format", "csv", output=str.split, error=str.split)
        assert "grid.c:7" in leaks, leaks

    def test_version(self):
        """ask for the version"""
        callsign = Executable(self.prefix.bin.callsign)
        assert str(self.spec.version) in callsign("version", output=str.split, error=str.split)
