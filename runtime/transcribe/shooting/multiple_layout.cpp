// SPDX-License-Identifier: Apache-2.0
// Rows and patterns of multiple shooting.
#include <numeric>

#include "runtime/transcribe/shooting/multiple_internal.h"

namespace bolza::transcribe {

using What = NodeFunction::What;

MultipleShooting::MultipleShooting(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                                   const abi::Solution* guess)
    : nodes_(problem, options, shooting, guess, true) {
  if (!objection().empty()) return;
  nlp_.functions = this;
  add_rows();
  set_follows();
  find_sites();
  find_reach_of_delays();
  set_jacobian_pattern();
  set_hessian_pattern();
  if (nodes_.gauss_newton) set_gauss_newton_pattern();
  nodes_.set_scales(*this);
}

void MultipleShooting::add_rows() {
  using Kind = ShootingRow::Kind;
  for (const ShootingPhase& phase : nodes_.phases) {
    first_defect_.push_back(nlp_.m());
    for (std::size_t k = 0; k < phase.N(); ++k)
      for (std::size_t i = 0; i < phase.model->n_x; ++i) {
        const bolza_variable& v = phase.model->x[i];
        nodes_.add_row({.kind = Kind::defect,
                        .function = {What::state, {phase.number, k, true}, i},
                        .name = v.name,
                        .source = v.source},
                       0, 0, nonlinear::size_of(v), nlp::RowRole::defect, static_cast<std::int32_t>(k));
      }
    std::vector<std::size_t>& rows = integral_row_.emplace_back(phase.model->n_q, no_variable);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (phase.integral_variable[j] == no_variable) continue;
      rows[j] = nlp_.m();
      nodes_.add_row(
          {.kind = Kind::integral, .function = {What::integral, {phase.number, 0, false}, j}, .name = "an integral"}, 0, 0,
          1, nlp::RowRole::integral, nlp::global);
    }
  }
}

// States at mesh points and integrals, from the mesh points before.
void MultipleShooting::set_follows() {
  nlp_.follows.assign(nlp_.n(), nlp::global);
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    const ShootingRow& row = nodes_.rows[r];
    const NodeFunction& f = row.function;
    if (row.kind == ShootingRow::Kind::defect)
      nlp_.follows[nodes_.phases[f.site.phase].x_at(f.site.node(), f.index)] = static_cast<std::int32_t>(r);
    if (row.kind == ShootingRow::Kind::integral)
      nlp_.follows[nodes_.phases[f.site.phase].integral_variable[f.index]] = static_cast<std::int32_t>(r);
  }
}

std::vector<std::size_t> MultipleShooting::variables_of(const NodeFunction& f) const {
  const ShootingPhase& phase = nodes_.phases[f.site.phase];
  if (f.what == What::state) return {phase.x_at(f.site.node(), f.index)};
  if (f.what == What::control) {
    const ControlValue& c = phase.control(f.site.segment, f.index, f.site.part());
    if (c.share == 0 || c.share == 1) return {c.share == 0 ? c.low : c.high};
    return {c.low, c.high};
  }
  if (f.what != What::integral) return nodes_.variables_at(phase, f.site.segment, f.site.node(), f.site.part());
  if (phase.integral_variable[f.index] != no_variable) return {phase.integral_variable[f.index]};
  return {};
}

// Of a column of the point function: of a point value, or a parameter.
std::vector<std::size_t> MultipleShooting::variables_of_point(std::size_t column) const {
  std::size_t n = nodes_.values.size();
  return column < n ? variables_of(nodes_.values[column]) : std::vector<std::size_t>{column - n};
}

// Sites of path constraints, bounds of algebraics, initial equations and point values, each once.
void MultipleShooting::find_sites() {
  std::vector<std::vector<std::uint8_t>> seen;
  for (const ShootingPhase& phase : nodes_.phases) seen.emplace_back(2 * phase.N());
  auto add = [&](const NodeFunction& f) {
    if (!f.curved()) return;
    std::uint8_t& there = seen[f.site.phase][2 * f.site.segment + f.site.end];
    if (!there) sites_.push_back(f.site);
    there = 1;
  };
  for (const NodeFunction& f : nodes_.values) add(f);
  for (const ShootingRow& row : nodes_.rows) {
    if (row.kind == ShootingRow::Kind::node) add(row.function);
    else
      for (const auto& [f, weight] : row.sum) add(f);
  }
}

// The parameters of free delays, and the variables of what is read there.
void MultipleShooting::find_reach_of_delays() {
  for (const ShootingRow& row : nodes_.rows) {
    if (!row.moving) continue;
    for (auto [parameter, slope] : row.moving->slopes) {
      std::vector<std::size_t>& reached = reached_by_delays_[parameter];
      for (const auto& [f, weight] : row.sum) {
        std::vector<std::size_t> variables = variables_of(f);
        reached.insert(reached.end(), variables.begin(), variables.end());
      }
    }
  }
  for (auto& [parameter, reached] : reached_by_delays_) {
    std::ranges::sort(reached);
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  }
}

