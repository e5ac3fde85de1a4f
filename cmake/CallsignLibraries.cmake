# The libraries that callsign uses besides the C library and the MPI, as callsign::sqlite, callsign::elfutils, callsign::unwind and callsign::curses.
# With CALLSIGN_STATIC_LIBRARIES they are linked in, so that the result runs on any Linux whose C library is new enough.
set(CALLSIGN_STATIC_LIBRARIES "" CACHE PATH "Link SQLite, elfutils and libunwind in: the folder that scripts/static-libraries made; empty: use the shared ones")

foreach(name sqlite elfutils unwind curses)
    add_library(callsign::${name} INTERFACE IMPORTED GLOBAL)
endforeach()
if(CALLSIGN_STATIC_LIBRARIES)
    # callsign_link_archives(TARGET NAME...): the archives NAME.a, of that folder or of the system
    function(callsign_link_archives target)
        foreach(name ${ARGN})
            find_library(CALLSIGN_ARCHIVE_${name} NAMES ${name}.a HINTS ${CALLSIGN_STATIC_LIBRARIES}/lib REQUIRED)
            target_link_libraries(${target} INTERFACE ${CALLSIGN_ARCHIVE_${name}})
        endforeach()
        # Their symbols stay inside: they neither replace those of the program nor are replaced by them.
        target_link_options(${target} INTERFACE LINKER:--exclude-libs,ALL LINKER:-Bsymbolic)
        target_include_directories(${target} SYSTEM INTERFACE ${CALLSIGN_STATIC_LIBRARIES}/include)
    endfunction()
    callsign_link_archives(callsign::sqlite libsqlite3)
    callsign_link_archives(callsign::elfutils libdw libelf libz liblzma)
    callsign_link_archives(callsign::unwind libunwind)
    target_link_libraries(callsign::sqlite INTERFACE m)
else()
    find_package(SQLite3 3.37 REQUIRED)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw libelf)
    pkg_check_modules(LIBUNWIND REQUIRED IMPORTED_TARGET libunwind)
    if(NOT TARGET SQLite3::SQLite3) # CMake before 4.3
        add_library(SQLite3::SQLite3 ALIAS SQLite::SQLite3)
    endif()
    target_link_libraries(callsign::sqlite INTERFACE SQLite3::SQLite3)
    target_link_libraries(callsign::elfutils INTERFACE PkgConfig::LIBDW)
    target_link_libraries(callsign::unwind INTERFACE PkgConfig::LIBUNWIND)
endif()

# uthash has headers only.
find_path(CALLSIGN_UTHASH_INCLUDE uthash.h REQUIRED)
include_directories(SYSTEM ${CALLSIGN_UTHASH_INCLUDE})

# Linked in where there is an archive, because the command is to run on machines without ncurses. Some builds of it have no library tinfo.
find_path(CALLSIGN_CURSES_INCLUDE curses.h PATH_SUFFIXES ncursesw REQUIRED)
find_library(CALLSIGN_CURSES NAMES libncursesw.a ncursesw REQUIRED)
find_library(CALLSIGN_TERMINFO NAMES libtinfow.a libtinfo.a tinfow tinfo)
target_include_directories(callsign::curses SYSTEM INTERFACE ${CALLSIGN_CURSES_INCLUDE})
target_link_libraries(callsign::curses INTERFACE ${CALLSIGN_CURSES} ${CMAKE_DL_LIBS})
if(CALLSIGN_TERMINFO)
    target_link_libraries(callsign::curses INTERFACE ${CALLSIGN_TERMINFO})
endif()
