# SPDX-License-Identifier: Apache-2.0
# The lexer and parser are generated at build time and never committed. The generated lexer needs char8_t off to be C++20.
set(grammar_dir ${PROJECT_BINARY_DIR}/grammar)
set(grammar_sources ${grammar_dir}/ModelicaLexer.cpp ${grammar_dir}/ModelicaParser.cpp)
add_custom_command(
  OUTPUT ${grammar_sources} ${grammar_dir}/ModelicaLexer.h ${grammar_dir}/ModelicaParser.h
  COMMAND ${ANTLR4_TOOL} -Werror -Dlanguage=Cpp -no-visitor -no-listener -package bolza::grammar -Xexact-output-dir
          -o ${grammar_dir} ${PROJECT_SOURCE_DIR}/grammar/Modelica.g4
  COMMAND ${CMAKE_COMMAND} "-DSOURCES=${grammar_sources}" -P ${PROJECT_SOURCE_DIR}/cmake/lazy_grammar.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/grammar/Modelica.g4 ${PROJECT_SOURCE_DIR}/cmake/lazy_grammar.cmake
  VERBATIM)
add_library(bolza_grammar STATIC ${grammar_sources})
target_compile_options(bolza_grammar PRIVATE -fno-char8_t -w -O2)
target_include_directories(bolza_grammar SYSTEM PUBLIC ${grammar_dir})
target_link_libraries(bolza_grammar PUBLIC bolza_antlr_runtime)
# What the parser is: parsed files in the cache belong to the sources that they were made by.
file(GLOB parser_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compiler/syntax/*.cpp ${PROJECT_SOURCE_DIR}/compiler/syntax/*.h)
list(APPEND parser_sources ${PROJECT_SOURCE_DIR}/grammar/Modelica.g4 ${PROJECT_SOURCE_DIR}/base/span.h ${PROJECT_SOURCE_DIR}/base/id.h)
add_custom_command(
  OUTPUT ${grammar_dir}/syntax_sources.h
  COMMAND ${CMAKE_COMMAND} "-DFILES=${parser_sources}" -DOUTPUT=${grammar_dir}/syntax_sources.h
          -P ${PROJECT_SOURCE_DIR}/cmake/sources_digest.cmake
  DEPENDS ${parser_sources} ${PROJECT_SOURCE_DIR}/cmake/sources_digest.cmake
  VERBATIM)
target_sources(bolza_grammar PRIVATE ${grammar_dir}/syntax_sources.h)
