"""`python3 FOLDER core FILE COMMAND`, `python3 FOLDER attach PID COMMAND`: what `callsign core` and `callsign attach` run."""

import sys

from callsign_debugger.command import main

sys.exit(main(sys.argv[1:]))
