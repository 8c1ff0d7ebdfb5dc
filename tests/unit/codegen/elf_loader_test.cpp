// SPDX-License-Identifier: Apache-2.0
// Our own loader of objects against LLVM's.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compiler/codegen/object_loader.h"
#include "kernel_call.h"

namespace bolza::codegen {
namespace {

using ir::Op;
using test::Rows;

/// A kernel of every operator, its object and its name.
struct Compiled {
  ir::Expressions all;
  KernelShape shape;
  std::string name, object;
  Machine machine;

  Compiled(std::uint32_t width, Tier tier) : machine(host_machine(width)) {
    std::vector<ir::ExprId> outputs;
    for (const ir::OpRow& row : ir::op_rows) {
      if (row.arity < 1 || row.op == Op::output) continue;
      std::vector<ir::ExprId> operands;
      for (int k = 0; k < row.arity; ++k) operands.push_back(all.dag.slot(static_cast<std::uint32_t>(k)));
      outputs.push_back(all.dag.make(row.op, operands));
    }
    shape = test::plain_shape(outputs, 3);
    name = kernel_name(all, shape);
    const KernelShape* one = &shape;
    object = test::open_jit().compile(all, std::span(&name, 1), std::span(&one, 1), machine, 0, tier);
  }

  std::vector<double> run(void* kernel) const {
    constexpr std::size_t n = 37;
    Rows point(3, n), out(shape.outputs.size(), n);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(0.1, 0.9);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < n; ++i) point.at(r, i) = uniform(random);
    test::PlainCall plain(3, shape.outputs.size(), 0, n, point, out);
    reinterpret_cast<bolza_kernel>(kernel)(&plain.call);
    std::vector<double> values;
    for (std::size_t r = 0; r < shape.outputs.size(); ++r)
      for (std::size_t i = 0; i < n; ++i) values.push_back(out.at(r, i));
    return values;
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

class ElfLoader : public testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    if (!native_loader()) GTEST_SKIP() << "this machine's objects are loaded by LLVM";
  }
};

TEST_P(ElfLoader, gives_code_with_the_results_of_LLVMs_loader) {
  for (Tier tier : {Tier::quick, Tier::optimised}) {
    Compiled c(GetParam(), tier);
    auto own = native_loader(), other = test::open_jit().loader();
    std::vector<void*> ours = own->load(c.object, std::span(&c.name, 1), {}),
                       theirs = other->load(c.object, std::span(&c.name, 1), {});
    ASSERT_EQ(ours.size(), 1u);
    ASSERT_EQ(theirs.size(), 1u);
    EXPECT_TRUE(same_bits(c.run(ours[0]), c.run(theirs[0])));
  }
}

TEST_P(ElfLoader, refuses_an_object_without_the_symbol_that_is_asked_for) {
  Compiled c(GetParam(), Tier::quick);
  std::string name = c.name + "x";
  EXPECT_TRUE(native_loader()->load(c.object, std::span(&name, 1), {}).empty());
}

TEST_P(ElfLoader, takes_symbols_from_outside_before_those_of_libraries) {
  Compiled c(1, Tier::quick);
  double (*wrong)(double) = [](double) { return 42.0; };
  std::vector<Symbol> outside{{"sin", reinterpret_cast<const void*>(wrong)}};
  auto plain = native_loader(), replaced = native_loader();
  std::vector<double> a = c.run(plain->load(c.object, std::span(&c.name, 1), {}).at(0));
  std::vector<double> b = c.run(replaced->load(c.object, std::span(&c.name, 1), outside).at(0));
  EXPECT_FALSE(same_bits(a, b));
  EXPECT_NE(std::find(b.begin(), b.end(), 42.0), b.end());
}

// The cache's checksum keeps damage away from the loader; it must not rely on that.
TEST_P(ElfLoader, survives_damaged_objects) {
  Compiled c(GetParam(), Tier::quick);
  for (std::size_t size = 0; size < c.object.size(); size += 1 + size / 16)
    EXPECT_TRUE(native_loader()->load(c.object.substr(0, size), std::span(&c.name, 1), {}).empty()) << size;
  std::mt19937 random(11);
  for (int k = 0; k < 3000; ++k) {
    std::string damaged = c.object;
    for (int j = 0; j < 4; ++j) damaged[random() % damaged.size()] = static_cast<char>(random());
    native_loader()->load(damaged, std::span(&c.name, 1), {});
  }
}

INSTANTIATE_TEST_SUITE_P(widths, ElfLoader, testing::Values(0u, 4u, 1u));

}  // namespace
}  // namespace bolza::codegen
