// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "runtime/integrate/inputs/history.h"
#include "runtime/integrate/inputs/inputs.h"
#include "runtime/integrate/inputs/plug_flow.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// The inputs u of one run as the model sees them: the given ones from their pieces, then the delayed values (the last
/// n_delays of u) from the history of their expressions, unless these are given, too.
///
/// Delayed values break where their expression broke one delay earlier: `next_break` gives those times, up to the fifth
/// derivative, and integrators start again there. Two of them may be the ends of a plug flow instead: their times are x and
/// positiveVelocity.
class InputEvaluator {
 public:
  /// Refers to all of them; `inputs` has values for the first n_u − n_delays inputs at least.
  InputEvaluator(nonlinear::ModelAt& model, const Inputs& inputs);

  std::size_t delays() const { return n_delays_; }

  /// The values before the start: those of the expressions at t0.
  bool start_history(double t0, const double* x, const double* z, std::span<double> u);
  /// From now on t lies in [begin, end], which crosses no end of a piece and no break.
  void begin(double begin, double end);
  /// u at t. `x`, `z`: where delay times may depend on them.
  void at(double t, const double* x, const double* z, std::span<double> u) {
    if (n_u_) values(t, t - begin_ < end_ - t, *piece_, x, z, u);
  }
  /// du/dt of the given inputs by their polynomials, of delayed ones by a difference quotient.
  void slope(double t, const double* x, const double* z, std::span<double> slope);

  /// Taylor coefficients of the given inputs at t, [inputs × columns] by rows.
  void expand(double t, std::size_t columns, std::span<double> out) const { integrate::expand(*piece_, t, columns, out); }

  /// Ends of pieces of the inputs and breaks of delayed values after t; infinity when there are none.
  double next_break(double t) const;
  /// True when the inputs have different values before and after t.
  bool jumps(double t, const double* x, const double* z);
  /// Whether a jump or kink came out of a plug flow in the last step.
  bool left_by_break() const;
  /// Longest step for which the history is there already; infinity when there are no delays.
  double longest_step(double t, const double* x, const double* z, std::span<const double> u);
  /// Adds a step to the history; `at` gives x and z.
  using StateAt = std::function<bool(double t, std::span<double> x, std::span<double> z)>;
  void append(double end, const StateAt& at);
  /// A delay of the history that was negative or longer than its maximum: no history is there for it.
  struct BadDelay {
    std::size_t number = 0;
    double time = 0, delay = 0, longest = 0;
  };
  const std::optional<BadDelay>& bad_delay() const { return bad_delay_; }
  /// The delayed value whose pipe has a profile at the start with points that do not ascend; empty: none.
  std::optional<std::size_t> bad_profile() const { return bad_profile_; }
  /// A kink or jump of the expressions at t: it comes back one delay later. `jump`: of a value, else of a derivative.
  void mark(double t, bool jump);

 private:
  struct Break {
    double time;
    int order;  ///< 0: the value jumps, k: its k-th derivative
  };
  void look_at_delays(double t, std::span<const double> rows);
  bool expressions(double t, const double* x, const double* z, const double* u, std::span<double> rows);
  const InputPiece& piece_at(double t, bool right) const;
  void values(double t, bool right, const InputPiece& piece, const double* x, const double* z, std::span<double> u);

  nonlinear::ModelAt& model_;
  const Inputs& inputs_;
  std::size_t n_u_, n_delays_, n_given_;
  struct Flow {
    std::size_t first, places, n_places;  ///< delayed value, first row of its profile
    PlugFlow pipe;
  };
  void begin_flows(std::span<double> u);
  void read_flows(std::span<double> u);
  void append_flows(double begin, double end, const StateAt& at);

  History history_;
  std::vector<Flow> flows_;
  std::vector<double> rows_, time_;  ///< delay times, refreshed by every evaluation of the expressions
  bool constant_times_ = true;
  std::optional<BadDelay> bad_delay_;  ///< the first
  std::optional<std::size_t> bad_profile_;
  std::vector<Break> breaks_;  ///< ascending
  const InputPiece* piece_ = nullptr;
  double begin_ = 0, end_ = 0, t0_ = 0;
};

}  // namespace bolza::integrate
