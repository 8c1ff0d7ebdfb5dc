// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runtime/nlp/interior/filter.h"
#include "runtime/nlp/interior/quasi_newton.h"
#include "runtime/nlp/interior/step_system.h"
#include "runtime/nlp/stall.h"

namespace bolza::nlp::interior {

/// Where the next barrier parameter comes from, where it is adaptive [NWW].
enum class Oracle : std::uint8_t { quality_function, loqo, probing };

struct Settings {
  double tol = 1e-8;
  double mu_init = 0.1;
  double objective_factor = 1;
  double push = 1e-2, push_share = 1e-2;  ///< of the start from sides: of their size, of the distance between two
  bool adaptive = false;                  ///< the barrier parameter follows each iterate [NWW]; else it only falls
  Oracle oracle = Oracle::quality_function;
  int max_soc = 4;    ///< second-order corrections of a step
  int watchdog = 10;  ///< shortened steps in a row until one is taken untested; 0: never
  bool soft_restoration = true;
};

/// How a loop ended.
struct Exit {
  Status status = Status::failed;
  const char* message = "";
  bool left = false;   ///< a restoration found a point that its problem accepts
  bool stuck = false;  ///< steps are as small as rounding
};

/// What a loop and its restoration share: the count of iterations, limits, progress.
class Monitor {
 public:
  Monitor(const EngineOptions& options, Report& report) : options_(options), report_(report) {}
  /// Before an iteration. Something: it is not begun.
  std::optional<Exit> look(double objective, double primal, double dual);
  bool at_limit() const { return report_.iterations >= options_.max_iterations; }
  void count(double regularization);
  const EngineOptions& options() const { return options_; }

 private:
  const EngineOptions& options_;
  Report& report_;
  Clock::time_point begin_ = Clock::now();
  int told_ = -1;
};

/// One side of all variables that have it, lower or upper: distance = sign (v − bound).
struct BoundSide {
  double sign = 1;
  std::vector<std::int32_t> at;
  std::vector<double> bound;
  std::vector<double> alone;  ///< 1: the variable has this side alone; else 0
};

/// A primal–dual point. [N], [m], [of each side]
struct InteriorPoint {
  std::vector<double> v, c, lambda;
  std::array<std::vector<double>, 2> distance, z;
  double f = 0;      ///< with prices
  double theta = 0;  ///< |c|₁
  double phi = 0;    ///< f and the barrier
};

/// How far a point is from the conditions of Karush, Kuhn and Tucker.
struct Errors {
  double dual = 0, primal = 0;
  double least_product = 0, largest_product = 0;  ///< of a distance and its multiplier
  double dual_size = 1, product_size = 1;         ///< s_d, s_c [IPOPT, (6)]
  double product_sum = 0;
  std::size_t products = 0;

  double complementarity(double mu) const;
  double total(double mu) const;  ///< E_μ
};

/// The iteration of IPOPT [IPOPT, algorithm A]: a primal–dual step, the fraction to the boundary, a line search with a
/// filter, second-order corrections, a watchdog. All arrays are made by `begin`; an iteration allocates nothing.
class InteriorLoop {
 public:
  InteriorLoop(BarrierModel& model, const Pattern& jacobian, StepSystem& system, Monitor& monitor, const Settings& settings);

  /// From v [N], strictly between the sides, with multipliers of sides 1 or as `point()` has them afterwards.
  bool begin(const double* v, double mu);
  Exit run();

  Exit nearly(const char* message) const;  ///< acceptable where the point nearly is one, else failed
  InteriorPoint& point() { return now_; }
  const std::array<BoundSide, 2>& sides() const { return sides_; }
  double mu() const { return mu_; }
  const Errors& errors() const { return errors_; }
  /// Values at the point have changed, or its multipliers: everything that follows from them is computed again.
  bool refresh();
  /// λ by least squares, zero where that is larger than 1000 or does not exist [IPOPT, section 3.6].
  void estimate_lambda();
  /// Whether filter and point would take (v, c) as the next.
  bool would_take(const InteriorPoint& trial) const;
  /// Violations, distances and φ of v; false: a value was not finite.
  bool evaluate(InteriorPoint& point);
  double barrier_of(const InteriorPoint& point) const;

