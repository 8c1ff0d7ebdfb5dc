#pragma once
#include <cstddef>

#include "runtime/transcribe/program.h"

namespace bolza::transcribe {

/// Outputs of a kernel at one block of intervals.
struct BlockOutputs {
  const double* out = nullptr;   ///< [rows × ld], a stage's points next to each other
  std::size_t ld = 0;
  std::size_t begin = 0, count = 0;  ///< intervals of the block
};

/// Carries one row of outputs to its place: target[p.target + i], or slots[p.target] for sums. Allocates nothing; linear in the block.
void carry(const Pass& p, const BlockOutputs& block, const Times* times, double* target, double* slots);

}  // namespace bolza::transcribe
