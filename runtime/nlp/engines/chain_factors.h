// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/kkt/chain.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp {

/// Factors along the chain of intervals (runtime/kkt), by symmetric pivots where these fail or solve badly, by MUMPS where
/// those do. MUMPS alone where the problem is no chain.
class ChainFactors : public KktFactors {
 public:
  virtual bool is_chain() const = 0;
};

/// @param shape  its places are those of the patterns
/// @param used   counts the factorisations; outlives the result
std::unique_ptr<ChainFactors> chain_factors(const kkt::ChainShape& shape, const Pattern& hessian, const Pattern& jacobian,
                                            LinearAlgebra& used);

/// Whether `--linear-solver` leads to the chain: it was asked for, or is expected to gain.
bool takes_chain(LinearSolver choice, const Nlp& nlp, const Pattern& hessian);

/// Of the KKT matrix of an interior-point step: along the chain where `choice` leads to it; all as one stage, by symmetric
/// pivots, where the problem is no chain and small; else by MUMPS.
std::unique_ptr<KktFactors> step_factors(const Nlp& nlp, LinearSolver choice, const Pattern& hessian, LinearAlgebra& used);

/// Of the KKT matrix of a problem with its own Hessian: along the chain or by MUMPS as `choice` says.
std::unique_ptr<KktFactors> kkt_factors_of(const Nlp& nlp, LinearSolver choice, LinearAlgebra& used);

}  // namespace bolza::nlp
