# SPDX-License-Identifier: Apache-2.0
# Outside libraries, each behind one target. They enter the code through one adapter each.
find_package(Threads REQUIRED)

# ANTLR: Debian's tool 4.7.2 writes the parser at build time, the runtime is 4.9. The static runtime keeps start-up short.
find_program(ANTLR4_TOOL antlr4 REQUIRED)
find_package(antlr4-runtime REQUIRED CONFIG)
add_library(bolza_antlr_runtime INTERFACE)
target_include_directories(bolza_antlr_runtime SYSTEM INTERFACE ${ANTLR4_INCLUDE_DIR})
# Static in programs, which start sooner so; its objects cannot be part of a shared library.
set(BOLZA_IS_SHARED $<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>)
target_link_libraries(bolza_antlr_runtime INTERFACE $<IF:${BOLZA_IS_SHARED},antlr4_shared,antlr4_static> uuid Threads::Threads)

find_package(LLVM 19.1 REQUIRED CONFIG)
add_library(bolza_llvm INTERFACE)
target_include_directories(bolza_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(bolza_llvm INTERFACE ${llvm_definitions})
target_link_libraries(bolza_llvm INTERFACE LLVM)

add_library(bolza_ipopt INTERFACE)  # -DHAVE_CSTDDEF is what COIN's headers need on Debian
target_include_directories(bolza_ipopt SYSTEM INTERFACE /usr/include/coin)
target_compile_definitions(bolza_ipopt INTERFACE HAVE_CSTDDEF)
target_link_libraries(bolza_ipopt INTERFACE ipopt dmumps_seq)  # MUMPS by itself too

set(bonmin_libraries bonmin Cbc Cgl OsiClp Clp Osi CoinUtils)
add_library(bolza_bonmin INTERFACE)
if(BOLZA_BONMIN)
  find_path(BONMIN_HEADERS BonBonminSetup.hpp PATH_SUFFIXES coin)
  find_library(BONMIN_LIBRARY bonmin)
  if(BONMIN_HEADERS AND BONMIN_LIBRARY)
    target_link_libraries(bolza_bonmin INTERFACE ${bonmin_libraries} bolza_ipopt)
  else()
    message(STATUS "BONMIN was not found: the engine `bonmin` is left out (package coinor-libbonmin-dev)")
    set(BOLZA_BONMIN OFF)
  endif()
endif()

add_library(bolza_libsbml INTERFACE)
add_library(bolza_yaml INTERFACE)
if(BOLZA_SBML)
  find_path(SBML_HEADERS sbml/SBMLTypes.h)
  find_library(SBML_LIBRARY sbml)
  find_path(YAML_HEADERS yaml-cpp/yaml.h)
  find_library(YAML_LIBRARY yaml-cpp)
  if(SBML_HEADERS AND SBML_LIBRARY AND YAML_HEADERS AND YAML_LIBRARY)
    target_link_libraries(bolza_libsbml INTERFACE ${SBML_LIBRARY})
    target_link_libraries(bolza_yaml INTERFACE ${YAML_LIBRARY})
  else()
    message(STATUS "libsbml or yaml-cpp was not found: SBML and PEtab are left out (packages libsbml5-dev, libyaml-cpp-dev)")
    set(BOLZA_SBML OFF)
  endif()
endif()

find_package(OpenMP REQUIRED COMPONENTS C)  # what SUNDIALS asks for; else it would look for that of C++ too
find_package(SUNDIALS 6.4 REQUIRED COMPONENTS cvodes idas kinsol nvecserial sunlinsolklu)
add_library(bolza_klu INTERFACE)
target_include_directories(bolza_klu SYSTEM INTERFACE /usr/include/suitesparse)
target_link_libraries(bolza_klu INTERFACE SUNDIALS::sunlinsolklu_static btf)  # btf: KLU's orderings
add_library(bolza_sundials INTERFACE)
target_link_libraries(bolza_sundials INTERFACE SUNDIALS::cvodes_static SUNDIALS::idas_static SUNDIALS::kinsol_static
  SUNDIALS::nvecserial_static SUNDIALS::sunlinsoldense_static bolza_klu)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
if(BOLZA_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
