// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/measured_sizes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "runtime/nonlinear/model_at.h"

namespace bolza::transcribe {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr int most_passes = 20;
constexpr double a_tenth = 0.1;  ///< of the values at the first point are those at the other

/// An equation as what its terms say about sizes: |value| or limit, and |derivatives| by x, z, u and parameters.
struct Equation {
  struct Term {
    std::size_t column;
    double slope;
  };
  double constant = 0;
  std::vector<Term> terms;
  std::size_t state = static_cast<std::size_t>(-1);  ///< whose derivative it gives
};

class Measure {
 public:
  Measure(const Transcription& t, std::size_t phase, PhaseSizes& sizes)
      : model_(*t.phases[phase].model),
        at_(*t.problem, model_, nonlinear::shared_of(*t.problem, phase, parameters(t))),
        horizon_(t.horizons[phase].tf - t.horizons[phase].t0),
        time_(t.horizons[phase].t0) {
    for (auto [list, n, own] :
         {std::tuple{model_.x, model_.n_x, &sizes.x}, {model_.z, model_.n_z, &sizes.z}, {model_.u, model_.n_u, &sizes.u}})
      for (std::size_t k = 0; k < n; ++k) {
        variables_.push_back(&list[k]);
        size_.push_back((*own)[k]);
      }
    const std::int32_t* parameter = t.problem->phases[phase].parameter;
    parameter_.assign(parameter, parameter + model_.n_global);
    for (std::int32_t k : parameter_) size_.push_back(sizes.p[static_cast<std::size_t>(k)]);
  }

  /// The least of many horizons in which every state can change as the problem asks, 0: none, or whatever it is. At rest a
  /// speed moves nothing in a direction that nobody has steered to yet: then the rates are taken off the start, where what
  /// has no size, as an angle, may be of any as long as the horizon does not depend on it.
  double shortest_horizon(const std::vector<double>& changes) {
    any_horizon_ = true;
    if (double found = least_of_many(changes, 0); found > 0) return found;
    double found = least_of_many(changes, 1), other = least_of_many(changes, 1000);
    return std::max(found, other) <= 10 * std::min(found, other) ? found : 0;
  }

  void run(PhaseSizes& sizes) {
    for (bool moved : {true, true, false}) {
      if (is_known()) break;
      look(moved);
      for (int pass = 0; pass < most_passes && improve(); ++pass) {}
    }
    auto from = size_.begin();
    for (std::vector<double>* own : {&sizes.x, &sizes.z, &sizes.u})
      for (double& size : *own) size = *from++;
    for (std::int32_t k : parameter_) sizes.p[static_cast<std::size_t>(k)] = *from++;
  }

 private:
  static std::vector<double> parameters(const Transcription& t) {
    return {t.nlp.start.begin(), t.nlp.start.begin() + static_cast<std::ptrdiff_t>(t.problem->n_parameters)};
  }
  bool is_known() const {
    return std::all_of(size_.begin(), size_.end(), [](double size) { return size != 0; });
  }

  /// @param unknown  0: the equations are looked at once, off what is known alone; else at the sizes that follow for each
  ///                 horizon, with this one for what has none
  double least_of_many(const std::vector<double>& changes, double unknown) {
    constexpr int least = -36, most = 48, per_decade = 4;
    std::vector<double> known = size_;
    look(true);
    double found = 0;
    for (int k = least; k <= most && found == 0; ++k) {
      horizon_ = std::pow(10.0, static_cast<double>(k) / per_decade);
      for (int pass = 0; pass < most_passes && improve(); ++pass) {}
      if (unknown > 0) {
        std::vector<double> followed = size_;
        std::replace(size_.begin(), size_.end(), 0.0, unknown);
        look(true);
        size_ = followed;
      }
      if (suffices(changes)) found = k > least ? horizon_ : -1;
      size_ = known;
      if (unknown > 0) look(true);
    }
    return std::max(found, 0.0);
  }

  /// The model's equations off the guesses by a part of the sizes (what is zero or steep at zero alone says little), or
  /// at them.
  void look(bool moved) {
    std::vector<double> y, less;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      double part = std::fmod(0.6180339887 * static_cast<double>(k + 1), 1.0);
      double value = nonlinear::guess_of(*variables_[k]) + (moved ? (0.2 + 0.5 * part) * size_[k] : 0);
      y.push_back(std::min(std::max(value, variables_[k]->min), variables_[k]->max));
      less.push_back(std::min(std::max(a_tenth * y.back(), variables_[k]->min), variables_[k]->max));
    }
    nonlinear::ModelAt::Point p{time_, y.data(), y.data() + model_.n_x, y.data() + model_.n_x + model_.n_z};
    equations_.assign(model_.n_x + model_.n_z + model_.n_g, {});
    add(Part::rates, p, 0, model_.n_x);
    if (moved) raise_rates({time_, less.data(), less.data() + model_.n_x, less.data() + model_.n_x + model_.n_z});
    add(Part::residuals, p, model_.n_x, model_.n_z + model_.n_g);
    for (std::size_t a = 0; a < model_.n_x; ++a) equations_[a].state = a;
  }

