// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/nlp/scale.h"

namespace bolza::nlp {
namespace {

constexpr std::int32_t none = -1;

/// Entries of a pattern that stay, by their old places. Runs of entries are kept as ranges, so that values are copied in
/// blocks.
struct Selection {
  struct Run {
    std::size_t from, count;
  };
  std::vector<Run> runs;
  std::size_t size = 0, full = 0;

  void add(std::size_t k) {
    if (!runs.empty() && runs.back().from + runs.back().count == k) ++runs.back().count;
    else runs.push_back({k, 1});
    ++size;
  }
  bool everything() const { return size == full && runs.size() <= 1; }
  /// The kept ones of `values`; those before entry `first` are left as they are.
  const double* pick(const double* values, std::vector<double>& into, std::size_t first = 0) const {
    if (!values || everything()) return values;
    double* to = into.data();
    for (const Run& run : runs) {
      std::size_t skip = run.from < first ? std::min(run.count, first - run.from) : 0;
      std::copy_n(values + run.from + skip, run.count - skip, to + skip);
      to += run.count;
    }
    return into.data();
  }
};

Selection select(const Pattern& pattern, const std::vector<std::int32_t>& row_to, const std::vector<std::int32_t>& col_to,
                 Pattern& kept) {
  Selection selection;
  selection.full = pattern.size();
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    std::int32_t r = row_to[static_cast<std::size_t>(pattern.row[k])], c = col_to[static_cast<std::size_t>(pattern.col[k])];
    if (r == none || c == none) continue;
    selection.add(k);
    kept.row.push_back(r);
    kept.col.push_back(c);
  }
  return selection;
}

/// Of second derivatives. What is off the diagonal in the full pattern and on it in the reduced one counts twice.
Selection select_symmetric(const Pattern& pattern, const std::vector<std::int32_t>& to, Pattern& kept) {
  Selection selection;
  selection.full = pattern.size();
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    std::int32_t r = to[static_cast<std::size_t>(pattern.row[k])], c = to[static_cast<std::size_t>(pattern.col[k])];
    if (r == none || c == none) continue;
    for (int times = r == c && pattern.row[k] != pattern.col[k] ? 2 : 1; times > 0; --times) {
      selection.add(k);
      kept.row.push_back(std::max(r, c));
      kept.col.push_back(std::min(r, c));
    }
  }
  return selection;
}

class ReducedFunctions final : public Functions {
 public:
  ReducedFunctions(const Nlp& full, const Reduced& map)
      : full_(*full.functions),
        variable_scale_(usable_scales(full.scale)),
        row_scale_(usable_scales(full.row_scale)),
        fixed_(map.fixed),
        equal_(map.equal),
        equal_to_(map.equal_to),
        w_(map.fixed),
        lambda_(full.m(), 0.0) {}

  void bind(const Reduced& map, std::size_t constant_entries, Selection jacobian, Selection hessian,
            Selection gauss_newton) {
    for (std::int32_t v : map.variable) variables_.add(static_cast<std::size_t>(v));
    for (std::int32_t r : map.row) rows_.add(static_cast<std::size_t>(r));
    variables_.full = w_.size();
    constant_entries_ = constant_entries;
    rows_.full = lambda_.size();
    jacobian_ = std::move(jacobian);
    hessian_ = std::move(hessian);
    gauss_newton_ = std::move(gauss_newton);
    gradient_values_.resize(variables_.size + 1);  // no array is null, not even an empty one: null says "not finite"
    row_values_.resize(rows_.size + 1);
    jacobian_values_.resize(jacobian_.size + 1);
    hessian_values_.resize(std::max(hessian_.size, gauss_newton_.size) + 1);
  }
  void move_to(std::span<const double> w) override {
    put(variables_, w, w_);
    copy_equal(w_);
    full_.move_to(w_);
  }
  bool objective(double& f) override { return full_.objective(f); }
  const double* gradient() override {
    const double* values = full_.gradient();
    const double* picked = variables_.pick(values, gradient_values_);
    for (std::size_t k = 0; picked && k < equal_.size(); ++k)
      if (equal_to_[k] != none)
        gradient_values_[static_cast<std::size_t>(equal_to_[k])] += values[static_cast<std::size_t>(equal_[k].variable)];
    return picked;
  }
  const double* constraints() override { return rows_.pick(full_.constraints(), row_values_); }
  const double* jacobian() override {
    const double* values = full_.jacobian();
    if (!values || jacobian_.everything()) return values;
    jacobian_.pick(values, jacobian_values_, constants_known_ ? constant_entries_ : 0);
    constants_known_ = true;
    return jacobian_values_.data();
  }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    put(rows_, lambda, lambda_);
    return hessian_.pick(full_.hessian(sigma, lambda_), hessian_values_);
  }
  bool rescale(std::span<const double> variable, std::span<const double> row, double objective) override {
    constants_known_ = false;
    if (variable.empty()) {
      w_ = fixed_;
      return full_.rescale({}, {}, 1);
    }
    std::vector<double> all_variables(variable_scale_), all_rows(row_scale_);
    put(variables_, variable, all_variables);
    copy_equal(all_variables);
    put(rows_, row, all_rows);
    if (!full_.rescale(all_variables, all_rows, objective)) return false;
    for (std::size_t v = 0; v < w_.size(); ++v) w_[v] = fixed_[v] / all_variables[v];
    return true;
  }
  const double* gauss_newton(double sigma) override {
    return gauss_newton_.pick(full_.gauss_newton(sigma), hessian_values_);
  }

 private:
  void copy_equal(std::vector<double>& values) const {
    for (const Nlp::Equal& e : equal_) values[static_cast<std::size_t>(e.variable)] = values[static_cast<std::size_t>(e.of)];
  }
  static void put(const Selection& selection, std::span<const double> from, std::vector<double>& to) {
    const double* next = from.data();
    for (const Selection::Run& run : selection.runs) {
      std::copy_n(next, run.count, to.data() + run.from);
      next += run.count;
    }
  }
  Functions& full_;
  std::size_t constant_entries_ = 0;  // of the full Jacobian; copied once
  bool constants_known_ = false;
  std::vector<double> variable_scale_, row_scale_;  // for what the reduced problem does not see
  std::vector<double> fixed_;
  std::vector<Nlp::Equal> equal_;
  std::vector<std::int32_t> equal_to_;
  std::vector<double> w_, lambda_;
  Selection variables_, rows_, jacobian_, hessian_, gauss_newton_;
  std::vector<double> gradient_values_, row_values_, jacobian_values_, hessian_values_;
};

