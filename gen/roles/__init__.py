"""The table of all roles, by subject: which C function a role of gen/spec calls in a wrapper.

To add a role: declare its C function in the header of its folder in wrappers/, add one line in the file of its subject here, use it in gen/spec."""

from ..arguments import ROOT
from .about import ADOPTING, NAMING, about_roles
from .checks import check_roles
from .details import detail_roles
from .envelopes import envelope_roles
from .lifecycle import lifecycle_roles
from .local_checks import local_check_roles
from .objects import WITH_LINEAGE, attribute_roles, compare_roles, free_roles, name_roles, object_roles
from .requests import LIST, LISTING, has_list, leaving, needs_list, request_roles
from .role import AFTER_BYTES, AFTER_OBJECT, AFTER_REQUEST, ALWAYS, BEFORE, CHECK, DETAIL, FREES, NEVER, STATUS, Role
from .synchronization import synchronization_roles
from .traffic import traffic_roles

SUBJECTS = (about_roles, detail_roles, object_roles, free_roles, name_roles, compare_roles, attribute_roles, traffic_roles, envelope_roles, request_roles, check_roles, local_check_roles, synchronization_roles, lifecycle_roles)

ROLES = {role.name: role for subject in SUBJECTS for role in subject()}

# Roles that give a call neither peer nor bytes nor a message.
ALONE = {role.name for subject in (detail_roles, object_roles, free_roles, name_roles, compare_roles, attribute_roles, local_check_roles) for role in subject()}


def call(use, wrapper):
    """The C statement of a role as (condition, function, arguments); the condition is "" if there is none.

    wrapper supplies what differs between C and Fortran (gen/emit_body.py)."""
    role = ROLES[use.role]
    chosen = list(zip(use.positions, role.arguments))
    condition = ""
    if role.condition and len(chosen) >= role.condition:
        position, argument = chosen.pop(role.condition - 1)
        condition = f"cs_at_root(&cs_call, {wrapper.argument(position, argument)})" if argument == ROOT else wrapper.is_true(position)
    texts = [wrapper.argument(position, argument) for position, argument in chosen]
    if role.missing and len(texts) < len(role.arguments):
        texts.append(role.missing)
    if role.template:
        texts = role.template.format(*texts).split(", ")
    return condition, wrapper.function_of(role), ["&cs_call", *role.first, *texts]
