# SPDX-License-Identifier: Apache-2.0
# Read by ctest, once for each program of unit tests: every suite of it is a test, ROOM/SUITE. A process for each of the 2,000 cases would start, and load
# libraries, for longer than most cases run; `PROGRAM --gtest_filter=SUITE.CASE` runs one.
#   room, program: of the tests; properties: what ctest is told of each
if(NOT EXISTS "${program}")
  add_test(${room}_NOT_BUILT ${room}_NOT_BUILT)
  return()
endif()
set(listed "${program}.suites")  # written again when the program has changed
if(NOT EXISTS "${listed}" OR "${program}" IS_NEWER_THAN "${listed}")
  execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${program} does not list its tests: ${code}")
  endif()
  string(REGEX MATCHALL "\n[A-Za-z0-9_/]+[.][ \n]" suites "${output}")  # lines of cases begin with blanks
  list(TRANSFORM suites REPLACE "\n(.*)[.]." "\\1")
  file(WRITE "${listed}" "${suites}")
endif()
file(READ "${listed}" suites)
foreach(suite IN LISTS suites)
  add_test("${room}/${suite}" "${program}" "--gtest_filter=${suite}.*")
  # Skipped where a case says that it was, and none has failed: failures are listed behind what was skipped.
  set_tests_properties("${room}/${suite}" PROPERTIES ${properties} SKIP_REGULAR_EXPRESSION "SKIPPED . [0-9]+ tests?, listed below:\n(.  SKIPPED . [^\n]*\n)+$")
endforeach()
