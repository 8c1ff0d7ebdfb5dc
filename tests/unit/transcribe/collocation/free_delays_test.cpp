// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/free_delays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/transcribe/collocation/delay_windows.h"

namespace bolza::transcribe {
namespace {

/// Two states on three intervals of [0, 1.2], quadratic in each: read at t - (0.1 + 2 p - q).
struct Read {
  FreeDelay delay;
  bolza_model model = {};
  std::vector<double> point, shared{7, 0.25, 9, 0.1};  // p is entry 1, q entry 3

  explicit Read(double t) {
    model.n_shared = 4, model.n_global = 4;
    delay = {.time = t, .constant = 0.1, .slopes = {{1, 2.0}, {3, -1.0}}, .coefficients = {1, -0.5}, .reaches_start = true};
    delay.mesh = {0, 0.3, 0.7, 1.2}, delay.nodes = {0, 0.4, 1};
    point = {0};
    for (int source = 0; source < 2; ++source)
      for (int i = 0; i < 3; ++i)
        for (double node : delay.nodes)
          point.push_back(curve(source, delay.mesh[i] + node * (delay.mesh[i + 1] - delay.mesh[i])));
  }
  static double curve(int source, double s) { return source == 0 ? 1 + s - 2 * s * s : 3 * s * s - s; }
  double lag() const { return 0.1 + 2 * shared[1] - shared[3]; }

  std::vector<double> evaluate(bolza_kind kind, double weight = 1) {
    FreeDelayFunction f(delay, model);
    std::size_t ld = abi::padded(1), n_out = f.function()->kernels[kind]->n_out;
    abi::AlignedDoubles in(point.size() * ld), out(n_out * ld), weights(ld);
    for (std::size_t k = 0; k < point.size(); ++k) in.data()[k * ld] = point[k];
    weights.data()[0] = weight;
    EXPECT_EQ(
        abi::evaluate(
            *f.function(), kind,
            {.n = 1, .ld = ld, .point = in.data(), .shared = shared.data(), .weight = weights.data(), .out = out.data()}),
        0);
    std::vector<double> values;
    for (std::size_t k = 0; k < n_out; ++k) values.push_back(out.data()[k * ld]);
    return values;
  }
};

TEST(free_delay, reads_the_polynomials_at_the_delayed_time) {
  for (double t : {0.6, 0.81, 0.85, 1.0, 1.19, 1.25}) {  // s = t - 0.5; 0.31 and 0.69 are beside mesh points
    Read read(t);
    double s = t - read.lag(), expected = Read::curve(0, s) - 0.5 * Read::curve(1, s);
    EXPECT_NEAR(read.evaluate(BOLZA_VALUE)[0], -expected, 1e-14);
    EXPECT_NEAR(read.evaluate(BOLZA_JACOBIAN)[0], -expected, 1e-14);
  }
}

TEST(free_delay, is_the_value_at_the_start_before_it) {
  Read read(0.3);
  EXPECT_DOUBLE_EQ(read.evaluate(BOLZA_VALUE)[0], -1);
  std::vector<double> jacobian = read.evaluate(BOLZA_JACOBIAN), hessian = read.evaluate(BOLZA_HESSIAN);
  EXPECT_EQ(jacobian[1], -1);  // by the first state at the start
  EXPECT_EQ(jacobian[jacobian.size() - 2], 0);
  for (double entry : hessian) EXPECT_EQ(entry, 0);
}

TEST(free_delay, has_the_derivatives_of_its_value) {
  constexpr double step = 1e-6;
  for (double t :
       {0.95, 1.05, 0.81, 1.185, 0.46, 0.54}) {  // the last four beside mesh points, where rates jump, and the start
    Read read(t);
    read.point[5] += 0.2, read.point[14] -= 0.1;
    FreeDelayFunction f(read.delay, read.model);
    const bolza_function& function = *f.function();
    std::vector<double> jacobian = read.evaluate(BOLZA_JACOBIAN), hessian = read.evaluate(BOLZA_HESSIAN, 3);
    auto input = [&](std::int32_t column) -> double& {
      auto c = static_cast<std::size_t>(column);
      return c < function.n_point ? read.point[c] : read.shared[c - function.n_point];
    };
    auto entry = [&](std::int32_t column) -> std::size_t {
      for (std::size_t e = 0; e < function.jac_nnz; ++e)
        if (function.jac_col[e] == column) return 1 + e;
      return 0;
    };
    for (std::size_t e = 0; e < function.jac_nnz; ++e) {
      double& x = input(function.jac_col[e]);
      double before = x;
      x = before + step;
      double up = read.evaluate(BOLZA_VALUE)[0];
      x = before - step;
      double down = read.evaluate(BOLZA_VALUE)[0];
      x = before;
      EXPECT_NEAR(jacobian[1 + e], (up - down) / (2 * step), 1e-8) << e;
    }
    for (std::size_t e = 0; e < function.hess_nnz; ++e) {
      EXPECT_GE(function.hess_row[e], function.hess_col[e]);
      double& x = input(function.hess_row[e]);
      double before = x;
      std::size_t by = entry(function.hess_col[e]);
      x = before + step;
      double up = read.evaluate(BOLZA_JACOBIAN)[by];
      x = before - step;
      double down = read.evaluate(BOLZA_JACOBIAN)[by];
      x = before;
      EXPECT_NEAR(hessian[e], 3 * (up - down) / (2 * step), 1e-7 * std::max(1.0, std::abs(hessian[e]))) << e;
    }
  }
}

/// A phase with the delays 2 p - q + 0.1, where p is the third parameter of the problem and q the fourth.
struct Windows {
  bolza_variable parameters[4] = {};
  std::int32_t numbers[4] = {0, 1, 2, 3};
  bolza_phase phase = {};
  bolza_problem problem = {};
  DelayReading reading;

