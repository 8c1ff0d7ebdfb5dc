// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/parse_files.h"

#include <fstream>
#include <sstream>

#include "compiler/instance/library/codes.h"
#include "compiler/syntax/parse.h"

namespace bolza::driver {

std::size_t parse_files(std::span<const std::string> files, Sources& sources, Diagnostics& diagnostics) {
  std::size_t good = 0;
  for (const std::string& name : files) {
    std::ifstream stream(name, std::ios::binary);
    std::ostringstream text;
    if (!stream || !(text << stream.rdbuf())) {
      diagnostics.error(instance::codes::unreadable_file, {}, {name, "there is no such file, or it may not be read"});
      continue;
    }
    SourceId file = sources.add(name, std::move(text).str());
    good += bool(syntax::parse(file, sources, diagnostics));
  }
  return good;
}

}  // namespace bolza::driver
