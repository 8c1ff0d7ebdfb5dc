// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hand_problem.h"
#include "runtime/abi/aligned.h"

namespace bolza::codegen {
namespace {

using test::Evaluated;
using test::HandProblem;
using test::Points;

struct Case {
  const char* name;
  HandProblem (*make)();
  std::uint32_t n_q;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

HandProblem small_reaction() { return test::reaction_diffusion(6); }

/// Two instances in which slots are one variable, a fixed and a free parameter in one column, two roots of one row.
HandProblem awkward() {
  HandProblem h({"a", "b", "c"}, {}, {"u"}, {{"p", 0.6}}, {{"q", 0.8}});
  ir::Dag& d = h.dag();
  ir::ExprId product = d.mul(d.mul(h.s(0), h.s(1)), h.s(2));
  h.group(h.problem.rates, {product, d.make(ir::Op::sin, d.mul(h.s(0), h.s(1)))},
          {{h.x(0), h.x(1), h.x(2)}, {h.x(1), h.x(1), h.u(0)}, {h.shared(2), h.shared(3), h.shared(2)}},
          {{0, 1, 2}, {0, 0, 1}});
  h.group(h.problem.rates, {d.make(ir::Op::exp, d.mul(h.s(0), h.s(1)))}, {{h.time()}, {h.x(2)}}, {{2}});
  return h;
}

HandProblem vdp() { return test::van_der_pol(); }

class Kinds : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    HandProblem h = GetParam().make();
    problem_ = h.finish(GetParam().n_q);
    compiled_ = compile(problem_, h.sources, {.open_jit = test::open_jit, .cache = ""});
    abi_ = &compiled_->problem();
    function_ = abi_->models[0]->rates;
    shared_ = problem_.shared_values;
    point_ = test::random_points(function_->n_point, 5, 3);
  }
  Evaluated run(bolza_kind kind, const Points& weight = {}, const Points& direction = {}) {
    return test::run(*abi_, *function_, kind, point_, shared_, weight, direction);
  }
  double& input(std::size_t column, std::size_t i) {
    return column < function_->n_point ? point_[column][i] : shared_[column - function_->n_point];
  }
  /// Values or derivatives with input `column` moved by h at every point.
  Evaluated moved(bolza_kind kind, std::size_t column, double h, const Points& weight = {}) {
    Points keep_point = point_;
    std::vector<double> keep_shared = shared_;
    if (column < function_->n_point)
      for (double& v : point_[column]) v += h;
    else shared_[column - function_->n_point] += h;
    Evaluated result = run(kind, weight);
    point_ = keep_point, shared_ = keep_shared;
    return result;
  }
  std::size_t columns() const { return function_->n_point + function_->n_global; }

