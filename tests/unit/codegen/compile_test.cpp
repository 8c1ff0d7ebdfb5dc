// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "hand_problem.h"
#include "runtime/abi/aligned.h"

namespace bolza::codegen {
namespace {

using ir::Op;
using test::HandProblem;

void double_numbers(ir::DataColumn& column) {
  ir::DataColumn doubled;
  for (std::size_t i = 0; i < column.size(); ++i) doubled.push_back(2 * column[i]);
  column = doubled;
}

TEST(Compile, fills_the_tables_of_the_problem) {
  HandProblem h = test::van_der_pol();
  h.problem.x_numbers[0].start = 2, h.problem.x_numbers[0].max = 0.8;
  h.problem.places = {{0, 1, 0}};
  h.problem.sources = {{ir::OutputSource::Kind::input, h.problem.x[1], 2, -1, 0.5},
                       {ir::OutputSource::Kind::input, h.problem.shared[2], 6, 1, 0}};
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  EXPECT_EQ(p.version, unsigned{BOLZA_ABI_VERSION});
  ASSERT_EQ(p.n_models, 1u);
  const bolza_model& m = *p.models[0];
  EXPECT_EQ(m.n_x, 2u);
  EXPECT_STREQ(m.x[1].name, "x2");
  EXPECT_EQ(m.x[0].start, 2);
  EXPECT_EQ(m.x[0].max, 0.8);
  EXPECT_EQ(m.x[0].source.line, 0);
  EXPECT_STREQ(m.rates->rows[0].name, "der(x1)");
  EXPECT_EQ(m.rates->rows[0].source.line, 1);
  EXPECT_STREQ(m.rates->rows[0].source.file, "hand.mo");
  EXPECT_EQ(p.n_parameters, 3u);
  EXPECT_STREQ(p.parameters[2].name, "p");
  EXPECT_EQ(p.values[0].quantity, BOLZA_INTEGRAL);
  EXPECT_EQ(p.places[0].on_final, 1);
  EXPECT_EQ(m.results[0].kind, 0);
  EXPECT_EQ(m.results[0].sign, -1);
  EXPECT_EQ(m.results[1].kind, 3);
  EXPECT_EQ(m.results[1].index, 2);
  EXPECT_EQ(p.point->n_point, 1u);
  EXPECT_EQ(p.request(p.provider, p.point, BOLZA_TRACE), 1);
  EXPECT_EQ(m.initial, nullptr);
}

TEST(Compile, gives_scalar_variants_when_asked) {
  for (Calls calls : {Calls::many, Calls::one, Calls::both}) {
    HandProblem h = test::van_der_pol();
    auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .calls = calls, .cache = ""});
    const bolza_problem& p = compiled->problem();
    bolza_function& f = *p.models[0]->rates;
    test::Points one{{0.0}, {0.3}, {0.4}, {0.5}}, many{{0.0, 0.0}, {0.3, 0.3}, {0.4, 0.4}, {0.5, 0.5}};
    test::Evaluated a = test::run(p, f, BOLZA_VALUE, one, h.problem.shared_values),
                    b = test::run(p, f, BOLZA_VALUE, many, h.problem.shared_values);
    EXPECT_EQ(f.kernels[BOLZA_VALUE]->groups[0].single != nullptr, calls != Calls::many);
    EXPECT_EQ(f.kernels[BOLZA_VALUE]->groups[0].points != nullptr, calls != Calls::one);
    for (std::size_t r = 0; r < f.n_rows; ++r) EXPECT_EQ(a.out[r][0], b.out[r][1]);  // no mathematical function in it
  }
}

TEST(Compile, evaluates_many_instances_at_one_point_in_lanes) {
  for (std::uint32_t cells : {15u, 16u, 17u, 37u, 64u}) {  // blocks that are full, begun, or too few
    HandProblem h = test::reaction_diffusion(cells);
    auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .calls = Calls::both, .cache = ""});
    const bolza_problem& p = compiled->problem();
    bolza_function& f = *p.models[0]->rates;
    test::Points one = test::random_points(f.n_point, 1, cells), two = one;
    for (std::vector<double>& row : two) row.push_back(row[0]);
    std::vector<double> shared(p.phases[0].shared_values, p.phases[0].shared_values + f.n_shared);
    for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN}) {
      test::Evaluated a = test::run(p, f, kind, one, shared), b = test::run(p, f, kind, two, shared);
      ASSERT_EQ(a.status, 0);
      ASSERT_EQ(a.out.size(), b.out.size());
      for (std::size_t r = 0; r < a.out.size(); ++r)
        EXPECT_NEAR(a.out[r][0], b.out[r][1], 1e-13 * std::max(1.0, std::fabs(b.out[r][1]))) << cells << " cells, row " << r;
    }
    one[3][0] = std::nan("");  // in one lane only
    EXPECT_EQ(test::run(p, f, BOLZA_VALUE, one, shared).status, BOLZA_NONFINITE);
  }
}

