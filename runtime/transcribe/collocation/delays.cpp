// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/delays.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/collocation/free_delays.h"

namespace bolza::transcribe {
namespace {

constexpr double same_point = 1e-9;  // of an interval: rounding of mesh points

/// Writes the rows of one phase.
class DelayRows {
 public:
  DelayRows(Transcription& t, std::size_t phase, const std::vector<DelayedValue>& delays)
      : t_(t),
        phase_(t.phases[phase]),
        model_(*phase_.model),
        scheme_(t.scheme),
        delays_(delays),
        first_(model_.n_u - delays.size()) {
    const Horizon& h = t.horizons[phase];
    for (const AffineTime& point : phase_.mesh.point) time_.push_back(point.at(h.t0, h.tf));
  }

  void write() {
    for (std::size_t d = 0; d < delays_.size(); ++d) {
      for (std::size_t j = 0; j < scheme_.points; ++j) {
        std::size_t w = phase_.u[(first_ + d) * scheme_.points + j];
        std::size_t row = add_rows(d, phase_.N, scheme_.c[j], 0);
        for (std::size_t i = 0; i < phase_.N; ++i) define(d, row + i, w + i, i, scheme_.c[j]);
      }
      for (const ExtraPoint& extra : phase_.extra) {
        bool collocated = extra.at_start ? scheme_.starts_at_left() : scheme_.ends_at_right();
        if (collocated) continue;
        std::size_t i = extra.at_start ? 0 : phase_.N - 1;
        double place = extra.at_start ? 0 : 1;
        define(d, add_rows(d, 1, place, static_cast<std::int32_t>(i)), extra.u[first_ + d], i, place);
      }
    }
  }

 private:
  std::size_t add_rows(std::size_t d, std::size_t count, double place, std::int32_t interval) {
    return t_.plan.numbering.add(RowBlock{0, count, nlp::RowRole::point_value, phase_.number,
                                          static_cast<std::int32_t>(first_ + d), place, interval});
  }

  /// w − Σ weight · value at t − time = offset.
  void define(std::size_t d, std::size_t row, std::size_t w, std::size_t interval, double place) {
    std::map<std::size_t, double> entries{{w, 1}};
    double s = time_[interval] + place * (time_[interval + 1] - time_[interval]) - delays_[d].time;
    if (delays_[d].is_free())
      return define_free(d, row, w, time_[interval] + place * (time_[interval + 1] - time_[interval]));
    for (auto [source, coefficient] : delays_[d].terms)
      add_value(source, s, place == 0, coefficient, [&](std::size_t v, double weight) { entries[v] -= weight; });
    for (auto [v, value] : entries)
      if (value != 0) t_.plan.constants.push_back({row, v, 1, value, none, value});
    if (delays_[d].offset != 0) t_.delay_offsets.emplace_back(row, delays_[d].offset);
    t_.definitions.emplace_back(w, row);
    std::size_t of = none;
    for (auto [v, value] : entries)
      if (v != w && value != 0) of = of == none && value == -1 ? v : w;
    if (of == none || of == w || entries[w] != 1 || delays_[d].offset != 0 || is_delayed(of)) return;
    t_.nlp.equal.push_back({static_cast<std::int32_t>(w), static_cast<std::int32_t>(of), static_cast<std::int32_t>(row)});
  }

  bool is_delayed(std::size_t variable) const {
    const VariableBlock& block = t_.plan.numbering.variable(variable);
    return block.quantity == QuantityKind::control && static_cast<std::size_t>(block.index) >= first_;
  }

