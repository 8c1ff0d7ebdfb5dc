// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/point_values.h"

#include <algorithm>
#include <cmath>

#include "runtime/linalg/lagrange.h"

namespace bolza::transcribe {
namespace {

constexpr double same = 1e-9;  // of the horizon or of an interval: slots closer than this to a point are that point

AffineTime time_of(const bolza_place& place) { return {place.on_start, place.on_final, place.offset}; }

/// The slot as a fixed fraction of the horizon, if it is one for all free values of t0 and tf.
std::optional<double> fraction_of(const AffineTime& t, const Horizon& h) {
  double length = h.tf - h.t0, tolerance = same * std::max(std::abs(length), 1e-300);
  double fraction = h.final_free ? t.final : h.start_free ? 1 - t.start : (t.at(h.t0, h.tf) - h.t0) / length;
  if (h.start_free && h.final_free) {
    if (t.constant != 0 || std::abs(t.start + t.final - 1) > same) return std::nullopt;
  } else if (h.start_free || h.final_free) {
    // The part that does not move with the free time must be what the fraction says.
    double fixed = h.final_free ? t.start * h.t0 + t.constant : t.final * h.tf + t.constant;
    double wanted = h.final_free ? (1 - fraction) * h.t0 : fraction * h.tf;
    if (std::abs(fixed - wanted) > tolerance) return std::nullopt;
  }
  if (std::abs(fraction) < same) return 0.0;
  if (std::abs(fraction - 1) < same) return 1.0;
  return fraction;
}

/// The slots of a phase that point values other than integrals refer to; or those that none refers to.
std::vector<AffineTime> slots_of(const bolza_problem& problem, std::int32_t phase, bool corners = false) {
  std::vector<std::uint8_t> used(problem.n_places, 0);
  for (std::size_t k = 0; k < problem.n_values; ++k)
    if (problem.values[k].quantity != BOLZA_INTEGRAL) used[static_cast<std::size_t>(problem.values[k].place)] = 1;
  std::vector<AffineTime> slots;
  for (std::size_t p = 0; p < problem.n_places; ++p)
    if ((used[p] == 0) == corners && problem.places[p].phase == phase) slots.push_back(time_of(problem.places[p]));
  return slots;
}

bool is_inside(double fraction) { return fraction > 0 && fraction < 1; }

}  // namespace

double guessed(const bolza_variable& parameter) {
  if (parameter.fixed) return parameter.start;
  double value = parameter.has_guess ? parameter.guess : parameter.has_start ? parameter.start : 0;
  return std::min(std::max(value, parameter.min), parameter.max);
}

Horizon horizon_of(const bolza_problem& problem, std::int32_t phase, const std::vector<double>& parameters) {
  const bolza_phase& p = problem.phases[phase];
  auto first = static_cast<std::size_t>(p.parameter[0]), last = static_cast<std::size_t>(p.parameter[1]);
  Horizon h{parameters[first], parameters[last], !problem.parameters[first].fixed, !problem.parameters[last].fixed};
  if (problem.is_static) return h;
  if (h.tf <= h.t0 && h.final_free) h.tf = std::max(h.t0 + 1, problem.parameters[last].min);
  if (h.tf <= h.t0 && h.start_free) h.t0 = h.tf - 1;
  if (!h.final_free) return h;
  for (const AffineTime& t : slots_of(problem, phase)) {
    double time = t.start * h.t0 + t.constant;
    if (t.final == 0 && time >= h.tf && !fraction_of(t, h)) h.tf = time + 0.1 * std::max(time - h.t0, 1e-3 * std::abs(time));
  }
  h.tf = std::min(h.tf, problem.parameters[last].max);
  return h;
}

std::vector<AffineTime> breakpoints_of(const bolza_problem& problem, std::int32_t phase, const Horizon& horizon, bool meet) {
  std::vector<AffineTime> inside;
  bool moving = false;
  for (const AffineTime& t : slots_of(problem, phase)) {
    std::optional<double> fraction = fraction_of(t, horizon);
    if (!fraction) moving = true;
    if (!fraction) inside.push_back(t);
    else if (is_inside(*fraction)) inside.push_back({1 - *fraction, *fraction, 0});
  }
  if (!moving && !meet) inside.clear();
  for (const AffineTime& t : slots_of(problem, phase, true))
    if (std::optional<double> fraction = fraction_of(t, horizon); fraction && is_inside(*fraction))
      inside.push_back({1 - *fraction, *fraction, 0});
  return inside;
}

Location locate(const bolza_problem& problem, std::size_t place, const Mesh& mesh, const Horizon& horizon) {
  if (mesh.intervals() == 0 || problem.is_static) return {.at_start = true, .at_final = true};
  AffineTime t = time_of(problem.places[place]);
  std::optional<double> fraction = fraction_of(t, horizon);
  std::size_t N = mesh.intervals();
  if (fraction && *fraction == 0) return {.interval = 0, .tau = 0, .at_start = true};
  if (fraction && *fraction == 1) return {.interval = N - 1, .tau = 1, .at_final = true};
  double time = t.at(horizon.t0, horizon.tf), length = horizon.tf - horizon.t0;
  if (time < horizon.t0 - same * length || time > horizon.tf + same * length) return {.outside = true};
  auto after = [&](const AffineTime& point) { return point.at(horizon.t0, horizon.tf) < time - same * length; };
  auto right = std::partition_point(mesh.point.begin() + 1, mesh.point.end() - 1, after);
  auto i = static_cast<std::size_t>(right - mesh.point.begin()) - 1;
  double left = mesh.point[i].at(horizon.t0, horizon.tf), h = mesh.point[i + 1].at(horizon.t0, horizon.tf) - left;
  double tau = std::clamp((time - left) / h, 0.0, 1.0);
  if (std::abs(tau - 1) < same * length / h) tau = 1;
  return {.interval = i, .tau = tau};
}

namespace {

std::optional<std::size_t> index_of(const std::vector<double>& points, double tau) {
  for (std::size_t j = 0; j < points.size(); ++j)
    if (std::abs(points[j] - tau) < same) return j;
  return std::nullopt;
}

/// Places one value; see ValuePlacer.
class OneValue {
 public:
  OneValue(ValuePlacer& all, const bolza_value_at& value)
      : all_(all),
        scheme_(all.scheme),
        place_(all.problem.places[value.place]),
        phase_(all.phases[static_cast<std::size_t>(place_.phase)]),
        at_(locate(all.problem, static_cast<std::size_t>(value.place), phase_.mesh,
                   all.horizons[static_cast<std::size_t>(place_.phase)])),
        index_(static_cast<std::size_t>(value.index)) {}

