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
  /// From now on more is done for every matrix: the caller was not content.
  virtual void take_more_care() = 0;
  virtual bool is_chain() const = 0;
};

/// @param shape  its places are those of the patterns
/// @param used   counts the factorisations; outlives the result
std::unique_ptr<ChainFactors> chain_factors(const kkt::ChainShape& shape, const Pattern& hessian, const Pattern& jacobian,
                                            LinearAlgebra& used);

/// Whether `--linear-solver` leads to the chain: it was asked for, or is expected to gain.
bool takes_chain(LinearSolver choice, const Nlp& nlp, const Pattern& hessian);

/// Of the KKT matrix of a problem with its own Hessian: along the chain or by MUMPS as `choice` says.
std::unique_ptr<KktFactors> kkt_factors_of(const Nlp& nlp, LinearSolver choice, LinearAlgebra& used);

}  // namespace bolza::nlp
