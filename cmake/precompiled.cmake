# SPDX-License-Identifier: Apache-2.0
# Headers of others that most sources read, parsed once: a batch of ten sources spends a second on them, of a test two. Sources include what
# they use all the same, as scripts/check_standalone.py and the presets without this see.
# CMake's own precompiled headers name files by absolute paths, and a compiler cache that asks for the preprocessed text reads the headers
# again. Here a cache knows the headers by their text (NAME.pch.sum), whatever the clone: scripts/setup.sh sets what ccache needs for it.
option(BOLZA_PRECOMPILED "parse headers of others once; for Clang" OFF)
set(BOLZA_HEADERS algorithm array charconv chrono cmath cstdint cstdio cstdlib cstring deque filesystem fstream functional limits map memory numeric optional
  set span sstream string string_view tuple unordered_map utility vector Eigen/Dense Eigen/SparseCore nlohmann/json.hpp)

# bolza_headers(<name> [OPTIONS option …] [LINKS target …] HEADERS header …): as in `#include`, with brackets or quotes.
function(bolza_headers name)
  cmake_parse_arguments(given "" "" "OPTIONS;LINKS;HEADERS" ${ARGN})
  list(TRANSFORM given_HEADERS REPLACE "(.+)" "#include \\1\n")
  list(JOIN given_HEADERS "" text)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${name}.h CONTENT "${text}")
  string(TOUPPER ${CMAKE_BUILD_TYPE} type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  get_directory_property(options COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "^[$]<")  # what only GCC takes
  foreach(target ${given_LINKS})
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(own ${target} INTERFACE_COMPILE_OPTIONS)
    list(REMOVE_ITEM folders ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
    list(TRANSFORM folders PREPEND -isystem)
    list(APPEND flags ${folders})
    if(own)
      list(APPEND flags ${own})
    endif()
  endforeach()
  # Paths are relative to the folder of the build, in which a compiler runs: lists of what depends on what then suit every clone.
  cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE root)
  list(APPEND flags ${options} -I${root} -fPIC -fvisibility=hidden ${CMAKE_CXX20_STANDARD_COMPILE_OPTION} ${given_OPTIONS})
  set(file precompiled/${name})
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/${file}.pch ${CMAKE_BINARY_DIR}/${file}.pch.sum
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} -x c++-header -fpch-instantiate-templates -MD -MT ${file}.pch -MF ${file}.d -o ${file}.pch ${file}.h
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} -x c++ -E -dD -P -o ${file}.ii ${file}.h
    COMMAND ${CMAKE_COMMAND} -E sha256sum ${file}.ii > ${file}.pch.sum
    DEPENDS ${CMAKE_BINARY_DIR}/${file}.h DEPFILE ${CMAKE_BINARY_DIR}/${file}.d WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMENT "Precompiling ${name}" VERBATIM)
  add_custom_target(bolza_${name} DEPENDS ${CMAKE_BINARY_DIR}/${file}.pch)  # a rule that sources in other folders can name
endfunction()

# bolza_precompiled(<target> <name>): its sources read those headers so. Programs are compiled with -fPIC then, as the headers are.
function(bolza_precompiled target name)
  if(BOLZA_PRECOMPILED)
    set(file ${CMAKE_BINARY_DIR}/precompiled/${name}.pch)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-fPIC -include-pch ${file}>")
    target_link_libraries(${target} PRIVATE bolza_eigen_kernels Eigen3::Eigen)  # a cache reads the headers as text
    get_target_property(sources ${target} SOURCES)
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${file})
  endif()
endfunction()

if(BOLZA_PRECOMPILED)
  list(TRANSFORM BOLZA_HEADERS REPLACE "(.+)" "<\\1>")
  bolza_headers(headers LINKS Eigen3::Eigen HEADERS ${BOLZA_HEADERS} "\"runtime/linalg/kernels/eigen_kernels.h\"")
  add_library(bolza_eigen_kernels STATIC runtime/linalg/kernels/eigen_kernels.cpp)
  target_include_directories(bolza_eigen_kernels PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(bolza_eigen_kernels PRIVATE bolza_warnings Eigen3::Eigen)
  if(BOLZA_TESTS)
    bolza_headers(test_headers LINKS Eigen3::Eigen GTest::gtest OPTIONS -O0 HEADERS ${BOLZA_HEADERS} <random> <gtest/gtest.h>)
  endif()
endif()