  ir::Problem problem_;
  std::unique_ptr<CompiledProblem> compiled_;
  const bolza_problem* abi_ = nullptr;
  bolza_function* function_ = nullptr;
  Points point_;
  std::vector<double> shared_;
};

constexpr double step = 1e-5;
constexpr double tolerance = 2e-8;  // central differences: step² · third derivative + rounding / step

TEST_P(Kinds, jacobian_is_the_difference_quotient_of_value) {
  Evaluated jacobian = run(BOLZA_JACOBIAN), value = run(BOLZA_VALUE);
  EXPECT_EQ(jacobian.status, 0);
  for (std::size_t r = 0; r < function_->n_rows; ++r)
    EXPECT_NEAR(jacobian.out[r][4], value.out[r][4], 1e-14 * (1 + std::fabs(value.out[r][4])));
  for (std::size_t c = 0; c < columns(); ++c) {
    Evaluated up = moved(BOLZA_VALUE, c, step), down = moved(BOLZA_VALUE, c, -step);
    for (std::size_t r = 0; r < function_->n_rows; ++r)
      for (std::size_t i = 0; i < 5; ++i) {
        double entry = 0;
        for (std::size_t k = 0; k < function_->jac_nnz; ++k)
          if (function_->jac_row[k] == static_cast<int>(r) && function_->jac_col[k] == static_cast<int>(c))
            entry = jacobian.out[function_->n_rows + k][i];
        EXPECT_NEAR((up.out[r][i] - down.out[r][i]) / (2 * step), entry, tolerance * (1 + std::fabs(entry)));
      }
  }
}

TEST_P(Kinds, hessian_is_the_difference_quotient_of_the_weighted_gradient) {
  Points weight = test::random_points(function_->n_rows, 5, 9, -1, 1);
  Evaluated hessian = run(BOLZA_HESSIAN, weight), gradient = run(BOLZA_VJP, weight);
  for (std::size_t k = 0; k < function_->grad_nnz; ++k)
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(hessian.out[function_->hess_nnz + k][i], gradient.out[k][i], 1e-13 * (1 + std::fabs(gradient.out[k][i])));
  for (std::size_t c = 0; c < columns(); ++c) {
    Evaluated up = moved(BOLZA_VJP, c, step, weight), down = moved(BOLZA_VJP, c, -step, weight);
    for (std::size_t g = 0; g < function_->grad_nnz; ++g) {
      auto a = static_cast<int>(std::max<std::size_t>(c, static_cast<std::size_t>(function_->grad_col[g])));
      auto b = static_cast<int>(std::min<std::size_t>(c, static_cast<std::size_t>(function_->grad_col[g])));
      for (std::size_t i = 0; i < 5; ++i) {
        double entry = 0;
        for (std::size_t k = 0; k < function_->hess_nnz; ++k)
          if (function_->hess_row[k] == a && function_->hess_col[k] == b) entry = hessian.out[k][i];
        EXPECT_NEAR((up.out[g][i] - down.out[g][i]) / (2 * step), entry, tolerance * (1 + std::fabs(entry)));
      }
    }
  }
}

// Point and weights are series; at s = 0.01 their sums are a point and weights, and what order 8 leaves out is 1e-18.
TEST_P(Kinds, series_of_the_hessian_sum_to_it_at_the_sums) {
  constexpr std::size_t order = 8, ld = 16;
  constexpr double s = 0.01;
  ASSERT_EQ(abi_->request(abi_->provider, function_, BOLZA_TAYLOR_HESSIAN), 0);
  const bolza_kernels& kernels = *function_->kernels[BOLZA_TAYLOR_HESSIAN];
  Points c = test::random_points(function_->n_point, order + 1, 21, 0.5, 1.5),
         w = test::random_points(function_->n_rows, order + 1, 22, -1, 1);
  auto row = [](abi::AlignedDoubles& to, std::size_t r, const std::vector<double>& from) {
    std::copy(from.begin(), from.end(), to.data() + r * ld);
  };
  auto sum = [](const double* from) {
    double v = 0;
    for (std::size_t k = order + 1; k-- > 0;) v = v * s + from[k];
    return v;
  };
  abi::AlignedDoubles point(c.size() * ld), weight(w.size() * ld), out(kernels.n_out * ld);
  for (std::size_t r = 0; r < c.size(); ++r) row(point, r, c[r]);
  for (std::size_t r = 0; r < w.size(); ++r) row(weight, r, w[r]);
  for (std::size_t g = 0; g < kernels.n_groups; ++g) {
    const bolza_group& group = kernels.groups[g];
    abi::AlignedDoubles scratch(group.scratch * group.instances * ld);
    bolza_call call{};
    call.ld = ld, call.point = point.data(), call.shared = shared_.data(), call.datum = group.datum;
    call.index = group.index, call.instances = call.last = group.instances;
    call.weight = weight.data(), call.weight_index = group.weight_index;
    call.out = out.data(), call.out_index = group.out_index;
    call.scratch = scratch.data(), call.scratch_size = scratch.size();
    for (call.n = 1; call.n <= order + 1; ++call.n) EXPECT_EQ(group.points(&call), 0);
  }
  Points weight_at(w.size(), std::vector<double>(5));
  for (std::size_t r = 0; r < c.size(); ++r) std::fill(point_[r].begin(), point_[r].end(), sum(c[r].data()));
  for (std::size_t r = 0; r < w.size(); ++r) std::fill(weight_at[r].begin(), weight_at[r].end(), sum(w[r].data()));
  Evaluated hessian = run(BOLZA_HESSIAN, weight_at);
  for (std::size_t e = 0; e < kernels.n_out; ++e)
    EXPECT_NEAR(sum(out.data() + e * ld), hessian.out[e][0], 1e-13 * (1 + std::fabs(hessian.out[e][0]))) << e;
}

TEST_P(Kinds, products_agree_with_the_jacobian) {
  Points weight = test::random_points(function_->n_rows, 5, 10, -1, 1),
         direction = test::random_points(columns(), 5, 11, -1, 1);
  Evaluated jacobian = run(BOLZA_JACOBIAN), forward = run(BOLZA_JVP, {}, direction), reverse = run(BOLZA_VJP, weight);
  std::vector<std::vector<double>> jv(function_->n_rows, std::vector<double>(5)), jw(columns(), std::vector<double>(5));
  for (std::size_t k = 0; k < function_->jac_nnz; ++k)
    for (std::size_t i = 0; i < 5; ++i) {
      auto r = static_cast<std::size_t>(function_->jac_row[k]), c = static_cast<std::size_t>(function_->jac_col[k]);
      jv[r][i] += jacobian.out[function_->n_rows + k][i] * direction[c][i];
      jw[c][i] += jacobian.out[function_->n_rows + k][i] * weight[r][i];
    }
  for (std::size_t r = 0; r < function_->n_rows; ++r)
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(forward.out[r][i], jv[r][i], 1e-12 * (1 + std::fabs(jv[r][i])));
  for (std::size_t g = 0; g < function_->grad_nnz; ++g)
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(reverse.out[g][i], jw[static_cast<std::size_t>(function_->grad_col[g])][i],
                  1e-12 * (1 + std::fabs(reverse.out[g][i])));
}

TEST_P(Kinds, no_entry_is_there_twice_and_columns_are_free) {
  for (std::size_t k = 1; k < function_->jac_nnz; ++k)
    EXPECT_LT(std::pair(function_->jac_row[k - 1], function_->jac_col[k - 1]),
              std::pair(function_->jac_row[k], function_->jac_col[k]));
  for (std::size_t k = 1; k < function_->hess_nnz; ++k)
    EXPECT_LT(std::pair(function_->hess_row[k - 1], function_->hess_col[k - 1]),
              std::pair(function_->hess_row[k], function_->hess_col[k]));
  for (std::size_t k = 0; k < function_->hess_nnz; ++k) EXPECT_GE(function_->hess_row[k], function_->hess_col[k]);
  for (std::size_t k = 0; k < function_->jac_nnz; ++k) EXPECT_LT(function_->jac_col[k], static_cast<int>(columns()));
}

INSTANTIATE_TEST_SUITE_P(problems, Kinds,
                         testing::Values(Case{"van_der_pol", vdp, 1}, Case{"reaction_diffusion", small_reaction, 1},
                                         Case{"awkward", awkward, 0}),
                         [](const auto& info) { return info.param.name; });

TEST(Constant, jacobian_entries_depend_on_no_variable) {
  HandProblem h({"a"}, {}, {}, {}, {{"q", 3.0}});
  ir::Dag& d = h.dag();
  h.group(h.problem.rates, {d.mul(h.s(1), h.s(0))}, {{h.x(0)}, {h.shared(2)}}, {{0}});
  h.group(h.problem.residuals, {d.mul(h.s(0), h.s(0))}, {{h.x(0)}}, {{0}});
  ir::Problem p = h.finish(0, 1);
  auto compiled = compile(p, h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_model& m = *compiled->problem().models[0];
  ASSERT_EQ(m.rates->jac_nnz, 1u);
  EXPECT_EQ(m.rates->jac_constant[0], 1);
  ASSERT_EQ(m.residuals->jac_nnz, 1u);
  EXPECT_EQ(m.residuals->jac_constant[0], 0);
}

}  // namespace
}  // namespace bolza::codegen
