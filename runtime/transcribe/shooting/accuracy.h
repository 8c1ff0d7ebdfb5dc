// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

/// A shooting problem: its nonlinear program's functions, and what is at its mesh points.
struct ShootingProblem {
  std::unique_ptr<nlp::Functions> functions;
  ShootingNodes* nodes = nullptr;  ///< of the functions
};

/// The same problem, integrated to another relative tolerance.
using MakeProblem = std::function<ShootingProblem(double rtol)>;

/// Single or multiple shooting of a problem, for one solve or several at other tolerances of integration.
template <class Method>
MakeProblem problems_of(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                        const abi::Solution* guess) {
  return [&problem, &options, &shooting, guess](double rtol) {
    ShootingOptions with = shooting;
    with.rtol = rtol;
    auto functions = std::make_unique<Method>(problem, options, with, guess);
    ShootingNodes* nodes = &functions->nodes();
    return ShootingProblem{std::move(functions), nodes};
  };
}

/// With it an integration counts as exact beside one to this relative tolerance.
double tolerance_of_reference(double rtol);

/// What integrations leave in the values and first derivatives of a nonlinear program, in its units.
struct IntegrationError {
  double objective = 0;
  std::vector<double> slope;  ///< [n] of ∇L
  std::vector<double> rows;   ///< [m]
  bool known = false;         ///< false: an integration failed

  /// Largest component of ∇L and of the rows, divided by their scales.
  double scaled(const nlp::Nlp& nlp) const;
};

/// The difference between two programs of one problem at the same point and multipliers, where `exact` is integrated so much
/// more exactly that its own error does not count.
/// Cost  of a value, a gradient and a Jacobian of each.
IntegrationError integration_error(const nlp::Nlp& nlp, const nlp::Nlp& exact, const nlp::Iterate& iterate);

/// Is all that keeps the iterate from the conditions of Karush, Kuhn and Tucker within `share` times that error, or within
/// the tolerance?
bool is_within(const IntegrationError& error, const nlp::Nlp& nlp, const nlp::Iterate& iterate, double tol, double share);

/// What solving as exactly as integrations allow came to.
struct AccurateReport {
  nlp::Report report;
  double accuracy = 0;  ///< > 0: the solution is one to this error of its integrations, scaled, and no better
};

/// Solves. Where an engine comes to no end, or to an acceptable one only, and the error of the integrations is all that is
/// left, it goes on with a tolerance of integration that the engine's asks for, if nobody has set one; where that is too
/// much for it, too, the solution is one to the accuracy of the integration.
/// @param at  the problem, in the end the one that was solved last
AccurateReport solve_accurately(const MakeProblem& make, ShootingProblem& at, const nlp::EngineOptions& engine,
                                const nlp::Iterate* start, bool may_tighten);

}  // namespace bolza::transcribe
