// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/switching.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/switched_rounding.h"

namespace bolza::nlp {
namespace {

/// a'w <= upper.
struct LinearRow {
  std::vector<std::pair<std::size_t, double>> terms;
  double upper = 0;
};

class RowsBehind final : public Functions {
 public:
  RowsBehind(const Nlp& nlp, std::vector<LinearRow> rows, std::size_t n_more)
      : of_(*nlp.functions),
        n_(nlp.n()),
        m_(nlp.m()),
        rows_(std::move(rows)),
        w_(nlp.n() + n_more),
        gradient_(nlp.n() + n_more),
        values_(nlp.m() + rows_.size()),
        jacobian_(nlp.jacobian.size()) {
    for (const LinearRow& row : rows_)
      for (const auto& [v, factor] : row.terms) jacobian_.push_back(factor);
    n_entries_ = nlp.jacobian.size();
  }

  void move_to(std::span<const double> w) override {
    std::copy(w.begin(), w.end(), w_.begin());
    of_.move_to(w.first(n_));
  }
  bool objective(double& f) override { return of_.objective(f); }
  const double* gradient() override {
    const double* own = of_.gradient();
    if (!own) return nullptr;
    std::fill(std::copy_n(own, n_, gradient_.begin()), gradient_.end(), 0);
    return gradient_.data();
  }
  const double* constraints() override {
    const double* own = of_.constraints();
    if (!own) return nullptr;
    std::copy_n(own, m_, values_.begin());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double sum = 0;
      for (const auto& [v, factor] : rows_[r].terms) sum += factor * w_[v];
      values_[m_ + r] = sum;
    }
    return values_.data();
  }
  const double* jacobian() override {
    const double* own = of_.jacobian();
    if (!own) return nullptr;
    std::copy_n(own, n_entries_, jacobian_.begin());
    return jacobian_.data();
  }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    return of_.hessian(sigma, lambda.first(m_));
  }
  const double* gauss_newton(double sigma) override { return of_.gauss_newton(sigma); }

 private:
  Functions& of_;
  std::size_t n_, m_, n_entries_ = 0;
  std::vector<LinearRow> rows_;
  std::vector<double> w_, gradient_, values_, jacobian_;
};

/// Rows and variables of all rules.
class RowMaker {
 public:
  explicit RowMaker(const Nlp& nlp) : nlp_(nlp) {
    for (const SwitchLimits& rule : nlp.switching) add(rule);
  }
  std::vector<LinearRow> rows;
  std::vector<double> upper;  ///< of the new variables

 private:
  void add(const SwitchLimits& rule) {
    std::vector<ControlIntervals> controls = controls_of(nlp_, rule);
    std::size_t intervals = controls[0].size(), first = nlp_.n() + upper.size();
    if (intervals < 2) return;
    std::vector<double> begin(intervals, 0);
    for (std::size_t i = 1; i < intervals; ++i) {
      begin[i] = begin[i - 1] + nlp_.length[controls[0][i - 1]];
      upper.push_back(begin[i] < rule.dwell - dwell_margin ? 0 : 1);
      for (const ControlIntervals& control : controls) add_change(control, i, first + i - 1, controls.size() == 1);
    }
    if (rule.switches >= 0) add_sum(first, intervals - 1, rule.switches);
    for (std::size_t i = 1, end = 1, last_end = 0; i < intervals; ++i) {
      while (end < intervals && begin[end] < begin[i] + rule.dwell - dwell_margin) ++end;
      if (end > std::max(i + 1, last_end)) add_sum(first + i - 1, end - i, 1);
      last_end = end;
    }
  }

  /// What is chosen instead grows: of several controls that sum to one, one of them does.
  void add_change(const ControlIntervals& control, std::size_t i, std::size_t s, bool both_ways) {
    rows.push_back({{{control[i], 1}, {control[i - 1], -1}, {s, -1}}, 0});
    if (both_ways) rows.push_back({{{control[i], -1}, {control[i - 1], 1}, {s, -1}}, 0});
  }

  void add_sum(std::size_t first, std::size_t count, double most) {
    LinearRow row{{}, most};
    for (std::size_t k = 0; k < count; ++k) row.terms.emplace_back(first + k, 1);
    rows.push_back(std::move(row));
  }

  const Nlp& nlp_;
};

template <class Values>
void append(Values& values, std::size_t count, typename Values::value_type value) {
  values.insert(values.end(), count, value);
}

void add_variables(Nlp& nlp, const std::vector<double>& upper) {
  append(nlp.start, upper.size(), 0);
  append(nlp.lower, upper.size(), 0);
  append(nlp.scale, upper.size(), 1);
  nlp.upper.insert(nlp.upper.end(), upper.begin(), upper.end());
  append(nlp.role, upper.size(), VariableRole::parameter);
  append(nlp.interval, upper.size(), global);
  append(nlp.integer, upper.size(), 0);
  append(nlp.sequence, upper.size(), global);
  append(nlp.length, upper.size(), 0);
  if (!nlp.follows.empty()) append(nlp.follows, upper.size(), global);
}

void add_rows(Nlp& nlp, const std::vector<LinearRow>& rows) {
  for (const LinearRow& row : rows) {
    for (const auto& [v, factor] : row.terms) {
      nlp.jacobian.row.push_back(static_cast<std::int32_t>(nlp.m()));
      nlp.jacobian.col.push_back(static_cast<std::int32_t>(v));
    }
    nlp.row_lower.push_back(-INFINITY);
    nlp.row_upper.push_back(row.upper);
  }
  append(nlp.row_scale, rows.size(), 1);
  append(nlp.linear, rows.size(), 1);
  append(nlp.row_role, rows.size(), RowRole::path);
  append(nlp.row_interval, rows.size(), global);
}

}  // namespace

std::vector<ControlIntervals> controls_of(const Nlp& nlp, const SwitchLimits& rule) {
  std::vector<ControlIntervals> controls(rule.sequences.size());
  for (std::size_t v = 0; v < nlp.sequence.size(); ++v) {
    auto at = std::find(rule.sequences.begin(), rule.sequences.end(), nlp.sequence[v]);
    if (nlp.sequence[v] != global && at != rule.sequences.end())
      controls[static_cast<std::size_t>(at - rule.sequences.begin())].push_back(v);
  }
  return controls;
}

WithSwitchingRows with_switching_rows(const Nlp& nlp) {
  RowMaker made(nlp);
  WithSwitchingRows out{nlp, nullptr};
  add_variables(out.nlp, made.upper);
  add_rows(out.nlp, made.rows);
  out.nlp.has_switching_rows = true;
  out.functions = std::make_unique<RowsBehind>(nlp, std::move(made.rows), made.upper.size());
  out.nlp.functions = out.functions.get();
  return out;
}

Iterate with_switching_entries(Iterate iterate, const Nlp& extended) {
  iterate.w.resize(extended.n(), 0);
  if (!iterate.lambda.empty()) iterate.lambda.resize(extended.m(), 0);
  for (auto* z : {&iterate.z_lower, &iterate.z_upper})
    if (!z->empty()) z->resize(extended.n(), 0);
  return iterate;
}

Iterate without_switching_entries(Iterate iterate, const Nlp& nlp) {
  for (auto* entries : {&iterate.w, &iterate.z_lower, &iterate.z_upper})
    if (!entries->empty()) entries->resize(nlp.n());
  if (!iterate.lambda.empty()) iterate.lambda.resize(nlp.m());
  return iterate;
}

}  // namespace bolza::nlp
