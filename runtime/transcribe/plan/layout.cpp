// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/layout.h"

#include <algorithm>

#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/plan/path_equalities.h"

namespace bolza::transcribe {
namespace {

using nlp::RowRole;
using nlp::VariableRole;

class LayoutBuilder {
 public:
  LayoutBuilder(const bolza_problem& problem, std::int32_t phase, const Scheme& scheme, Mesh mesh, bool control_constant,
                Numbering& numbering, std::vector<ConstantBlock>& constants)
      : scheme_(scheme),
        numbering_(numbering),
        constants_(constants),
        model_(*problem.models[problem.phases[phase].model]) {
    layout_.phase = &problem.phases[phase];
    layout_.model = &model_;
    layout_.number = phase;
    layout_.N = problem.is_static ? 0 : mesh.intervals();
    layout_.mesh = std::move(mesh);
    layout_.control_constant = control_constant;
    layout_.ends_shared = layout_.N > 0 && scheme.shares_ends() && !(control_constant && model_.n_u > 0);
    layout_.row_stages = layout_.N == 0 ? 0 : scheme.points - (layout_.ends_shared ? 1 : 0);
  }

  PhaseLayout build(const Needs& needs) {
    if (layout_.N > 0) {
      number_states();
      number_algebraics();
      number_controls();
      number_rows();
      for (std::size_t l = 0; l < model_.n_q; ++l) number_sum(needs.accumulated[l] != 0, l);
    }
    if (layout_.N == 0 || needs.start || model_.n_initial > 0) number_extra(true);
    if (layout_.N > 0 && (needs.final || layout_.ends_shared)) number_extra(false);
    for (std::size_t k = 0; k < model_.n_initial && layout_.N > 0; ++k)
      layout_.initial.push_back(row(RowRole::initial, k, 1, 0, 0));
    return std::move(layout_);
  }

 private:
  std::size_t variable(VariableRole role, QuantityKind quantity, std::size_t index, std::size_t count, double place,
                       std::int32_t interval = 0) {
    return numbering_.add(
        VariableBlock{0, count, role, quantity, layout_.number, static_cast<std::int32_t>(index), place, interval});
  }
  std::size_t row(RowRole role, std::size_t index, std::size_t count, double place, std::int32_t interval = 0) {
    return numbering_.add(RowBlock{0, count, role, layout_.number, static_cast<std::int32_t>(index), place, interval});
  }
  void constant(std::size_t row, std::size_t col, std::size_t count, double value) {
    if (value != 0)
      constants_.push_back(
          {row, col, count, value, count == layout_.N ? static_cast<std::size_t>(layout_.number) : none, value});
  }
  std::int32_t last() const { return static_cast<std::int32_t>(layout_.N) - 1; }

  void number_states() {
    std::size_t R = scheme_.nodes();
    layout_.x.assign(model_.n_x * R, none);
    for (std::size_t a = 0; a < model_.n_x; ++a) {
      std::size_t mesh = variable(VariableRole::mesh_state, QuantityKind::state, a, layout_.N + 1, 0);
      layout_.x[a * R] = mesh;
      layout_.x[a * R + R - 1] = mesh + 1;
      for (std::size_t r = 1; r + 1 < R; ++r)
        layout_.x[a * R + r] = variable(VariableRole::interior_state, QuantityKind::state, a, layout_.N, scheme_.node[r]);
    }
  }

