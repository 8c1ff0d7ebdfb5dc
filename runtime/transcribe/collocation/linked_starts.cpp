// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/linked_starts.h"

#include <cmath>
#include <optional>

#include "runtime/nonlinear/kernel_at.h"

namespace bolza::transcribe {
namespace {

class Links {
 public:
  Links(bolza_problem& problem, std::size_t phase, const std::vector<abi::PhaseSolution>& before,
        const std::vector<double>& parameters, std::vector<double>& x)
      : problem_(problem),
        f_(*problem.point),
        phase_(phase),
        model_(*problem.models[problem.phases[phase].model]),
        before_(before),
        shared_(parameters),
        x_(x) {
    for (std::size_t k = problem.n_parameters; k < f_.n_shared; ++k)
      shared_.push_back(problem.point_data[k - problem.n_parameters]);
  }

  void follow() {
    for (std::size_t a = 0; a < model_.n_x; ++a) settled_.push_back(model_.x[a].fixed);
    while (true) {  // a link that reads what another one gives waits for it
      std::vector<Link> links = open_links();
      if (links.empty() || !step(links)) return;
    }
  }

 private:
  /// A row that is linear in one start value, as far as its Jacobian tells: the entry, and the state.
  struct Link {
    std::size_t row, entry, state;
  };

  bool is_own_start(const bolza_value_at& v) const {
    if (v.quantity != BOLZA_STATE) return false;
    const bolza_place& place = problem_.places[v.place];
    return static_cast<std::size_t>(place.phase) == phase_ && place.on_start == 1 && place.on_final == 0 &&
           place.offset == 0;
  }

  /// The value as far as phases were integrated; of the phase itself the guessed start.
  std::optional<double> known(const bolza_value_at& v) const {
    if (v.quantity != BOLZA_STATE) return {};
    auto index = static_cast<std::size_t>(v.index);
    if (is_own_start(v)) return x_[index];
    const bolza_place& place = problem_.places[v.place];
    auto phase = static_cast<std::size_t>(place.phase);
    if (phase >= before_.size() || place.offset != 0 || place.on_start + place.on_final != 1) return {};
    const abi::Trajectories& y = before_[phase].trajectories;
    if (index >= y.x.size() || y.x[index].empty()) return {};
    if (place.on_final == 1) return y.x[index].back();
    return place.on_start == 1 ? std::optional(y.x[index].front()) : std::nullopt;
  }

  /// Equalities with phases before in which all is known but one start value.
  std::vector<Link> open_links() const {
    std::vector<std::size_t> n_open(f_.n_rows, 0), entry(f_.n_rows, 0);
    std::vector<char> usable(f_.n_rows, 1), goes_on(f_.n_rows, 0);
    for (std::size_t r = 0; r < f_.n_rows; ++r)
      usable[r] = r > 0 && r <= problem_.n_k && f_.rows[r].lower == f_.rows[r].upper;
    for (std::size_t e = 0; e < f_.jac_nnz; ++e) {
      auto r = static_cast<std::size_t>(f_.jac_row[e]), c = static_cast<std::size_t>(f_.jac_col[e]);
      if (c >= problem_.n_values) continue;  // a parameter
      const bolza_value_at& v = problem_.values[c];
      if (!known(v)) usable[r] = 0;
      else if (!is_own_start(v)) goes_on[r] = 1;
      else if (!settled_[static_cast<std::size_t>(v.index)]) {
        ++n_open[r];
        entry[r] = e;
      }
    }
    std::vector<Link> links;
    for (std::size_t r = 0; r < f_.n_rows; ++r)
      if (usable[r] && goes_on[r] && n_open[r] == 1)
        links.push_back({r, entry[r], static_cast<std::size_t>(problem_.values[f_.jac_col[entry[r]]].index)});
    return links;
  }

  /// One step of Newton's method for every link by itself; false without derivatives.
  bool step(const std::vector<Link>& links) {
    if (!jacobian_.available()) jacobian_ = nonlinear::KernelAt(problem_, &f_, BOLZA_JACOBIAN);  // gives values, too
    if (!jacobian_.available()) return false;
    std::vector<double> values;
    for (std::size_t k = 0; k < problem_.n_values; ++k) values.push_back(known(problem_.values[k]).value_or(0));
    jacobian_.set(0, values);
    jacobian_.run(shared_.data());  // rows that are not defined there say nothing
    for (const Link& link : links) {
      double left = jacobian_.out(link.row) - f_.rows[link.row].lower;
      double next = x_[link.state] - left / jacobian_.out(f_.n_rows + link.entry);
      if (std::isfinite(next) && !settled_[link.state]) x_[link.state] = next;
      settled_[link.state] = 1;
    }
    return true;
  }

  bolza_problem& problem_;
  bolza_function& f_;
  std::size_t phase_;
  const bolza_model& model_;
  const std::vector<abi::PhaseSolution>& before_;
  std::vector<double> shared_;
  std::vector<double>& x_;
  std::vector<char> settled_;  ///< [n_x] fixed, or told by a link
  nonlinear::KernelAt jacobian_;
};

}  // namespace

void follow_links(bolza_problem& problem, std::size_t phase, const std::vector<abi::PhaseSolution>& before,
                  const std::vector<double>& parameters, std::vector<double>& x) {
  if (phase > 0 && before.size() == phase && problem.point) Links(problem, phase, before, parameters, x).follow();
}

}  // namespace bolza::transcribe
