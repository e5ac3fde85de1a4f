"""callsign hang accuses no program that is merely slow, and finds every deadlock."""

import unittest

import plants

FORTRAN = "{}_fortran_f08", "{}_fortran_mpi"


class Plants(unittest.TestCase):
    maxDiff = None
    EACH = 1

    def check(self, function, program, *more):
        chosen = plants.plants(program, *more)
        self.assertGreater(len(chosen), 45)
        for number, name in enumerate(FORTRAN):  # tests/hang/campaign.py has all modes of both bindings
            chosen += plants.plants(name.format(program))[2 * number::4]
        wrong = list(plants.check_all(function, chosen[::self.EACH]))
        self.assertEqual(len(wrong), 0, "\n" + "\n\n".join(wrong))


class Slow(Plants):
    def test_no_slow_program_is_accused(self):
        self.check(plants.check_slow, "slow", "slow_collectives", "slow_epochs")


class Stuck(Plants):
    def test_every_deadlock_is_found(self):
        self.check(plants.check_stuck, "stuck", "stuck_epochs")


class SomeSlow(Slow):
    """For scripts/test; scripts/test long has all."""

    EACH = 6


class SomeStuck(Stuck):
    EACH = 6


if __name__ == "__main__":
    unittest.main()