  /// One value per collocation point; those at the ends of two neighbours are one value when ends are shared.
  void number_at_stages(VariableRole role, QuantityKind quantity, std::size_t index, std::size_t* first) {
    std::size_t s = scheme_.points;
    for (std::size_t j = 0; j < layout_.row_stages; ++j)
      first[j] = variable(role, quantity, index, layout_.N + (layout_.ends_shared && j == 0 ? 1 : 0), scheme_.c[j]);
    if (layout_.ends_shared) first[s - 1] = first[0] + 1;
  }
  void number_algebraics() {
    layout_.z.assign(model_.n_z * scheme_.points, none);
    for (std::size_t b = 0; b < model_.n_z; ++b)
      number_at_stages(VariableRole::algebraic, QuantityKind::algebraic, b, layout_.z.data() + b * scheme_.points);
  }
  void number_controls() {
    std::size_t s = scheme_.points;
    layout_.u.assign(model_.n_u * s, none);
    for (std::size_t c = 0; c < model_.n_u; ++c) {
      if (c >= model_.n_u - delays_of(model_)) {  // may jump at every mesh point, and is never constant
        for (std::size_t j = 0; j < s; ++j)
          layout_.u[c * s + j] = variable(VariableRole::control, QuantityKind::control, c, layout_.N, scheme_.c[j]);
        continue;
      }
      if (!layout_.control_constant) {
        number_at_stages(VariableRole::control, QuantityKind::control, c, layout_.u.data() + c * s);
        continue;
      }
      std::size_t first = variable(VariableRole::control, QuantityKind::control, c, layout_.N, 0);
      std::fill_n(layout_.u.begin() + static_cast<std::ptrdiff_t>(c * s), s, first);
    }
  }
  void number_rows() {
    std::size_t R = scheme_.nodes(), s = scheme_.points;
    for (std::size_t a = 0; a < model_.n_x; ++a)
      for (std::size_t d = 0; d < scheme_.n_defects; ++d) {
        const double* weights = scheme_.A.data() + d * s;
        bool linear = std::all_of(weights, weights + s, [](double w) { return w == 0; });
        // A defect row is placed where its rate is taken, or at the end that it defines.
        double place = linear ? 1 : scheme_.node[std::min(d + 1, R - 1)];
        layout_.defect.push_back(row(linear ? RowRole::continuity : RowRole::defect, a, layout_.N, place));
        for (std::size_t r = 0; r < R; ++r)
          constant(layout_.defect.back(), layout_.x[a * R + r], layout_.N, scheme_.C[d * R + r]);
      }
    for (std::size_t b = 0; b < model_.n_z; ++b)
      for (std::size_t j = 0; j < layout_.row_stages; ++j)
        layout_.algebraic.push_back(row(RowRole::algebraic, b, layout_.N, scheme_.c[j]));
    for (std::size_t k = 0; k < model_.n_g; ++k) number_path(k);
  }
  void number_path(std::size_t k) {
    std::size_t s = layout_.row_stages;
    PathRows rows = rows_of_path(model_, k, layout_.control_constant || scheme_.points == 1);
    layout_.path_weight.emplace_back();
    if (rows == PathRows::at_points || s < scheme_.points) {
      for (std::size_t j = 0; j < s; ++j) layout_.path.push_back(row(RowRole::path, k, layout_.N, scheme_.c[j]));
      return;
    }
    layout_.path_weight.back() = weights_of(rows, scheme_);
    double place = rows == PathRows::mean ? 0.5 : scheme_.c.back();
    layout_.path.insert(layout_.path.end(), s, row(RowRole::path, k, layout_.N, place));
  }
  void number_sum(bool wanted, std::size_t l) {
    layout_.sum.push_back(none);
    layout_.sum_row.push_back(none);
    if (!wanted) return;
    layout_.sum[l] = variable(VariableRole::integral, QuantityKind::integral, l, layout_.N + 1, 0);
    layout_.sum_row[l] = row(RowRole::integral, l, layout_.N, 1);
    constant(layout_.sum_row[l], layout_.sum[l] + 1, layout_.N, 1);
    constant(layout_.sum_row[l], layout_.sum[l], layout_.N, -1);
  }

