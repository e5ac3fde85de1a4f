"""Ticks of the process as time."""


def ns_per_tick(header):
    """0: unknown."""
    if header.ticks_per_second:
        return 1e9 / header.ticks_per_second
    ticks, ns = header.last_ticks - header.first_ticks, header.last_monotonic_ns - header.first_monotonic_ns
    return ns / ticks if ticks > 0 and ns > 0 else 0


def monotonic_of(header, ticks):
    """CLOCK_MONOTONIC in ns at that moment."""
    return header.last_monotonic_ns + int((ticks - header.last_ticks) * ns_per_tick(header))


def since(header, ticks, now):
    """Time in ns between `ticks` and `now` (CLOCK_MONOTONIC in ns; None: unknown); None: unknown."""
    if not ticks or now is None or not ns_per_tick(header):
        return None
    return max(now - monotonic_of(header, ticks), 0)
