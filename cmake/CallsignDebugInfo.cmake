# A program that is stopped inside MPI shows the wrapper's frame with its arguments, also of a build that users run: the debug information of a
# library is a file of its own beside it, .debug/NAME.debug, where debuggers look for it. The library is as large as without, and
# cmake --install --strip takes nothing away. Builds for developers (Debug, sanitizers) keep theirs inside.
include(CheckLinkerFlag)
check_linker_flag(C LINKER:--compress-debug-sections=zlib CALLSIGN_LINKER_COMPRESSES)

# callsign_separate_debug_info(TARGET SOURCE...): SOURCE... have debug information in every type of build, the others where the type says so.
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
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/.debug)
endfunction()