TEST(Values, are_exchanged_without_compiling) {
  HandProblem h = test::reaction_diffusion(4), other = test::reaction_diffusion(4);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  test::Points point = test::random_points(f.n_point, 3, 1);
  test::Evaluated before = test::run(p, f, BOLZA_VALUE, point, {p.phases[0].shared_values, p.phases[0].shared_values + 4});
  std::size_t objects = compiled->statistics().objects;
  other.problem.shared_values[3] *= 3;
  double_numbers(other.problem.rates.section.groups[0].data[0]);
  other.problem.x_numbers[2].nominal = 7;
  ASSERT_TRUE(compiled->update_values(other.finish(1)));
  EXPECT_EQ(p.models[0]->x[2].nominal, 7);
  EXPECT_EQ(p.phases[0].shared_values[3], 0.03);
  test::Evaluated after = test::run(p, f, BOLZA_VALUE, point, {p.phases[0].shared_values, p.phases[0].shared_values + 4});
  EXPECT_EQ(compiled->statistics().objects, objects);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      double x = point[1 + r][i], reaction = 0.7 * x * (1 - x);
      EXPECT_NEAR(after.out[r][i] - reaction, 6 * (before.out[r][i] - reaction), 1e-13);
    }
  HandProblem larger = test::reaction_diffusion(5);
  EXPECT_FALSE(compiled->update_values(larger.finish(1)));
}

TEST(Values, of_one_parameter_are_set) {
  HandProblem h = test::reaction_diffusion(4);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  compiled->set_shared(3, 0.25);
  EXPECT_EQ(compiled->problem().phases[0].shared_values[3], 0.25);
  EXPECT_EQ(compiled->problem().point_data[0], 0.25);
}

TEST(Optimise, replaces_code_and_keeps_bits) {
  HandProblem h = test::reaction_diffusion(7);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  test::Points point = test::random_points(f.n_point, 9, 1), weight = test::random_points(f.n_rows, 9, 2);
  auto before = test::run(p, f, BOLZA_HESSIAN, point, h.problem.shared_values, weight).out;
  bolza_kernel quick = f.kernels[BOLZA_HESSIAN]->groups[0].points;
  compiled->optimise();
  EXPECT_NE(f.kernels[BOLZA_HESSIAN]->groups[0].points, quick);
  EXPECT_EQ(test::run(p, f, BOLZA_HESSIAN, point, h.problem.shared_values, weight).out, before);
}

TEST(Optimise, comes_at_once_where_code_is_small_and_serves_one_point) {
  for (Calls calls : {Calls::one, Calls::both}) {
    HandProblem h = test::van_der_pol();
    auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .calls = calls, .cache = ""});
    bolza_function& f = *compiled->problem().models[0]->rates;
    ASSERT_TRUE(abi::ensure(compiled->problem(), f, BOLZA_VALUE));
    bolza_kernel at_once = f.kernels[BOLZA_VALUE]->groups[0].single;
    ASSERT_NE(at_once, nullptr);
    compiled->optimise();
    EXPECT_EQ(f.kernels[BOLZA_VALUE]->groups[0].single == at_once, calls == Calls::one);
  }
}