  /// Rates that are far larger at another point: those at the first one have vanished, as exp(-5 x) does.
  void raise_rates(const nonlinear::ModelAt::Point& p) {
    constexpr double far = 1e3;
    std::vector<double> rows(model_.n_x + model_.n_q);
    if (rows.empty() || !at_.value(Part::rates, p, rows)) return;
    for (std::size_t a = 0; a < model_.n_x; ++a)
      if (double rate = std::abs(rows[a]); rate > far * equations_[a].constant) equations_[a].constant = rate;
  }

  void add(Part part, const nonlinear::ModelAt::Point& p, std::size_t first, std::size_t count) {
    const bolza_function* f = at_.part(part);
    if (!f || count == 0) return;
    std::vector<double> rows(f->n_rows);
    if (!at_.jacobian(part, p, rows, derivative_)) return;
    for (std::size_t r = 0; r < count; ++r) {
      Equation& e = equations_[first + r];
      if (part == Part::rates) e.constant = std::max(e.constant, std::abs(rows[r]));
      else if (r >= model_.n_z && f->rows)
        for (double limit : {f->rows[r].lower, f->rows[r].upper})
          if (std::isfinite(limit)) e.constant = std::max(e.constant, std::abs(limit));
    }
    for (std::size_t k = 0; k < derivative_.value.size(); ++k) {
      auto row = static_cast<std::size_t>(derivative_.row[k]), column = static_cast<std::size_t>(derivative_.col[k]);
      double slope = std::abs(derivative_.value[k]);
      if (row >= count || column == 0 || column > size_.size() || size_[column - 1] < 0 || !std::isfinite(slope) ||
          slope == 0)
        continue;
      equations_[first + row].terms.push_back({column - 1, slope});
    }
  }

  /// The largest of what is known of an equation's terms.
  double largest(const Equation& e) const {
    double most = e.constant;
    for (const Equation::Term& term : e.terms) most = std::max(most, term.slope * size_[term.column]);
    if (e.state < model_.n_x && horizon_ > 0 && !any_horizon_) most = std::max(most, size_[e.state] / horizon_);
    return most;
  }

  /// Whether the rates allow the changes over the horizon.
  bool suffices(const std::vector<double>& changes) const {
    return std::all_of(equations_.begin(), equations_.end(), [&](const Equation& e) {
      return e.state >= model_.n_x || !(changes[e.state] > 0) || largest(e) * horizon_ >= changes[e.state];
    });
  }

  /// One step from what is known to its neighbours. False: there was none to make.
  bool improve() {
    std::vector<double> found(size_.size(), INFINITY);
    for (const Equation& e : equations_) {
      double most = largest(e), own = 0;
      if (!(most > 0) || !std::isfinite(most)) continue;
      for (const Equation::Term& term : e.terms) {
        if (term.column == e.state) own = std::max(own, term.slope);
        else found[term.column] = std::min(found[term.column], most / term.slope);
      }
      if (e.state >= model_.n_x) continue;
      double time = own * horizon_ > 1 ? 1 / own : horizon_;
      found[e.state] = std::min(found[e.state], most * time);
    }
    bool any = false;
    for (std::size_t k = 0; k < size_.size(); ++k)
      if (size_[k] == 0 && found[k] > 0 && std::isfinite(found[k])) {
        size_[k] = found[k];
        any = true;
      }
    return any;
  }

  const bolza_model& model_;
  nonlinear::ModelAt at_;
  double horizon_, time_;
  bool any_horizon_ = false;                      ///< nothing follows from it for rates
  std::vector<const bolza_variable*> variables_;  // x, z, u
  std::vector<std::int32_t> parameter_;           // the phase's
  std::vector<double> size_;                      // of all of them
  std::vector<Equation> equations_;               // of states, algebraics, path constraints
  nonlinear::Derivative derivative_;
};

}  // namespace

void measure_sizes(const Transcription& t, std::size_t phase, PhaseSizes& sizes) {
  auto unknown = [](const std::vector<double>& list) { return std::find(list.begin(), list.end(), 0.0) != list.end(); };
  if (t.problem->is_static || !(unknown(sizes.x) || unknown(sizes.z) || unknown(sizes.u) || unknown(sizes.p))) return;
  Measure(t, phase, sizes).run(sizes);
}

double measure_horizon(const Transcription& t, std::size_t phase, PhaseSizes sizes, const std::vector<double>& changes) {
  bool asked = std::any_of(changes.begin(), changes.end(), [](double change) { return change > 0; });
  return asked ? Measure(t, phase, sizes).shortest_horizon(changes) : 0;
}

}  // namespace bolza::transcribe
