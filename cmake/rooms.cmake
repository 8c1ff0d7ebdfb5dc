# bolza_room(<name> <folder> [USES room …] [LINKS library …] [BUT folder …]): one static library per room, from all sources of its
# folder except those in the folders after BUT.
# USES lists rooms; the table of allowed includes is checked by scripts/check_rooms.py, not here.
add_library(bolza_warnings INTERFACE)
target_compile_options(bolza_warnings INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers
  -Wno-free-nonheap-object)  # GCC 12 sees it in vectors of vectors where files are compiled together
if(BOLZA_SANITIZE)
  add_compile_options(-fsanitize=${BOLZA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BOLZA_SANITIZE})
endif()

# Presets with CMAKE_UNITY_BUILD compile some files of a room together: most of the time goes into headers. Names in anonymous namespaces
# must therefore be unique within a room; the preset `dev` compiles every file by itself.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 30)

function(bolza_room name folder)
  cmake_parse_arguments(room "" "" "USES;LINKS;BUT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  foreach(but ${room_BUT})
    list(FILTER sources EXCLUDE REGEX "/${but}/")
  endforeach()
  if(NOT sources)
    add_library(bolza_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(bolza_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(bolza_${name} PRIVATE bolza_warnings)
  endif()
  target_include_directories(bolza_${name} ${scope} ${PROJECT_SOURCE_DIR})
  list(TRANSFORM room_USES PREPEND bolza_)
  target_link_libraries(bolza_${name} ${scope} ${room_USES} ${room_LINKS})
endfunction()

# bolza_tests(<name> <folder> room …): one GoogleTest program from all sources of a folder under tests/.
function(bolza_tests name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  list(TRANSFORM ARGN PREPEND bolza_ OUTPUT_VARIABLE rooms)
  target_link_libraries(${name} PRIVATE bolza_warnings ${rooms} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE BOLZA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE -O0)  # they are compiled more often than they run
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endfunction()
