# SPDX-License-Identifier: Apache-2.0
# The server link unit: HTTP, the databases and accounts, as a shared library that the binary opens for `serve`, `worker`, `jobs` and
# `--server` alone.
if(BOLZA_SERVER)
  file(GLOB_RECURSE server_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/server/*.cpp)
  bolza_batches(server_batches server ${server_sources})
  add_library(bolza_server_library SHARED ${server_batches})
  bolza_precompiled(bolza_server_library headers)
  target_compile_options(bolza_server_library PRIVATE ${BOLZA_ONCE})
  target_include_directories(bolza_server_library PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(bolza_server_library PRIVATE bolza_warnings bolza_base bolza_httplib bolza_sqlite bolza_postgresql bolza_argon2
    nlohmann_json::nlohmann_json Threads::Threads)
  target_link_options(bolza_server_library PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions -Wl,--as-needed)
  set_target_properties(bolza_server_library PROPERTIES OUTPUT_NAME bolza_server LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  install(TARGETS bolza_server_library LIBRARY DESTINATION lib/bolza)
  set(BOLZA_PAGE ${PROJECT_SOURCE_DIR}/page)
  install(FILES ${BOLZA_PAGE}/style.css ${BOLZA_PAGE}/page.js ${BOLZA_PAGE}/theme.js DESTINATION ${CMAKE_INSTALL_DATADIR}/bolza/page)
  install(DIRECTORY ${BOLZA_PAGE}/built DESTINATION ${CMAKE_INSTALL_DATADIR}/bolza/page OPTIONAL)  # scripts/page, where there is npm
  install(FILES docs/openapi.json DESTINATION ${CMAKE_INSTALL_DATADIR}/bolza/docs)
endif()