template <class T>
void pick(const std::vector<T>& from, const std::vector<std::int32_t>& which, std::vector<T>& to) {
  to.clear();
  if (from.empty()) return;
  to.reserve(which.size());
  for (std::int32_t k : which) to.push_back(from[static_cast<std::size_t>(k)]);
}

bool is_fixed(const Nlp& nlp, std::size_t v) { return nlp.lower[v] == nlp.upper[v]; }

/// Chooses the variables and rows that stay; returns the maps full → reduced.
std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> choose(const Nlp& full, Reduced& reduced) {
  std::vector<std::int32_t> variable_to(full.n(), none), row_to(full.m(), none);
  reduced.fixed = full.start;
  reduced.equal = full.equal;
  std::vector<std::uint8_t> is_other(full.n(), 0), says_so(full.m(), 0);
  for (const Nlp::Equal& e : full.equal)
    is_other[static_cast<std::size_t>(e.variable)] = says_so[static_cast<std::size_t>(e.row)] = 1;
  for (std::size_t v = 0; v < full.n(); ++v) {
    if (is_other[v]) continue;
    if (is_fixed(full, v)) {
      reduced.fixed[v] = full.lower[v];
      continue;
    }
    variable_to[v] = static_cast<std::int32_t>(reduced.variable.size());
    reduced.variable.push_back(static_cast<std::int32_t>(v));
  }
  for (const Nlp::Equal& e : full.equal) {
    auto v = static_cast<std::size_t>(e.variable), of = static_cast<std::size_t>(e.of);
    reduced.fixed[v] = reduced.fixed[of];
    variable_to[v] = variable_to[of];
    reduced.equal_to.push_back(variable_to[of]);
  }
  std::vector<std::uint8_t> touched(full.m(), 0);
  for (std::size_t k = 0; k < full.jacobian.size(); ++k)
    if (variable_to[static_cast<std::size_t>(full.jacobian.col[k])] != none)
      touched[static_cast<std::size_t>(full.jacobian.row[k])] = 1;
  for (std::size_t r = 0; r < full.m(); ++r) {
    if (says_so[r]) continue;
    if (!touched[r] || (std::isinf(full.row_lower[r]) && std::isinf(full.row_upper[r]))) {
      reduced.dropped.push_back(static_cast<std::int32_t>(r));
      continue;
    }
    row_to[r] = static_cast<std::int32_t>(reduced.row.size());
    reduced.row.push_back(static_cast<std::int32_t>(r));
  }
  return {std::move(variable_to), std::move(row_to)};
}

void copy_attributes(const Nlp& full, Reduced& reduced) {
  Nlp& nlp = reduced.nlp;
  pick(full.start, reduced.variable, nlp.start);
  pick(full.lower, reduced.variable, nlp.lower);
  pick(full.upper, reduced.variable, nlp.upper);
  pick(full.scale, reduced.variable, nlp.scale);
  pick(full.role, reduced.variable, nlp.role);
  pick(full.interval, reduced.variable, nlp.interval);
  pick(full.integer, reduced.variable, nlp.integer);
  pick(full.sequence, reduced.variable, nlp.sequence);
  pick(full.length, reduced.variable, nlp.length);
  pick(full.row_lower, reduced.row, nlp.row_lower);
  pick(full.row_upper, reduced.row, nlp.row_upper);
  pick(full.row_scale, reduced.row, nlp.row_scale);
  pick(full.row_role, reduced.row, nlp.row_role);
  pick(full.row_interval, reduced.row, nlp.row_interval);
  pick(full.linear, reduced.row, nlp.linear);
  nlp.objective_scale = full.objective_scale;
}

