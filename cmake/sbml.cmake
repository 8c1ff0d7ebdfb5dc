# SPDX-License-Identifier: Apache-2.0
# The SBML link unit: what needs libsbml and yaml-cpp, as a shared library that the binary opens when it reads such a file.
if(BOLZA_SBML)
  add_library(bolza_sbml_library SHARED compiler/sbml/library/entry.cpp)
  target_link_libraries(bolza_sbml_library PRIVATE bolza_warnings bolza_sbml)
  target_link_options(bolza_sbml_library PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions -Wl,--as-needed)
  set_target_properties(bolza_sbml_library PROPERTIES OUTPUT_NAME bolza_sbml LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  install(TARGETS bolza_sbml_library LIBRARY DESTINATION lib/bolza)
endif()
