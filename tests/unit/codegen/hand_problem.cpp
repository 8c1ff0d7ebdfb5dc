// SPDX-License-Identifier: Apache-2.0
#include "hand_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernel_call.h"

namespace bolza::codegen::test {

using ir::ExprId;
using ir::Op;

HandProblem::HandProblem(std::vector<std::string> x, std::vector<std::string> z, std::vector<std::string> u,
                         std::vector<std::pair<std::string, double>> free_parameters,
                         std::vector<std::pair<std::string, double>> fixed_parameters) {
  SourceId file = sources.add("hand.mo", "equation\n");
  problem.flat.name = "Hand.Model";
  problem.flat.origins.push_back({Span{file, 0, 8}, {}});
  declare("time", ir::VariableKind::time);
  declare("startTime", ir::VariableKind::start_time);
  declare("finalTime", ir::VariableKind::final_time);
  auto add = [&](const std::vector<std::string>& names, ir::VariableKind kind, std::vector<ir::VariableId>& ids,
                 std::vector<ir::Numbers>& numbers) {
    for (const std::string& name : names) {
      ids.emplace_back(std::size_t{problem.flat.n_scalars});
      declare(name, kind);
      numbers.push_back({.min = -std::numeric_limits<double>::infinity(), .max = std::numeric_limits<double>::infinity()});
    }
  };
  add(x, ir::VariableKind::unknown, problem.x, problem.x_numbers);
  add(z, ir::VariableKind::unknown, problem.z, problem.z_numbers);
  add(u, ir::VariableKind::input, problem.u, problem.u_numbers);
  problem.shared = {ir::VariableId(std::size_t{1}), ir::VariableId(std::size_t{2})};
  problem.shared_values = {0, 1};
  problem.shared_numbers.resize(2);
  problem.n_global = static_cast<std::uint32_t>(2 + free_parameters.size());
  for (auto* list : {&free_parameters, &fixed_parameters})
    for (const auto& [name, value] : *list) {
      add({name}, ir::VariableKind::parameter, problem.shared, problem.shared_numbers);
      problem.shared_values.push_back(value);
    }
}

void HandProblem::declare(const std::string& name, ir::VariableKind kind) {
  ir::Variable v;
  v.name = {{name, 0}};
  v.first = ir::VariableId(std::size_t{problem.flat.n_scalars});
  v.kind = kind;
  problem.flat.variables.push_back(v);
  ++problem.flat.n_scalars;
}

void HandProblem::group(ir::Function& f, std::vector<ExprId> roots, std::vector<std::vector<std::uint32_t>> columns,
                        std::vector<std::vector<std::uint32_t>> rows, std::vector<std::vector<double>> data) {
  ir::Group g;
  g.roots = std::move(roots);
  g.n = static_cast<std::uint32_t>(rows[0].size());
  for (const auto& column : columns) {
    std::vector<ir::VariableId> ids;
    for (std::uint32_t position : column) ids.emplace_back(std::size_t{position});
    g.slots.push_back(ir::Column::listed(ids));
  }
  for (const auto& row : rows) {
    auto& to = g.rows.emplace_back();
    for (std::uint32_t r : row) {
      to.emplace_back(std::size_t{r});
      f.section.n_rows = std::max(f.section.n_rows, r + 1);
    }
  }
  for (const std::vector<double>& numbers : data) g.data.emplace_back(numbers);
  g.origins.assign(g.n, 0);
  f.section.groups.push_back(std::move(g));
}

ir::Problem HandProblem::finish(std::uint32_t n_q, std::uint32_t n_g) {
  ir::Problem& p = problem;
  p.n_q = n_q, p.n_g = n_g;
  for (ir::Function* f : {&p.rates, &p.residuals, &p.initial, &p.outputs, &p.integrand_residuals})
    f->n_point = n_point(), f->n_shared = static_cast<std::uint32_t>(p.shared.size());
  p.point.n_point = static_cast<std::uint32_t>(p.values.size());
  p.point.n_shared = static_cast<std::uint32_t>(p.shared.size());
  p.residual_rows.resize(p.residuals.section.n_rows);
  p.initial_rows.resize(p.initial.section.n_rows);
  p.point_rows.resize(p.n_k);
  p.is_optimization = true;
  return p;
}

HandProblem van_der_pol() {
  HandProblem h({"x1", "x2"}, {}, {"u"}, {{"p", 1.0}}, {});
  ir::Dag& d = h.dag();
  ExprId x1 = h.s(0), x2 = h.s(1), u = h.s(2), p = h.s(3);
  ExprId f1 = d.add(d.sub(d.mul(d.sub(d.one(), d.make(Op::pow, x2, d.number(2))), x1), x2), u);
  ExprId q =
      d.add(d.add(d.make(Op::pow, x1, d.number(2)), d.make(Op::pow, x2, d.number(2))), d.make(Op::pow, u, d.number(2)));
  h.group(h.problem.rates, {f1, d.mul(p, x1), q}, {{h.x(0)}, {h.x(1)}, {h.u(0)}, {h.shared(2)}}, {{0}, {1}, {2}});
  h.problem.values = {{0, ir::PointQuantity::integral, 0}};
  h.group(h.problem.point, {d.add(h.s(0), h.s(1))}, {{0}, {1 + 2}}, {{0}});
  return h;
}

HandProblem reaction_diffusion(std::uint32_t cells) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < cells; ++i) names.push_back("x" + std::to_string(i + 1));
  HandProblem h(names, {}, {}, {{"k", 0.7}}, {{"d", 0.01}});
  ir::Dag& d = h.dag();
  ExprId left = h.s(0), mid = h.s(1), right = h.s(2), k = h.s(3), diffusion = h.s(4);
  ExprId flow = d.mul(d.mul(diffusion, d.datum(0)), d.add(d.sub(left, d.mul(d.number(2), mid)), right));
  ExprId root = d.add(flow, d.mul(k, d.mul(mid, d.sub(d.one(), mid))));
  std::vector<std::vector<std::uint32_t>> columns(5), rows(1);
  for (std::uint32_t i = 0; i < cells; ++i) {
    columns[0].push_back(h.x(i == 0 ? 0 : i - 1));
    columns[1].push_back(h.x(i));
    columns[2].push_back(h.x(i + 1 == cells ? i : i + 1));
    columns[3].push_back(h.shared(2));
    columns[4].push_back(h.shared(3));
    rows[0].push_back(i);
  }
  double n = cells;
  h.group(h.problem.rates, {root}, columns, rows, {std::vector<double>(cells, n * n)});
  h.group(h.problem.rates, {d.mul(d.datum(0), d.mul(h.s(0), h.s(0)))}, {columns[1]},
          {std::vector<std::uint32_t>(cells, cells)}, {std::vector<double>(cells, 1 / n)});
  return h;
}

