// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events: stretches between them, whose ends move with the event and whose begins are what the
// event makes of the states. With τ from g(τ, x⁻, p) = 0 and x⁺ = R(τ, x⁻, p), a functional J of what follows and D = dJ/dτ,
//   λ⁻ = R_xᵀ λ⁺ − μ g_x,   gradient += R_pᵀ λ⁺ − μ g_p,   μ = D / (dg/dτ),
// where D and dg/dτ count the length of the stretch that ends, so that the lines hold for continuous equations and for the
// steps of a method alike.
#pragma once
#include <cmath>
#include <map>

#include "runtime/integrate/segment/work_internal.h"
#include "runtime/integrate/simulate/simulate.h"

namespace bolza::integrate {

/// One stretch, and the event at its end.
struct Stretch {
  enum class End : std::uint8_t { fixed, indicator, begin_of_segment, end_of_segment } ends = End::fixed;
  double begin = 0, end = 0;               // seconds
  std::size_t row = 0;                     // the indicator that ends it
  std::vector<double> shared;              // [n_shared] while it lasts
  std::vector<LoggedEvent::Firing> event;  // what sets states at its end
  std::vector<double> x;                   // [n_x] at its end, before the event
  std::vector<std::vector<double>> x_at;   // [event] [n_x] when an iteration begins to set states
  std::unique_ptr<Segment::Work> inner;
  bool walked = false;  // the run that found the events was over it: `inner` and `x` are those of that run
};

class StretchSegment final : public Segment::Work {
 public:
  StretchSegment(ReducedModel& model, const SegmentOptions& options) : Work(model, options), slope_(n_u) {}

  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override {
    return tangent(x, integrals, d, nullptr);
  }
  bool plan_tangent(std::span<const double> x) override;
  bool takes_samples() const override { return !options.method && !options.idas; }
  bool has_second_tangent() const override { return bends() && inner_kind()->has_second_tangent(); }
  bool has_second() const override { return bends() && inner_kind()->has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& directions, std::span<const double> lambda,
              const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) override;
  std::span<const double> discrete_at(bool end) const override;

 private:
  static Eigen::Index at(std::size_t k) { return static_cast<Eigen::Index>(k); }
  double share(double t) const { return times.length != 0 ? (t - times.begin) / times.length : 0; }
  void set_shared(const std::vector<double>& values);  // parameters keep their present values
  void find_slope();
  std::vector<double> inputs(double t) const;

  // where the events are
  bool plan(std::span<const double> x, bool* walked = nullptr);
  SimulateOptions simulation_from(std::span<const double> x) const;
  bool find_events(std::span<const double> x, std::vector<LoggedEvent>& events);
  std::vector<std::uint64_t> what_decides() const;
  std::size_t phase() const;
  bool changes(const LoggedEvent& e) const;
  bool divide(const std::vector<LoggedEvent>& events);
  std::unique_ptr<Segment::Work> take_inner();
  void give_inner(Stretch& stretch);
  bool find_indicator(const LoggedEvent& e, Stretch& stretch);
  bool knows_time(std::size_t row) const;
  void find_time(Stretch& stretch, std::span<const double> x);
  bool indicator(std::size_t row, double t, std::span<const double> x, double& value, double& rate);
  bool indicator_gradient(std::size_t row, double t, std::span<const double> x);

  // values
  bool over(Stretch& stretch, std::span<double> x, std::span<double> q);
  bool run(Stretch& stretch, std::span<double> x, std::span<double> integrals);
  bool happen(Stretch& stretch, std::span<double> x);

  // one run that finds the events and gives the values
  class Walk;
  class WalkIntegrator;
  struct Piece {
    double begin = 0, end = 0;  // seconds
    std::vector<double> x;      // [n_x] at its end, before the event
    std::unique_ptr<Segment::Work> inner;
  };
  bool needs_algebraics() const;
  bool can_walk();
  bool walk(std::span<const double> x, std::vector<LoggedEvent>& events);
  bool is_walked() const;
  void put_aside();
  bool take_walked(std::span<double> x, std::span<double> integrals);

  // states on the way
  double sample_time(std::size_t k) const { return times.begin + samples->at[k] * times.length; }
  void begin_samples();
  void give_samples(Stretch& stretch);
  void take_samples(const Stretch& stretch);
  bool take_tangents(const Stretch& stretch, const Segment::Directions& d, const Eigen::RowVectorXd& begin,
                     const Eigen::RowVectorXd& end, const Eigen::RowVectorXd& more);

  // derivatives
  /// How a stretch moves along m directions.
  struct Moves {
    Eigen::RowVectorXd begin, end;       // its times
    Eigen::MatrixXd begin_x, end_x;      // [n_x × m] states there, before the event
    std::vector<Eigen::MatrixXd> event;  // [event] those of x_at
  };
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d, std::vector<Moves>* moves);
  Eigen::MatrixXd moved_inputs(const Segment::Directions& d, double t, const Eigen::RowVectorXd& dt) const;
  Eigen::MatrixXd moved_point(const Segment::Directions& d, double t, const Eigen::RowVectorXd& dt,
                              const Eigen::MatrixXd& x) const;
  Segment::Directions moved_stretch(const Segment::Directions& d, const Stretch& stretch, const Eigen::RowVectorXd& begin,
                                    const Eigen::RowVectorXd& end) const;
  bool moved_row(nonlinear::ModelAt::Part part, const std::vector<double>& weight, const Eigen::MatrixXd& y,
                 const std::vector<ReducedModel::Pair>& pairs, Eigen::RowVectorXd& out);
  bool tangent_over(Stretch& stretch, const Segment::Directions& d, const Eigen::RowVectorXd& begin, Eigen::RowVectorXd& end,
                    std::span<double> x, std::span<double> q, Eigen::MatrixXd& x_dot, Eigen::MatrixXd& q_dot);
  struct Second;
  bool bends() const;  ///< are second derivatives of the model and of what happens at events there?
  std::unique_ptr<Segment::Work> inner_kind() const { return make_smooth_segment(model, options); }
  /// What J depends on at the time of an event, besides λ.
  struct Moment {
    double t = 0;           // dJ/dt
    std::vector<double> u;  // [n_u] dJ/du(t)
  };
  bool before_event(const Stretch& stretch, std::span<double> lambda, Moment& moment, std::span<double> out);
  void add_inputs(double t, const std::vector<double>& by, std::span<double> out) const;
  bool back_over(Stretch& stretch, std::span<Backward> functionals, std::span<const double> samples, std::size_t first,
                 std::vector<Moment>& moments, std::vector<Backward>& inner);
  Backward backward(std::span<const double> lambda, std::span<const double> weights) const;
  std::size_t inputs_of() const { return Work::inputs(); }
  double along_slope(const double* by) const;

  std::vector<Stretch> stretches_;
  std::vector<std::unique_ptr<Segment::Work>> spare_;                // of longer plans
  std::map<std::vector<std::uint64_t>, std::vector<LoggedEvent>> moments_;  // events by `what_decides`
  std::vector<double> after_;                                        // shared values at the end
  std::vector<double> slope_;                                        // [n_u] of the inputs in time
  std::vector<double> g_;                                            // gradient of an indicator
  bool planned_ = false;
  std::vector<Piece> walked_;             // from event to event
  std::vector<double> walked_integrals_;  // [n_q] over all of them
  bool walk_has_room_ = true;             // for its record
  Segment::Samples own_;                  // those in the stretch at hand
  std::size_t sampled_ = 0;               // of samples->at: those that earlier stretches have filled
};

}  // namespace bolza::integrate
