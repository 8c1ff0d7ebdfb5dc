// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/linear_algebra.h"

#include <algorithm>
#include <string>

namespace bolza::transcribe {
namespace {
constexpr const char* factorisations_log = "factorisations along the chain of intervals";
}

void log_linear_algebra(const nlp::EngineOptions& options, const nlp::Report& report, abi::Solution& solution) {
  const nlp::LinearAlgebra& used = report.linear_algebra;
  solution.statistics.seconds_analysis = used.seconds_analysis;
  solution.statistics.seconds_factorisation = used.seconds_factorisation;
  solution.statistics.seconds_back_solve = used.seconds_back_solve;
  bool wanted = options.linear_solver == nlp::LinearSolver::chain;
  if (options.linear_solver == nlp::LinearSolver::mumps || (!wanted && used.mumps == 0)) return;
  if (!used.is_chain) solution.log.push_back({"no chain of intervals: factorisations by MUMPS alone", 0});
  if (!used.any()) return;
  std::string where =
      "and " + std::to_string(used.pivots) + " with pivots for all, " + std::to_string(used.mumps) + " by MUMPS";
  solution.log.push_back({factorisations_log, static_cast<double>(used.chain), where});
}

void carry_linear_algebra(const abi::Solution& from, abi::Solution& to) {
  auto is_of_factors = [](const abi::Measure& m) { return m.name == factorisations_log; };
  if (std::any_of(to.log.begin(), to.log.end(), is_of_factors)) return;
  for (const abi::Measure& m : from.log)
    if (is_of_factors(m)) to.log.push_back(m);
}

}  // namespace bolza::transcribe
