# SPDX-License-Identifier: Apache-2.0
# The solver link unit: the runtime with SUNDIALS as a shared library that the binary opens when it first solves or integrates. IPOPT
# and BONMIN, which cost more to open than a small simulation, are link units of their own: here only their rows of the table (defined
# before the archive of the room is searched, so that they themselves are not linked).
add_library(bolza_solver_library SHARED workflow/solver_library_entry.cpp runtime/nlp/libraries/ipopt_row.cpp)
bolza_precompiled(bolza_solver_library headers)
target_link_libraries(bolza_solver_library PRIVATE bolza_warnings bolza_verify bolza_estimate bolza_transcribe bolza_integrate bolza_nonlinear bolza_nlp bolza_linalg bolza_abi
  ${CMAKE_DL_LIBS})
set_target_properties(bolza_solver_library PROPERTIES OUTPUT_NAME bolza_solver)

add_library(bolza_ipopt_library SHARED runtime/nlp/libraries/ipopt_entry.cpp)
target_link_libraries(bolza_ipopt_library PRIVATE bolza_warnings bolza_nlp)
set_target_properties(bolza_ipopt_library PROPERTIES OUTPUT_NAME bolza_ipopt)

set(solver_libraries bolza_solver_library bolza_ipopt_library)
if(BOLZA_BONMIN)
  target_sources(bolza_solver_library PRIVATE runtime/nlp/libraries/bonmin_row.cpp)
  target_sources(bolza_ipopt_library PRIVATE runtime/nlp/libraries/bonmin_row.cpp)  # what comes with hqp has the table
  add_library(bolza_bonmin_library SHARED runtime/nlp/libraries/bonmin_entry.cpp)
  target_link_libraries(bolza_bonmin_library PRIVATE bolza_warnings bolza_nlp)
  set_target_properties(bolza_bonmin_library PROPERTIES OUTPUT_NAME bolza_bonmin)
  list(APPEND solver_libraries bolza_bonmin_library)
endif()

foreach(library ${solver_libraries})
  # what the libraries call in each other is bound now, not looked up at run time; what is not called is not opened
  target_link_options(${library} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions -Wl,--as-needed)
  set_target_properties(${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  install(TARGETS ${library} LIBRARY DESTINATION lib/bolza)
endforeach()
