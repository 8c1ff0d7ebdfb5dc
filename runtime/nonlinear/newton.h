// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bolza::nonlinear {

struct Entry {
  std::int32_t row = 0, col = 0;
  double value = 0;
};

/// r(w) = 0 with as many, fewer or more rows than unknowns.
struct Equations {
  std::size_t rows = 0, unknowns = 0;
  std::span<const double> size;  ///< [unknowns] typical sizes, > 0
  /// False when a value is not finite.
  std::function<bool(std::span<const double> w, std::span<double> r)> residual;
  /// All entries, in any order, places may repeat.
  std::function<bool(std::span<const double> w, std::vector<Entry>& entries)> jacobian;
};

struct NewtonOptions {
  double tolerance = 1e-11;  ///< of the last step, relative to sizes (and values)
  int max_iterations = 60;
  bool damped = true;  ///< false: full steps whatever the residual does
};

struct NewtonReport {
  enum class Status : std::uint8_t {
    converged,
    not_finite,
    stalled,
    iteration_limit,
    inconsistent
  } status = Status::stalled;
  int iterations = 0, evaluations = 0;
  double residual = 0;        ///< largest |r_i| over its row's size
  std::size_t worst_row = 0;  ///< where it is
  double worst_value = 0;     ///< r there, as the equation gives it
  bool converged() const { return status == Status::converged; }
};

/// Damped Newton: sparse LU for square systems; for fewer rows than unknowns, or a singular matrix, the step of least scaled
/// norm, so w ends near its start; for more rows the least-squares step, which converges when the rows agree. When no part
/// of a step reduces the residual it goes on with Levenberg–Marquardt steps. `w` is the start and the result; after a
/// failure it is the best point.
NewtonReport solve(const Equations& equations, std::vector<double>& w, const NewtonOptions& options = {});

/// `solve`, and where that fails full steps from the same start: a triangular system with products, as a circuit and the
/// powers in it, converges by them in a few iterations though its residual grows at first. The report of the first when both
/// fail.
NewtonReport solve_either_way(const Equations& equations, std::vector<double>& w, const NewtonOptions& options = {});

const char* name_of(NewtonReport::Status status);

}  // namespace bolza::nonlinear
