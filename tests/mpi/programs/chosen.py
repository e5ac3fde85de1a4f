"""Reaches MPI as one wheel of mpi4py for all MPIs does: a package that is linked with none asks whether there is one already, opens the
library that it is told, finds out what it is, and only then loads the module that is linked with such a library.
argv: the MPI library, the module, and what its main function is given."""

import ctypes
import os
import sys

path, module, *arguments = sys.argv[1:]
there = hasattr(ctypes.CDLL(None), "MPI_Get_version")
mpi = ctypes.CDLL(path, os.RTLD_LAZY | os.RTLD_LOCAL)
version, subversion = ctypes.c_int(), ctypes.c_int()
failed = mpi.MPI_Get_version(ctypes.byref(version), ctypes.byref(subversion))
line = (f"already there: {there}; version: {failed} {version.value} {subversion.value}; "
        f"binary interface: {hasattr(mpi, 'MPI_Abi_get_version')}; of Open MPI: {hasattr(mpi, 'ompi_mpi_comm_self')}\n")
os.write(1, line.encode())
words = [word.encode() for word in [module, *arguments]]
failed = ctypes.CDLL(module, os.RTLD_NOW | os.RTLD_LOCAL).main(len(words), (ctypes.c_char_p * len(words))(*words))

folder = os.environ.get("CHECK_FOLDER")
if folder:
    with open(f"{folder}/facts.{os.getpid()}", "a", encoding="utf-8") as facts:
        facts.write("calls\tMPI_Get_version\t1\n")
sys.exit(failed)
