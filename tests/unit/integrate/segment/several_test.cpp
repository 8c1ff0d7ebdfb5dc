// SPDX-License-Identifier: Apache-2.0
// Several functionals of one forward run: each is what it is alone, whatever went back with it before; many inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSeries;
using bolza::testing::Mixed;
using bolza::testing::NoFunctions;

struct Way {
  std::string name;
  SegmentOptions options;
};

std::vector<Way> ways() {
  std::vector<Way> out{{"cvodes", {.rtol = 1e-9, .linear_control = true}},
                       {"idas", {.rtol = 1e-9, .linear_control = true, .idas = true}}};
  out.push_back(out[0]), out.back().name = "cvodes_checkpoints", out.back().options.method_options.checkpoint_steps = 7;
  out.push_back(out[1]), out.back().name = "idas_checkpoints", out.back().options.method_options.checkpoint_steps = 7;
  for (const Method* m : methods())
    if (m->discrete()) {
      out.push_back({std::string(m->name), {.rtol = 1e-5, .linear_control = true, .method = m}});
      out.push_back(out.back()), out.back().name += "_checkpoints", out.back().options.method_options.checkpoint_steps = 4;
    }
  return out;
}

class Several : public ::testing::TestWithParam<Way> {
 public:
  Several() : second(hand), series(hand) {
    hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model->at().shared = {0.3, 1.5, 1.2};
    segment = std::make_unique<Segment>(*model, GetParam().options);
    std::vector<double> x{0.7, -0.4}, q{0}, left{0.5}, right{-0.3};
    EXPECT_TRUE(segment->forward({0.4, 0.9}, left, right, x, q));
  }
  Segment::Backward functional(double a, double b, double w) const {
    return {{a, b}, {w}, std::vector<double>(segment->inputs()), {}};
  }
  HandProblem<Mixed> hand;
  HandSecond<Mixed> second;
  HandSeries<Mixed> series;
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;
};

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double close) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], close * std::max(1.0, std::fabs(b[k]))) << k;
}

TEST_P(Several, functionals_have_the_gradients_that_they_have_alone) {
  const std::vector<double> samples{1, 0.6, 0.55, 0.1};
  std::vector<Segment::Backward> alone{functional(1, 0, 0), functional(0, 1, 0), functional(0, 0, 1),
                                       functional(2, -1, 0.3)},
      together = alone;
  for (Segment::Backward& one : alone) ASSERT_TRUE(segment->adjoint({&one, 1}, samples));
  ASSERT_TRUE(segment->adjoint(together, samples));
  std::vector<Segment::Backward> fewer{functional(0, 1, 0), functional(2, -1, 0.3)};
  ASSERT_TRUE(segment->adjoint(fewer, samples));
  // SUNDIALS' second pass from its checkpoints is the first one to the tolerance, 1e-9
  double close = !GetParam().options.method && GetParam().options.method_options.checkpoint_steps > 0 ? 1e-8 : 1e-13;
  auto compare = [&](const Segment::Backward& a, const Segment::Backward& b) {
    expect_same(a.lambda, b.lambda, close), expect_same(a.gradient, b.gradient, close);
    expect_same(a.at_samples, b.at_samples, close);
  };
  for (std::size_t k = 0; k < alone.size(); ++k) compare(together[k], alone[k]);
  compare(fewer[0], alone[1]), compare(fewer[1], alone[3]);
  EXPECT_EQ(alone[0].at_samples.size(), 8u);
}

INSTANTIATE_TEST_SUITE_P(Ways, Several, ::testing::ValuesIn(ways()), [](const auto& info) { return info.param.name; });

// x' = −z + Σ p_k sin(k t)/10, z + z³ = x, Q = ∫ z x: 34 parameters.
struct Forced : NoFunctions {
  static constexpr std::size_t nz = 1, nq = 1, np = 36;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    r[0] = -w[2], r[1] = w[1] * w[2];
    for (int k = 1; k <= 34; ++k) r[0] = r[0] + p[1 + k] * sin(T(k) * w[0]) * T(0.1);
  }
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[2] + w[2] * w[2] * w[2] - w[1];
  }
};

TEST(ManyInputs, gradients_of_several_functionals_are_those_of_the_sensitivities) {
  HandProblem<Forced> hand;
  hand.horizon(0, 1);
  for (std::size_t k = 2; k < 36; ++k) hand.parameter(k, 1.0 / static_cast<double>(k));
  hand.build();
  for (bool idas : {false, true})
    for (double steps : {0.0, 20.0}) {
      SCOPED_TRACE(idas ? "idas" : "cvodes");
      ReducedModel model(hand.problem, hand.model);
      model.at().shared = hand.shared;
      SegmentOptions o{.rtol = 1e-7, .idas = idas};
      o.method_options.checkpoint_steps = steps;
      Segment segment(model, o);
      std::vector<double> x{0.8}, q{0};
      Eigen::Index m = static_cast<Eigen::Index>(segment.inputs());
      Segment::Directions d{Eigen::MatrixXd::Zero(1, m), Eigen::MatrixXd::Zero(1, m), Eigen::MatrixXd::Identity(m, m), {}};
      ASSERT_TRUE(segment.tangent({0, 1}, {}, {}, x, q, d));
      x = {0.8}, q = {0};
      ASSERT_TRUE(segment.forward({0, 1}, {}, {}, x, q));
      std::vector<Segment::Backward> both{{{1}, {0}, std::vector<double>(segment.inputs()), {}},
                                          {{0}, {1}, std::vector<double>(segment.inputs()), {}}};
      const std::vector<double> samples{1, 0.5, 0.49, 0.01};
      ASSERT_TRUE(segment.adjoint(both, samples));
      for (Eigen::Index k = 0; k < m; ++k) {  // rtol 1e-7; by the length f_t counts, 34 as large
        EXPECT_NEAR(both[0].gradient[static_cast<std::size_t>(k)], d.x(0, k), 2e-5) << k;
        EXPECT_NEAR(both[1].gradient[static_cast<std::size_t>(k)], d.q(0, k), 2e-5) << k;
      }
      ASSERT_EQ(both[0].at_samples.size(), 4u);
      EXPECT_EQ(both[0].at_samples[0], 1);
      EXPECT_NEAR(both[0].at_samples[1], both[0].at_samples[2], 0.05) << "λ is continuous";
      EXPECT_NEAR(both[0].at_samples[3], both[0].lambda[0], 0.05);
    }
}

}  // namespace
}  // namespace bolza::integrate