  /// The point at t0 or tf that is not a collocation point of its own: x of the mesh, its own z, the control extrapolated.
  /// Where ends are shared the last mesh point is such a point too, with the variables that it has anyway.
  void number_extra(bool start) {
    bool is_collocation_point = layout_.N > 0 && (start ? scheme_.starts_at_left() : scheme_.ends_at_right());
    if (is_collocation_point && (start || !layout_.ends_shared)) return;
    ExtraPoint extra{.at_start = start};
    std::int32_t interval = start ? 0 : last();
    double place = start ? 0 : 1;
    std::size_t offset = start ? 0 : layout_.N;
    for (std::size_t a = 0; a < model_.n_x; ++a)
      extra.x.push_back(layout_.N == 0 ? variable(VariableRole::mesh_state, QuantityKind::state, a, 1, 0)
                                       : layout_.x[a * scheme_.nodes()] + offset);
    for (std::size_t b = 0; b < model_.n_z; ++b)
      extra.z.push_back(is_collocation_point
                            ? layout_.z[b * scheme_.points] + layout_.N
                            : variable(VariableRole::extra_point, QuantityKind::algebraic, b, 1, place, interval));
    for (std::size_t c = 0; c < model_.n_u; ++c) extra.u.push_back(extra_control(c, start, is_collocation_point, extra));
    for (std::size_t b = 0; b < model_.n_z; ++b) extra.algebraic.push_back(row(RowRole::algebraic, b, 1, place, interval));
    for (std::size_t k = 0; k < model_.n_g; ++k) extra.path.push_back(row(RowRole::path, k, 1, place, interval));
    if (layout_.N == 0)
      for (std::size_t a = 0; a < model_.n_x; ++a) extra.rate.push_back(row(RowRole::defect, a, 1, 0));
    layout_.extra.push_back(std::move(extra));
  }
  std::size_t extra_control(std::size_t c, bool start, bool is_collocation_point, ExtraPoint& extra) {
    std::size_t s = scheme_.points;
    if (layout_.N == 0) return variable(VariableRole::control, QuantityKind::control, c, 1, 0);
    std::size_t shift = start ? 0 : layout_.N - 1;
    bool delayed = c >= model_.n_u - delays_of(model_);
    if (delayed && is_collocation_point) return layout_.u[c * s + s - 1] + layout_.N - 1;
    if (delayed) return variable(VariableRole::extra_point, QuantityKind::control, c, 1, start ? 0 : 1, start ? 0 : last());
    if (is_collocation_point) return layout_.u[c * s] + layout_.N;
    if (layout_.control_constant) return layout_.u[c * s] + shift;
    double place = start ? 0 : 1;
    std::int32_t interval = start ? 0 : last();
    std::size_t v = variable(VariableRole::extra_point, QuantityKind::control, c, 1, place, interval);
    std::size_t r = row(RowRole::extra_point, c, 1, place, interval);
    extra.extrapolation.push_back(r);
    constant(r, v, 1, 1);
    std::vector<double> weight = linalg::lagrange_values(scheme_.c, place);
    for (std::size_t j = 0; j < s; ++j) constant(r, layout_.u[c * s + j] + shift, 1, -weight[j]);
    return v;
  }

  const Scheme& scheme_;
  Numbering& numbering_;
  std::vector<ConstantBlock>& constants_;
  const bolza_model& model_;
  PhaseLayout layout_;
};

template <class Block>
const Block& holder(const std::vector<Block>& blocks, std::size_t number) {
  auto after =
      std::upper_bound(blocks.begin(), blocks.end(), number, [](std::size_t k, const Block& b) { return k < b.first; });
  return *std::prev(after);
}

}  // namespace

std::size_t delays_of(const bolza_model& model) { return model.hybrid ? model.hybrid->n_delays : 0; }

std::size_t Numbering::add(VariableBlock block) {
  block.first = n;
  n += block.count;
  variables.push_back(block);
  return block.first;
}

std::size_t Numbering::add(RowBlock block) {
  block.first = m;
  m += block.count;
  rows.push_back(block);
  return block.first;
}

const VariableBlock& Numbering::variable(std::size_t v) const { return holder(variables, v); }
const RowBlock& Numbering::row(std::size_t r) const { return holder(rows, r); }

const ExtraPoint* PhaseLayout::extra_at(bool start) const {
  for (const ExtraPoint& point : extra)
    if (point.at_start == start) return &point;
  return nullptr;
}

PhaseLayout lay_out(const bolza_problem& problem, std::int32_t phase, const Scheme& scheme, Mesh mesh, bool control_constant,
                    const Needs& needs, Numbering& numbering, std::vector<ConstantBlock>& constants) {
  return LayoutBuilder(problem, phase, scheme, std::move(mesh), control_constant, numbering, constants).build(needs);
}

}  // namespace bolza::transcribe
