// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/violation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/transcribe/mesh/interpolate.h"

namespace bolza::transcribe {
namespace {

constexpr double no_violation_time = std::numeric_limits<double>::quiet_NaN();

/// Values of a function at points given column by column; [n_rows][points]. Empty when there are no kernels.
std::vector<std::vector<double>> values_of(const bolza_problem& problem, bolza_function& f,
                                           const std::vector<std::vector<double>>& columns,
                                           const std::vector<double>& shared, std::size_t n) {
  bool plain = abi::ensure(problem, f, BOLZA_VALUE);
  if (!plain && !abi::ensure(problem, f, BOLZA_JACOBIAN)) return {};
  std::size_t ld = abi::padded(n);
  abi::AlignedDoubles point(f.n_point * ld + 1), out(f.kernels[plain ? BOLZA_VALUE : BOLZA_JACOBIAN]->n_out * ld);
  for (std::size_t c = 0; c < f.n_point; ++c)
    for (std::size_t k = 0; k < ld; ++k) point.data()[c * ld + k] = columns[c][std::min(k, n - 1)];
  abi::evaluate(f, plain ? BOLZA_VALUE : BOLZA_JACOBIAN,
                {.n = n, .ld = ld, .point = point.data(), .shared = shared.data(), .out = out.data()});
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < f.n_rows; ++r) rows.emplace_back(out.data() + r * ld, out.data() + r * ld + n);
  return rows;
}

class Checker {
 public:
  Checker(bolza_problem& problem, const abi::Solution& solution, const abi::Solution& controls, double part)
      : problem_(problem),
        solution_(solution),
        controls_(controls),
        part_(part) {}

  Violation run() {
    for (std::size_t p = 0; p < problem_.n_parameters && p < solution_.parameters.size(); ++p)
      if (!problem_.parameters[p].fixed)
        check_variable(problem_.parameters[p], {solution_.parameters[p]}, {no_violation_time});
    for (std::size_t p = 0; p < problem_.n_phases && p < solution_.phases.size(); ++p) check_phase(p);
    check_points();
    std::stable_sort(result_.findings.begin(), result_.findings.end(),
                     [](const auto& a, const auto& b) { return a.amount > b.amount; });
    if (!result_.findings.empty()) result_.largest = result_.findings.front().amount;
    return std::move(result_);
  }

 private:
  /// What a limit of zero is compared with, at the sample where it is broken most; 0: nothing is large beside it.
  using SizeAt = std::function<double(std::size_t sample)>;
  void check(const char* name, const bolza_source& source, double lower, double upper, const std::vector<double>& values,
             const std::vector<double>& time, const SizeAt& size = {}) {
    std::size_t worst = 0;
    double amount = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (double v = std::max({0.0, lower - values[k], values[k] - upper}); v > amount) {
        amount = v;
        worst = k;
      }
    double limit = values[worst] < lower ? lower : upper;
    constexpr double of_terms = 10;  // polynomials between points are off by more of a term than of a limit
    if (limit == 0 && lower < upper && amount > 0 && part_ > 0 && size) limit = of_terms * size(worst);
    if (amount == 0 || is_small(amount, limit, values)) return;
    abi::Finding f;
    f.name = name ? name : "";
    f.file = source.file ? source.file : "";
    f.line = source.line;
    f.column = source.column;
    f.time = time[worst];
    f.value = values[worst];
    f.amount = amount;
    f.bound = f.value < lower ? lower : upper;
    result_.findings.push_back(std::move(f));
  }
  bool is_small(double amount, double limit, const std::vector<double>& values) const {
    if (part_ <= 0) return false;
    double largest = 0;
    for (double value : values) largest = std::max(largest, std::fabs(value));
    return limit == 0 || amount <= part_ * std::max(std::fabs(limit), 1e-6 * largest);
  }
  void check_variable(const bolza_variable& v, const std::vector<double>& values, const std::vector<double>& time) {
    check(v.name, v.source, v.min, v.max, values, time);
  }

  std::vector<double> shared_of(std::size_t p) const {
    const bolza_phase& phase = problem_.phases[p];
    const bolza_model& m = *problem_.models[phase.model];
    std::vector<double> shared(phase.shared_values, phase.shared_values + m.n_shared);
    for (std::size_t k = 0; k < m.n_global; ++k)
      shared[k] = solution_.parameters[static_cast<std::size_t>(phase.parameter[k])];
    return shared;
  }

