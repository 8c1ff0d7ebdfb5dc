# SPDX-License-Identifier: Apache-2.0
# The rooms (docs/architecture.md), then the four link units: the binary, the libraries with LLVM, with the solvers, with IPOPT.
bolza_room(base base)
bolza_room(abi runtime/abi)

include(cmake/grammar.cmake)
bolza_room(syntax compiler/syntax USES base LINKS bolza_grammar)
bolza_room(ir compiler/ir USES base)
bolza_room(foreign compiler/foreign ONCE USES base LINKS ffi ${CMAKE_DL_LIBS} Eigen3::Eigen z)
target_link_options(bolza_foreign INTERFACE "LINKER:--export-dynamic-symbol=Modelica*"
  "LINKER:--export-dynamic-symbol=xerbla_")  # libraries that are opened call them
bolza_room(instance compiler/instance ONCE USES base syntax ir foreign)
bolza_room(flatten compiler/flatten ONCE USES base instance syntax ir foreign)
bolza_room(derive compiler/derive USES base ir)
bolza_room(passes compiler/passes ONCE USES base derive ir)
bolza_room(codegen compiler/codegen ONCE BUT compiler/codegen/llvm USES base derive ir abi LINKS ${CMAKE_DL_LIBS})
target_compile_definitions(bolza_codegen PRIVATE BOLZA_LLVM_VERSION="${LLVM_PACKAGE_VERSION}")
bolza_room(llvm_codegen compiler/codegen/llvm ONCE USES codegen LINKS bolza_llvm)
bolza_room(sbml_names compiler/sbml/names USES base)
if(BOLZA_SBML)
  bolza_room(sbml compiler/sbml ONCE BUT compiler/sbml/library compiler/sbml/names USES base sbml_names LINKS bolza_libsbml bolza_yaml)
endif()
bolza_room(driver compiler/driver ONCE USES base syntax foreign instance flatten passes derive ir abi)

bolza_room(linalg runtime/linalg BUT runtime/linalg/kernels USES base LINKS Eigen3::Eigen bolza_klu)
bolza_room(nonlinear runtime/nonlinear USES base linalg abi LINKS bolza_sundials)
bolza_room(integrate runtime/integrate USES base nonlinear linalg abi LINKS bolza_sundials)
if(BOLZA_BONMIN)
  bolza_room(nlp runtime/nlp BUT runtime/nlp/libraries runtime/nlp/without_bonmin USES base linalg LINKS bolza_bonmin bolza_ipopt)
else()
  bolza_room(nlp runtime/nlp BUT runtime/nlp/libraries runtime/nlp/bonmin USES base linalg LINKS bolza_ipopt)
endif()
bolza_room(transcribe runtime/transcribe USES base nlp integrate nonlinear linalg abi)
bolza_room(estimate runtime/estimate USES base nlp integrate nonlinear linalg abi LINKS nlohmann_json::nlohmann_json)
bolza_room(result runtime/result ONCE USES base abi)

include(cmake/jit.cmake)
include(cmake/solver.cmake OPTIONAL)
include(cmake/sbml.cmake)

file(GLOB_RECURSE workflow_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workflow/*.cpp)
list(FILTER workflow_sources EXCLUDE REGEX solver_library_entry)
bolza_batches(workflow_batches workflow ${workflow_sources})
add_library(bolza_workflow STATIC ${workflow_batches})
bolza_precompiled(bolza_workflow headers)
target_compile_options(bolza_workflow PRIVATE ${BOLZA_ONCE})
target_include_directories(bolza_workflow PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(bolza_workflow PUBLIC bolza_sbml_names bolza_driver bolza_codegen bolza_result bolza_abi Eigen3::Eigen nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS}
  PRIVATE bolza_warnings)

# The library for C++ programs (api/bolza/bolza.hpp): what the program does, without its command line.
add_library(bolza_api SHARED ${PROJECT_SOURCE_DIR}/api/bolza.cpp)
set_target_properties(bolza_api PROPERTIES OUTPUT_NAME bolza EXPORT_NAME bolza VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_compile_definitions(bolza_api PRIVATE BOLZA_VERSION="${PROJECT_VERSION}")
target_compile_features(bolza_api INTERFACE cxx_std_20)
target_include_directories(bolza_api INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/api> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(bolza_api PRIVATE $<BUILD_INTERFACE:bolza_workflow> $<BUILD_INTERFACE:bolza_warnings>)
add_dependencies(bolza_api bolza_jit_library)
if(TARGET bolza_solver_library)
  add_dependencies(bolza_api bolza_solver_library bolza_ipopt_library)
endif()
include(CMakePackageConfigHelpers)
set(BOLZA_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/bolza)
install(TARGETS bolza_api EXPORT bolza-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT bolza-targets NAMESPACE bolza:: DESTINATION ${BOLZA_PACKAGE} FILE bolza-config.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/bolza-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/bolza-config-version.cmake DESTINATION ${BOLZA_PACKAGE})
install(FILES api/bolza/bolza.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bolza)

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
bolza_batches(cli_batches cli ${cli_sources})
add_executable(bolza ${cli_batches})
bolza_precompiled(bolza headers)
target_compile_options(bolza PRIVATE ${BOLZA_ONCE})
target_compile_definitions(bolza PRIVATE BOLZA_VERSION="${PROJECT_VERSION}")
target_link_libraries(bolza PRIVATE bolza_workflow bolza_warnings)
set_target_properties(bolza PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_dependencies(bolza bolza_jit_library)
if(TARGET bolza_sbml_library)
  add_dependencies(bolza bolza_sbml_library)
endif()
if(TARGET bolza_solver_library)
  add_dependencies(bolza bolza_solver_library bolza_ipopt_library)
  if(TARGET bolza_bonmin_library)
    add_dependencies(bolza bolza_bonmin_library)
  endif()
endif()

# What the table of options says to shells and manuals: completions and man pages, made by the program itself.
set(BOLZA_PAGES ${CMAKE_BINARY_DIR}/share)
add_custom_command(OUTPUT ${BOLZA_PAGES}/made
  COMMAND ${CMAKE_COMMAND} -E make_directory ${BOLZA_PAGES}/completions
  COMMAND bolza completion bash > ${BOLZA_PAGES}/completions/bolza
  COMMAND bolza completion zsh > ${BOLZA_PAGES}/completions/_bolza
  COMMAND bolza completion fish > ${BOLZA_PAGES}/completions/bolza.fish
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/man_pages.py $<TARGET_FILE:bolza> ${BOLZA_PAGES}/man1
  COMMAND ${CMAKE_COMMAND} -E touch ${BOLZA_PAGES}/made
  DEPENDS bolza ${PROJECT_SOURCE_DIR}/scripts/man_pages.py VERBATIM)

install(TARGETS bolza RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(BOLZA_SANITIZE)
  message(STATUS "completions and man pages are not made with sanitizers")
else()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_custom_target(bolza_pages ALL DEPENDS ${BOLZA_PAGES}/made)
  install(FILES ${BOLZA_PAGES}/completions/bolza DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${BOLZA_PAGES}/completions/_bolza DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${BOLZA_PAGES}/completions/bolza.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(DIRECTORY ${BOLZA_PAGES}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
install(DIRECTORY stdlib/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bolza/stdlib)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bolza/examples)
install(FILES runtime/abi/bolza.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
