// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"

namespace bolza::workflow {

/// Bolza's own Modelica library: BOLZA_STDLIB, else next to the installed or built program. Empty when there is none.
std::string stdlib_folder();

/// Folders to look for packages in, in order: `first` (from --path), then MODELICAPATH. Our own library comes after them.
std::vector<std::string> library_path(const std::vector<std::string>& first);

/// Opens lib<name>.so, which lies in the folder lib next to the program's, and finds a symbol in it. The library stays open.
/// Errors: E906 with the loader's words.
Result<void*> open_symbol(const std::string& name, const char* symbol, Diagnostics& diagnostics);

/// Is lib<name>.so there?
bool has_library(const std::string& name);
/// The same, without opening it. Errors: E906.
Result<Done> check_library(const std::string& name, Diagnostics& diagnostics);

/// Opens lib<name>.so where it is there, for processes that are forked later: they need not. Failure is reported by
/// `open_symbol`.
void open_library(const std::string& name);

/// Opens the libraries lib<name>.so on a thread of its own, one after another, while the front end works; `open_symbol` then
/// finds them open, or waits for the loader. Failure is silent here and reported by open_symbol. The destructor waits, so
/// that no library is opened while the program ends.
class EarlyOpening {
 public:
  explicit EarlyOpening(std::vector<std::string> names);

 private:
  std::jthread thread_;
};

}  // namespace bolza::workflow