Evaluated run(const bolza_problem& problem, bolza_function& function, bolza_kind kind, const Points& point,
              const std::vector<double>& shared, const Points& weight, const Points& direction, unsigned threads) {
  if (!abi::ensure(problem, function, kind)) return {-1, {}};
  std::size_t n = point[0].size();
  auto rows = [&](const Points& from) {
    Rows to(from.size(), n);
    for (std::size_t r = 0; r < from.size(); ++r)
      for (std::size_t i = 0; i < n; ++i) to.at(r, i) = from[r][i];
    return to;
  };
  Rows p = rows(point), w = rows(weight), v = rows(direction);
  std::size_t n_out = function.kernels[kind]->n_out;
  Rows out(n_out, n, 12345);
  abi::Evaluation e{n, p.ld(), p.data(), shared.data(), w.data(), v.data(), out.data()};
  Evaluated result;
  result.status = abi::evaluate(function, kind, e, threads);
  for (std::size_t r = 0; r < n_out; ++r) result.out.emplace_back(&out.at(r, 0), &out.at(r, 0) + n);
  return result;
}

Points random_points(std::size_t rows, std::size_t n, unsigned seed, double low, double high) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(low, high);
  Points points(rows, std::vector<double>(n));
  for (auto& row : points)
    for (double& x : row) x = u(random);
  return points;
}

}  // namespace bolza::codegen::test
