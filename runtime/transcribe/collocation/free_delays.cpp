// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/free_delays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bolza::transcribe {
namespace {

constexpr std::size_t most_nodes = 32;  // of a polynomial

/// What a kernel finds in its data: numbers, then slopes, coefficients, times of the mesh, places of the nodes.
struct DelayData {
  enum Number : std::uint8_t { time, constant, n_slopes, n_sources, n_intervals, n_nodes, reaches_start, n_numbers };

  explicit DelayData(const double* data) : number(data) {
    entry = data + n_numbers;
    slope = entry + count(n_slopes);
    coefficient = slope + count(n_slopes);
    mesh = coefficient + count(n_sources);
    node = mesh + count(n_intervals) + 1;
  }
  std::size_t count(Number which) const { return static_cast<std::size_t>(number[which]); }

  const double *number, *entry, *slope, *coefficient, *mesh, *node;
};

/// Lagrange polynomials of the nodes at a place, with their first and second derivatives.
struct NodeWeights {
  double value[most_nodes], first[most_nodes], second[most_nodes];

  NodeWeights(const double* node, std::size_t n, double at) {
    for (std::size_t r = 0; r < n; ++r) {
      value[r] = 1;
      first[r] = second[r] = 0;
      for (std::size_t k = 0; k < n; ++k) {  // the product rule, factor by factor
        if (k == r) continue;
        double slope = 1 / (node[r] - node[k]), factor = (at - node[k]) * slope;
        second[r] = second[r] * factor + 2 * first[r] * slope;
        first[r] = first[r] * factor + value[r] * slope;
        value[r] *= factor;
      }
    }
  }
};

constexpr double overlap = 0.25;  // of an interval, on each side of a mesh point

/// Where t − delay is.
struct DelayPlace {
  double time = 0;
  std::size_t interval = 0;
  double half = 0;        ///< so far around the start the value there and what follows go over into each other
  bool at_start = false;  ///< within that
  bool before = false;    ///< nothing changes with the delay

  DelayPlace(const DelayData& d, const double* shared) {
    double delay = d.number[DelayData::constant];
    for (std::size_t k = 0; k < d.count(DelayData::n_slopes); ++k)
      delay += d.slope[k] * shared[static_cast<std::size_t>(d.entry[k])];
    time = d.number[DelayData::time] - delay;
    std::size_t n = d.count(DelayData::n_intervals);
    interval = static_cast<std::size_t>(std::upper_bound(d.mesh + 1, d.mesh + n, time) - d.mesh) - 1;
    half = overlap * (d.mesh[1] - d.mesh[0]);
    bool reaches_start = d.number[DelayData::reaches_start] != 0;
    before = reaches_start && time <= d.mesh[0] - half;
    at_start = reaches_start && !before && time < d.mesh[0] + half;
  }
};

/// How much of an interval's polynomial there is at a time, with first and second derivatives: all of it inside, and less
/// and less around a mesh point, where the polynomial of the neighbour (before the start: the value there) takes its place.
/// So the sum is twice differentiable, although rates may jump from interval to interval.
struct Share {
  double value = 1, first = 0, second = 0;

  /// @param place  from 0, before the change, to 1, behind it; over `width`
  static Share rising(double place, double width) {
    double p = place, q = 1 - place;
    return {p * p * p * (10 + p * (6 * p - 15)), 30 * p * p * q * q / width, 60 * p * q * (1 - 2 * p) / (width * width)};
  }
  Share falling() const { return {1 - value, -first, -second}; }
};

/// The polynomial of one interval in a delayed value.
struct DelayPart {
  std::size_t interval = 0;
  double value[most_nodes], first[most_nodes], second[most_nodes];  ///< [q] weights of the nodes, with derivatives by time