  Windows() {
    parameters[2].min = 0.2, parameters[2].max = 0.9, parameters[3].min = 0, parameters[3].max = 0.1;
    phase.parameter = numbers;
    problem.parameters = parameters, problem.n_parameters = 4, problem.phases = &phase, problem.n_phases = 1;
    DelayedValue delay;
    delay.slopes = {{2, 2.0}, {3, -1.0}}, delay.constant = 0.1, delay.least = 0.4, delay.most = 1.9;
    reading.delays = {delay};
  }
};

TEST(free_delay, is_looked_for_within_two_intervals) {
  Windows w;
  std::vector<DelayWindow> windows;
  add_delay_windows(w.problem, 0, w.reading, 0.01, std::vector<double>{0, 1, 0.5, 0.005}, windows);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_NEAR(windows[0].lower, 0.5 - 0.02 / 4, 1e-15);  // both parameters move the delay by half of it
  EXPECT_NEAR(windows[0].upper, 0.5 + 0.02 / 4, 1e-15);
  EXPECT_EQ(windows[1].lower, 0);  // its own bound
  EXPECT_NEAR(windows[1].upper, 0.005 + 0.02 / 2, 1e-15);
  narrow_delays(w.problem, 0, windows, w.reading);
  EXPECT_NEAR(w.reading.delays[0].least, 0.1 + 2 * 0.495 - 0.015, 1e-14);
  EXPECT_NEAR(w.reading.delays[0].most, 0.1 + 2 * 0.505, 1e-14);
  EXPECT_EQ(window_left(windows, std::vector<double>{0, 1, 0.5, 0}), nullptr);  // at a bound of its own
  EXPECT_EQ(window_left(windows, std::vector<double>{0, 1, 0.505, 0.005}), &windows[0]);
}

TEST(free_delay, has_no_window_where_bounds_are_near) {
  Windows w;
  std::vector<DelayWindow> windows;
  add_delay_windows(w.problem, 0, w.reading, 0.2, std::vector<double>{0, 1, 0.5, 0.005}, windows);
  EXPECT_TRUE(windows.empty());
}

}  // namespace
}  // namespace bolza::transcribe
