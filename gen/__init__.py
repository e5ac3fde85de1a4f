"""Turns gen/spec and the mpi.h at hand into the C of callsign: wrappers, the table of next functions, numbers and names."""