  DelayPart() = default;
  /// The value at the start.
  DelayPart(const DelayData& d, const Share& share) {
    NodeWeights w(d.node, d.count(DelayData::n_nodes), 0);
    for (std::size_t r = 0; r < d.count(DelayData::n_nodes); ++r) {
      value[r] = share.value * w.value[r];
      first[r] = share.first * w.value[r];
      second[r] = share.second * w.value[r];
    }
  }
  DelayPart(const DelayData& d, std::size_t i, double time, const Share& share) : interval(i) {
    std::size_t q = d.count(DelayData::n_nodes);
    double length = d.mesh[i + 1] - d.mesh[i];
    NodeWeights w(d.node, q, (time - d.mesh[i]) / length);  // beyond the window it is extrapolated
    for (std::size_t r = 0; r < q; ++r) {
      double by_time = w.first[r] / length, twice = w.second[r] / (length * length);
      value[r] = share.value * w.value[r];
      first[r] = share.first * w.value[r] + share.value * by_time;
      second[r] = share.second * w.value[r] + 2 * share.first * by_time + share.value * twice;
    }
  }
};

double delayed_state(const bolza_call* call, const DelayData& d, std::size_t source, std::size_t interval, std::size_t r,
                     std::size_t point) {
  std::size_t row = 1 + (source * d.count(DelayData::n_intervals) + interval) * d.count(DelayData::n_nodes) + r;
  return call->point[row * call->ld + point];
}

/// What the kernels begin with.
struct DelayCall {
  DelayData d;
  DelayPlace place;
  std::size_t q, n, m;  ///< nodes, intervals, states
  std::size_t n_parts = 1;
  DelayPart part[2];

  explicit DelayCall(const bolza_call* call)
      : d(call->datum),
        place(d, call->shared),
        q(d.count(DelayData::n_nodes)),
        n(d.count(DelayData::n_intervals)),
        m(d.count(DelayData::n_sources) * n * q) {
    if (place.before) part[0] = DelayPart(d, Share{});
    else if (place.at_start) read_start();
    else read_intervals();
  }

  void read_start() {
    Share share = Share::rising((place.time - d.mesh[0] + place.half) / (2 * place.half), 2 * place.half);
    n_parts = 2;
    part[0] = DelayPart(d, share.falling());
    part[1] = DelayPart(d, 0, place.time, share);
  }

  void read_intervals() {
    std::size_t i = place.interval;
    for (std::size_t right : {i + 1, i}) {  // the mesh point behind the interval, and the one before it
      if (right == 0 || right >= n) continue;
      double point = d.mesh[right], half = overlap * std::min(point - d.mesh[right - 1], d.mesh[right + 1] - point);
      if (std::abs(place.time - point) >= half) continue;
      Share share = Share::rising((place.time - point + half) / (2 * half), 2 * half);
      n_parts = 2;
      part[0] = DelayPart(d, right - 1, place.time, share.falling());
      part[1] = DelayPart(d, right, place.time, share);
      return;
    }
    part[0] = DelayPart(d, i, place.time, Share{});
  }

  /// Σ coefficient · Σ weight · state.
  double weighted_states(const bolza_call* call, const double (DelayPart::*weight)[most_nodes], std::size_t point) const {
    double total = 0;
    for (std::size_t k = 0; k < n_parts; ++k)
      for (std::size_t s = 0; s < d.count(DelayData::n_sources); ++s)
        for (std::size_t r = 0; r < q; ++r)
          total += d.coefficient[s] * (part[k].*weight)[r] * delayed_state(call, d, s, part[k].interval, r, point);
    return total;
  }

