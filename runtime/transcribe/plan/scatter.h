// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/transcribe/plan/evaluation_plan.h"

namespace bolza::transcribe {

/// Outputs of a kernel at one block of intervals.
struct BlockOutputs {
  const double* out = nullptr;  ///< [rows × ld], a stage's points next to each other
  std::size_t ld = 0;
  std::size_t begin = 0, count = 0;  ///< intervals of the block
  const Times* times = nullptr;      ///< null: only factors one
};

/// Where scatters write: scatter p to base[p.target * stride …], one number per interval of the block; sums to
/// slots[p.target].
struct Target {
  double* base = nullptr;
  std::size_t stride = 1;
  double* slots = nullptr;
};

/// Adds rows of outputs to their entries. Allocates nothing; linear in the block.
void scatter(const std::vector<Scatter>& scatters, const BlockOutputs& block, const Target& target);

}  // namespace bolza::transcribe
