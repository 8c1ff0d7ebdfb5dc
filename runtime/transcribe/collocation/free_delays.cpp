#include "runtime/transcribe/collocation/free_delays.h"

#include <algorithm>
#include <cstdint>

namespace bolza::transcribe {
namespace {

constexpr std::size_t most_nodes = 32;  // of a polynomial

/// What a kernel finds in its data: numbers, then slopes, coefficients, times of the mesh, places of the nodes.
struct DelayData {
  enum Number : std::uint8_t { time, constant, n_slopes, n_sources, n_intervals, n_nodes, reaches_start, n_numbers };

  explicit DelayData(const double* data) : number(data) {
    entry = data + n_numbers, slope = entry + count(n_slopes), coefficient = slope + count(n_slopes);
    mesh = coefficient + count(n_sources), node = mesh + count(n_intervals) + 1;
  }
  std::size_t count(Number which) const { return static_cast<std::size_t>(number[which]); }

  const double *number, *entry, *slope, *coefficient, *mesh, *node;
};

/// Lagrange polynomials of the nodes at a place, with their first and second derivatives.
struct NodeWeights {
  double value[most_nodes], first[most_nodes], second[most_nodes];

  NodeWeights(const double* node, std::size_t n, double at) {
    for (std::size_t r = 0; r < n; ++r) {
      value[r] = 1, first[r] = second[r] = 0;
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

/// Where t − delay is.
struct DelayPlace {
  std::size_t interval = 0;
  double at = 0, length = 1;
  bool before = false;  ///< the start: nothing changes with the delay

  DelayPlace(const DelayData& d, const double* shared) {
    double delay = d.number[DelayData::constant];
    for (std::size_t k = 0; k < d.count(DelayData::n_slopes); ++k)
      delay += d.slope[k] * shared[static_cast<std::size_t>(d.entry[k])];
    double s = d.number[DelayData::time] - delay;
    std::size_t n = d.count(DelayData::n_intervals);
    interval = static_cast<std::size_t>(std::upper_bound(d.mesh + 1, d.mesh + n, s) - d.mesh) - 1;
    length = d.mesh[interval + 1] - d.mesh[interval];
    at = (s - d.mesh[interval]) / length;  // beyond the window it is extrapolated
    before = d.number[DelayData::reaches_start] != 0 && s <= d.mesh[0];
    if (before) at = 0;
  }
};

double delayed_state(const bolza_call* call, const DelayData& d, std::size_t source, std::size_t interval, std::size_t r,
                     std::size_t point) {
  std::size_t row = 1 + (source * d.count(DelayData::n_intervals) + interval) * d.count(DelayData::n_nodes) + r;
  return call->point[row * call->ld + point];
}

/// Σ coefficient · Σ weight · state.
double weighted_states(const bolza_call* call, const DelayData& d, const DelayPlace& place, const double* weight,
                       std::size_t point) {
  double total = 0;
  for (std::size_t s = 0; s < d.count(DelayData::n_sources); ++s)
    for (std::size_t r = 0; r < d.count(DelayData::n_nodes); ++r)
      total += d.coefficient[s] * weight[r] * delayed_state(call, d, s, place.interval, r, point);
  return total;
}

/// What the kernels begin with.
struct DelayCall {
  DelayData d;
  DelayPlace place;
  std::size_t q, n, m;  ///< nodes, intervals, states
  NodeWeights w;

  explicit DelayCall(const bolza_call* call)
      : d(call->datum),
        place(d, call->shared),
        q(d.count(DelayData::n_nodes)),
        n(d.count(DelayData::n_intervals)),
        m(d.count(DelayData::n_sources) * n * q),
        w(d.node, q, place.at) {}
};

void write_delayed(const bolza_call* call, const DelayCall& c) {
  for (std::size_t i = 0; i < call->n; ++i) call->out[i] = -weighted_states(call, c.d, c.place, c.w.value, i);
}

int delay_value(const bolza_call* call) {
  write_delayed(call, DelayCall(call));
  return 0;
}

/// The value; by each state; by each parameter.
int delay_jacobian(const bolza_call* call) {
  DelayCall c(call);
  const auto& [d, place, q, n, m, w] = c;
  write_delayed(call, c);
  double* out = call->out + call->ld;
  for (std::size_t i = 0; i < call->n; ++i) {
    for (std::size_t e = 0; e < m; ++e) out[e * call->ld + i] = 0;
    for (std::size_t s = 0; s < d.count(DelayData::n_sources); ++s)
      for (std::size_t r = 0; r < q; ++r)
        out[((s * n + place.interval) * q + r) * call->ld + i] = -d.coefficient[s] * w.value[r];
    double by_delay = place.before ? 0 : weighted_states(call, d, place, w.first, i) / place.length;
    for (std::size_t k = 0; k < d.count(DelayData::n_slopes); ++k) out[(m + k) * call->ld + i] = d.slope[k] * by_delay;
  }
  return 0;
}

/// Parameter by parameter: by it and each state, then by it and the parameters up to it.
int delay_hessian(const bolza_call* call) {
  DelayCall c(call);
  const auto& [d, place, q, n, m, w] = c;
  for (std::size_t i = 0; i < call->n; ++i) {
    double* out = call->out + i;
    double weight = call->weight[i];
    double curvature = place.before ? 0 : -weighted_states(call, d, place, w.second, i) / (place.length * place.length);
    for (std::size_t k = 0; k < d.count(DelayData::n_slopes); ++k) {
      for (std::size_t e = 0; e < m; ++e) out[e * call->ld] = 0;
      for (std::size_t s = 0; s < d.count(DelayData::n_sources) && !place.before; ++s)
        for (std::size_t r = 0; r < q; ++r)
          out[((s * n + place.interval) * q + r) * call->ld] =
              weight * d.slope[k] * d.coefficient[s] * w.first[r] / place.length;
      out += m * call->ld;
      for (std::size_t l = 0; l <= k; ++l, out += call->ld) *out = weight * d.slope[k] * d.slope[l] * curvature;
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
  function_.n_shared = model.n_shared, function_.n_global = model.n_global, function_.n_rows = 1;
  function_.jac_nnz = jac_col_.size(), function_.jac_row = jac_row_.data(), function_.jac_col = jac_col_.data();
  function_.hess_nnz = hess_col_.size(), function_.hess_row = hess_row_.data(), function_.hess_col = hess_col_.data();
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