TEST(Optimise, is_seen_by_evaluations_that_are_set_up_once) {
  HandProblem h = test::reaction_diffusion(7), other = test::reaction_diffusion(7);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  ASSERT_TRUE(abi::ensure(p, f, BOLZA_JACOBIAN));
  const bolza_kernels& kernels = *f.kernels[BOLZA_JACOBIAN];
  test::Points place = test::random_points(f.n_point, 1, 1);
  std::size_t ld = abi::padded(1);
  abi::AlignedDoubles point(f.n_point * ld), out(kernels.n_out * ld);
  for (std::size_t r = 0; r < f.n_point; ++r) point[r * ld] = place[r][0];
  abi::PointEvaluation evaluation(kernels, {.n = 1, .ld = ld, .point = point.data(), .out = out.data()});
  auto agree = [&](const char* when) {
    SCOPED_TRACE(when);
    std::vector<double> shared(p.phases[0].shared_values, p.phases[0].shared_values + f.n_shared);
    test::Evaluated whole = test::run(p, f, BOLZA_JACOBIAN, place, shared);
    for (int again = 0; again < 2; ++again) {  // rows that groups add into begin at zero every time
      EXPECT_EQ(evaluation.run(shared.data()), 0);
      for (std::size_t r = 0; r < kernels.n_out; ++r) EXPECT_EQ(out[r * ld], whole.out[r][0]) << "row " << r;
    }
  };
  agree("at first");
  compiled->optimise();
  agree("with other code");
  double_numbers(other.problem.rates.section.groups[0].data[0]);
  ASSERT_TRUE(compiled->update_values(other.finish(1)));
  agree("with other data");
}

/// What values, Jacobian and Hessian of a field of cells need.
CompileStatistics needed(std::uint32_t cells, const std::string& cache) {
  HandProblem h = test::reaction_diffusion(cells);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = cache});
  const bolza_problem& p = compiled->problem();
  for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN}) p.request(p.provider, p.models[0]->rates, kind);
  return compiled->statistics();
}

TEST(Repetition, is_kept_ten_thousand_cells_need_the_code_of_ten) {
  std::filesystem::path cache =
      std::filesystem::temp_directory_path() / ("bolza_repetition_test_" + std::to_string(getpid()));
  std::filesystem::remove_all(cache);
  CompileStatistics small = needed(10, cache.string()), large = needed(10000, cache.string());
  std::filesystem::remove_all(cache);
  EXPECT_EQ(small.kernels, large.kernels);
  EXPECT_EQ(small.objects, large.objects);
  EXPECT_EQ(small.from_cache, 0u);
  EXPECT_EQ(large.from_cache, large.objects);  // the same code to the last operation: none is written for the cells
}

TEST(Explain, names_the_operation_and_its_operands) {
  HandProblem h({"depth", "level"}, {}, {}, {{"gain", 2}}, {});
  ir::Dag& d = h.dag();
  h.group(h.problem.rates, {d.add(h.s(0), d.make(Op::log, d.sub(h.s(0), d.mul(h.s(1), d.datum(0)))))},
          {{h.x(0), h.x(1)}, {h.shared(2), h.shared(2)}}, {{0, 1}}, {{1.0, 3.0}});
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  std::vector<double> point{0, 5, 4}, shared{0, 1, 2};
  NonfiniteExplanation e = compiled->explain_nonfinite(*p.models[0]->rates, point, shared);
  ASSERT_TRUE(e.found);
  EXPECT_EQ(e.row, 1u);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_EQ(e.expression, "log(level - gain*3)");
  ASSERT_EQ(e.operands.size(), 1u);
  EXPECT_EQ(e.operands[0].first, "level - gain*3");
  EXPECT_EQ(e.operands[0].second, -2);
  EXPECT_EQ(e.derivative_by, "");
  EXPECT_EQ(e.source.line, 1);
  point[2] = 9;
  EXPECT_FALSE(compiled->explain_nonfinite(*p.models[0]->rates, point, shared).found);
}

TEST(Explain, finds_derivatives_that_are_not_finite) {
  HandProblem h({"a"}, {}, {"u"}, {}, {});
  h.group(h.problem.rates, {h.dag().make(Op::sqrt, h.s(0))}, {{h.u(0)}}, {{0}});
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  std::vector<double> point{0, 1, 0}, shared{0, 1};
  NonfiniteExplanation e = compiled->explain_nonfinite(*compiled->problem().models[0]->rates, point, shared);
  ASSERT_TRUE(e.found);
  EXPECT_EQ(e.derivative_by, "u");
  EXPECT_TRUE(std::isinf(e.value));
  EXPECT_EQ(e.equation, "sqrt(u)");
}

}  // namespace
}  // namespace bolza::codegen
