# Tests of the whole program: they run the built `bolza`.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME examples COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/numeric/solve_examples.py $<TARGET_FILE:bolza>)
add_test(NAME command_line COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py $<TARGET_FILE:bolza>)
add_test(NAME c_client COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/run.sh $<TARGET_FILE:bolza> ${PROJECT_SOURCE_DIR})
add_test(NAME corpora COMMAND ${PROJECT_SOURCE_DIR}/scripts/corpora)
set_tests_properties(examples command_line PROPERTIES TIMEOUT 600)
set_tests_properties(corpora PROPERTIES SKIP_REGULAR_EXPRESSION "skipped")
set_tests_properties(examples command_line c_client PROPERTIES ENVIRONMENT "BOLZA_CACHE=${CMAKE_BINARY_DIR}/kernel_cache")
