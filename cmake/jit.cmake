# The JIT link unit: codegen with LLVM as a shared library that the binary opens when it first compiles (docs/architecture.md, link units).
add_library(bolza_jit_library SHARED $<TARGET_OBJECTS:bolza_codegen>)
target_link_libraries(bolza_jit_library PRIVATE bolza_derive bolza_ir bolza_base bolza_llvm ${CMAKE_DL_LIBS})
set_target_properties(bolza_jit_library PROPERTIES
  OUTPUT_NAME bolza_jit
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
install(TARGETS bolza_jit_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/bolza)
