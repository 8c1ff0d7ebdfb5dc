# The solver link unit: the runtime with IPOPT and SUNDIALS as a shared library that the binary opens when it first solves.
add_library(bolza_solver_library SHARED workflow/solver_library_entry.cpp)
target_link_libraries(bolza_solver_library PRIVATE bolza_warnings bolza_transcribe bolza_integrate bolza_nonlinear bolza_nlp bolza_linalg bolza_abi)
# what the libraries call in each other is bound now, not looked up at run time
target_link_options(bolza_solver_library PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions)
set_target_properties(bolza_solver_library PROPERTIES
  OUTPUT_NAME bolza_solver
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
install(TARGETS bolza_solver_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/bolza)
