// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/terms.h"

#include "runtime/transcribe/collocation/free_delays.h"

namespace bolza::transcribe {
namespace {

bool has_rows(const bolza_function* f) { return f && f->n_rows > 0; }

class TermWriter {
 public:
  explicit TermWriter(Transcription& t) : t_(t), problem_(*t.problem), scheme_(t.scheme) {}

  void main_terms(const PhaseLayout& phase) {
    if (phase.N == 0) return;
    std::vector<double> places(scheme_.c);
    std::size_t times = add_times(phase, 0, phase.N, places);
    if (has_rows(phase.model->rates)) t_.plan.terms.push_back(rates(phase, times));
    places.resize(phase.row_stages);
    if (has_rows(phase.model->residuals) && phase.row_stages > 0) {
      std::size_t row_times = phase.row_stages == scheme_.points ? times : add_times(phase, 0, phase.N, places);
      t_.plan.terms.push_back(residuals(phase, row_times));
    }
    if (problem_.least_squares && has_rows(phase.model->integrand_residuals) && phase.model->n_q > 0 &&
        weight_of(phase, 0) != 0)
      t_.plan.terms.push_back(squares(phase, times));
  }

  void extra_terms(const PhaseLayout& phase) {
    for (const ExtraPoint& extra : phase.extra) {
      if (has_rows(phase.model->residuals)) {
        EvaluationTerm term = at_extra(phase, extra, phase.model->residuals);
        for (std::size_t b = 0; b < phase.model->n_z; ++b) term.contributions.push_back({b, 0, extra.algebraic[b], 1});
        for (std::size_t k = 0; k < phase.model->n_g; ++k)
          term.contributions.push_back({phase.model->n_z + k, 0, extra.path[k], 1});
        t_.plan.terms.push_back(std::move(term));
      }
      if (extra.rate.empty()) continue;
      EvaluationTerm term = at_extra(phase, extra, phase.model->rates);
      for (std::size_t a = 0; a < phase.model->n_x; ++a) term.contributions.push_back({a, 0, extra.rate[a], 1});
      t_.plan.terms.push_back(std::move(term));
    }
    if (phase.initial.empty()) return;
    const ExtraPoint* start = phase.start_point();
    EvaluationTerm term =
        start ? at_extra(phase, *start, phase.model->initial) : at_interval(phase, phase.model->initial, 0, 1);
    for (std::size_t k = 0; k < phase.initial.size(); ++k) term.contributions.push_back({k, 0, phase.initial[k], 1});
    t_.plan.terms.push_back(std::move(term));
  }

  void rate_term(const RateRow& row) {
    const PhaseLayout& phase = t_.phases[static_cast<std::size_t>(row.phase)];
    EvaluationTerm term = row.extra ? at_extra(phase, *row.extra, phase.model->rates)
                                    : at_interval(phase, phase.model->rates, row.interval, scheme_.points);
    term.times_h = row.times_h;
    for (std::size_t j = 0; j < row.weight.size(); ++j)
      if (row.weight[j] != 0) term.contributions.push_back({row.state, j, row.row, -row.weight[j]});
    t_.plan.terms.push_back(std::move(term));
  }

  void delay_term(const DelayTerm& delay) {
    const PhaseLayout& phase = t_.phases[static_cast<std::size_t>(delay.phase)];
    EvaluationTerm term;
    term.function = delay.function->function();
    term.phase = delay.phase;
    term.base = delay.states;
    for (std::size_t k = 0; k < phase.model->n_global; ++k)
      term.global.push_back(free_parameter(static_cast<std::size_t>(phase.phase->parameter[k])));
    term.contributions.push_back({0, 0, delay.row, 1});
    t_.plan.terms.push_back(std::move(term));
  }

