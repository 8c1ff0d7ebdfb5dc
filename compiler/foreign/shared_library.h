// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "compiler/foreign/compiled_text.h"

namespace bolza::foreign {

/// Where a C function may be.
struct SearchPlaces {
  std::vector<std::string> libraries;    ///< names of `annotation(Library = …)`: "m" means libm.so; empty: this process
  std::vector<std::string> directories;  ///< searched first, each also below linux64/ and linux32/
  CText text;                            ///< compiled when no library has the function; its `libraries` are filled here
};

struct FoundSymbol {
  void* address = nullptr;           ///< null: not found, `tried` says where
  std::string file;                  ///< of the library, "" for this process
  bool of_process = false;           ///< it is C's own, wherever it was looked for: `system`, `exit`, …
  std::vector<std::string> tried;    ///< files that were looked for and are not there
  std::vector<std::string> refused;  ///< files that cannot be opened, or lack the symbol, with the reason
  std::string not_compiled;          ///< why the text is of no help, "" when there is none
};

/// Finds a function in shared libraries, opening them; they stay open as long as the process. First in those that are named,
/// then in what the C text makes, then in this process. Thread-safe.
FoundSymbol find_symbol(const std::string& name, const SearchPlaces& places);

}  // namespace bolza::foreign
