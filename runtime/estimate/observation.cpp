// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/observation.h"

#include <algorithm>
#include <cmath>

namespace bolza::estimate {

using Part = nonlinear::ModelAt::Part;

Observation::Observation(integrate::ReducedModel& model) : model_(model) {}

bool Observation::move_to(double t, std::span<const double> x, std::span<const double> u) {
  t_ = t;
  x_.assign(x.begin(), x.end());
  u_.assign(u.begin(), u.end());
  has_outputs_ = has_rates_ = has_entries_ = false;
  return model_.move_to(t, x, u);
}

bool Observation::rows(ModelValue::Kind kind) {
  const bolza_model& m = model_.model();
  bool is_output = kind == ModelValue::Kind::output;
  bool& has = is_output ? has_outputs_ : has_rates_;
  std::vector<double>& out = is_output ? outputs_ : rates_;
  if (has) return true;
  out.assign(is_output ? m.outputs->n_rows : model_.rate_rows(), std::nan(""));
  return has = is_output ? model_.rows(Part::outputs, out) : model_.rates(out);
}

double Observation::known(const ModelValue& of) const {
  return (of.kind == ModelValue::Kind::output ? outputs_ : rates_)[static_cast<std::size_t>(of.index)];
}

bool Observation::value(const ModelValue& of, double& out) {
  const bolza_model& m = model_.model();
  std::size_t k = static_cast<std::size_t>(of.index);
  double row = 0;
  switch (of.kind) {
    case ModelValue::Kind::point:
      row = k == 0               ? t_
            : k <= m.n_x         ? x_[k - 1]
            : k <= m.n_x + m.n_z ? model_.z()[k - 1 - m.n_x]
                                 : u_[k - 1 - m.n_x - m.n_z];
      break;
    case ModelValue::Kind::shared:
      row = model_.at().shared[k];
      break;
    case ModelValue::Kind::output:
    case ModelValue::Kind::rate:
      // What is not finite may be another row: 0/0 of something that nobody has measured here.
      if (bool all = rows(of.kind); !all && !std::isfinite(known(of))) return false;
      row = known(of);
      break;
  }
  out = of.sign * row + of.offset;
  return true;
}

// Without algebraics the Jacobian of all outputs, evaluated once at a point, has the derivatives. Some may not be finite.
bool Observation::output_entries() {
  if (has_entries_) return true;
  const bolza_function& f = *model_.model().outputs;
  outputs_.assign(f.n_rows, std::nan(""));
  has_outputs_ = model_.at().jacobian(Part::outputs, {t_, x_.data(), model_.z().data(), u_.data()}, outputs_, entries_);
  if (!has_outputs_ && entries_.value.empty() && f.jac_nnz > 0) return false;
  if (row_begin_.empty()) {
    row_begin_.assign(f.n_rows + 1, 0);
    for (std::int32_t r : entries_.row) ++row_begin_[static_cast<std::size_t>(r) + 1];
    for (std::size_t r = 0; r < f.n_rows; ++r) row_begin_[r + 1] += row_begin_[r];
    row_entry_.resize(entries_.row.size());
    std::vector<std::size_t> next = row_begin_;
    for (std::size_t e = 0; e < entries_.row.size(); ++e) row_entry_[next[static_cast<std::size_t>(entries_.row[e])]++] = e;
  }
  return has_entries_ = true;
}

bool Observation::row_gradient(ModelValue::Kind kind, std::size_t row, std::span<double> by) {
  const bolza_model& m = model_.model();
  bool is_output = kind == ModelValue::Kind::output;
  if (is_output && m.n_z == 0) {
    if (!output_entries()) return false;
    for (std::size_t e = row_begin_[row]; e < row_begin_[row + 1]; ++e) {
      double entry = entries_.value[row_entry_[e]];
      if (!std::isfinite(entry)) return false;
      by[static_cast<std::size_t>(entries_.col[row_entry_[e]])] += entry;
    }
    return true;
  }
  weight_.assign(is_output ? m.outputs->n_rows : model_.rate_rows(), 0.0);
  weight_[row] = 1;
  return model_.add_gradient(is_output ? Part::outputs : Part::rates, weight_, {}, by);
}

bool Observation::derivative(const ModelValue& of, double& out, std::span<double> by) {
  const bolza_model& m = model_.model();
  std::size_t k = static_cast<std::size_t>(of.index);
  std::fill(by.begin(), by.end(), 0.0);
  switch (of.kind) {
    case ModelValue::Kind::point:
      if (k <= m.n_x) by[k] = 1;
      else if (k > m.n_x + m.n_z) by[k - m.n_z] = 1;
      else {
        z_weight_.assign(m.n_z, 0.0);
        z_weight_[k - 1 - m.n_x] = 1;
        weight_.assign(model_.rate_rows(), 0.0);
        if (!model_.add_gradient(Part::rates, weight_, z_weight_, by)) return false;
      }
      break;
    case ModelValue::Kind::shared:
      if (k < m.n_global) by[1 + m.n_x + m.n_u + k] = 1;
      break;
    case ModelValue::Kind::output:
    case ModelValue::Kind::rate:
      if (!row_gradient(of.kind, k, by)) return false;
      break;
  }
  for (double& d : by) d *= of.sign;
  return value(of, out);
}

}  // namespace bolza::estimate
