// SPDX-License-Identifier: Apache-2.0
// Models that several tests integrate.
#pragma once
#include "tests/unit/support/hand_model.h"

namespace bolza::testing {

/// Robertson's kinetics in the form of the Roberts problem (p = 0.04, 1e4, 3e7), Q = ∫ y3.
struct Roberts : NoFunctions {
  static constexpr std::size_t nx = 3, nq = 1, np = 5;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    T a = p[2] * w[1], b = p[3] * w[2] * w[3], c = p[4] * w[2] * w[2];
    r[0] = b - a, r[1] = a - b - c, r[2] = c, r[3] = w[3];
  }
};

/// Everything at once: explicit time, finalTime, an algebraic, an input, an integral, a parameter.
struct Mixed : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3] * p[2] - w[1] + sin(w[0]) * w[4];
    r[1] = w[1] * w[2] * T(0.3) - w[2] + w[4] * w[4] + p[1] * T(0.1);
    r[2] = w[1] * w[1] + w[4] * w[4] * w[0];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - w[2] - w[4] - p[2] * w[0];
  }
};

/// x' = −p x², x = x0/(1 + p x0 t)
struct Reaction : NoFunctions {
  static constexpr std::size_t np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = -p[2] * w[1] * w[1];
  }
};

}  // namespace bolza::testing
