// SPDX-License-Identifier: Apache-2.0
// The row of BONMIN where BONMIN itself is in a library of its own.
#include "runtime/nlp/engines/bonmin_row.h"

#include "runtime/nlp/engine_library.h"

namespace bolza::nlp {
namespace {

const Engine& opened() { return opened_engine("bolza_bonmin", "bonmin"); }

Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  return opened().solve(nlp, options, start);
}
std::string check_option(std::string_view name, std::string_view value) { return opened().check_option(name, value); }
bool available() { return true; }

}  // namespace

extern const Engine bonmin;
const Engine bonmin = bonmin_row({.available = available, .solve = solve, .check_option = check_option});

}  // namespace bolza::nlp