  void point_term() {
    EvaluationTerm term;
    term.function = problem_.point;
    for (std::size_t v : t_.value_variable) term.base.push_back(v);
    for (std::size_t p = 0; p < problem_.point->n_global; ++p) term.global.push_back(free_parameter(p));
    term.contributions.push_back({0, 0, objective, t_.sign});
    for (std::size_t k = 0; k < problem_.n_k; ++k) term.contributions.push_back({1 + k, 0, t_.first_point_row + k, 1});
    if (problem_.least_squares)
      for (std::size_t r = 0; r < problem_.n_r; ++r) term.squares.push_back({1 + problem_.n_k + r, 0, objective, 1});
    t_.plan.terms.push_back(std::move(term));
  }

 private:
  std::size_t free_parameter(std::size_t p) const { return problem_.parameters[p].fixed ? none : p; }
  double weight_of(const PhaseLayout& phase, std::size_t q) const {
    return t_.integral_weight[static_cast<std::size_t>(phase.number)][q];
  }

  std::size_t add_times(const PhaseLayout& phase, std::size_t first, std::size_t count, const std::vector<double>& places) {
    Times times;
    times.stages = places.size();
    times.intervals = count;
    times.phase = phase.number;
    bool own = phase.N > 0 && places.size() == scheme_.points && !scheme_.shares_ends();
    for (double c : places)
      for (std::size_t i = first; i < first + count; ++i)
        times.time.push_back(between(phase.mesh.point[i], phase.mesh.point[i + 1], own ? within_interval(c) : c));
    for (std::size_t i = first; i < first + count; ++i)
      times.length.push_back(phase.mesh.point[i + 1] - phase.mesh.point[i]);
    for (const AffineTime& t : times.time) {
      times.dt[0].push_back(t.start);
      times.dt[1].push_back(t.final);
    }
    for (const AffineTime& h : times.length) {
      times.dh[0].push_back(h.start);
      times.dh[1].push_back(h.final);
    }
    times.t.resize(times.time.size());
    times.h.resize(count);
    for (auto& v : times.half_log_dh) v.resize(count);
    t_.plan.times.push_back(std::move(times));
    return t_.plan.times.size() - 1;
  }

  EvaluationTerm blank(const PhaseLayout& phase, bolza_function* function, std::size_t times) const {
    EvaluationTerm term;
    term.function = function;
    term.phase = phase.number;
    term.times = times;
    term.stages = t_.plan.times[times].stages;
    term.intervals = t_.plan.times[times].intervals;
    auto t0 = static_cast<std::size_t>(phase.phase->parameter[0]), tf = static_cast<std::size_t>(phase.phase->parameter[1]);
    term.theta = {free_parameter(t0), free_parameter(tf)};
    for (std::size_t k = 0; k < phase.model->n_global; ++k)
      term.global.push_back(free_parameter(static_cast<std::size_t>(phase.phase->parameter[k])));
    term.base.assign(function->n_point * term.stages, none);
    return term;
  }

  /// A function at collocation points 0 … stages-1 of intervals from `first` on.
  EvaluationTerm at_points(const PhaseLayout& phase, bolza_function* function, std::size_t times, std::size_t first) const {
    EvaluationTerm term = blank(phase, function, times);
    const bolza_model& m = *phase.model;
    std::size_t s = scheme_.points;
    for (std::size_t j = 0; j < term.stages; ++j) {
      for (std::size_t a = 0; a < m.n_x; ++a) term.base[(1 + a) * term.stages + j] = phase.state(scheme_, a, j) + first;
      for (std::size_t b = 0; b < m.n_z; ++b) term.base[(1 + m.n_x + b) * term.stages + j] = phase.z[b * s + j] + first;
      for (std::size_t c = 0; c < m.n_u; ++c)
        term.base[(1 + m.n_x + m.n_z + c) * term.stages + j] = phase.u[c * s + j] + first;
    }
    return term;
  }
  EvaluationTerm at_interval(const PhaseLayout& phase, bolza_function* function, std::size_t interval, std::size_t stages) {
    std::vector<double> places(scheme_.c.begin(), scheme_.c.begin() + static_cast<std::ptrdiff_t>(stages));
    return at_points(phase, function, add_times(phase, interval, 1, places), interval);
  }
  EvaluationTerm at_extra(const PhaseLayout& phase, const ExtraPoint& extra, bolza_function* function) {
    std::size_t interval = extra.at_start || phase.N == 0 ? 0 : phase.N - 1;
    EvaluationTerm term = blank(phase, function, add_times(phase, interval, 1, {extra.at_start ? 0.0 : 1.0}));
    std::size_t c = 1;
    for (const std::vector<std::size_t>* list : {&extra.x, &extra.z, &extra.u})
      for (std::size_t v : *list) term.base[c++] = v;
    return term;
  }