/// `follows` in the numbers of the rows that are left.
void copy_follows(const Nlp& full, const std::vector<std::int32_t>& row_to, Reduced& reduced) {
  pick(full.follows, reduced.variable, reduced.nlp.follows);
  for (std::int32_t& row : reduced.nlp.follows)
    if (row != global) row = row_to[static_cast<std::size_t>(row)];
}

}  // namespace

Reduced reduce(const Nlp& full) {
  Reduced reduced;
  auto [variable_to, row_to] = choose(full, reduced);
  copy_attributes(full, reduced);
  copy_follows(full, row_to, reduced);
  Nlp& nlp = reduced.nlp;
  Selection jacobian = select(full.jacobian, row_to, variable_to, nlp.jacobian);
  for (const Selection::Run& run : jacobian.runs)
    if (run.from < full.constant_entries) nlp.constant_entries += std::min(run.count, full.constant_entries - run.from);
  Selection hessian = select_symmetric(full.hessian, variable_to, nlp.hessian);
  Selection gauss_newton = select_symmetric(full.gauss_newton, variable_to, nlp.gauss_newton);
  auto functions = std::make_unique<ReducedFunctions>(full, reduced);
  functions->bind(reduced, full.constant_entries, std::move(jacobian), std::move(hessian), std::move(gauss_newton));
  reduced.functions = std::move(functions);
  nlp.functions = reduced.functions.get();
  return reduced;
}

Iterate restrict_to(const Reduced& reduced, const Iterate& full) {
  Iterate iterate;
  pick(full.w, reduced.variable, iterate.w);
  pick(full.lambda, reduced.row, iterate.lambda);
  pick(full.z_lower, reduced.variable, iterate.z_lower);
  pick(full.z_upper, reduced.variable, iterate.z_upper);
  return iterate;
}

Iterate recover(const Reduced& reduced, const Nlp& full, const Iterate& iterate) {
  Iterate result{reduced.fixed, std::vector<double>(full.m(), 0), std::vector<double>(full.n(), 0),
                 std::vector<double>(full.n(), 0)};
  for (std::size_t k = 0; k < reduced.variable.size(); ++k) {
    auto v = static_cast<std::size_t>(reduced.variable[k]);
    result.w[v] = iterate.w[k];
    if (!iterate.z_lower.empty()) {
      result.z_lower[v] = iterate.z_lower[k];
      result.z_upper[v] = iterate.z_upper[k];
    }
  }
  for (const Nlp::Equal& e : full.equal)
    result.w[static_cast<std::size_t>(e.variable)] = result.w[static_cast<std::size_t>(e.of)];
  if (iterate.lambda.size() != reduced.row.size()) return result;  // no multipliers; without rows there are none to miss
  for (std::size_t k = 0; k < reduced.row.size(); ++k)
    result.lambda[static_cast<std::size_t>(reduced.row[k])] = iterate.lambda[k];
  if (reduced.variable.size() == full.n()) return result;
  full.functions->move_to(result.w);
  const double* gradient = full.functions->gradient();
  const double* jacobian = full.functions->jacobian();
  std::vector<double> slope(full.n(), std::numeric_limits<double>::quiet_NaN());
  if (gradient && jacobian) {
    slope.assign(gradient, gradient + full.n());
    for (std::size_t k = 0; k < full.jacobian.size(); ++k)
      slope[static_cast<std::size_t>(full.jacobian.col[k])] +=
          jacobian[k] * result.lambda[static_cast<std::size_t>(full.jacobian.row[k])];
  }
  for (const Nlp::Equal& e : full.equal) {
    double by = slope[static_cast<std::size_t>(e.variable)];
    result.lambda[static_cast<std::size_t>(e.row)] = -by;
    slope[static_cast<std::size_t>(e.of)] += by;
  }
  for (std::size_t v = 0; v < full.n(); ++v) {
    if (!is_fixed(full, v)) continue;
    result.z_lower[v] = slope[v] < 0 ? 0 : slope[v];
    result.z_upper[v] = slope[v] < 0 ? -slope[v] : 0;
  }
  return result;
}

double dropped_violation(const Reduced& reduced, const Nlp& full) {
  if (reduced.dropped.empty()) return 0;
  full.functions->move_to(reduced.fixed);
  const double* g = full.functions->constraints();
  if (!g) return 0;
  double worst = 0;
  for (std::int32_t row : reduced.dropped) {
    auto r = static_cast<std::size_t>(row);
    worst = std::max({worst, full.row_lower[r] - g[r], g[r] - full.row_upper[r]});
  }
  return worst;
}

}  // namespace bolza::nlp