// Entries that are constant come first: −1 by the state at the end of a segment, or by the variable of an integral or a
// delayed value. Of the others those of a row are in the order in which `jacobian` computes them.
void MultipleShooting::set_jacobian_pattern() {
  using enum ShootingRow::Kind;
  const bolza_function& f = *nodes_.problem.point;
  auto add = [&](std::size_t row, std::size_t column) {
    nlp_.jacobian.row.push_back(static_cast<std::int32_t>(row));
    nlp_.jacobian.col.push_back(static_cast<std::int32_t>(column));
  };
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    const NodeFunction& of = nodes_.rows[r].function;
    const ShootingPhase& phase = nodes_.phases[of.site.phase];
    if (nodes_.rows[r].kind == defect) add(r, phase.x_at(of.site.node(), of.index));
    if (nodes_.rows[r].kind == integral) add(r, phase.integral_variable[of.index]);
    if (nodes_.rows[r].kind == delay) add(r, nodes_.rows[r].variable);
  }
  nlp_.constant_entries = nlp_.jacobian.size();
  for (std::size_t r = 0; r < nlp_.m(); ++r) {
    const ShootingRow& row = nodes_.rows[r];
    const ShootingPhase& phase = nodes_.phases[row.kind == length ? row.phase : row.function.site.phase];
    auto add_segment = [&](std::size_t k) {
      for (std::size_t v : nodes_.variables_at(phase, k, k, SegmentPart::whole)) add(r, v);
    };
    switch (row.kind) {
      case point:
        for (std::size_t e = 0; e < f.jac_nnz; ++e)
          if (static_cast<std::size_t>(f.jac_row[e]) == row.point_row)
            for (std::size_t v : variables_of_point(static_cast<std::size_t>(f.jac_col[e]))) add(r, v);
        break;
      case node:
        for (std::size_t v : variables_of(row.function)) add(r, v);
        break;
      case length:
        add(r, phase.parameter(0));
        add(r, phase.parameter(1));
        break;
      case defect:
        add_segment(row.function.site.segment);
        break;
      case integral:
        for (std::size_t k = 0; k < phase.N(); ++k) add_segment(k);
        break;
      case delay:
        for (const auto& [part, weight] : row.sum)
          for (std::size_t v : variables_of(part)) add(r, v);
        if (row.moving)
          for (auto [variable, slope] : row.moving->slopes) add(r, variable);
        break;
    }
  }
}

// A block of every segment, of every site with curved functions, and the products of what the point function couples.
void MultipleShooting::set_hessian_pattern() {
  auto add = [&](std::size_t a, std::size_t b) {
    nlp_.hessian.row.push_back(static_cast<std::int32_t>(std::max(a, b)));
    nlp_.hessian.col.push_back(static_cast<std::int32_t>(std::min(a, b)));
  };
  auto add_block = [&](const std::vector<std::size_t>& variables) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) add(variables[i], variables[j]);
  };
  for (const ShootingPhase& phase : nodes_.phases)
    for (std::size_t k = 0; k < phase.N(); ++k) add_block(nodes_.variables_at(phase, k, k, SegmentPart::whole));
  for (const Site& site : sites_)
    add_block(nodes_.variables_at(nodes_.phases[site.phase], site.segment, site.node(), site.part()));
  for (const auto& [parameter, reached] : reached_by_delays_) {
    for (std::size_t v : reached) add(parameter, v);
    for (const auto& [other, unused] : reached_by_delays_)
      if (other <= parameter) add(parameter, other);
  }
  const bolza_function& f = *nodes_.problem.point;
  bool exact = nodes_.has_point_hessian();
  std::int32_t n = static_cast<std::int32_t>(nodes_.values.size() + nodes_.problem.n_parameters);
  for (std::size_t e = 0; exact && e < f.hess_nnz; ++e) point_pairs_.emplace_back(f.hess_row[e], f.hess_col[e]);
  for (std::int32_t a = 0; !exact && a < n; ++a)
    for (std::int32_t b = 0; b <= a; ++b) point_pairs_.emplace_back(a, b);
  for (auto [a, b] : point_pairs_) {
    std::vector<std::size_t> of_a = variables_of_point(static_cast<std::size_t>(a));
    if (a == b) add_block(of_a);
    else
      for (std::size_t i : of_a)
        for (std::size_t j : variables_of_point(static_cast<std::size_t>(b))) add(i, j);
  }
}

void MultipleShooting::set_gauss_newton_pattern() {
  const bolza_function& f = *nodes_.problem.point;
  for (std::size_t r = 0; r < nodes_.problem.n_r; ++r) {
    std::vector<std::size_t> variables;
    for (std::size_t e = 0; e < f.jac_nnz; ++e)
      if (static_cast<std::size_t>(f.jac_row[e]) == 1 + nodes_.problem.n_k + r)
        for (std::size_t v : variables_of_point(static_cast<std::size_t>(f.jac_col[e]))) variables.push_back(v);
    for (std::size_t i = 0; i < variables.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        nlp_.gauss_newton.row.push_back(static_cast<std::int32_t>(std::max(variables[i], variables[j])));
        nlp_.gauss_newton.col.push_back(static_cast<std::int32_t>(std::min(variables[i], variables[j])));
      }
  }
}

}  // namespace bolza::transcribe