  /// w minus what a function of the delay says; of the mesh it gets what its bounds let it reach.
  void define_free(std::size_t d, std::size_t row, std::size_t w, double t) {
    const DelayedValue& delay = delays_[d];
    std::size_t first = locate_time(t - delay.most, true).first, last = locate_time(t - delay.least, false).first;
    FreeDelay free{.time = t, .constant = delay.constant, .slopes = delay.slopes, .reaches_start = first == 0};
    for (std::size_t k = first; k <= last + 1; ++k) free.mesh.push_back(time_[k]);
    std::size_t stored = scheme_.node.size(), q = scheme_.polynomial_nodes > 0 ? scheme_.polynomial_nodes : stored;
    free.nodes.assign(scheme_.node.begin(), scheme_.node.begin() + static_cast<std::ptrdiff_t>(q));
    DelayTerm term{.phase = phase_.number, .row = row, .states = {none}};
    for (auto [source, coefficient] : delay.terms) {
      free.coefficients.push_back(coefficient);
      for (std::size_t e = first; e <= last; ++e)
        for (std::size_t r = 0; r < q; ++r) term.states.push_back(phase_.x[(source - 1) * stored + r] + e);
    }
    term.function = std::make_shared<FreeDelayFunction>(free, model_);
    t_.plan.constants.push_back({row, w, 1, 1, none, 1});
    if (delay.offset != 0) t_.delay_offsets.emplace_back(row, delay.offset);
    t_.definitions.emplace_back(w, row);
    t_.delay_terms.push_back(std::move(term));
  }

  /// The interval that holds s and the place in it; at a mesh point the interval after it where `right`, else before it.
  std::pair<std::size_t, double> locate_time(double s, bool right) const {
    auto after = right ? std::upper_bound(time_.begin() + 1, time_.end() - 1, s + room())
                       : std::lower_bound(time_.begin() + 1, time_.end() - 1, s - room());
    auto e = static_cast<std::size_t>(after - time_.begin()) - 1;
    double place = std::clamp((s - time_[e]) / (time_[e + 1] - time_[e]), 0.0, 1.0);
    for (const std::vector<double>* points : {&scheme_.c, &scheme_.node})
      for (double p : *points)
        if (std::abs(p - place) < same_point) place = p;
    return {e, place};
  }
  double room() const { return same_point * (time_.back() - time_.front()) / static_cast<double>(phase_.N); }

  template <class Add>
  void add_value(std::size_t source, double s, bool right, double coefficient, Add add) const {
    bool before = s < time_.front() - room() || (!right && s <= time_.front() + room());
    auto [e, place] = before ? std::pair<std::size_t, double>{0, 0.0} : locate_time(s, right);
    std::size_t k = source - 1;
    if (k < model_.n_x) return add_polynomial(scheme_.node, phase_.x, k, e, place, coefficient, add);
    const std::vector<std::size_t>& first = k < model_.n_x + model_.n_z ? phase_.z : phase_.u;
    k -= k < model_.n_x + model_.n_z ? model_.n_x : model_.n_x + model_.n_z;
    bool control = &first == &phase_.u, constant = control && phase_.control_constant && k < first_;
    if (constant) return add(first[k * scheme_.points] + e, coefficient);
    const ExtraPoint* start = before ? phase_.start_point() : nullptr;
    if (start) return add((control ? start->u : start->z)[k], coefficient);
    add_polynomial(scheme_.c, first, k, e, place, coefficient, add);
  }

  template <class Add>
  void add_polynomial(const std::vector<double>& all, const std::vector<std::size_t>& first, std::size_t k, std::size_t e,
                      double place, double coefficient, Add add) const {
    bool state = &all == &scheme_.node;
    std::size_t q = state && scheme_.polynomial_nodes > 0 ? scheme_.polynomial_nodes : all.size();
    if (auto at = std::find(all.begin(), all.end(), place); at != all.end())
      return add(first[k * all.size() + static_cast<std::size_t>(at - all.begin())] + e, coefficient);
    std::vector<double> weight = linalg::lagrange_values({all.data(), q}, place);
    for (std::size_t r = 0; r < q; ++r) add(first[k * all.size() + r] + e, coefficient * weight[r]);
  }

  Transcription& t_;
  const PhaseLayout& phase_;
  const bolza_model& model_;
  const Scheme& scheme_;
  const std::vector<DelayedValue>& delays_;
  std::size_t first_;
  std::vector<double> time_;  ///< [N + 1]
};

}  // namespace

void add_delay_rows(Transcription& t, std::size_t phase, const DelayReading& reading) {
  if (!reading.delays.empty()) DelayRows(t, phase, reading.delays).write();
}

}  // namespace bolza::transcribe
