// SPDX-License-Identifier: Apache-2.0
// Random models: whatever the passes do, all variables of the problem satisfy the equations as written.
#include <gtest/gtest.h>

#include <random>

#include "compiler/passes/pass_table.h"
#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;

/// Cells in a row, each with a state, chains of aliases, explicit and implicit algebraics, a loop of two; some shapes
/// repeat.
class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {
    p_ = m.parameter("p", 1.5);
    q_ = m.parameter("q", E(p_) * 2.0 - 1.0);
    u_ = m.input("u", 2);
    int cells = 2 + pick(5);
    for (int k = 0; k < cells; ++k) add_cell(std::to_string(k));
    for (const auto& [left, right] : shuffled_) m.equation(left, right);
  }
  ModelBuilder m;

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double number() { return 0.5 + 0.25 * pick(6); }

  E known() { return known_.empty() ? E(u_) : E(known_[static_cast<std::size_t>(pick(static_cast<int>(known_.size())))]); }

  void add_cell(const std::string& k) {
    VariableId x = m.real("x" + k), a = m.real("a" + k), b = m.real("b" + k), c = m.real("c" + k), e = m.real("e" + k),
               f = m.real("f" + k), g = m.real("g" + k), d = m.der(x);
    equation(a, sin(known()) * number() + E(x) * p_);                  // explicit
    equation(E(b) + a, pick(2) ? E(number()) : E(0.0));                // alias with sign and constant
    equation(pick(2) ? E(b) : -E(b), c);                               // alias of an alias
    equation(E(e) * number() + 0.3 * E(f), E(c) + E(element(u_, 1)));  // loop of e and f
    equation(E(f) - 0.2 * E(e), E(x) * q_);
    equation(E(g) + 0.1 * sin(E(g)), E(e) * x);                    // implicit
    if (pick(3) == 0) equation(E(d) + 0.2 * sin(E(d)), E(g) - x);  // derivative implicit
    else equation(E(d) * number(), E(g) + f - E(c) * x);
    known_.insert(known_.end(), {x, a, c, g});
  }

  void equation(const E& left, const E& right) {
    shuffled_.insert(shuffled_.begin() + pick(static_cast<int>(shuffled_.size()) + 1), {left, right});
  }

  std::mt19937 random_;
  VariableId p_, q_, u_;
  std::vector<VariableId> known_;
  std::vector<std::pair<E, E>> shuffled_;
};

std::vector<double> solution(const RandomModel& model, const PassOptions& options) {
  ir::Problem p = lowered(model.m.model, options);
  std::mt19937 random(7);
  std::vector<double> x;
  // by variable, so that the same model gives the same values whatever became of it
  std::vector<double> by_variable(model.m.model.n_scalars);
  for (double& v : by_variable) v = 0.2 + static_cast<double>(random() % 100) / 100;
  for (VariableId v : p.x) x.push_back(by_variable[v.index()]);
  std::vector<double> u;
  for (VariableId v : p.u) u.push_back(by_variable[v.index()]);
  PointOfProblem at = solve_point(p, x, u, 0.4);
  EXPECT_TRUE(at.converged);
  std::vector<double> values(model.m.model.n_scalars, 0);
  values[1] = 0, values[2] = 1;
  values = all_values(p, at, values);
  for (const ir::Variable& v : model.m.model.variables)
    if (v.kind == ir::VariableKind::parameter) values[v.first.index()] = v.name[0].name == "p" ? 1.5 : 2.0;
  return values;
}

TEST(random_models, satisfy_their_equations_after_all_passes) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomModel model(seed);
    std::vector<double> values = solution(model, {});
    for (double r : residuals(model.m.model, model.m.model.equations, values)) EXPECT_NEAR(r, 0, 1e-8) << "seed " << seed;
  }
}

TEST(random_models, have_the_same_values_without_optional_passes) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    RandomModel model(seed);
    std::vector<double> values = solution(model, {});
    for (const char* disabled : {"group", "eliminate-aliases", "fuse"}) {
      std::vector<double> other = solution(model, {{.disabled = {disabled}}});
      for (std::size_t v = 0; v < values.size(); ++v)
        EXPECT_NEAR(values[v], other[v], 1e-7) << "seed " << seed << " without " << disabled;
    }
    std::vector<double> kept = solution(model, {.inline_slots = 0});
    for (std::size_t v = 0; v < values.size(); ++v)
      EXPECT_NEAR(values[v], kept[v], 1e-7) << "seed " << seed << " not inlined";
  }
}

/// Cells of a chain: the number of shapes must not depend on their number.
ModelBuilder chain(std::size_t cells) {
  ModelBuilder m;
  VariableId y = m.real("y", static_cast<std::uint32_t>(cells)),
             flow = m.real("flow", static_cast<std::uint32_t>(cells) + 1),
             r = m.real("r", static_cast<std::uint32_t>(cells)), d = m.der(y), u = m.input("u");
  for (std::size_t i = 0; i <= cells; ++i) {
    E left = i == 0 ? E(u) : E(element(y, i - 1)), right = i == cells ? E(0.0) : E(element(y, i));
    m.equation(element(flow, i), (left - right) * 10.0);
  }
  for (std::size_t i = 0; i < cells; ++i) {
    m.equation(element(r, i), E(element(y, i)) * (1.0 - E(element(y, i))) * (1.0 + 0.01 * static_cast<double>(i)));
    m.equation(element(d, i), element(flow, i) - E(element(flow, i + 1)) + element(r, i));
  }
  return m;
}

TEST(rolled_models, keep_their_number_of_shapes) {
  std::size_t shapes[2];
  std::size_t n = 0;
  for (std::size_t cells : {12u, 300u}) {
    ir::Problem p = lowered(chain(cells).model);
    EXPECT_EQ(p.z.size(), 0u);
    shapes[n++] = p.rates.section.groups.size();
    std::vector<double> point{0};
    for (std::size_t i = 0; i < cells; ++i) point.push_back(std::sin(static_cast<double>(i)));
    point.push_back(0.3);
    std::vector<double> f = evaluate(p, p.rates, point, p.shared_values);
    for (std::size_t i = 0; i < cells; ++i) {
      double y = point[i + 1], left = i == 0 ? 0.3 : point[i], right = i + 1 == cells ? 0 : point[i + 2];
      EXPECT_NEAR(f[i], 10 * (left - y) - 10 * (y - right) + y * (1 - y) * (1 + 0.01 * static_cast<double>(i)), 1e-12);
    }
  }
  EXPECT_EQ(shapes[0], shapes[1]);
  EXPECT_LE(shapes[0], 2u);  // inner cells, and the two ends fused
}

}  // namespace
}  // namespace bolza::passes::test
