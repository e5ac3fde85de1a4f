"""`python3 FOLDER core FILE`, `python3 FOLDER attach PID`: what `callsign core` and `callsign attach` run."""

import sys

from callsign_debugger.command import main

sys.exit(main(sys.argv[1:]))
