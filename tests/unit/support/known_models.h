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

}  // namespace bolza::testing
