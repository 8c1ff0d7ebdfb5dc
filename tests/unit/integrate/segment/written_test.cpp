// SPDX-License-Identifier: Apache-2.0
// Segments that integrate equations of index 2 and 3 as they were written: adjoint, tangent, second derivatives and
// differences with the steps held, states off the constraints, the order of convergence.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHessian;
using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::Initial;
using bolza::testing::NoFunctions;
using Eigen::Index;
using Eigen::MatrixXd;

/// A pendulum on a rod of length p[2] with a force u that pushes it sideways, Q = ∫ u² x + y².  w: t, x, y, x', y', F, u
struct Rod : NoFunctions {
  static constexpr std::size_t nx = 4, nz = 1, nu = 1, nq = 1, np = 4, ni = 2;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3], r[1] = w[4];
    r[2] = w[6] - w[5] * w[1], r[3] = -w[5] * w[2] - p[3];
    r[4] = w[6] * w[6] * w[1] + w[2] * w[2];
  }
};
/// The constraint differentiated twice; it and its first derivative hold at the start.
struct ReducedRod : Rod {
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] + w[4] * w[4] + w[1] * (w[6] - w[5] * w[1]) + w[2] * (-w[5] * w[2] - p[3]);
  }
  template <class T>
  static void initial(const T* w, const T* p, T* r) {
    r[0] = w[1] * w[1] + w[2] * w[2] - p[2] * p[2], r[1] = w[1] * w[3] + w[2] * w[4];
  }
};
struct RodOfIndex3 : Rod {
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[1] * w[1] + w[2] * w[2] - p[2] * p[2];
  }
};
/// On the level of velocities.
struct RodOfIndex2 : Rod {
  template <class T>
  static void residuals(const T* w, const T*, T* r) {
    r[0] = w[1] * w[3] + w[2] * w[4];
  }
};

template <class Written>
struct Forms {
  HandProblem<ReducedRod> reduced;
  HandProblem<Written> written;
  HandSecond<ReducedRod> second{reduced};
  HandHessian<ReducedRod, Initial, HandProblem<ReducedRod>::nw, 2> initial{reduced.initial.function};
  HandSecond<Written> written_second{written};
  explicit Forms(int index) {
    reduced.initial.rows[1].source = reduced.initial.rows[0].source;  // both are of the only equation
    for (std::size_t k = 0; double v : {0.2, 1.4, 1.1, 9.81}) reduced.parameter(k, v), written.parameter(k, v), ++k;
    reduced.build(), written.build();
    written.model.index = index;
  }
  SegmentOptions options(bool linear) {
    SegmentOptions o{.rtol = 1e-7, .linear_control = linear, .method = find_method("radau5")};
    o.written = &written.problem;
    return o;
  }
};

constexpr std::size_t n_rod = 4;

