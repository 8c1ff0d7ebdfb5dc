// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "compiler/codegen/compile.h"
#include "compiler/ir/problem.h"
#include "open_jit.h"
#include "runtime/abi/evaluate.h"

namespace bolza::codegen::test {

/// Makes an ir::Problem by hand: names first, then groups over input positions.
class HandProblem {
 public:
  HandProblem(std::vector<std::string> x, std::vector<std::string> z, std::vector<std::string> u,
              std::vector<std::pair<std::string, double>> free_parameters,
              std::vector<std::pair<std::string, double>> fixed_parameters);

  ir::Dag& dag() { return problem.flat.expressions.dag; }
  ir::ExprId num(double v) { return dag().number(v); }
  ir::ExprId s(std::uint32_t k) { return dag().slot(k); }

  /// Positions of the model's inputs.
  std::uint32_t time() const { return 0; }
  std::uint32_t x(std::size_t k) const { return static_cast<std::uint32_t>(1 + k); }
  std::uint32_t z(std::size_t k) const { return static_cast<std::uint32_t>(1 + problem.x.size() + k); }
  std::uint32_t u(std::size_t k) const { return static_cast<std::uint32_t>(1 + problem.x.size() + problem.z.size() + k); }
  std::uint32_t shared(std::size_t k) const { return static_cast<std::uint32_t>(n_point() + k); }
  std::uint32_t n_point() const {
    return static_cast<std::uint32_t>(1 + problem.x.size() + problem.z.size() + problem.u.size());
  }

  /// One group; columns[k][i] is the position of slot k in instance i, rows[r][i] the row of root r.
  void group(ir::Function& f, std::vector<ir::ExprId> roots, std::vector<std::vector<std::uint32_t>> columns,
             std::vector<std::vector<std::uint32_t>> rows, std::vector<std::vector<double>> data = {});
  /// Numbers of rows of all functions; call when all groups are there.
  ir::Problem finish(std::uint32_t n_q = 0, std::uint32_t n_g = 0);

  ir::Problem problem;
  Sources sources;

 private:
  void declare(const std::string& name, ir::VariableKind kind);
};

/// ẋ1 = (1 − x2²) x1 − x2 + u, ẋ2 = p·x1, q = x1² + x2² + u²; objective V0 + p (V0 is the integral).
HandProblem van_der_pol();

/// n cells: ẋ_i = d (x_{i−1} − 2 x_i + x_{i+1}) n² + k x_i (1 − x_i) with mirrored ends, as groups; d is fixed, k free;
/// q = Σ x_i² / n.
HandProblem reaction_diffusion(std::uint32_t cells);

/// A function evaluated at points, row-major results [n_out][n].
struct Evaluated {
  int status = 0;
  std::vector<std::vector<double>> out;
};
using Points = std::vector<std::vector<double>>;  ///< [row][point]
Evaluated run(const bolza_problem& problem, bolza_function& function, bolza_kind kind, const Points& point,
              const std::vector<double>& shared, const Points& weight = {}, const Points& direction = {},
              unsigned threads = 1);

Points random_points(std::size_t rows, std::size_t n, unsigned seed, double low = 0.2, double high = 1.2);

}  // namespace bolza::codegen::test
