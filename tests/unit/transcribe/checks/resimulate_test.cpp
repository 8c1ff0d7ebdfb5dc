// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/resimulate.h"

#include <gtest/gtest.h>

#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/shooting/single_shooting.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

TEST(Resimulate, agrees_with_collocation_the_more_so_on_finer_meshes) {
  testing::Problem h = testing::catalyst_mixing();
  double last = 1;
  for (std::uint32_t mesh : {5u, 20u, 80u}) {
    TranscribeOptions options;
    options.mesh = mesh, options.control_constant = true;
    abi::Solution s = solve(h->problem, options);
    Resimulation r = resimulate(h->problem, s, 1e-11);
    ASSERT_TRUE(r.finished) << r.message;
    EXPECT_LT(r.deviation, 0.02 * last)
        << mesh;                         // order 5 with intervals four times as short: 4^-5, with room for other controls
    last = std::max(r.deviation, 1e-6);  // a singular arc: controls within the NLP's tolerance differ visibly
    EXPECT_EQ(r.simulated.phases[0].trajectories.x[0].front(), s.phases[0].trajectories.x[0].front());
  }
  EXPECT_LT(last, 2e-6);
}

TEST(Resimulate, sees_a_wrong_trajectory) {
  testing::Problem h = testing::catalyst_mixing();
  TranscribeOptions options;
  abi::Solution s = solve(h->problem, options);
  EXPECT_LT(resimulate(h->problem, s).deviation, 1e-4);
  s.phases[0].trajectories.x[1][40] += 0.01;
  Resimulation r = resimulate(h->problem, s);
  EXPECT_EQ(r.state, "x2");
  EXPECT_NEAR(r.time, s.phases[0].trajectories.time[40], 1e-12);
  EXPECT_GT(r.deviation, 0.05);
}

TEST(Resimulate, measures_what_the_simulated_states_violate) {
  testing::Problem h = testing::goddard();
  TranscribeOptions options;
  abi::Solution s = solve(h->problem, options);
  Resimulation r = resimulate(h->problem, s);
  ASSERT_TRUE(r.finished) << r.message;
  EXPECT_LT(r.violation, 1e-4);
  for (double& thrust : s.phases[0].trajectories.u[0]) thrust = 2 + 0.1 * thrust;
  r = resimulate(h->problem, s);
  ASSERT_TRUE(r.finished) << r.message;
  EXPECT_GT(r.violation, 0.01) << "that thrust burns more fuel than there is";
  EXPECT_EQ(r.constraint, "m");
  add_to_log(r, s);
  EXPECT_EQ(s.log.back().name, "constraint violation of the re-simulation");
  EXPECT_EQ(s.log.back().value, r.violation);
  EXPECT_EQ(s.log.back().where, "of `m`");
}

TEST(SingleShootingAndCollocation, agree_on_van_der_pol_with_fifty_constant_controls) {
  testing::Problem h = testing::van_der_pol();
  TranscribeOptions options;
  options.control_constant = true;
  abi::Solution collocated = solve(h->problem, options);
  EXPECT_NEAR(collocated.objective, 3.260509448, 1e-7);
  options.nlp.tol = 1e-6;
  abi::Solution shot = solve_single_shooting(h->problem, options, {}, &collocated);
  EXPECT_EQ(shot.status, abi::SolveStatus::solved);
  EXPECT_NEAR(shot.objective, collocated.objective, 1e-5);  // collocation's error on intervals of 0.4 s is 3e-6
  const abi::Trajectories &a = collocated.phases[0].trajectories, &b = shot.phases[0].trajectories;
  EXPECT_NEAR(a.costate[0].front(), b.costate[0].front(), 1e-3);
  EXPECT_NEAR(a.costate[1].front(), b.costate[1].front(), 1e-3);
}

TEST(SingleShootingAndCollocation, agree_on_catalyst_mixing_from_a_cold_start) {
  testing::Problem h = testing::catalyst_mixing();
  TranscribeOptions options;
  options.mesh = 20, options.control_constant = true, options.nlp.tol = 1e-7;
  abi::Solution collocated = solve(h->problem, options), shot = solve_single_shooting(h->problem, options);
  EXPECT_EQ(shot.status, abi::SolveStatus::solved);
  EXPECT_NEAR(shot.objective, collocated.objective, 1e-6);
}

}  // namespace
}  // namespace bolza::transcribe