  void check_phase(std::size_t p) {
    const bolza_model& m = *problem_.models[problem_.phases[p].model];
    const abi::Trajectories& y = solution_.phases[p].trajectories;
    for (std::size_t a = 0; a < y.x.size(); ++a) check_variable(m.x[a], y.x[a], y.time);
    for (std::size_t b = 0; b < y.z.size(); ++b) check_variable(m.z[b], y.z[b], y.time);
    for (std::size_t c = 0; c < y.u.size(); ++c) check_variable(m.u[c], y.u[c], y.time);
    if (m.n_g == 0 || y.time.empty()) return;
    std::vector<std::vector<double>> columns{y.time};
    for (const auto* list : {&y.x, &y.z, &y.u}) columns.insert(columns.end(), list->begin(), list->end());
    auto rows = values_of(problem_, *m.residuals, columns, shared_of(p), y.time.size());
    for (Side side : {Side::left, Side::right}) take_side(p, side, columns, rows);
    for (std::size_t g = m.n_z; g < rows.size(); ++g) {
      const bolza_row& row = m.residuals->rows[g];
      check(row.name, row.source, row.lower, row.upper, rows[g], y.time,
            [&](std::size_t k) { return largest_term(p, g, k, columns); });
    }
  }

  /// The largest |∂g/∂v| |v| of a path constraint at a sample, v a variable at its largest on the way or its size.
  double largest_term(std::size_t p, std::size_t row, std::size_t sample, const std::vector<std::vector<double>>& columns) {
    const abi::PhaseSolution& phase = controls_.phases[p];
    bolza_function& f = *problem_.models[problem_.phases[p].model]->residuals;
    if (!abi::ensure(problem_, f, BOLZA_JACOBIAN)) return 0;
    std::size_t ld = abi::padded(1);
    abi::AlignedDoubles point(f.n_point * ld + 1), out(f.kernels[BOLZA_JACOBIAN]->n_out * ld);
    for (std::size_t c = 0; c < f.n_point; ++c) std::fill_n(point.data() + c * ld, ld, columns[c][sample]);
    std::vector<double> shared = shared_of(p), sizes{0};  // of time: nothing
    abi::evaluate(f, BOLZA_JACOBIAN, {.n = 1, .ld = ld, .point = point.data(), .shared = shared.data(), .out = out.data()});
    for (const auto* list : {&phase.x_size, &phase.z_size, &phase.u_size})
      sizes.insert(sizes.end(), list->begin(), list->end());
    double largest = 0;
    for (std::size_t e = 0; e < f.jac_nnz; ++e) {
      auto c = static_cast<std::size_t>(f.jac_col[e]);
      if (static_cast<std::size_t>(f.jac_row[e]) != row || c == 0 || c >= columns.size()) continue;
      double size = c < sizes.size() ? sizes[c] : 0;
      for (double v : columns[c]) size = std::max(size, std::fabs(v));
      double term = std::fabs(out[(f.n_rows + e) * ld]) * size;
      if (std::isfinite(term)) largest = std::max(largest, term);
    }
    return largest;
  }

  /// Where right-hand sides jump with time (`if time < 1`), a point of the mesh has the values of one side, and the limit of
  /// either: the constraint is that of the side where it is less violated. Where controls jump it holds on both sides, each
  /// with its own controls and limits. A side is next to nothing beside the point, on the way to the sample next to it.
  void take_side(std::size_t p, Side side, const std::vector<std::vector<double>>& columns,
                 std::vector<std::vector<double>>& rows) {
    constexpr double near = 1e-9, beside = 1e-6;  // of the horizon; of the way
    const abi::PhaseSolution& phase = controls_.phases[p];
    const bolza_model& m = *problem_.models[problem_.phases[p].model];
    const std::vector<double>& time = columns[0];
    double room = near * (phase.final_time - phase.start_time);
    Interpolation controls(phase);
    std::vector<std::size_t> at;
    std::vector<std::uint8_t> controls_jump;
    std::vector<std::vector<double>> moved(columns.size());
    for (std::size_t k = 0; k < time.size(); ++k) {
      bool jump = is_mesh_point(phase, time[k], room) && jumps(controls, phase, time[k]);
      if (!jump && !is_corner(p, time[k], room)) continue;
      std::size_t next = k;
      while (side == Side::left && next > 0 && time[next] > time[k] - room) --next;
      while (side == Side::right && next + 1 < time.size() && time[next] < time[k] + room) ++next;
      if (next == k || std::abs(time[next] - time[k]) <= room) continue;
      PhaseValues there = controls.at(time[k], side);
      at.push_back(k);
      controls_jump.push_back(jump);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        std::size_t first_u = columns.size() - m.n_u;
        double own = columns[c][k];
        moved[c].push_back(c < first_u ? own + beside * (columns[c][next] - own) : there.u[c - first_u]);
      }
    }
    if (at.empty()) return;
    auto values = values_of(problem_, *m.residuals, moved, shared_of(p), at.size());
    for (std::size_t g = m.n_z; g < values.size() && g < rows.size(); ++g)
      for (std::size_t k = 0; k < at.size(); ++k) {
        const bolza_row& row = m.residuals->rows[g];
        auto beyond = [&](double value) { return std::max({0.0, row.lower - value, value - row.upper}); };
        double own = beyond(values[g][k]), so_far = beyond(rows[g][at[k]]);
        bool takes = !controls_jump[k] ? own < so_far : side == Side::left || own > so_far;
        if (takes) rows[g][at[k]] = values[g][k];
      }
  }
  /// Whether a control has two values at a time that differ by more than polynomials do that begin between points: by a part
  /// of its largest value on the way.
  static bool jumps(const Interpolation& controls, const abi::PhaseSolution& phase, double time) {
    constexpr double clear = 5e-2;
    const auto& u = phase.trajectories.u;
    std::vector<double> left = controls.at(time, Side::left).u, right = controls.at(time, Side::right).u;
    for (std::size_t c = 0; c < u.size(); ++c) {
      double jump = std::abs(right[c] - left[c]);
      if (std::ranges::none_of(u[c], [&](double value) { return clear * std::abs(value) >= jump; }) && jump > 0) return true;
    }
    return false;
  }
  /// Whether a time is a mesh point inside the horizon, at which controls may jump.
  static bool is_mesh_point(const abi::PhaseSolution& phase, double time, double room) {
    double length = phase.final_time - phase.start_time, fraction = (time - phase.start_time) / length;
    auto at = std::ranges::lower_bound(phase.mesh, fraction - room / length);
    return at != phase.mesh.end() && *at <= fraction + room / length && *at > 0 && *at < 1;
  }
  bool is_corner(std::size_t p, double time, double near) const {
    const abi::PhaseSolution& phase = solution_.phases[p];
    return std::any_of(problem_.places, problem_.places + problem_.n_places, [&](const bolza_place& place) {
      double t = place.on_start * phase.start_time + place.on_final * phase.final_time + place.offset;
      return static_cast<std::size_t>(place.phase) == p && std::abs(t - time) <= near && t > phase.start_time + near &&
             t < phase.final_time - near;
    });
  }

