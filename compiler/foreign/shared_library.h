#pragma once
#include <span>
#include <string>
#include <vector>

namespace bolza::foreign {

/// Where a C function may be.
struct SearchPlaces {
  std::vector<std::string> libraries;    ///< names of `annotation(Library = …)`: "m" means libm.so; empty: this process
  std::vector<std::string> directories;  ///< searched first, each also below linux64/ and linux32/
};

struct FoundSymbol {
  void* address = nullptr;           ///< null: not found, `tried` says where
  std::string file;                  ///< of the library, "" for this process
  std::vector<std::string> tried;    ///< files that were looked for and are not there
  std::vector<std::string> refused;  ///< files that cannot be opened, or lack the symbol, with the reason
};

/// Finds a function in shared libraries, opening them; they stay open as long as the process. Thread-safe.
FoundSymbol find_symbol(const std::string& name, const SearchPlaces& places);

}  // namespace bolza::foreign
