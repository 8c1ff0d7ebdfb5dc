// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/guard.h"
#include "difference.h"

namespace bolza::test {
namespace {

using ir::Dag;
using ir::ExprId;
using ir::Op;

/// Random expressions whose values stay of moderate size and inside every domain.
class RandomDag {
 public:
  explicit RandomDag(unsigned seed) : random_(seed) {
    for (std::uint32_t k = 0; k < n_slots; ++k) nodes_.push_back(all.dag.slot(k));
    nodes_.push_back(all.dag.number(1.7));
    nodes_.push_back(all.dag.number(-0.4));
  }

  std::vector<ExprId> roots(int operations, int count) {
    for (int i = 0; i < operations; ++i) nodes_.push_back(grow());
    return {nodes_.end() - count, nodes_.end()};
  }

  Vector point() {
    Vector x;
    for (std::uint32_t k = 0; k < n_slots; ++k) x.push_back(std::uniform_real_distribution<double>(-1.5, 1.5)(random_));
    return x;
  }

  static constexpr std::uint32_t n_slots = 5;
  ir::Expressions all;

 private:
  ExprId pick() { return nodes_[random_() % nodes_.size()]; }

  ExprId grow() {
    Dag& dag = all.dag;
    ExprId a = pick(), b = pick(), c = pick();
    ExprId positive = dag.add(dag.one(), dag.mul(b, b));
    switch (random_() % 19) {
      case 0:
        return dag.add(a, b);
      case 1:
        return dag.sub(a, b);
      case 2:
        return dag.make(Op::tanh, dag.mul(a, b));
      case 3:
        return dag.div(a, positive);
      case 4:
        return dag.make(Op::sin, a);
      case 5:
        return dag.make(Op::cos, a);
      case 6:
        return dag.make(Op::exp, dag.make(Op::tanh, a));
      case 7:
        return dag.make(Op::sqrt, positive);
      case 8:
        return dag.make(Op::log, positive);
      case 9:
        return dag.make(Op::abs, a);
      case 10:
        return dag.make(Op::min, a, b);
      case 11:
        return dag.make(Op::max, a, b);
      case 12:
        return dag.select(dag.make(Op::less, a, b), c, dag.make(Op::sin, a));
      case 13:
        return dag.make(Op::atan2, a, positive);
      case 14:
        return dag.make(Op::pow, positive, dag.make(Op::tanh, a));
      case 15:
        return dag.make(Op::tanh, dag.make(Op::pow, a, dag.number(2 + random_() % 2)));
      case 16:
        return dag.neg(a);
      case 17:
        return dag.make(Op::asinh, dag.mul(dag.number(0.5), a));
      default:
        return dag.make(Op::atan, dag.mul(a, dag.number(0.3)));
    }
  }

  std::mt19937 random_;
  std::vector<ExprId> nodes_;
};

TEST(RandomExpressions, have_exact_jacobians_and_hessians) {
  int compared = 0;
  constexpr int repeats = 300;
  for (unsigned seed = 0; seed < repeats; ++seed) {
    RandomDag random(seed);
    std::vector<ExprId> roots = random.roots(12 + static_cast<int>(seed % 20), 1 + static_cast<int>(seed % 3));
    compared += derivatives_agree(random.all, roots, random.point(), "seed " + std::to_string(seed));
    if (HasFailure()) break;
  }
  EXPECT_GE(compared, repeats * 9 / 10);  // the others met a kink within the difference stencil
}

TEST(RandomExpressions, have_products_that_agree_with_their_jacobian) {
  for (unsigned seed = 1000; seed < 1100; ++seed) {
    RandomDag random(seed);
    std::vector<ExprId> roots = random.roots(20, 3);
    Vector x = random.point(), direction{0.3L, -1, 0.2L, 0.9L, 0.5L}, weights{1.5L, -0.2L, 0.8L};
    Vector jv(3, 0), wj(RandomDag::n_slots, 0);
    for (const derive::JacobianEntry& entry : derive::jacobian(random.all, roots)) {
      long double value = evaluate(random.all, {entry.value}, x)[0];
      jv[entry.root] += value * direction[entry.slot];
      wj[entry.slot] += value * weights[entry.root];
    }
    std::vector<ExprId> tangent = derive::jvp(random.all, roots);
    Vector values(3);
    ir::Interpreter<long double>(random.all).evaluate(tangent, {.slots = x, .directions = direction}, values);
    for (int r = 0; r < 3; ++r) expect_close(values[r], jv[r], "jvp");
    for (const derive::GradientEntry& entry : derive::vjp(random.all, roots))
      expect_close(evaluate(random.all, {entry.value}, x, weights)[0], wj[entry.slot], "vjp");
  }
}

TEST(RandomExpressions, keep_their_values_and_derivatives_when_guarded) {
  for (unsigned seed = 2000; seed < 2100; ++seed) {
    RandomDag random(seed);
    std::vector<ExprId> roots = random.roots(25, 2);
    std::vector<ExprId> guarded = derive::guard(random.all.dag, roots);
    Vector x = random.point();
    Vector before = evaluate(random.all, roots, x), after = evaluate(random.all, guarded, x);
    for (int r = 0; r < 2; ++r) EXPECT_EQ(before[r], after[r]);
    derivatives_agree(random.all, guarded, x, "guarded, seed " + std::to_string(seed));
  }
}

TEST(RandomExpressions, stay_small_when_differentiated) {
  ir::Expressions all;
  Dag& dag = all.dag;
  ExprId sum = dag.zero();
  for (std::uint32_t k = 0; k < 60; ++k)  // 60 terms with a shared factor
    sum = dag.add(sum, dag.mul(dag.make(Op::exp, dag.slot(k)), dag.mul(dag.slot(k), dag.make(Op::sin, dag.slot(60)))));
  std::size_t primal = ir::reachable(dag, std::span(&sum, 1)).size();
  std::vector<ExprId> values{sum};
  for (const derive::JacobianEntry& entry : derive::jacobian(all, std::span(&sum, 1))) values.push_back(entry.value);
  EXPECT_EQ(values.size(), 62u);
  EXPECT_LE(ir::reachable(dag, values).size(), 4 * primal);
  derive::WeightedHessian hessian = derive::hessian(all, std::span(&sum, 1));
  EXPECT_EQ(hessian.entries.size(), 60u + 60u + 1u);  // diagonal, and every slot with the shared factor
  for (const derive::HessianEntry& entry : hessian.entries) values.push_back(entry.value);
  EXPECT_LE(ir::reachable(dag, values).size(), 12 * primal);
}

TEST(RandomExpressions, use_forward_accumulation_for_many_roots_of_few_slots) {
  ir::Expressions all;
  Dag& dag = all.dag;
  ExprId common = dag.slot(0);
  for (int i = 0; i < 50; ++i) common = dag.make(Op::sin, dag.add(common, dag.number(i)));
  std::vector<ExprId> roots;
  for (int r = 0; r < 40; ++r) roots.push_back(dag.mul(common, dag.add(common, dag.number(r + 0.5))));
  std::vector<ExprId> values;
  for (const derive::JacobianEntry& entry : derive::jacobian(all, roots)) values.push_back(entry.value);
  EXPECT_LE(ir::reachable(dag, values).size(), 500u);  // reverse accumulation would need some 40 x 100
}

}  // namespace
}  // namespace bolza::test
