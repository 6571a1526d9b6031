# cmake --install, find_package(hipwright), and a Debian package (cpack).
include(CMakePackageConfigHelpers)

install(TARGETS hipwright EXPORT hipwright-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hipwright_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/hipwright DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages and completion scripts: the tool knows its own options.
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\")
  file(MAKE_DIRECTORY \${share}/bash-completion/completions \${share}/zsh/site-functions
    \${share}/fish/vendor_completions.d)
  execute_process(COMMAND $<TARGET_FILE:hipwright_cli> man --write \${share}/man/man1
    COMMAND_ERROR_IS_FATAL ANY)
  foreach(script IN ITEMS bash:bash-completion/completions/hipwright zsh:zsh/site-functions/_hipwright
      fish:fish/vendor_completions.d/hipwright.fish)
    string(REPLACE : \";\" parts \${script})
    list(GET parts 0 shell)
    list(GET parts 1 file)
    execute_process(COMMAND $<TARGET_FILE:hipwright_cli> completion \${shell}
      OUTPUT_FILE \${share}/\${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/hipwright)
install(EXPORT hipwright-targets NAMESPACE hipwright:: DESTINATION ${_package})
configure_package_config_file(cmake/hipwright-config.cmake.in
  ${PROJECT_BINARY_DIR}/hipwright-config.cmake INSTALL_DESTINATION ${_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hipwright-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hipwright-config.cmake
  ${PROJECT_BINARY_DIR}/hipwright-config-version.cmake DESTINATION ${_package})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hipwright)
set(CPACK_PACKAGE_CONTACT "The hipwright authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${soft_folder})
# The tool starts without these and says what is missing; compiling HIP needs them. The library's
# users link what the archive is made with.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "clang-22, lld-22, llvm-22, clang-tools-22, libclang-rt-22-dev, rocm-device-libs")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libfmt-dev, nlohmann-json3-dev, libtomlplusplus-dev, libzstd-dev, zlib1g-dev, libxxhash-dev, libssl-dev, libmd4c-dev, libre2-dev, libpng-dev, libsimdjson-dev, libsqlite3-dev")
include(CPack)
