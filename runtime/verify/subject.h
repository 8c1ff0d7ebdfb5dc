// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/verify/certificate.h"
#include "runtime/verify/own_flow.h"
#include "runtime/verify/point_terms.h"
#include "runtime/verify/stored_phase.h"

namespace bolza::verify {

/// A stored multiplier as it acts on the horizon: its amount, its limit, and the derivatives of what is limited.
struct ActingMultiplier {
  enum class Kind : std::uint8_t { state, algebraic, control, path };
  Kind kind = Kind::state;
  Eigen::Index index = 0;   ///< of the variable or the path constraint
  double amount = 0;        ///< > 0 at an upper side
  double time = 0;          ///< at which it acts
  double from = 0, to = 0;  ///< the stretch that it stands for
  double value = 0;         ///< of what is limited, there
  double lower = 0, upper = 0;
  Impulse impulse;
  /// Boundary between pieces at which it acts, 0 … pieces; npos: within a piece.
  std::size_t boundary = npos;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// All that the checks of one result share: the result by phases, our own integration of it, slopes of the point function.
struct Subject {
  Subject(bolza_problem& of, const abi::Solution& solution) : problem(of), stored(solution) {}

  bolza_problem& problem;
  const abi::Solution& stored;
  double tolerance = 1e-3;
  std::vector<std::unique_ptr<StoredPhase>> phases;
  std::vector<std::unique_ptr<OwnFlow>> flows;  ///< as many as phases, where all could be integrated
  std::vector<Eigen::VectorXd> integrals;       ///< Q by our quadrature
  std::vector<Eigen::VectorXd> weights;         ///< w = ∂L/∂Q
  PointTerms point;
  std::vector<std::vector<ActingMultiplier>> acting;  ///< [phases]
  std::vector<std::vector<PieceCostates>> costates;   ///< [phases][pieces], empty: not known
  /// The same with multipliers of states and path constraints spread over the stretches that they stand for: λ without the
  /// jumps between the points of a mesh interval that a measure on single points leaves.
  std::vector<std::vector<PieceCostates>> even_costates;
  std::vector<Eigen::VectorXd> start_costates;  ///< [phases] at the start, what acts there included
  double size = 1;                              ///< of the objective: |J|, or what its parts come to where they cancel
  Eigen::VectorXd by_parameter;                 ///< ∂L/∂p [n_parameters], after `check_ends`
  bool has_multipliers = false;
  bool diverged = false;       ///< our integration did not converge
  bool is_impossible = false;  ///< what is stored is no trajectory: its times do not ascend

  bool integrated() const { return !phases.empty() && flows.size() == phases.size(); }
};

/// The largest of some values, and where it was. The first NaN stays: it is within no limit.
class Worst {
 public:
  void look(double value, const std::string& of, double time);
  double value() const { return value_; }
  /// `name`: passed where the value is not above the limit.
  ConditionCheck check(std::string_view name, double limit, std::string_view unit) const;
  /// The same of a sum over all values, the largest of which has the place.
  ConditionCheck check_sum(std::string_view name, double sum, double limit, std::string_view unit) const;

 private:
  double value_ = 0, time_ = std::numeric_limits<double>::quiet_NaN();
  std::string of_;
};

/// A check that could not be made.
ConditionCheck not_checked(std::string_view name, std::string why);

/// Multipliers of a phase with the places where they act. Requires  its flow is integrated.
std::vector<ActingMultiplier> acting_multipliers(const StoredPhase& phase, const abi::PhaseMultipliers& multipliers);

/// Derivatives of point terms by states at times of a phase, as impulses.
std::vector<Impulse> point_impulses(const Subject& subject, std::size_t phase);

/// Integrates, evaluates the point function and places the multipliers. Why that, or what follows from costates, is not
/// possible; "" where it is.
std::string prepare(Subject& subject);

// The checks, in the order of docs/verify.md; each adds its rows.
void check_feasibility(Subject& subject, Certificate& out);
void check_multipliers(Subject& subject, Certificate& out);
/// Fills `subject.costates` and `subject.even_costates`.
void check_costates(Subject& subject, Certificate& out);
void check_ends(Subject& subject, Certificate& out);
void check_controls(Subject& subject, Certificate& out);
void check_second_order(Subject& subject, Certificate& out);
/// By the dual, where the problem is convex by its structure; needs what `check_ends` leaves.
void check_gap(Subject& subject, Certificate& out);

}  // namespace bolza::verify
