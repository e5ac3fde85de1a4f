# The generator needs a Python that has pycparser. The first python3 in PATH is not always the one that Debian's python3-pycparser is for.
if(NOT CALLSIGN_PYTHON)
    find_program(CALLSIGN_PATH_PYTHON python3)
    foreach(candidate ${CALLSIGN_PATH_PYTHON} /usr/bin/python3)
        # Some are scripts that look for the interpreter (pyenv): half of the time that a small test takes.
        execute_process(COMMAND ${candidate} -c "import pycparser, sys; print(sys.executable)" RESULT_VARIABLE failed
                        OUTPUT_VARIABLE interpreter OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(NOT failed)
            set(CALLSIGN_PYTHON ${interpreter} CACHE FILEPATH "Python with pycparser")
            break()
        endif()
    endforeach()
endif()
if(NOT CALLSIGN_PYTHON)
    message(FATAL_ERROR "callsign: no python3 with pycparser found. Install it (Debian: python3-pycparser) or name one: -DCALLSIGN_PYTHON=/path/python3")
endif()
