# cmake --install makes a tree that can be moved anywhere. No file contains the installation path: the command and the front library find the rest
# relative to themselves.
include(CMakePackageConfigHelpers)

# The installed targets, which the demo needs, too: all but tests and benchmarks.
add_custom_target(callsign-all)
set(parts callsign-convert callsign-unwind callsign-resolve) # loaded by all flavours
add_dependencies(callsign-all callsign callsign_command callsign-debugger ${parts})
foreach(target callsign-page callsign-manual)
    if(TARGET ${target})
        add_dependencies(callsign-all ${target})
    endif()
endforeach()
if(CALLSIGN_PARTS)
    file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
    foreach(part ${parts})
        file(CREATE_LINK ${CALLSIGN_PARTS}/${CALLSIGN_LIBDIR}/lib${part}.so ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/lib${part}.so SYMBOLIC)
        install(FILES $<TARGET_FILE:${part}> DESTINATION ${CALLSIGN_LIBDIR})
    endforeach()
else()
    export(TARGETS ${parts} callsign_base callsign_resolver callsign_functions callsign_journal callsign_trace callsign_summary callsign_convert callsign_run callsign_replay callsign_record
           callsign_front callsign_text callsign_commands FILE ${CMAKE_BINARY_DIR}/callsign-parts.cmake)
endif()
set(CALLSIGN_STATIC_FLAVOUR "")
foreach(flavour ${CALLSIGN_FLAVOURS})
    if(TARGET callsign-${flavour}-static)
        set(CALLSIGN_STATIC_FLAVOUR ${flavour}) # for callsign-static-mpi and callsign_static_mpi
    endif()
    add_dependencies(callsign-all callsign-${flavour} callsign-front-${flavour})
    foreach(target callsign-trial-${flavour} callsign-parallel-${flavour} callsign-${flavour}-static)
        if(TARGET ${target})
            add_dependencies(callsign-all ${target})
        endif()
    endforeach()
endforeach()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/callsign DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
foreach(flavour ${CALLSIGN_FLAVOURS})
    install(FILES ${CMAKE_BINARY_DIR}/gen/${flavour}/callsign/names_${flavour}.h ${CMAKE_BINARY_DIR}/gen/${flavour}/callsign/mpif_names_${flavour}.h
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/callsign COMPONENT development)
endforeach()
if(CALLSIGN_MPI_LIBRARY)
    configure_file(cmake/callsign-static-mpi.in ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/callsign-static-mpi @ONLY)
    install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/callsign-static-mpi DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.ipynb" PATTERN "*.R"
        PATTERN "*.c" PATTERN architecture.md EXCLUDE PATTERN site EXCLUDE)
install(DIRECTORY packaging/ci packaging/vscode DESTINATION ${CMAKE_INSTALL_DATADIR}/callsign USE_SOURCE_PERMISSIONS)
install(FILES ${CALLSIGN_GENERATED}/model/schema.sql DESTINATION ${CMAKE_INSTALL_DATADIR}/callsign)
install(DIRECTORY db/trace/views DESTINATION ${CMAKE_INSTALL_DATADIR}/callsign)
install(FILES ${CALLSIGN_GENERATED}/../db/findings.sql DESTINATION ${CMAKE_INSTALL_DATADIR}/callsign/views)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/callsign)
configure_package_config_file(cmake/callsignConfig.cmake.in callsignConfig.cmake INSTALL_DESTINATION ${package}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CALLSIGN_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(callsignConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/callsignConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/callsignConfigVersion.cmake
        DESTINATION ${package} COMPONENT development)

# ${pcfiledir} keeps the file valid when the tree is moved.
file(RELATIVE_PATH CALLSIGN_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(CALLSIGN_PC_RPATH "")
if(NOT CALLSIGN_LIBDIR STREQUAL CMAKE_INSTALL_LIBDIR)
    set(CALLSIGN_PC_RPATH " -Wl,-rpath,\${libdir}") # the dynamic linker does not look there
endif()
configure_file(cmake/callsign.pc.in callsign.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/callsign.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
