# SPDX-License-Identifier: Apache-2.0
# cmake -D FILES=a;b -D OUTPUT=x.h -P sources_digest.cmake: writes a header with the digest of what the files say.
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} one)
  string(APPEND all ${one})
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUTPUT} "#pragma once\n#include <string_view>\n\nnamespace bolza::syntax {\n\n"
  "inline constexpr std::string_view sources_digest = \"${digest}\";\n\n}  // namespace bolza::syntax\n")
