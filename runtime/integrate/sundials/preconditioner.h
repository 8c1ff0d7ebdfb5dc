// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "runtime/nonlinear/newton.h"

namespace bolza::integrate {

/// P ≈ A for iterative linear solvers.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// A by entries, places may repeat. False: a pivot is zero.
  virtual bool factorise(std::span<const nonlinear::Entry> entries) = 0;
  /// z := P⁻¹ r; r and z may be the same.
  virtual void apply(std::span<const double> r, std::span<double> z) const = 0;
};

/// "ilu" or "": incomplete factors without fill on the rows of A, ILU(0); "block_jacobi": LU of diagonal blocks of up to 16
/// unknowns, which follow each other; "none": z = r. Cost of ILU(0): O(entries × entries per row).
std::unique_ptr<Preconditioner> make_preconditioner(std::string_view name, std::size_t n);

}  // namespace bolza::integrate
