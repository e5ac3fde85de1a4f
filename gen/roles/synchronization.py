"""Roles of collectives that nobody leaves before everybody has entered them: what they tell of the clocks of nodes."""

from .role import AFTER_REQUEST, Role


def synchronization_roles():
    yield synchronizing("synchronizes", "cs_synchronized")
    yield synchronizing("synchronizes-by-data", "cs_synchronized_by_data")  # after the roles that count bytes


def synchronizing(name, function):
    return Role(name, function, AFTER_REQUEST, (), before="cs_synchronizing")
