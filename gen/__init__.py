"""Turns gen/spec and the mpi.h at hand into C: wrappers, the table of next functions, numbers and names."""
