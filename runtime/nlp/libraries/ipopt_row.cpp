// SPDX-License-Identifier: Apache-2.0
// The rows of the engines with MUMPS where these are in a library of their own.
#include "runtime/nlp/engines/ipopt_row.h"
#include "runtime/nlp/engine_library.h"
#include "runtime/nlp/engines/hqp_row.h"

namespace bolza::nlp {
namespace {

const Engine& opened_ipopt() { return opened_engine("bolza_ipopt", "ipopt"); }

Report solve_ipopt(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  return opened_ipopt().solve(nlp, options, start);
}
std::string check_ipopt(std::string_view name, std::string_view value) { return opened_ipopt().check_option(name, value); }
Report solve_hqp(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  return opened_engine("bolza_ipopt", "hqp").solve(nlp, options, start);
}
bool available() { return true; }

}  // namespace

extern const Engine ipopt, hqp;
const Engine ipopt = ipopt_row({.available = available, .solve = solve_ipopt, .check_option = check_ipopt});
const Engine hqp = hqp_row({.available = available, .solve = solve_hqp});

}  // namespace bolza::nlp
