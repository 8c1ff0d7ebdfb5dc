// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// Solves with the factors of KLU for many right-hand sides at once. KLU's own solve takes up to four at a time and reads
/// all indices again for the next four; here a row of 32 is one vector operation for each entry of the factors.
class KluRows {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// Copies the factors of the solver's last set-up, (R⁻¹ A)(P, Q) = L U + F, block by block [KLU]. False: the solver is not
  /// KLU, or has none. Cost: O(entries of the factors); allocates when these have become more.
  bool take(SUNLinearSolver solver);
  /// B := A⁻¹ B, B [n × columns]. Requires  `take`. Cost: O(entries of the factors · columns).
  void solve(Eigen::Ref<Rows> B);

 private:
  static constexpr Eigen::Index width_ = 32;  ///< right-hand sides at once
  struct Columns {
    std::vector<std::int64_t> start, row;
    std::vector<double> value;
    void resize(std::int64_t n, std::int64_t entries);
  };
  void subtract(const Columns& of, std::int64_t from, std::int64_t to, std::int64_t column);

  std::int64_t n_ = 0, blocks_ = 0;
  Columns lower_, upper_, beside_;  ///< L with its diagonal first, U with its diagonal last, F
  std::vector<std::int64_t> p_, q_, block_;
  std::vector<double> scale_, x_;  ///< scale: of row p[k]; x: [n × width], rows one after the other
};

}  // namespace bolza::integrate
