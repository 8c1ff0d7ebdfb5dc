# SPDX-License-Identifier: Apache-2.0
# The JIT link unit: what needs LLVM, as a shared library that the binary opens when a kernel is not in the cache.
add_library(bolza_jit_library SHARED $<TARGET_OBJECTS:bolza_llvm_codegen>)
target_link_libraries(bolza_jit_library PRIVATE bolza_codegen bolza_llvm)
target_link_options(bolza_jit_library PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-Bsymbolic)  # what LLVM has and nobody uses is left out
set_target_properties(bolza_jit_library PROPERTIES
  OUTPUT_NAME bolza_jit
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
install(TARGETS bolza_jit_library LIBRARY DESTINATION lib/bolza)