  double value_at(const bolza_value_at& value) {
    auto index = static_cast<std::size_t>(value.index);
    if (value.quantity == BOLZA_INTEGRAL) {
      const std::vector<double>& Q = solution_.phases[static_cast<std::size_t>(value.place)].trajectories.integral;
      return index < Q.size() ? Q[index] : no_violation_time;
    }
    const bolza_place& place = problem_.places[value.place];
    auto p = static_cast<std::size_t>(place.phase);
    const abi::PhaseSolution& phase = solution_.phases[p];
    double time = place.on_start * phase.start_time + place.on_final * phase.final_time + place.offset;
    PhaseValues at = Interpolation(phase).at(time, time <= phase.start_time ? Side::right : Side::left);
    switch (value.quantity) {
      case BOLZA_STATE:
        return at.x[index];
      case BOLZA_ALGEBRAIC:
        return at.z[index];
      case BOLZA_CONTROL:
        return at.u[index];
      case BOLZA_RATE: {
        std::vector<std::vector<double>> columns{{time}};
        for (const auto* list : {&at.x, &at.z, &at.u})
          for (double v : *list) columns.push_back({v});
        auto rows = values_of(problem_, *problem_.models[problem_.phases[p].model]->rates, columns, shared_of(p), 1);
        return rows.empty() ? no_violation_time : rows[index][0];
      }
      case BOLZA_INTEGRAL:
        break;
    }
    return no_violation_time;
  }

  void check_points() {
    if (problem_.n_k == 0 || solution_.phases.size() < problem_.n_phases ||
        solution_.parameters.size() < problem_.n_parameters)
      return;
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < problem_.n_values; ++k) columns.push_back({value_at(problem_.values[k])});
    std::vector<double> shared = solution_.parameters;
    for (std::size_t k = problem_.n_parameters; k < problem_.point->n_shared; ++k)
      shared.push_back(problem_.point_data[k - problem_.n_parameters]);
    auto rows = values_of(problem_, *problem_.point, columns, shared, 1);
    for (std::size_t k = 0; k < problem_.n_k && !rows.empty(); ++k) {
      const bolza_row& row = problem_.point->rows[1 + k];
      check(row.name, row.source, row.lower, row.upper, rows[1 + k], {no_violation_time});
    }
  }

  bolza_problem& problem_;
  const abi::Solution &solution_, &controls_;
  double part_;
  Violation result_;
};

}  // namespace

Violation constraint_violation(bolza_problem& problem, const abi::Solution& solution, double part) {
  return Checker(problem, solution, solution, part).run();
}

Violation constraint_violation_with(bolza_problem& problem, const abi::Solution& solution, const abi::Solution& controls,
                                    double part) {
  return Checker(problem, solution, controls, part).run();
}

}  // namespace bolza::transcribe
