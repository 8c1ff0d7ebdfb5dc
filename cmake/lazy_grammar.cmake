# SPDX-License-Identifier: Apache-2.0
# The tables of a generated lexer or parser are made by a static object, also in runs that parse nothing because the files
# are in the cache. Here they are made by `initialize()`, at the first parse: 5 of 77 million instructions of a `check`.
#   cmake -DSOURCES=ModelicaLexer.cpp;… -P lazy_grammar.cmake
foreach(source IN LISTS SOURCES)
  string(REGEX REPLACE "\\.cpp$" ".h" header ${source})
  get_filename_component(class ${source} NAME_WE)
  file(READ ${header} text)
  string(REPLACE "static Initializer _init;" "public:\n  static void initialize() { static Initializer once; }" changed "${text}")
  file(READ ${source} body)
  string(REPLACE "${class}::Initializer ${class}::_init;" "" changed_body "${body}")
  if(changed STREQUAL text OR changed_body STREQUAL body)
    message(FATAL_ERROR "${class}: the static object of the generated tables was not found")
  endif()
  file(WRITE ${header} "${changed}")
  file(WRITE ${source} "${changed_body}")
endforeach()