  std::size_t state() {
    if (phase_.N == 0) return phase_.extra.front().x[index_];
    if (auto r = index_of(scheme_.node, at_.tau)) return phase_.x[index_ * scheme_.nodes() + *r] + at_.interval;
    std::size_t v = new_variable(QuantityKind::state), row = new_row(v);
    std::size_t q = scheme_.polynomial_nodes;
    if (q > 0) {
      std::vector<double> weight = linalg::lagrange_values({scheme_.node.data(), q}, at_.tau);
      for (std::size_t r = 0; r < q; ++r) constant(row, phase_.x[index_ * scheme_.nodes() + r] + at_.interval, -weight[r]);
      return v;
    }
    constant(row, phase_.mesh_state(scheme_, index_) + at_.interval, -1);
    all_.rate_rows.push_back(
        {place_.phase, at_.interval, index_, row, true, nullptr, linalg::lagrange_integrals(scheme_.c, at_.tau)});
    return v;
  }
  std::size_t algebraic() {
    if (const ExtraPoint* extra = extra_here()) return extra->z[index_];
    return at_stages(phase_.z, QuantityKind::algebraic);
  }
  std::size_t control() {
    if (phase_.N > 0 && phase_.control_constant) return phase_.u[index_ * scheme_.points] + at_.interval;
    if (const ExtraPoint* extra = extra_here()) return extra->u[index_];
    return at_stages(phase_.u, QuantityKind::control);
  }
  std::size_t rate() {
    std::size_t v = new_variable(QuantityKind::rate), row = new_row(v);
    RateRow rates{place_.phase, at_.interval, index_, row, false, own_point(), {}};
    rates.weight = rates.extra ? std::vector<double>{1} : linalg::lagrange_values(scheme_.c, at_.tau);
    all_.rate_rows.push_back(std::move(rates));
    return v;
  }

 private:
  const ExtraPoint* extra_here() const {
    if (!at_.at_start && !at_.at_final) return nullptr;
    return phase_.extra_at(phase_.N == 0 || at_.at_start);
  }
  /// The extra point when the scheme has no collocation point there.
  const ExtraPoint* own_point() const { return index_of(scheme_.c, at_.tau) && phase_.N > 0 ? nullptr : extra_here(); }
  std::size_t at_stages(const std::vector<std::size_t>& first, QuantityKind quantity) {
    std::size_t s = scheme_.points;
    if (auto j = index_of(scheme_.c, at_.tau)) return first[index_ * s + *j] + at_.interval;
    std::size_t v = new_variable(quantity), row = new_row(v);
    std::vector<double> weight = linalg::lagrange_values(scheme_.c, at_.tau);
    for (std::size_t j = 0; j < s; ++j) constant(row, first[index_ * s + j] + at_.interval, -weight[j]);
    return v;
  }
  std::size_t new_variable(QuantityKind quantity) {
    return all_.numbering.add(VariableBlock{0, 1, nlp::VariableRole::point_value, quantity, place_.phase,
                                            static_cast<std::int32_t>(index_), at_.tau,
                                            static_cast<std::int32_t>(at_.interval)});
  }
  std::size_t new_row(std::size_t v) {
    std::size_t row =
        all_.numbering.add(RowBlock{0, 1, nlp::RowRole::point_value, place_.phase, static_cast<std::int32_t>(index_),
                                    at_.tau, static_cast<std::int32_t>(at_.interval)});
    constant(row, v, 1);
    return row;
  }
  void constant(std::size_t row, std::size_t col, double value) {
    if (value != 0) all_.constants.push_back({row, col, 1, value, none, value});
  }
  ValuePlacer& all_;
  const Scheme& scheme_;
  const bolza_place& place_;
  const PhaseLayout& phase_;
  Location at_;
  std::size_t index_;
};

}  // namespace

std::size_t ValuePlacer::place(const bolza_value_at& value) {
  if (value.quantity == BOLZA_INTEGRAL) {  // its `place` is a phase
    const PhaseLayout& phase = phases[static_cast<std::size_t>(value.place)];
    std::size_t sum = phase.sum.empty() ? none : phase.sum[static_cast<std::size_t>(value.index)];
    return sum == none ? none : sum + phase.N;
  }
  OneValue one(*this, value);
  switch (value.quantity) {
    case BOLZA_STATE:
      return one.state();
    case BOLZA_ALGEBRAIC:
      return one.algebraic();
    case BOLZA_CONTROL:
      return one.control();
    case BOLZA_RATE:
      return one.rate();
    case BOLZA_INTEGRAL:
      break;
  }
  return none;
}

}  // namespace bolza::transcribe
