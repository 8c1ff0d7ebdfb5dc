// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/saddle_point.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/engines/barrier_diagonals.h"
#include "runtime/nlp/engines/chain_factors.h"
#include "runtime/nlp/engines/linear_certificate.h"
#include "runtime/nlp/engines/nearby.h"
#include "runtime/nlp/solve.h"

namespace bolza::nlp {
namespace {

constexpr double share = 1e-4;
/// What a mesh leaves away: a conflict that limits wider by so much of their sizes resolve may be one of the mesh alone.
constexpr double least_margin = 1e-2;

double largest(const double* values, std::size_t count) {
  double out = 0;
  for (std::size_t k = 0; k < count; ++k) out = std::max(out, std::abs(values[k]));
  return out;
}

}  // namespace

bool curves_downwards(const Nlp& nlp, const Iterate& it, LinearSolver solver) {
  std::size_t n = nlp.n(), m = nlp.m(), entries = nlp.hessian.size();
  if (entries == 0 || it.lambda.size() != m || it.z_lower.size() != n || it.z_upper.size() != n) return false;
  nlp.functions->move_to(it.w);
  const double* g = nlp.functions->constraints();
  const double* jacobian = nlp.functions->jacobian();
  const double* hessian = nlp.functions->hessian(1, it.lambda);
  if (!hessian || (m > 0 && (!g || !jacobian))) return false;
  double floor = share * largest(hessian, entries);
  if (!(floor > 0)) return false;
  BarrierDiagonals barrier = barrier_diagonals(nlp, it, g, floor);
  LinearAlgebra used;
  std::unique_ptr<KktFactors> factors = kkt_factors_of(nlp, solver, used);
  bool done = factors->factor({hessian, entries}, {jacobian, nlp.jacobian.size()}, barrier.sigma, barrier.delta);
  return done && factors->inertia().negative > m;
}

void look_at_end(const Nlp& nlp, const EngineOptions& options, Report& report) {
  if (options.wants_proof && report.status == Status::infeasible && !report.is_proven) {
    auto certificate = linear_certificate(nlp, report.iterate.w);
    report.is_proven = certificate && certificate->margin > least_margin;
  }
  if (!is_solution(report.status) || options.hessian != Hessian::exact) return;
  if (report.regularization > 0 || report.iterations == 0)
    report.is_saddle = curves_downwards(nlp, report.iterate, options.linear_solver);
  if (options.look_nearby && !options.warm_start)
    report.better_nearby = better_nearby(nlp, options.tol, report, options.linear_solver);
}

}  // namespace bolza::nlp
