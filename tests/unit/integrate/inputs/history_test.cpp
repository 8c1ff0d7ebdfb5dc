// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/history.h"

#include <gtest/gtest.h>

#include <cmath>

using bolza::integrate::History;

namespace {

void append_parabola(History& history, double b) {
  history.append(b, [](double t, std::span<double> values) {
    values[0] = 1 + t * t;
    return true;
  });
}

}  // namespace

TEST(History, it_is_exact_for_polynomials_within_and_a_little_beyond_its_pieces) {
  History history(1);
  history.begin(0, std::vector<double>{1.0});
  append_parabola(history, 1);
  append_parabola(history, 2);
  for (double t : {0.1, 0.999, 1.5, 2.0, 2.5, 4.0}) EXPECT_NEAR(history.value(0, t, false), 1 + t * t, 1e-11 * (1 + t * t));
}

TEST(History, it_is_finite_far_behind_a_piece_of_a_few_roundings) {
  History history(1);
  history.begin(0, std::vector<double>{1.0});
  append_parabola(history, 1);
  append_parabola(history, 1 + 4e-16);
  // ten lengths away the roundings of six values are some 1e7 times as large
  for (double t : {1 + 1e-15, 1 + 1e-12, 1.001, 2.0}) EXPECT_NEAR(history.value(0, t, true), 2, 1e-7) << t;
}