  /// What is done where no step is found: nothing returned: the point was replaced.
  std::function<std::optional<Exit>()> recover;
  /// Whether the point will do for somebody else. A loop of a restoration.
  std::function<bool(const InteriorPoint&)> leaves;
  /// Unscaled errors, objective. Of the problem itself.
  std::function<bool(const InteriorPoint&, const Errors&)> is_solved;
  /// What progress is told of a restoration; else f over this factor, and the loop's own violation.
  std::function<void(double& objective, double& primal)> shown;
  double objective_scale = 1;
  double product_tolerance = 1e-4;      ///< of distances and multipliers, as the loop has them
  QuasiNewton* quasi_newton = nullptr;  ///< in place of second derivatives
  /// The filter refuses the point from now on.
  void forbid_here();
  /// Goes on from v [N], which a restoration found. False: a value was not finite there.
  bool continue_from(const double* v);

 private:
  struct Step {
    std::vector<double> v, lambda;
    std::array<std::vector<double>, 2> z;
  };
  /// What trial points are compared with.
  struct Reference {
    double theta = 0, phi = 0, slope = 0;
  };
  enum class First : std::uint8_t { tested, skipped };  ///< the longest step
  enum class Trial : std::uint8_t { taken, refused, not_finite };

  std::optional<Exit> ends();
  bool linearise();
  void remember();
  void learn();
  void measure();
  bool lower_barrier();
  void set_barrier(double mu);
  double least_barrier() const;
  bool adapt_barrier();
  double loqo_barrier(double average) const;
  double barrier_by_steps(double average);
  double probed_barrier(double average) const;
  double quality_of(double sigma, double dual, double primal);
  double sum_of_products(const Step& step, double alpha, double alpha_of_z, bool squares) const;

  bool factor();
  void assemble();
  void right_side(double mu, std::vector<double>& slope) const;
  bool find_step();
  bool is_contradictory() const;
  void step_of_sides(double mu, Step& step) const;
  double slope_along(const Step& step) const;
  double to_boundary(const Step& step) const;
  double to_boundary_of_z(const Step& step) const;

  bool search();
  bool take_tiny_step();
  bool search_with_watchdog();
  bool backtrack(First first);
  void count_refusals(bool by_filter);
  Trial attempt(const Step& step, double alpha, double alpha_of_test);
  bool corrected(double alpha);
  bool acceptable(double alpha, const InteriorPoint& trial) const;
  bool is_f_type(double alpha) const;
  bool armijo(double alpha, double phi) const;
  double shortest() const;
  void accept(const Step& step, double alpha, bool augments);
  void move(const Step& step, double alpha);
  bool is_tiny() const;
  void measure_distances(InteriorPoint& point);
  bool soft_step();
  double primal_dual_error();

  void start_watchdog();
  void stop_watchdog();

  BarrierModel& model_;
  const Pattern& places_;
  StepSystem& system_;
  Monitor& monitor_;
  const Settings& settings_;
  std::array<BoundSide, 2> sides_;
  InteriorPoint now_, trial_, saved_;
  Step step_, corrected_, saved_step_;
  Reference reference_, saved_reference_;
  std::vector<double> gradient_, slope_, sigma_, rhs_, soc_c_, no_violation_;
  std::vector<double> old_x_, old_slope_;  // of quasi-Newton updates
  const double* jacobian_ = nullptr;
  const double* hessian_ = nullptr;
  StepSystem::Matrix matrix_;
  Errors errors_;
  Filter filter_;
  StallWatch stall_;
  double mu_ = 0.1, tau_ = 0.99;
  double theta_max_ = -1, theta_min_ = -1;
  int shortened_ = 0, watchdog_trials_ = 0, tiny_steps_ = 0, acceptable_ = 0, soft_steps_ = 0;
  int filter_refusals_ = 0, filter_resets_ = 0;
  bool in_watchdog_ = false, is_stuck_ = false, in_soft_ = false, evaluation_failed_ = false;
  mutable bool refused_by_filter_ = false;
  // of the adaptive barrier
  bool fixed_mode_ = false, is_factored_ = false;
  double mu_most_ = 0;
  Step affine_, centering_;
  std::vector<double> soft_;
  Filter progress_filter_;
};

}  // namespace bolza::nlp::interior
