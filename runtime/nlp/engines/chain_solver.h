// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The linear solver of an IPOPT run: factors along the chain of mesh intervals (runtime/kkt) behind IPOPT's entry for MA57,
/// whose functions HSLLoader.h lets a program give. A system that the chain cannot take, or solve well, goes to symmetric
/// pivots, then to MUMPS.   [docs/decisions/structured-kkt.md]
///
/// While it lives, IPOPT runs of this thread with `linear_solver ma57` use it; one at a time.
class ChainSolver {
 public:
  /// Null: the problem is no chain, or `--linear-solver auto` expects no gain.
  /// @param nlp  must outlive it
  static std::unique_ptr<ChainSolver> make(const Nlp& nlp, const EngineOptions& options);
  ~ChainSolver();
  ChainSolver(const ChainSolver&) = delete;
  ChainSolver& operator=(const ChainSolver&) = delete;

  LinearAlgebra used() const;

  class Work;

 private:
  explicit ChainSolver(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace bolza::nlp
