#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace bolza::workflow {

/// Bolza's own Modelica library: BOLZA_STDLIB, else beside the installed or built program. Empty when there is none.
std::string stdlib_folder();

/// Folders to look for packages in, in order: `first` (from --path), then MODELICAPATH. Our own library comes after them.
std::vector<std::string> library_path(const std::vector<std::string>& first);

/// Opens lib<name>.so, which lies in the folder lib beside the program's, and finds a symbol in it. The library stays open.
/// Errors: E906 with the loader's words.
Result<void*> open_symbol(const std::string& name, const char* symbol, Diagnostics& diagnostics);

}  // namespace bolza::workflow
