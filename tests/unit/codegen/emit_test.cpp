// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hand_problem.h"

namespace bolza::codegen {
namespace {

namespace fs = std::filesystem;
constexpr std::array all_kinds{BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN, BOLZA_JVP, BOLZA_VJP};

/// A plain C program that walks the tables, evaluates the Jacobian of `rates` at one point and prints what it finds.
constexpr const char* c_program = R"(
#include <stdio.h>
#include "runtime/abi/bolza.h"
const bolza_problem *bolza_Hand_Model(void);
int main(void) {
  const bolza_problem *p = bolza_Hand_Model();
  const bolza_function *f = p->models[0]->rates;
  const bolza_kernels *k = f->kernels[BOLZA_JACOBIAN];
  _Alignas(64) double point[4 * 8] = {0}, out[64 * 8] = {0};
  size_t g, i;
  if (p->version != BOLZA_ABI_VERSION || p->request) return 1;
  for (i = 0; i < f->n_point; ++i) point[8 * i] = 0.1 * (double)(i + 1);
  for (i = 0; i < k->n_zero; ++i) out[8 * k->zero[i]] = 0;
  for (g = 0; g < k->n_groups; ++g) {
    const bolza_group *group = &k->groups[g];
    bolza_call call = {0};
    call.n = 1, call.ld = 8, call.point = point, call.shared = p->models[0]->shared_values, call.datum = group->datum;
    call.index = group->index, call.instances = group->instances, call.last = group->instances;
    call.out = out, call.out_index = group->out_index;
    if (group->points(&call)) return 2;
  }
  printf("%s %s %d %.17g", p->name, p->models[0]->x[1].name, (int)p->models[0]->n_shared, p->models[0]->shared_values[2]);
  for (i = 0; i < k->n_out; ++i) printf(" %.17g", out[8 * i]);
  for (i = 0; i < f->jac_nnz; ++i) printf(" %d:%d", f->jac_row[i], f->jac_col[i]);
  printf("\n");
  return 0;
}
)";

TEST(Emit, object_is_linked_and_called_by_a_c_program) {
  test::HandProblem h = test::van_der_pol();
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  EXPECT_EQ(compiled->emitted_symbol(), "bolza_Hand_Model");
  fs::path directory = fs::temp_directory_path() / ("bolza_emit_test_" + std::to_string(getpid()));
  fs::create_directories(directory);
  std::ofstream(directory / "kernels.o", std::ios::binary) << compiled->emit(ModuleForm::object, all_kinds, true);
  std::ofstream(directory / "main.c") << c_program;
  std::string d = directory.string();
  std::string command = "cc -std=c11 -Wall -Wextra -Werror -I" BOLZA_SOURCE_DIR " -o " + d + "/program " + d + "/main.c " +
                        d + "/kernels.o -lmvec -lm && " + d + "/program > " + d + "/said";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::string said;
  std::getline(std::ifstream(directory / "said"), said);
  fs::remove_all(directory);

  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  test::Points point{{0.1}, {0.2}, {0.3}, {0.4}};
  test::Evaluated own = test::run(p, f, BOLZA_JACOBIAN, point, h.problem.shared_values);
  std::istringstream words(said);
  std::string name, x2;
  int n_shared;
  double parameter;
  words >> name >> x2 >> n_shared >> parameter;
  EXPECT_EQ(name, "Hand.Model");
  EXPECT_EQ(x2, "x2");
  EXPECT_EQ(n_shared, 3);
  EXPECT_EQ(parameter, 1.0);
  for (const auto& row : own.out) {
    double value = 0;
    words >> value;
    EXPECT_DOUBLE_EQ(value, row[0]);
  }
  for (std::size_t k = 0; k < f.jac_nnz; ++k) {
    std::string entry;
    words >> entry;
    EXPECT_EQ(entry, std::to_string(f.jac_row[k]) + ":" + std::to_string(f.jac_col[k]));
  }
}

TEST(Emit, gives_readable_forms) {
  test::HandProblem h = test::van_der_pol();
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  std::array kinds{BOLZA_VALUE};
  std::string ir = compiled->emit(ModuleForm::intermediate, kinds, false),
              assembly = compiled->emit(ModuleForm::assembly, kinds, false);
  EXPECT_NE(ir.find("define ptr @bolza_Hand_Model()"), std::string::npos);
  EXPECT_NE(ir.find("@llvm.fma"), std::string::npos);
  EXPECT_NE(assembly.find("bolza_Hand_Model:"), std::string::npos);
  EXPECT_EQ(compiled->problem().models[0]->rates->kernels[BOLZA_VALUE], nullptr);
}

}  // namespace
}  // namespace bolza::codegen
