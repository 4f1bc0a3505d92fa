# What a Debian package has otherwise than `cmake --install`: run on its folder before it is packed.
file(GLOB folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(documents ${folder}/share/doc/gossamer)
file(GLOB engines ${folder}/lib/gossamer/*.so)
execute_process(COMMAND strip --strip-unneeded ${engines} COMMAND_ERROR_IS_FATAL ANY)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog "gossamer (${CPACK_PACKAGE_VERSION}) unstable; urgency=low\n\n"
     "  * What changed: docs/CHANGELOG.md.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
execute_process(COMMAND gzip -9n ${folder}/share/man/man1/gossamer.1 ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${documents}/copyright
     "Copyright 2026 The Gossamer maintainers\n\nLicense: Apache License 2.0; see /usr/share/common-licenses/Apache-2.0\n")
