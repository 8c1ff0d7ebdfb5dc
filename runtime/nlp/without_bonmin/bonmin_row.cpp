// SPDX-License-Identifier: Apache-2.0
// The row of BONMIN where the library was not there when this was built.
#include "runtime/nlp/engines/bonmin_row.h"

namespace bolza::nlp {
namespace {

constexpr const char* absent = "the engine `bonmin` was not built";

Report solve(const Nlp&, const EngineOptions&, const Iterate&) {
  Report report;
  report.status = Status::bad_option;
  report.message = absent;
  return report;
}
std::string check_option(std::string_view, std::string_view) { return absent; }
bool available() { return false; }

}  // namespace

extern const Engine bonmin;
const Engine bonmin = bonmin_row({.available = available, .solve = solve, .check_option = check_option});

}  // namespace bolza::nlp
