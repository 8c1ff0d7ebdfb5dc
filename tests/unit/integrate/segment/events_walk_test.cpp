// SPDX-License-Identifier: Apache-2.0
// One run that finds the events and gives the values: a decay that falls below a level and a growth that reaches another,
// either first, or only one of them, or none, as parameters say. Against the solution in closed form, whose derivatives are
// taken by complex steps.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;
using bolza::testing::value_of;
using Eigen::Index;
using Eigen::MatrixXd;

std::size_t crossing_evaluations = 0;  ///< of the rates below

struct Crossings : NoEvents {  // t0 tf p q a b e | low pre(low) full pre(full)
  static constexpr std::size_t nx = 2, nq = 1, np = 11, n_free = 7, nm = 2, n_indicators = 2, n_reinits = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    ++crossing_evaluations;
    r[0] = -p[2] * w[1] * (T(1) + T(2) * p[9]);
    r[1] = p[3] * (T(1) + p[7]);
    r[2] = p[7] * p[2] * T(3);
  }
  template <class T>
  static void update(const T* w, const T* p, T* r) {
    T g[2];
    indicators(w, p, g);
    r[0] = T(value_of(g[0]) < 0), r[1] = T(value_of(g[1]) > 0);
  }
  template <class T>
  static void indicators(const T* w, const T* p, T* r) {
    r[0] = w[1] - p[4], r[1] = w[2] - p[5];
  }
  template <class T>
  static void reinit(const T* w, const T* p, T* r) {
    r[0] = T(value_of(p[9]) > 0.5 && value_of(p[10]) < 0.5);
    r[1] = w[1] * p[6];
  }
};

template <class T>
struct Solution {
  T decay, growth, integral;
};

double real_of(double v) { return v; }
double real_of(const std::complex<double>& v) { return v.real(); }

/// From (1, 0), by p, q, a, b, e.
template <class T>
Solution<T> solution(const std::vector<T>& c, double t) {
  const T &p = c[0], &q = c[1], &a = c[2], &b = c[3], &e = c[4];
  using std::exp, std::log;
  auto earlier = [](const T& x, const T& y) { return real_of(x) < real_of(y); };
  T low = log(T(1) / a) / p, full = b / q;
  if (earlier(low, full)) {
    full = low + (b - q * low) / (q * T(2));
  } else {
    low = full + log(e * exp(-p * full) / a) / (p * T(3));
    if (earlier(low, full)) low = full;  // by the jump
  }
  T until_full = earlier(full, T(t)) ? full : T(t), until_low = earlier(low, T(t)) ? low : T(t);
  T jump = earlier(full, T(t)) ? e : T(1);
  return {jump * exp(-p * until_full - T(3) * p * (T(t) - until_full)), q * until_low + T(2) * q * (T(t) - until_low),
          T(3) * p * (T(t) - until_low)};
}

struct CrossingRun {
  HandHybrid<Crossings> hand;
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;
  Segment::Samples samples{{0, 0.1, 0.25, 0.5, 0.62, 0.8, 1}, {}, {}, {}};
  std::vector<double> x, q;

  CrossingRun() {
    hand.horizon(0, 1);
    for (std::size_t k = 2; k < 7; ++k) hand.parameter(k, 1);
    hand.relation("low", 7, 8, 0, false, false), hand.relation("full", 9, 10, 1, true, false);
    hand.reinit_state = {0};
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    segment = std::make_unique<Segment>(*model, SegmentOptions{.rtol = 1e-10, .times_move = false});
  }
  void set(const std::vector<double>& c) {
    model->at().shared = hand.shared;
    std::copy(c.begin(), c.end(), model->at().shared.begin() + 2);
  }
  void go(const std::vector<double>& c) {
    set(c), x = {1, 0}, q = {0};
    ASSERT_TRUE(segment->forward({0, 1}, {}, {}, x, q));
  }
};

/// p, q, a, b, e: either event first, with either, one or none; back to the first.
const std::vector<std::vector<double>> plans{{2, 1, 0.3, 0.7, 0.7},  {2, 1, 0.3, 0.2, 0.7},   {2, 1, 0.3, 0.65, 0.7},
                                             {2, 1, 0.3, 0.55, 0.7}, {2, 1, 0.3, 5, 0.7},     {2, 1, 1e-3, 0.4, 0.7},
                                             {2, 1, 1e-3, 5, 0.7},   {2.1, 0.9, 0.3, 0.7, 1}, {2, 1, 0.3, 0.7, 0.7}};

TEST(EventsOnTheWay, values_are_those_of_the_closed_form_whatever_happens) {
  for (bool recorded : {false, true}) {
    CrossingRun run;
    if (recorded) run.segment->record_at(&run.samples);
    else run.segment->sample_at(&run.samples);
    for (const std::vector<double>& c : plans) {
      run.go(c);
      ASSERT_EQ(run.samples.x.size(), 2 * run.samples.at.size());
      ASSERT_EQ(run.samples.shared.size(), run.samples.at.size());
      for (std::size_t k = 0; k < run.samples.at.size(); ++k) {
        Solution<double> s = solution(c, run.samples.at[k]);
        EXPECT_NEAR(run.samples.x[2 * k], s.decay, 1e-8) << "b = " << c[3] << ", at " << run.samples.at[k];
        EXPECT_NEAR(run.samples.x[2 * k + 1], s.growth, 1e-8) << "b = " << c[3] << ", at " << run.samples.at[k];
        EXPECT_EQ(run.samples.shared[k][9] > 0.5, s.growth > c[3]);
      }
      EXPECT_NEAR(run.x[1], solution(c, 1).growth, 1e-8);
      EXPECT_NEAR(run.q[0], solution(c, 1).integral, 3e-8)
          << "its slope is 6, and the event's time has the error of the states";
    }
  }
}

