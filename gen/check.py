"""Compares the spec, the header and the library of one MPI, so that no function is missed or misread."""

from . import argument_checks, passed_on, roles
from .arguments import HANDLES
from .library import NO_PMPI
from .problem import Collector

NO_LINE = "gen/spec has no line for it: add one"


def check(functions, prototypes, symbols, passed=None):
    """Raises Problems that name every function without a spec line and every spec line that does not fit its prototype. Functions that `passed`
    (PassedOn) accepts are not wrapped.

    A spec line whose function this MPI lacks is fine: the spec covers all MPIs."""
    passed = passed or passed_on.PassedOn()
    problems = Collector()
    known = {function.name for function in functions}
    for name in sorted(symbols.functions - known):
        if not passed.take(name, passed_on.UNKNOWN, is_extension(name, symbols)):
            problems.add(name, f"exported by the library, but {NO_LINE}, or add its reason to gen/library.py")
    for name in sorted(set(prototypes) - known - symbols.functions):
        if not passed.may(is_extension(name)):
            problems.add(name, f"declared at {prototypes[name].where}, but {NO_LINE}")
    for name in sorted(symbols.functions & known):
        if name not in prototypes and not passed.take(name, passed_on.UNDECLARED, is_extension(name, symbols)):
            problems.add(name, "exported by the library, but its header does not declare it: it cannot be wrapped")
        if symbols.has_twins and not symbols.has_pmpi(name) and name not in NO_PMPI and not passed.may(is_extension(name)):
            problems.add(name, f"the library has no P{name}: if that is right, add it to NO_PMPI in gen/library.py")
    for function in functions:
        if function.name in prototypes:
            found = Collector()
            check_function(function, prototypes[function.name], found)
            if found.lines and not passed.take(function.name, passed_on.OTHER, is_extension(function.name)):
                problems.lines += found.lines
    if problems.lines and not passed.may(extension=False):
        problems.lines.append(passed_on.HINT)
    problems.raise_if_any()


def is_extension(name, symbols=None):
    """True if the function is no function of the standard. Small libraries without PMPI_ names have functions that only look like standard ones;
    wrapping the rest is better than failing."""
    return name.startswith("MPIX_") or (symbols is not None and not symbols.has_twins)


def check_function(function, prototype, problems):
    if function.manual:
        if len(function.uses) > 1:
            problems.add(function.where, f"{function.name}: a manual function has no other roles")
        return
    if prototype.variadic:
        problems.add(function.where, f"{function.name}: its arguments cannot be forwarded (...): make it manual")
    if function.parameters and len(function.parameters) != len(prototype.parameters):
        found = f"{len(function.parameters)} parameters, but its prototype has {len(prototype.parameters)} ({prototype.where})"
        problems.add(function.where, f"{function.name} has {found}")
    for use in function.uses:
        problem = check_use(use, prototype)
        if problem:
            problems.add(function.where, f"{function.name}: {problem}")
    for use in argument_checks.checks(function):
        problem = check_use(use, prototype)
        if problem:
            problems.add(function.where, f"{function.name}: {problem}")
    for problem in forgotten(function.uses, prototype):
        problems.add(function.where, f"{function.name}: {problem}")


def check_use(use, prototype):
    """Returns what is wrong with a role of the spec on this prototype, or None."""
    role = roles.ROLES.get(use.role)
    if role is None:
        return f"unknown role {use.role}; gen/roles has the table"
    most = len(role.arguments)
    least = most - role.optional
    if not least <= len(use.positions) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        what = ", ".join(each.what for each in role.arguments)
        return f"role {use.role} takes {wanted} positions ({what}), not {len(use.positions)}"
    for position, argument in zip(use.positions, role.arguments):
        problem = check_position(position, argument, prototype)
        if problem:
            return f"role {use}: {problem}"
    if (role.when >= roles.ALWAYS or role.always) and prototype.result != "int":
        return f"role {use}: the function returns {prototype.result}, so that its success is not known"
    return None


def forgotten(uses, prototype):
    """Finds facts in the types that no role mentions. Yields each as text."""
    named = {position for use in uses for position in use.positions}
    if any(roles.needs_list(roles.ROLES[use.role]) for use in uses if use.role in roles.ROLES) and not roles.has_list(uses):
        yield f"its requests are not known: say which they are ({' or '.join(roles.LISTING)})"
    for position, parameter in enumerate(prototype.parameters, 1):
        kind = parameter.type
        if kind.pointers == 1 and kind.base in HANDLES and not parameter.constant and position not in named:
            choice = f"makes..., frees..., borrows... or ignores:{position}"
            yield f"parameter {position} is {kind}: say what happens to it ({choice})"
    for role in roles.NAMING:
        types = roles.ROLES[role].arguments[0].types
        by_value = [each for each in types if each.pointers == 0]
        positions = [position for position, each in enumerate(prototype.parameters, 1) if each.type in by_value]
        if positions and not named.intersection(positions):
            choice = f"{role}:{positions[0]} or ignores:{positions[0]}"
            yield f"parameter {positions[0]} is {types[0]}: say whether the call is about it ({choice})"


def check_position(position, argument, prototype):
    if position > len(prototype.parameters):
        return f"position {position} is beyond the last parameter, {len(prototype.parameters)} ({prototype.where})"
    kind = prototype.parameters[position - 1].type
    if not argument.accepts(kind):
        wanted = " or ".join(str(each) for each in argument.types)
        return f"parameter {position} is {kind}, but {argument.what} must be {wanted} ({prototype.where})"
    return None


def check_roles(functions):
    """The checks without an MPI: every role is in the table, and every function whose object gets a name by lineage has a lineage. Raises Problems."""
    problems = Collector()
    for function in functions:
        for use in function.uses:
            if use.role not in roles.ROLES and use.role != "manual":
                problems.add(function.where, f"{function.name}: unknown role {use.role}; gen/roles has the table")
        created = [use.role for use in function.uses if use.role in roles.WITH_LINEAGE]
        if created and not function.lineage:
            problems.add(function.where, f"{function.name}: {created[0]} without lineage:verb,participants; gen/spec.py says what they are")
        if function.lineage and not created:
            problems.add(function.where, f"{function.name}: {function.lineage}, but it has none of the roles {', '.join(roles.WITH_LINEAGE)}")
    problems.raise_if_any()


def check_built(built, symbols):
    """Raises Problems that name every function of the MPI that a finished flavour library does not intercept. Otherwise a manual function without
    wrapper would be missed."""
    problems = Collector()
    for name in sorted(symbols.functions - built.functions):
        problems.add(name, "the finished library does not define it: a manual function needs its wrapper in wrappers/")
    problems.raise_if_any()


def check_built_fortran(built, wanted):
    """Checks Fortran entry points and all their spellings in the same way."""
    problems = Collector()
    for name in sorted(wanted - built):
        problems.add(name, "the finished library does not define this Fortran entry point")
    problems.raise_if_any()


def wrapped(functions, prototypes, symbols):
    """The functions that this MPI has and that can be wrapped, by number. Not wrapped are functions that are declared but not exported (MPICH's
    Status_f082f), and macros without a symbol (Open MPI's Aint_add, MPICH's Comm_f2c)."""
    return [each for each in functions if each.name in prototypes and each.name in symbols.functions]
