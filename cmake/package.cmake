# SPDX-License-Identifier: Apache-2.0
# What `cpack` makes of the install tree: bolza_VERSION_ARCHITECTURE.deb, and the debug symbols beside it. scripts/package runs it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Bolza's maintainers <maintainers@users.noreply.a-seed-bc32f4fd.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler and solver for dynamic optimisation with Modelica")
set(CPACK_PACKAGE_DESCRIPTION "Bolza reads Modelica models with optimisation problems (Optimica, DOML, OpenModelica's annotations), simulates
them, and solves the problems by collocation or shooting. It calibrates models on data and explains why a solve failed.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the packages of the libraries that the program and its own are linked with
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0-serial | libblas.so.3")  # docs/decisions/blas.md
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS bubblewrap)                         # --sandbox
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc | c-compiler")                   # C text in models, programs that call kernels
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
include(CPack)
