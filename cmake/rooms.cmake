# SPDX-License-Identifier: Apache-2.0
# bolza_room(<name> <folder> [ONCE] [USES room …] [LINKS library …] [BUT folder …]): one static library per room, from all sources of its
# folder except those in the folders after BUT. ONCE: what it does is done once for a model, so a release has it with -O1, which takes
# the compiler a quarter less time.
# USES lists rooms; the table of allowed includes is checked by scripts/check_rooms.py, not here.
add_library(bolza_warnings INTERFACE)
target_compile_options(bolza_warnings INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers
  -Wno-free-nonheap-object  # GCC 12 sees it in vectors of vectors where files are compiled together
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>  # and anonymous namespaces of files that it takes for headers there
  -Wno-mismatched-new-delete  # GCC 12 sees it in LLVM's `new` with a number of operands, without precompiled headers
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)  # std::stable_sort of GCC 12's library calls what it calls deprecated
set(BOLZA_ONCE $<$<CONFIG:Release>:-O1>
  "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:SHELL:-mllvm -inline-threshold=25>")
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)  # kB; GCC's own garbage collection takes 5 % else
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}=.)  # places in the source that messages of defects name: no folder of a build
if(BOLZA_SANITIZE)
  add_compile_options(-fsanitize=${BOLZA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # Clang reads what a type's name is before each function that a pointer calls: JIT-compiled ones have nothing there.
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=function,vptr>)
  add_link_options(-fsanitize=${BOLZA_SANITIZE})
  if(BOLZA_SANITIZE MATCHES address)  # GCC has a macro of its own for it, clang 19 has none
    add_compile_definitions(BOLZA_SANITIZES_ADDRESS)
  endif()
endif()

# bolza_batches(<variable> <name> source …): with BOLZA_BATCH set, files that include up to that many sources of a folder each: most of
# the time goes into headers. Names in anonymous namespaces must therefore be unique within a room; the preset `dev` compiles every file
# by itself. Sources in BOLZA_FIRST come first: they share what is expensive to compile. CMake's unity builds name sources by absolute paths, so that a compiler cache would not know them in another clone.
set(BOLZA_BATCH 0 CACHE STRING "how many sources are compiled together; 0: each by itself")
set(BOLZA_ALONE runtime/nlp/engines/ipopt.cpp runtime/nlp/engines/chain_factors.cpp runtime/nlp/engines/chain_solver.cpp runtime/nlp/engines/hqp.cpp runtime/nlp/engines/saddle_point.cpp runtime/nlp/engines/nearby.cpp runtime/nlp/engines/linear_certificate.cpp runtime/nlp/sqp/mumps_kkt_factors.cpp  # see cmake/solver.cmake
  runtime/nlp/bonmin/bonmin.cpp
  tests/unit/transcribe/shooting/multiple_shooting_models_test.cpp  # other files there have classes of the same names
  tests/unit/transcribe/shooting/integral_squares_test.cpp
  tests/unit/transcribe/shooting/lifted_test.cpp
  tests/unit/transcribe/shooting/single_shooting_test.cpp)
set(BOLZA_FIRST cli/arguments.cpp cli/option_groups.cpp  # CLI11
  workflow/fit/fit_report.cpp workflow/solve/report/report.cpp workflow/solve/report/report_json.cpp)  # nlohmann::json
set(BOLZA_APART "" CACHE STRING "sources under work, compiled by themselves so that a change to one is built in seconds")

function(bolza_batches variable name)
  set(batches)
  set(together)
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(NOT BOLZA_BATCH OR source IN_LIST BOLZA_ALONE OR source IN_LIST BOLZA_APART OR NOT source MATCHES "\\.cpp$")
      list(APPEND batches ${PROJECT_SOURCE_DIR}/${source})
    elseif(source IN_LIST BOLZA_FIRST)
      list(PREPEND together ${source})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  list(LENGTH together count)
  if(count)
    math(EXPR parts "(${count} + ${BOLZA_BATCH} - 1) / ${BOLZA_BATCH}")
    foreach(part RANGE 1 ${parts})  # of equal length, give or take one
      math(EXPR begin "(${part} - 1) * ${count} / ${parts}")
      math(EXPR length "${part} * ${count} / ${parts} - ${begin}")
      list(SUBLIST together ${begin} ${length} batch)
      list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
      list(JOIN batch "" text)
      set(file ${CMAKE_BINARY_DIR}/batches/${name}_${part}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}")
      list(APPEND batches ${file})
    endforeach()
  endif()
  set(${variable} ${batches} PARENT_SCOPE)
endfunction()

function(bolza_room name folder)
  cmake_parse_arguments(room "ONCE" "" "USES;LINKS;BUT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  foreach(but ${room_BUT})
    list(FILTER sources EXCLUDE REGEX "/${but}/")
  endforeach()
  if(NOT sources)
    add_library(bolza_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    bolza_batches(batches ${name} ${sources})
    add_library(bolza_${name} STATIC ${batches})
    set(scope PUBLIC)
    target_link_libraries(bolza_${name} PRIVATE bolza_warnings)
    bolza_precompiled(bolza_${name} headers)
    if(room_ONCE)
      target_compile_options(bolza_${name} PRIVATE ${BOLZA_ONCE})
    endif()
  endif()
  target_include_directories(bolza_${name} ${scope} ${PROJECT_SOURCE_DIR})
  list(TRANSFORM room_USES PREPEND bolza_)
  target_link_libraries(bolza_${name} ${scope} ${room_USES} ${room_LINKS})
endfunction()

# The kernels of OpenBLAS that the program chooses (workflow/outside_libraries.cpp): on a processor that OpenBLAS does not know it takes
# others, with which a quasi-Newton iteration may need more steps than a test lets it.
file(STRINGS /proc/cpuinfo flags REGEX "^flags.* fma .* avx2 " LIMIT_COUNT 1)
set(BOLZA_BLAS_OF_TESTS)
if(flags)
  set(BOLZA_BLAS_OF_TESTS ENVIRONMENT OPENBLAS_CORETYPE=Haswell)
endif()

# bolza_tests(<name> <folder> room …): one GoogleTest program from all sources of a folder under tests/; to ctest each of its suites is a test.
function(bolza_tests name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  bolza_batches(batches ${name} ${sources})
  add_executable(${name} ${batches})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  list(TRANSFORM ARGN PREPEND bolza_ OUTPUT_VARIABLE rooms)
  target_link_libraries(${name} PRIVATE bolza_warnings ${rooms} GTest::gtest_main)
  bolza_precompiled(${name} test_headers)
  target_compile_options(${name} PRIVATE -O0)  # they are compiled more often than they run
  cmake_path(GET folder FILENAME room)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  file(GENERATE OUTPUT ${suites} CONTENT "set(room ${room})
set(program \"$<TARGET_FILE:${name}>\")
set(properties WORKING_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}\" TIMEOUT 3000 ${BOLZA_BLAS_OF_TESTS})
include(\"${PROJECT_SOURCE_DIR}/cmake/test_suites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
endfunction()