  /// Adds scale · coefficient · weight at each state that is read.
  void add_states(double scale, const double (DelayPart::*weight)[most_nodes], double* out, std::size_t ld) const {
    for (std::size_t k = 0; k < n_parts; ++k)
      for (std::size_t s = 0; s < d.count(DelayData::n_sources); ++s)
        for (std::size_t r = 0; r < q; ++r)
          out[((s * n + part[k].interval) * q + r) * ld] += scale * d.coefficient[s] * (part[k].*weight)[r];
  }
};

void write_delayed(const bolza_call* call, const DelayCall& c) {
  for (std::size_t i = 0; i < call->n; ++i) call->out[i] = -c.weighted_states(call, &DelayPart::value, i);
}

int delay_value(const bolza_call* call) {
  write_delayed(call, DelayCall(call));
  return 0;
}

/// The value; by each state; by each parameter.
int delay_jacobian(const bolza_call* call) {
  DelayCall c(call);
  write_delayed(call, c);
  double* out = call->out + call->ld;
  for (std::size_t i = 0; i < call->n; ++i) {
    for (std::size_t e = 0; e < c.m; ++e) out[e * call->ld + i] = 0;
    c.add_states(-1, &DelayPart::value, out + i, call->ld);
    double by_delay = c.place.before ? 0 : c.weighted_states(call, &DelayPart::first, i);
    for (std::size_t k = 0; k < c.d.count(DelayData::n_slopes); ++k) out[(c.m + k) * call->ld + i] = c.d.slope[k] * by_delay;
  }
  return 0;
}

/// Parameter by parameter: by it and each state, then by it and the parameters up to it.
int delay_hessian(const bolza_call* call) {
  DelayCall c(call);
  for (std::size_t i = 0; i < call->n; ++i) {
    double* out = call->out + i;
    double weight = call->weight[i];
    double curvature = c.place.before ? 0 : -c.weighted_states(call, &DelayPart::second, i);
    for (std::size_t k = 0; k < c.d.count(DelayData::n_slopes); ++k) {
      for (std::size_t e = 0; e < c.m; ++e) out[e * call->ld] = 0;
      if (!c.place.before) c.add_states(weight * c.d.slope[k], &DelayPart::first, out, call->ld);
      out += c.m * call->ld;
      for (std::size_t l = 0; l <= k; ++l, out += call->ld) *out = weight * c.d.slope[k] * c.d.slope[l] * curvature;
    }
  }
  return 0;
}

std::vector<double> data_of(const FreeDelay& delay) {
  std::vector<double> data{delay.time,
                           delay.constant,
                           static_cast<double>(delay.slopes.size()),
                           static_cast<double>(delay.coefficients.size()),
                           static_cast<double>(delay.mesh.size() - 1),
                           static_cast<double>(delay.nodes.size()),
                           delay.reaches_start ? 1.0 : 0.0};
  for (auto [entry, slope] : delay.slopes) data.push_back(entry);
  for (auto [entry, slope] : delay.slopes) data.push_back(slope);
  for (const std::vector<double>* list : {&delay.coefficients, &delay.mesh, &delay.nodes})
    data.insert(data.end(), list->begin(), list->end());
  return data;
}

}  // namespace

FreeDelayFunction::FreeDelayFunction(const FreeDelay& delay, const bolza_model& model) : data_(data_of(delay)) {
  auto states = static_cast<std::int32_t>(delay.n_states()), n_point = states + 1;
  for (std::int32_t c = 1; c <= states; ++c) jac_col_.push_back(c);
  for (auto [entry, slope] : delay.slopes) jac_col_.push_back(n_point + entry);
  jac_row_.assign(jac_col_.size(), 0);
  for (std::size_t k = 0; k < delay.slopes.size(); ++k) {
    for (std::int32_t c = 1; c <= states; ++c) hess_col_.push_back(c);
    for (std::size_t l = 0; l <= k; ++l) hess_col_.push_back(n_point + delay.slopes[l].first);
    hess_row_.resize(hess_col_.size(), n_point + delay.slopes[k].first);
  }
  function_.name = "delay";
  function_.n_point = static_cast<std::size_t>(n_point);
  function_.n_shared = model.n_shared;
  function_.n_global = model.n_global;
  function_.n_rows = 1;
  function_.jac_nnz = jac_col_.size();
  function_.jac_row = jac_row_.data();
  function_.jac_col = jac_col_.data();
  function_.hess_nnz = hess_col_.size();
  function_.hess_row = hess_row_.data();
  function_.hess_col = hess_col_.data();
  const bolza_kernel code[] = {delay_value, delay_jacobian, delay_hessian};
  const std::size_t n_out[] = {1, 1 + function_.jac_nnz, function_.hess_nnz};
  for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN}) {
    groups_[kind] = {.instances = 1, .data = data_.size(), .outputs = n_out[kind], .roots = 1, .datum = data_.data()};
    groups_[kind].points = code[kind];
    kernels_[kind] = {.n_out = n_out[kind], .n_groups = 1, .groups = &groups_[kind]};
    function_.kernels[kind] = &kernels_[kind];
  }
}

}  // namespace bolza::transcribe
