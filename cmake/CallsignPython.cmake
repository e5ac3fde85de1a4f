# The generator needs a Python with pycparser. The first python3 in PATH is not always the one of Debian's python3-pycparser.
if(NOT CALLSIGN_PYTHON)
    find_program(CALLSIGN_PATH_PYTHON python3)
    foreach(candidate ${CALLSIGN_PATH_PYTHON} /usr/bin/python3)
        # Some are scripts that search for the interpreter (pyenv), which takes half of the time of a small test.
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
# Tests, but for those of the generator, use the standard library alone. Site packages of some machines take longer to load than that.
set(CALLSIGN_TEST_PYTHON ${CALLSIGN_PYTHON} -S)