/// J = x + 1.5 x' + 0.4 y' + 0.7 Q and its inputs: x, u left, (u right,) startTime, finalTime, length of the rod, g, begin,
/// length.
struct WrittenCase {
  ReducedModel model;
  Segment segment;
  bool linear;
  std::vector<double> lambda{1, 0.3, 1.5, 0.4}, weight{0.7}, input;
  WrittenCase(const bolza_problem& problem, const bolza_model& m, const SegmentOptions& options)
      : model(problem, m),
        segment(model, options),
        linear(options.linear_control) {
    input = {0.6, -0.9, 0.5, 0.4, 0.8};  // on neither constraint
    if (linear) input.push_back(-0.5);
    for (double v : {0.2, 1.4, 1.1, 9.81, 0.3, 0.35}) input.push_back(v);
    segment.repeat_steps(false);
  }
  std::size_t controls() const { return linear ? 2 : 1; }
  SegmentTimes times(const std::vector<double>& v) const { return {v.end()[-2], v.end()[-1]}; }
  std::span<const double> left(const std::vector<double>& v) const { return std::span(v).subspan(n_rod, 1); }
  std::span<const double> right(const std::vector<double>& v) const { return std::span(v).subspan(n_rod + linear, 1); }
  bool forward(const std::vector<double>& v, std::vector<double>& x, std::vector<double>& q) {
    std::copy_n(v.begin() + static_cast<std::ptrdiff_t>(n_rod + controls()), 4, model.at().shared.begin());
    x.assign(v.begin(), v.begin() + n_rod), q.assign(1, 0);
    return segment.forward(times(v), left(v), right(v), x, q);
  }
  double objective(const std::vector<double>& v) {
    std::vector<double> x, q;
    EXPECT_TRUE(forward(v, x, q));
    double sum = 0.7 * q[0];
    for (std::size_t i = 0; i < n_rod; ++i) sum += lambda[i] * x[i];
    return sum;
  }
  std::vector<double> gradient(const std::vector<double>& v) {
    objective(v);
    std::vector<double> l = lambda, g(segment.inputs());
    EXPECT_TRUE(segment.adjoint(l, weight, g));
    g.insert(g.begin(), l.begin(), l.end());
    return g;
  }
  Segment::Directions directions() const {
    Index m = static_cast<Index>(input.size());
    Segment::Directions d{MatrixXd::Identity(n_rod, m), MatrixXd::Zero(1, m), MatrixXd::Zero(m - Index(n_rod), m), {}, {}};
    d.direct.rightCols(m - Index(n_rod)).setIdentity();
    return d;
  }
};

template <class Result, class F>
Result fourth_order(const std::vector<double>& input, std::size_t k, double h, F&& f) {
  auto at = [&](double by) {
    std::vector<double> v = input;
    v[k] += by;
    return Result(f(v));
  };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

void compare_written(WrittenCase& c) {
  c.objective(c.input);
  c.segment.repeat_steps(true);
  std::vector<double> quotient(c.input.size());
  for (std::size_t k = 0; k < quotient.size(); ++k)
    quotient[k] = fourth_order<double>(c.input, k, 1e-4, [&](const auto& v) { return c.objective(v); });
  std::vector<double> gradient = c.gradient(c.input), x(c.input.begin(), c.input.begin() + n_rod), q{0};
  Segment::Directions d = c.directions();
  ASSERT_TRUE(c.segment.tangent(c.times(c.input), c.left(c.input), c.right(c.input), x, q, d));
  for (std::size_t k = 0; k < quotient.size(); ++k) {
    Index column = static_cast<Index>(k);
    double tangent = 0.7 * d.q(0, column), size = std::max(1.0, std::fabs(quotient[k]));
    for (std::size_t i = 0; i < n_rod; ++i) tangent += c.lambda[i] * d.x(static_cast<Index>(i), column);
    EXPECT_NEAR(gradient[k], tangent, 1e-9 * size) << "input " << k;
    EXPECT_NEAR(gradient[k], quotient[k], 1e-7 * size) << "input " << k;
  }
}

void compare_written_second(WrittenCase& c) {
  c.objective(c.input);
  ASSERT_TRUE(c.segment.has_second());
  c.segment.repeat_steps(true);
  Segment::Directions d = c.directions();
  Index m = static_cast<Index>(c.input.size());
  MatrixXd lambda_dot = MatrixXd::Zero(n_rod, m), gradient_dot;
  ASSERT_TRUE(c.segment.second(c.times(c.input), c.left(c.input), c.right(c.input), std::span(c.input).first(n_rod), d,
                               c.lambda, c.weight, {}, lambda_dot, gradient_dot));
  MatrixXd hessian(m, m);
  hessian << lambda_dot, gradient_dot;
  double size = std::max(1.0, hessian.cwiseAbs().maxCoeff());
  EXPECT_LT((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-7 * size);
  for (std::size_t k = 0; k < c.input.size(); ++k) {
    Eigen::VectorXd by = fourth_order<Eigen::VectorXd>(c.input, k, 1e-4, [&](const auto& v) {
      std::vector<double> g = c.gradient(v);
      return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(g.data(), m));
    });
    EXPECT_LT((hessian.col(static_cast<Index>(k)) - by).cwiseAbs().maxCoeff(), 1e-6 * size) << "input " << k;
  }
}

TEST(WrittenSegment, of_index_3_has_the_derivatives_of_its_steps) {
  for (bool linear : {false, true}) {
    Forms<RodOfIndex3> forms(3);
    WrittenCase c(forms.reduced.problem, forms.reduced.model, forms.options(linear));
    compare_written(c);
    compare_written_second(c);
  }
}

TEST(WrittenSegment, of_index_2_has_the_derivatives_of_its_steps) {
  for (bool linear : {false, true}) {
    Forms<RodOfIndex2> forms(2);
    WrittenCase c(forms.reduced.problem, forms.reduced.model, forms.options(linear));
    compare_written(c);
    compare_written_second(c);
  }
}

TEST(WrittenSegment, moves_states_onto_the_constraints) {
  Forms<RodOfIndex3> forms(3);
  WrittenCase c(forms.reduced.problem, forms.reduced.model, forms.options(false));
  std::vector<double> x, q, gradient = c.gradient(c.input);
  // along M, which holds (x, y, 0, 0), nothing changes
  EXPECT_NEAR(gradient[0] * 0.6 - gradient[1] * 0.9, 0, 1e-8 * std::hypot(gradient[0], gradient[1]));
  ASSERT_TRUE(c.forward(c.input, x, q));
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1.1 * 1.1, 1e-12);
  EXPECT_NEAR(x[0] * x[2] + x[1] * x[3], 0, 1e-4);  // held by the steps to their tolerance
}

