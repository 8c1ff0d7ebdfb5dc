// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/growth.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "runtime/nlp/solve.h"

namespace bolza::transcribe {
namespace {

constexpr Eigen::Index combinations = 4;
constexpr int looks_of_lifted = 5, looks_of_classical = 20, looks_without_second = 100;  ///< iterations between two
constexpr int hopeless_looks = 3;  ///< one after another: points on the way may be wild, and one says little
// An optimum of controls alone lies in a valley, the more curved the more errors grow: looks that iterations may creep.
constexpr double bent = 1e3, very_bent = 1e5;
constexpr int looks_in_bent = 6, looks_in_very_bent = 1;
constexpr double largest_factor = 1e300;  ///< that is told: a number
constexpr double slow = 0.1;              ///< change of the objective, fall of the slope

/// Largest absolute values at the mesh points, or nominal ones where these are larger.
Eigen::VectorXd sizes_of_states(ShootingPhase& phase) {
  auto n_x = static_cast<Eigen::Index>(phase.model->n_x);
  Eigen::VectorXd size(n_x);
  for (Eigen::Index i = 0; i < n_x; ++i) {
    size[i] = nonlinear::size_of(phase.model->x[i]);
    for (std::size_t k = 0; k <= phase.N(); ++k)
      size[i] = std::max(size[i], std::fabs(phase.node(k)[static_cast<std::size_t>(i)]));
  }
  return size;
}

class Errors {
 public:
  Errors(ShootingNodes& nodes, ShootingPhase& phase)
      : nodes_(nodes),
        phase_(phase),
        size_(sizes_of_states(phase)),
        S_(Eigen::MatrixXd::Zero(size_.size(), combinations)) {}

  bool follow(Growth& growth) {
    for (std::size_t k = 0; k < phase_.N(); ++k) {
      add();
      if (!advance(k)) return false;
      look(k, growth);
    }
    return true;
  }

 private:
  /// What an interval adds: independent of all before.
  void add() {
    for (Eigen::Index c = 0; c < combinations; ++c)
      for (Eigen::Index i = 0; i < size_.size(); ++i) S_(i, c) += size_[i] * (random_() % 2 ? 1 : -1);
  }

  bool advance(std::size_t k) {
    integrate::Segment& segment = phase_.segments[k];
    const bolza_model& m = *phase_.model;
    auto inputs = static_cast<Eigen::Index>(segment.inputs()), n_q = static_cast<Eigen::Index>(m.n_q);
    // of the size of a state: what a linear model does with it, a tolerance of sensitivities can see
    double largest = std::max(1.0, (S_.array().colwise() / size_.array()).abs().maxCoeff());
    integrate::Segment::Directions d{S_ / largest,
                                     Eigen::MatrixXd::Zero(n_q, combinations),
                                     Eigen::MatrixXd::Zero(inputs, combinations),
                                     std::vector<double>(static_cast<std::size_t>(combinations), 1.0),
                                     {}};
    std::vector<double> x(phase_.node(k).begin(), phase_.node(k).end()), q(m.n_q);
    nodes_.start_algebraics(phase_, k);
    if (!segment.tangent(phase_.times[k], nodes_.inputs_at(phase_, k, SegmentPart::begin), nodes_.inputs_after(phase_, k), x,
                         q, d))
      return false;
    S_ = largest * d.x;
    return S_.allFinite();
  }

  void look(std::size_t k, Growth& growth) const {
    for (Eigen::Index i = 0; i < size_.size(); ++i) {
      double factor = S_.row(i).norm() / (std::sqrt(static_cast<double>(combinations)) * size_[i]);
      factor = std::min(factor, largest_factor);
      if (factor <= growth.factor) continue;
      growth.factor = factor;
      growth.name = phase_.model->x[i].name ? phase_.model->x[i].name : "";
      growth.time = phase_.times[k].begin + phase_.times[k].length;
    }
  }

  ShootingNodes& nodes_;
  ShootingPhase& phase_;
  Eigen::VectorXd size_;
  Eigen::MatrixXd S_;  // [n_x × combinations]
  std::mt19937 random_;
};

}  // namespace

Growth growth_of_errors(ShootingNodes& nodes) {
  Growth growth;
  nodes.leave_site();
  growth.known = true;
  for (ShootingPhase& phase : nodes.phases)
    if (growth.known) growth.known = Errors(nodes, phase).follow(growth);
  growth.known = growth.known || growth.factor > lost_state / least_rtol;
  nodes.leave_site();
  return growth;
}

bool is_hopeless(const Growth& growth) { return growth.factor * least_rtol > lost_state; }

nlp::EngineOptions GrowthWatch::watched(const nlp::EngineOptions& asked) {
  if (asked.engine == "bonmin") return asked;  // it tells nobody of its iterations
  asked_ = asked;
  nlp::EngineOptions options = asked;
  options.budget = Budget(asked.budget.left(), &stop_);
  options.progress = follow;
  options.progress_context = this;
  return options;
}

void GrowthWatch::name_end(nlp::Report& report) const {
  if (found_ && report.status == nlp::Status::interrupted) report.status = nlp::Status::failed;
  if (asked_.budget.interrupted() && !nlp::is_solution(report.status)) report.status = nlp::Status::interrupted;
}

void GrowthWatch::follow(void* context, const nlp::EngineProgress& at) {
  GrowthWatch& watch = *static_cast<GrowthWatch*>(context);
  if (watch.asked_.progress) watch.asked_.progress(watch.asked_.progress_context, at);
  if (watch.asked_.budget.interrupted() || watch.ends(at)) watch.stop_ = true;
}

bool GrowthWatch::ends(const nlp::EngineProgress& at) {
  bool newton = asked_.hessian != nlp::Hessian::lbfgs;
  int every = form_ == Form::lifted ? looks_of_lifted : newton ? looks_of_classical : looks_without_second;
  if (++iterations_ % every != 0) return false;
  Growth growth = look();
  bool end = form_ == Form::lifted ? ends_lifted(growth) : ends_classical(growth, at);
  if (end) found_ = std::move(growth);
  objective_ = at.objective;
  slope_ = std::fmin(slope_, at.dual_infeasibility);
  return end;
}

bool GrowthWatch::ends_lifted(const Growth& growth) {
  hopeless_ = is_hopeless(growth) ? hopeless_ + 1 : 0;
  return hopeless_ >= hopeless_looks;
}

bool GrowthWatch::ends_classical(const Growth& growth, const nlp::EngineProgress& at) {
  if (!growth.known) return false;
  if (growth.factor * at_.nodes->rtol > lost_state) return true;
  double change = std::fabs(at.objective - objective_), size = std::max(std::fabs(at.objective), std::fabs(objective_));
  bool slowly = change < slow * size && at.dual_infeasibility > slow * slope_;
  slow_looks_ = slowly && growth.factor > bent ? slow_looks_ + 1 : 0;
  creeps_ = slow_looks_ >= (growth.factor > very_bent ? looks_in_very_bent : looks_in_bent);
  return creeps_;
}

Growth GrowthWatch::look() const {
  ShootingProblem beside = make_(at_.nodes->rtol);
  if (!beside.nodes || at_.nodes->w.size() != beside.nodes->nlp.n()) return {};
  beside.functions->move_to(at_.nodes->w);
  beside.functions->constraints();  // integrates; where one interval fails the ones before tell
  return growth_of_errors(*beside.nodes);
}

}  // namespace bolza::transcribe