  EvaluationTerm rates(const PhaseLayout& phase, std::size_t times) {
    const bolza_model& m = *phase.model;
    std::size_t s = scheme_.points;
    EvaluationTerm term = at_points(phase, m.rates, times, 0);
    term.times_h = true;
    for (std::size_t a = 0; a < m.n_x; ++a)
      for (std::size_t d = 0; d < scheme_.n_defects; ++d)
        for (std::size_t j = 0; j < s; ++j)
          if (double w = scheme_.A[d * s + j]; w != 0)
            term.contributions.push_back({a, j, phase.defect[a * scheme_.n_defects + d], -w});
    for (std::size_t q = 0; q < m.n_q; ++q)
      for (std::size_t j = 0; j < s; ++j) {
        if (scheme_.b[j] == 0) continue;
        if (phase.sum[q] != none) term.contributions.push_back({m.n_x + q, j, phase.sum_row[q], -scheme_.b[j]});
        else if (weight_of(phase, q) != 0)
          term.contributions.push_back({m.n_x + q, j, objective, weight_of(phase, q) * scheme_.b[j]});
      }
    return term;
  }
  EvaluationTerm residuals(const PhaseLayout& phase, std::size_t times) {
    const bolza_model& m = *phase.model;
    EvaluationTerm term = at_points(phase, m.residuals, times, 0);
    std::size_t s = phase.row_stages;
    for (std::size_t b = 0; b < m.n_z; ++b)
      for (std::size_t j = 0; j < s; ++j) term.contributions.push_back({b, j, phase.algebraic[b * s + j], 1});
    for (std::size_t k = 0; k < m.n_g; ++k)
      for (std::size_t j = 0; j < s; ++j)
        if (double weight = phase.path_weight[k].empty() ? 1 : phase.path_weight[k][j]; weight != 0)
          term.contributions.push_back({m.n_z + k, j, phase.path[k * s + j], weight});
    return term;
  }
  EvaluationTerm squares(const PhaseLayout& phase, std::size_t times) {
    EvaluationTerm term = at_points(phase, phase.model->integrand_residuals, times, 0);
    term.times_h = true;
    for (std::size_t r = 0; r < phase.model->integrand_residuals->n_rows; ++r)
      for (std::size_t j = 0; j < scheme_.points; ++j)
        term.squares.push_back({r, j, objective, weight_of(phase, 0) * scheme_.b[j]});
    return term;
  }

  Transcription& t_;
  const bolza_problem& problem_;
  const Scheme& scheme_;
};

}  // namespace

void add_terms(Transcription& t, const std::vector<RateRow>& rate_rows) {
  TermWriter writer(t);
  for (const PhaseLayout& phase : t.phases) {
    std::size_t before = t.plan.terms.size();
    writer.main_terms(phase);
    t.main_terms.push_back(t.plan.terms.size() - before);
  }
  for (const PhaseLayout& phase : t.phases) writer.extra_terms(phase);
  for (const RateRow& row : rate_rows) writer.rate_term(row);
  for (const DelayTerm& delay : t.delay_terms) writer.delay_term(delay);
  writer.point_term();
}

}  // namespace bolza::transcribe
