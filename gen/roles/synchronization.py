"""Roles of collectives that no member leaves before all have entered: they show how the clocks of nodes differ."""

from .role import AFTER_REQUEST, Role


def synchronization_roles():
    yield synchronizing("synchronizes", "cs_synchronized")
    yield synchronizing("synchronizes-by-data", "cs_synchronized_by_data")  # after the roles that count bytes


def synchronizing(name, function):
    return Role(name, function, AFTER_REQUEST, (), before="cs_synchronizing")
