"""Generates C from gen/spec and the installed mpi.h: wrappers, the table of native functions, numbers and names."""
