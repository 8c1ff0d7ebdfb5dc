// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/unit/support/hand_model.h"

namespace bolza::testing {

/// Everything that a gradient can go through: a free end time, a place inside, rates, algebraics, controls, integrals and
/// parameters in the point function, an explicit time, path rows and bounds.
struct Mixed : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, ng = 1, ni = 1, np = 3, nv = 6, nk = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    r[0] = w[3] * p[2] - w[1] + sin(w[0]), r[1] = w[1] - T(0.5) * w[2] + w[4] * w[3], r[2] = w[1] * w[2] + w[4] * w[4];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - w[2] - w[4] - p[2] * w[0], r[1] = w[1] * w[3] + w[4];
  }
  template <class T>
  static void initial(const T* w, const T* p, T* r) {
    r[0] = w[1] - w[3] * p[2];
  }
  template <class T>
  static void point(const T* v, const T* p, T* r) {
    r[0] = v[0] * v[0] + v[1] * v[2] + v[4] * p[2] + p[1], r[1] = v[3] + v[5] * v[0];
  }
};

inline void set_mixed(HandProblem<Mixed>& hand) {
  hand.horizon(0.2, 1.7);
  hand.parameter(1, 1.7, false, 0.5, 5), hand.parameter(2, 0.8, false);
  hand.x[0].fixed = 0, hand.x[0].start = 0.4, hand.x[1].start = 0.9, hand.x[1].max = 50;
  hand.z[0].max = 60;
  hand.u[0].start = 0.3;
  hand.residuals.rows[1].lower = -9, hand.residuals.rows[1].upper = 9;
  hand.places = {{0, 0.4, 0.6, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}};
  hand.values = {{BOLZA_STATE, 0, 0},   {BOLZA_ALGEBRAIC, 1, 0}, {BOLZA_RATE, 0, 1},
                 {BOLZA_CONTROL, 1, 0}, {BOLZA_INTEGRAL, 0, 0},  {BOLZA_ALGEBRAIC, 2, 0}};
}

}  // namespace bolza::testing
