// SPDX-License-Identifier: Apache-2.0
// The rows of the engines with MUMPS, and its factors, where these are in a library of their own.
#include "runtime/nlp/engines/ipopt_row.h"
#include "runtime/nlp/engine_library.h"
#include "runtime/nlp/engines/hqp_row.h"
#include "runtime/nlp/mumps_turn.h"
#include "runtime/nlp/sqp/kkt_factors.h"

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

std::unique_ptr<KktFactors> mumps_kkt_factors(std::size_t n, std::size_t m, const Pattern& hessian,
                                              const Pattern& jacobian) {
  using Factors = MakeKktFactors (*)(std::recursive_mutex& lock_of_mumps);
  static const auto factors = reinterpret_cast<Factors>(opened_symbol("bolza_ipopt", "bolza_factors"));
  return factors(lock_of_mumps())(n, m, hessian, jacobian);
}

extern const Engine ipopt, hqp;
const Engine ipopt = ipopt_row({.available = available, .solve = solve_ipopt, .check_option = check_ipopt});
const Engine hqp = hqp_row({.available = available, .solve = solve_hqp});

}  // namespace bolza::nlp