TEST(EventsOnTheWay, adjoint_and_tangent_are_the_derivatives_of_the_closed_form_whatever_happens) {
  CrossingRun run;
  std::vector<double> at = run.samples.at;
  for (const std::vector<double>& c : plans) {
    run.segment->record_at(&run.samples);
    run.go(c);
    Segment::Backward b{{0, 0}, {0.5}, std::vector<double>(run.segment->inputs()), {}, {}};
    for (std::size_t k = at.size(); k-- > 0;) b.jumps.push_back(1 + at[k]), b.jumps.push_back(2 - at[k] * at[k]);
    std::vector<double> back(at.rbegin(), at.rend());
    run.set(c);
    ASSERT_TRUE(run.segment->adjoint({&b, 1}, back));

    run.segment->sample_at(&run.samples);
    run.set(c);
    ASSERT_TRUE(run.segment->plan({0, 1}, {}, {}, std::vector<double>{1, 0}));
    Segment::Directions d{MatrixXd::Zero(2, 5), MatrixXd::Zero(1, 5), MatrixXd::Zero(9, 5), {}, {}};
    d.direct.middleRows(2, 5).setIdentity();
    std::vector<double> x{1, 0}, q{0};
    run.set(c);
    ASSERT_TRUE(run.segment->tangent({0, 1}, {}, {}, x, q, d));
    for (std::size_t j = 0; j < c.size(); ++j) {
      constexpr double h = 1e-30;
      std::vector<std::complex<double>> moved(c.begin(), c.end());
      moved[j] += std::complex<double>(0, h);
      double exact = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        Solution<std::complex<double>> s = solution(moved, at[k]);
        exact += (1 + at[k]) * s.decay.imag() / h + (2 - at[k] * at[k]) * s.growth.imag() / h;
        EXPECT_NEAR(run.samples.by[k](0, static_cast<Index>(j)), s.decay.imag() / h, 1e-7)
            << "b = " << c[3] << ", " << at[k];
        EXPECT_NEAR(run.samples.by[k](1, static_cast<Index>(j)), s.growth.imag() / h, 1e-7)
            << "b = " << c[3] << ", " << at[k];
      }
      exact += 0.5 * solution(moved, 1).integral.imag() / h;
      EXPECT_NEAR(b.gradient[2 + j], exact, 2e-6) << "b = " << c[3] << ", parameter " << j;
    }
  }
}

TEST(EventsOnTheWay, samples_in_every_step_are_a_quadrature_over_all_stretches) {
  CrossingRun run;
  run.samples.per_step = 3;
  for (const std::vector<double>& c : plans) {
    run.segment->sample_at(nullptr);
    run.go(c);
    run.segment->sample_at(&run.samples);
    Segment::Directions d{MatrixXd::Zero(2, 5), MatrixXd::Zero(1, 5), MatrixXd::Zero(9, 5), {}, {}};
    d.direct.middleRows(2, 5).setIdentity();
    std::vector<double> x{1, 0}, q{0};
    run.set(c);
    ASSERT_TRUE(run.segment->tangent({0, 1}, {}, {}, x, q, d));
    const Segment::Samples& s = run.samples;
    ASSERT_GT(s.at.size(), 30u);
    ASSERT_EQ(s.weight.size(), s.at.size());
    ASSERT_EQ(s.by.size(), s.at.size());
    double length = 0, moment = 0;
    for (std::size_t k = 0; k < s.at.size(); ++k) {
      length += s.weight[k], moment += s.weight[k] * s.at[k];
      EXPECT_NEAR(s.x[2 * k + 1], solution(c, s.at[k]).growth, 1e-8) << "b = " << c[3] << ", at " << s.at[k];
      for (std::size_t j = 0; j < c.size(); ++j) {
        constexpr double h = 1e-30;
        std::vector<std::complex<double>> moved(c.begin(), c.end());
        moved[j] += std::complex<double>(0, h);
        EXPECT_NEAR(s.by[k](0, static_cast<Index>(j)), solution(moved, s.at[k]).decay.imag() / h, 1e-6)
            << "b = " << c[3] << ", at " << s.at[k];
      }
    }
    EXPECT_NEAR(length, 1, 1e-12) << "b = " << c[3];
    EXPECT_NEAR(moment, 0.5, 1e-12) << "b = " << c[3];
  }
}

TEST(EventsOnTheWay, values_cost_one_run) {
  CrossingRun run;
  auto evaluations = [&] {
    crossing_evaluations = 0;
    run.go(plans.front());
    return crossing_evaluations;
  };
  std::size_t found_before = evaluations();  // a simulation, and each stretch until the time of its event settles
  run.segment->sample_at(&run.samples);
  EXPECT_LT(2 * evaluations(), found_before);
}

}  // namespace
}  // namespace bolza::integrate
