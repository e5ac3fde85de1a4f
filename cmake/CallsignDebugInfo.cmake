# Debuggers show the wrapper's frame with its arguments for a program that is stopped inside MPI, also in builds for users. The debug information of a
# library is in its own file next to it, .debug/NAME.debug, where debuggers look. The library does not grow, and cmake --install --strip removes
# nothing. Builds for developers (Debug, sanitizers) keep theirs inside.
include(CheckLinkerFlag)
check_linker_flag(C LINKER:--compress-debug-sections=zlib CALLSIGN_LINKER_COMPRESSES)

# callsign_separate_debug_info(TARGET SOURCE...): the listed sources have debug information in every build type, the others as the type says.
function(callsign_separate_debug_info target)
    if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|MinSizeRel|RelWithDebInfo)$" OR CALLSIGN_SANITIZE)
        return()
    endif()
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release,MinSizeRel>:-g>)
    if(CALLSIGN_LINKER_COMPRESSES)
        target_link_options(${target} PRIVATE LINKER:--compress-debug-sections=zlib)
    endif()
    set(folder ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/.debug)
    set(file ${folder}/$<TARGET_FILE_NAME:${target}>.debug)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
        TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:${target}> ${file}
        COMMAND ${CMAKE_OBJCOPY} --strip-debug --add-gnu-debuglink=${file} $<TARGET_FILE:${target}>
        VERBATIM)
    install(FILES ${file} DESTINATION ${CALLSIGN_LIBDIR}/.debug)
endfunction()
