// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/control_jump.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/linalg/lagrange.h"

namespace bolza::transcribe {
namespace {

constexpr std::array radau{(4 - 2.449489742783178) / 10, (4 + 2.449489742783178) / 10, 1.0};

/// A control at Radau's points of five intervals from t = 2 to 7.
abi::PhaseSolution phase_with(const std::function<double(double)>& u) {
  abi::PhaseSolution phase;
  phase.start_time = 2;
  phase.final_time = 7;
  phase.mesh = {0, 0.2, 0.4, 0.6, 0.8, 1};
  phase.trajectories.time = {2};
  phase.trajectories.u = {{u(2)}};
  for (int i = 0; i < 5; ++i)
    for (double c : radau) {
      phase.trajectories.time.push_back(2 + i + c);
      phase.trajectories.u[0].push_back(u(2 + i + c));
    }
  return phase;
}

/// A step from `before` to `behind` at `place` of the third interval, whose polynomial swings and has the step's integral.
abi::PhaseSolution step(double before, double behind, double place, double swing) {
  abi::PhaseSolution phase = phase_with([&](double t) { return t < 4.5 ? before : behind; });
  std::vector<double> weights = linalg::lagrange_integrals(radau, 1);
  double mean = place * before + (1 - place) * behind;
  std::vector<double>& u = phase.trajectories.u[0];
  u[7] = before + swing;
  u[9] = behind - swing;
  u[8] = (mean - weights[0] * u[7] - weights[2] * u[9]) / weights[1];
  return phase;
}

TEST(ControlJump, the_place_follows_from_the_integral) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-3, 3), share(0, 1);
  for (int k = 0; k < 50; ++k) {
    double before = any(random), behind = any(random), place = share(random);
    if (std::abs(before - behind) < 0.1) continue;
    std::optional<double> found = control_jump(step(before, behind, place, 0.1 * any(random) * (behind - before)), 2);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, place, 1e-12);
  }
}

TEST(ControlJump, there_is_none_in_the_intervals_beside_nor_at_the_ends) {
  abi::PhaseSolution phase = step(-1, 1, 0.3, 0);
  for (std::size_t i : {0u, 1u, 3u, 4u}) EXPECT_FALSE(control_jump(phase, i)) << i;
}

TEST(ControlJump, what_is_smooth_or_swings_everywhere_has_none) {
  abi::PhaseSolution smooth = phase_with([](double t) { return std::sin(t); }),
                     constant = phase_with([](double) { return 4; }),
                     swings = phase_with([](double t) { return std::cos(40 * t); });
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_FALSE(control_jump(smooth, i));
    EXPECT_FALSE(control_jump(constant, i));
    EXPECT_FALSE(control_jump(swings, i));
  }
}

}  // namespace
}  // namespace bolza::transcribe
