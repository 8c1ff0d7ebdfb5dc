// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <functional>
#include <limits>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp::testing {

inline constexpr double inf = std::numeric_limits<double>::infinity();

/// Hock and Schittkowski 71 with a fixed fifth variable p = 1 that multiplies the objective: min p x1 x4 (x1+x2+x3) + x3,
/// x1 x2 x3 x4 >= 25, |x|² = 40, 1 <= x <= 5. Optimum 17.0140171 at (1, 4.743, 3.82115, 1.37941).
class Hs071 final : public Functions {
 public:
  Hs071() {
    nlp.start = {1, 5, 5, 1, 1};
    nlp.lower = {1, 1, 1, 1, 1}, nlp.upper = {5, 5, 5, 5, 1};
    nlp.scale = {1, 3, 10, 0.2, 1};
    nlp.role.assign(5, VariableRole::parameter), nlp.interval.assign(5, global);
    nlp.row_lower = {25, 40, 0}, nlp.row_upper = {inf, 40, 2};
    nlp.row_scale = {20, 0.3, 1};
    nlp.row_role.assign(3, RowRole::point), nlp.row_interval.assign(3, global), nlp.linear = {0, 0, 1};
    nlp.jacobian = {{2, 0, 0, 0, 0, 1, 1, 1, 1}, {4, 0, 1, 2, 3, 0, 1, 2, 3}};  // row 2 is p alone: it disappears with p
    nlp.constant_entries = 1;
    for (std::int32_t r = 0; r < 5; ++r)
      for (std::int32_t c = 0; c <= r; ++c) nlp.hessian.row.push_back(r), nlp.hessian.col.push_back(c);
    nlp.functions = this;
  }
  Nlp nlp;
  bool broken_below = false;  ///< not finite for x4 < 1.2
  int moves = 0, refused = 0;

  void move_to(std::span<const double> w) override { std::copy(w.begin(), w.end(), x), ++moves; }
  bool objective(double& f) override {
    f = x[4] * x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
    return good();
  }
  const double* gradient() override {
    double s = x[0] + x[1] + x[2];
    g5[0] = x[4] * x[3] * (s + x[0]), g5[1] = x[4] * x[0] * x[3], g5[2] = x[4] * x[0] * x[3] + 1, g5[3] = x[4] * x[0] * s,
    g5[4] = x[0] * x[3] * s;
    return good() ? g5 : nullptr;
  }
  const double* constraints() override {
    rows[0] = x[0] * x[1] * x[2] * x[3], rows[1] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], rows[2] = x[4];
    return good() ? rows : nullptr;
  }
  const double* jacobian() override {
    entries[0] = 1;
    for (int k = 0; k < 4; ++k) entries[1 + k] = x[0] * x[1] * x[2] * x[3] / x[k], entries[5 + k] = 2 * x[k];
    return good() ? entries : nullptr;
  }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    double h[5][5] = {};
    double s = x[0] + x[1] + x[2], product = x[0] * x[1] * x[2] * x[3];
    h[0][0] = 2 * x[3] * x[4], h[1][0] = h[2][0] = x[3] * x[4], h[3][0] = (s + x[0]) * x[4], h[3][1] = h[3][2] = x[0] * x[4];
    h[4][0] = x[3] * (s + x[0]), h[4][1] = h[4][2] = x[0] * x[3], h[4][3] = x[0] * s;
    int k = 0;
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c <= r; ++c, ++k) {
        second[k] = sigma * h[r][c];
        if (r < 4 && r != c) second[k] += lambda[0] * product / (x[r] * x[c]);
        if (r < 4 && r == c) second[k] += 2 * lambda[1];
      }
    return good() ? second : nullptr;
  }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  bool good() {
    bool is_finite = !broken_below || x[3] >= 1.2;
    refused += !is_finite;
    return is_finite;
  }
  double x[5] = {}, g5[5] = {}, rows[3] = {}, entries[9] = {}, second[15] = {};
};

}  // namespace bolza::nlp::testing
