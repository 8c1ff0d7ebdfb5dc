// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/plug_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using bolza::integrate::PlugFlow;

namespace {

constexpr double pi = 3.14159265358979323846;

PlugFlow filled(std::vector<double> places, std::vector<double> values, double x = 0) {
  PlugFlow pipe;
  pipe.begin(x, places, values);
  return pipe;
}

/// Steps of equal lengths over [0, end].
void run(PlugFlow& pipe, double end, int steps, double (*x)(double), double (*in0)(double), double (*in1)(double)) {
  for (int k = 0; k < steps; ++k)
    pipe.append(end * k / steps, end * (k + 1) / steps, [&](double t, std::array<double, 3>& values) {
      values = {x(t), in0(t), in1(t)};
      return true;
    });
}

double zero(double) { return 0; }
double half(double t) { return 0.5 * t; }
double swing(double t) { return 0.6 * std::sin(t); }
double after_one(double t) { return 1 + t; }
double decay(double t) { return std::exp(-t); }
double wave(double t) { return std::sin(t); }

}  // namespace

TEST(PlugFlow, holds_its_profile_until_it_flows) {
  PlugFlow pipe = filled({0, 0.25, 0.25, 1}, {0, 1, 3, 5}, 7);
  EXPECT_NEAR(pipe.value(0.125, 7), 0.5, 1e-14);
  EXPECT_NEAR(pipe.value(0.625, 7), 4, 1e-14);
  EXPECT_EQ(pipe.value(1, 7), 5);
  EXPECT_NEAR(pipe.value(1, 7.5), 3 + 2 * 0.25 / 0.75, 1e-14) << "half a pipe further";
}

TEST(PlugFlow, gives_what_entered_one_pipe_ago_to_the_order_of_its_polynomials) {
  double last = 0;
  for (int steps : {20, 40}) {
    PlugFlow pipe = filled({0, 1}, {0, 0});
    run(pipe, 5, steps, half, wave, zero);
    double error = std::fabs(pipe.value(1, half(5)) - std::sin(3)), worst = error;
    for (double y : {0.1, 0.37, 0.7}) worst = std::max(worst, std::fabs(pipe.value(y, half(5)) - std::sin(5 - 2 * y)));
    EXPECT_LT(worst, 1e-7);
    if (last > 0) {
      EXPECT_LT(worst, last / 20) << "of sixth order";
    }
    last = worst;
  }
}

TEST(PlugFlow, gives_back_where_it_turns_what_entered_last) {
  // 37 steps: the flow turns within two of them.
  PlugFlow pipe = filled({0, 1}, {0, 2});
  run(pipe, 2.5, 37, swing, after_one, decay);
  EXPECT_NEAR(pipe.value(0, swing(2.5)), 1 + pi - 2.5, 1e-8);
  EXPECT_NEAR(pipe.value(1, swing(2.5)), std::exp(-2.5), 1e-8);
  pipe = filled({0, 1}, {0, 2});
  run(pipe, 6, 37, swing, after_one, decay);
  EXPECT_NEAR(pipe.value(1, swing(6)), std::exp(-(3 * pi - 6)), 1e-8);
}

TEST(PlugFlow, tells_how_far_it_is_to_the_next_jump) {
  PlugFlow pipe = filled({0, 0.75, 0.75, 1}, {0, 0, 1, 1});
  run(pipe, 0.2, 1, half, zero, zero);
  EXPECT_NEAR(pipe.rate(), 0.5, 1e-12);
  EXPECT_NEAR(pipe.way_to_break(pipe.rate()), 0.25 - 0.1, 1e-12);
  auto on = [](double t, std::array<double, 3>& values) {
    values = {half(t), 0, 0};
    return true;
  };
  pipe.append(0.2, 0.25, on);
  EXPECT_FALSE(pipe.passed_break());
  pipe.append(0.25, 0.6, on);
  EXPECT_TRUE(pipe.passed_break());
}

TEST(PlugFlow, keeps_what_it_holds_where_x_is_set_to_another_value) {
  PlugFlow pipe = filled({0, 1}, {0, 4});
  pipe.append(0, 0.25, [](double t, std::array<double, 3>& values) {
    values = {100 + t, 9, 9};
    return true;
  });
  EXPECT_NEAR(pipe.value(1, 100.25), 3, 1e-12);
}

TEST(PlugFlow, lets_nothing_out_that_turns_by_rounding) {
  PlugFlow pipe = filled({0, 1}, {0, 2});
  for (int k = 0; k < 10; ++k) {
    pipe.append(k, k + 1, [&](double t, std::array<double, 3>& values) {
      double way = k % 2 ? k + 1 - t : t - k;
      values = {2e-12 * way, 5.0 + k, 7.0 + k};
      return true;
    });
    EXPECT_FALSE(pipe.passed_break()) << k;
  }
}