/// Where an angle instead of coordinates ends, by the classical method with many steps.
std::vector<double> by_angle(double u, double end) {
  double L = 1.1, phi = 0.5, w = 0.3, h = end / 4000;
  auto f = [&](double a, double b, double* r) { r[0] = b, r[1] = (-9.81 * std::sin(a) + u * std::cos(a)) / L; };
  for (int k = 0; k < 4000; ++k) {
    double a[2], b[2], c[2], d[2];
    f(phi, w, a), f(phi + h / 2 * a[0], w + h / 2 * a[1], b), f(phi + h / 2 * b[0], w + h / 2 * b[1], c);
    f(phi + h * c[0], w + h * c[1], d);
    phi += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]), w += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1]);
  }
  return {L * std::sin(phi), -L * std::cos(phi), L * w * std::cos(phi), L * w * std::sin(phi)};
}

template <class Written>
double written_error(int index, double step, std::size_t first, std::size_t last) {
  Forms<Written> forms(index);
  SegmentOptions o = forms.options(false);
  o.fixed_step = step;
  WrittenCase c(forms.reduced.problem, forms.reduced.model, o);
  std::vector<double> x, q, v = c.input, exact = by_angle(0.8, 1);
  v[0] = 1.1 * std::sin(0.5), v[1] = -1.1 * std::cos(0.5), v[2] = 0.33 * std::cos(0.5), v[3] = 0.33 * std::sin(0.5);
  v.end()[-2] = 0, v.end()[-1] = 1;
  EXPECT_TRUE(c.forward(v, x, q));
  double error = 0;
  for (std::size_t i = first; i < last; ++i) error = std::max(error, std::fabs(x[i] - exact[i]));
  return error;
}

// Radau IIA with s = 3 stages [HW, VII.4, VI.7]: order 2s − 1 = 5 with index 2; with index 3 the positions have it, the
// velocities order s = 3.
TEST(WrittenSegment, converges_with_the_orders_of_radau) {
  EXPECT_GT(std::log2(written_error<RodOfIndex2>(2, 0.1, 0, 4) / written_error<RodOfIndex2>(2, 0.05, 0, 4)), 4.6);
  EXPECT_GT(std::log2(written_error<RodOfIndex3>(3, 0.1, 0, 2) / written_error<RodOfIndex3>(3, 0.05, 0, 2)), 4.4);
  EXPECT_GT(std::log2(written_error<RodOfIndex3>(3, 0.05, 2, 4) / written_error<RodOfIndex3>(3, 0.025, 2, 4)), 2.7);
}

}  // namespace
}  // namespace bolza::integrate
