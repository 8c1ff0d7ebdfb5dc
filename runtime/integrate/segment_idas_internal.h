// A segment on IDAS: x' = f, 0 = h as they stand; values, the adjoint of the continuous equations, sensitivities and second
// derivatives. Rows are functions of s, so they carry the length.
#pragma once
#include <idas/idas.h>

#include "runtime/integrate/adjoint_pieces.h"
#include "runtime/integrate/segment_work_internal.h"
#include "runtime/integrate/step_quadrature.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {

class IdasSegment final : public Segment::Work {
 public:
  IdasSegment(ReducedModel& model, const SegmentOptions& options);
  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<Backward> functionals, std::span<const double> samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override;
  bool has_second() const override { return !hidden() && model.has_second(); }
  bool second(std::span<const double> begin, const Segment::Directions& directions, std::span<const double> lambda,
              const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) override;

 private:
  struct Free {
    void operator()(void* m) const { IDAFree(&m); }
  };
  using Memory = std::unique_ptr<void, Free>;
  using Point = nonlinear::ModelAt::Point;
  using Part = nonlinear::ModelAt::Part;

  static std::span<double> view(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }
  Point point(double s, N_Vector y);
  double size_of(std::size_t i) const;
  std::unique_ptr<NewtonSystem> newton(bool backward, std::size_t blocks = 1);
  /// Calls take(row, column, value) for the entries of (f, h) by (x, z), rows and columns from 0.
  template <class Take>
  bool entries(const Point& p, Take&& take) {
    for (Part part : {Part::rates, Part::residuals}) {
      bool of_rates = part == Part::rates;
      if (!of_rates && !n_z_) break;
      if (!model.at().jacobian(part, p, {}, derivative_)) return false;
      for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
        auto row = static_cast<std::size_t>(derivative_.row[e]), col = static_cast<std::size_t>(derivative_.col[e]);
        if (row < (of_rates ? n_x : n_z_) && col >= 1 && col <= n_) take(of_rates, row, col - 1, derivative_.value[e]);
      }
    }
    return true;
  }

  // values
  static int residual(double s, N_Vector y, N_Vector yp, N_Vector out, void* user);
  static int quadrature(double s, N_Vector y, N_Vector, N_Vector out, void* user);
  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                      N_Vector);
  Memory make(std::unique_ptr<NewtonSystem>& newton_of);
  bool place(std::span<const double> x);
  bool start(void* memory);
  AdjointPieces::Run forward_run();
  bool no_room();
  bool results(void* memory, std::span<double> x, std::span<double> integrals);

  // index 2
  struct Constraint {
    Eigen::MatrixXd h_x, h_z, f_z, by_other;  ///< by_other: h by (t, u, p) [n_z × (1 + n_u + n_p)]
    Eigen::MatrixXd M, N;                     ///< left and right null space of h_z [n_z × r]
  };
  bool hidden() const { return model.model().index == 2; }
  bool constrain(const Point& p, Constraint& c);
  bool find_algebraics(double s);
  bool project(Backward& functional);
  bool guess_multipliers(const Point& end, N_Vector back, std::span<const double> weights);

  // adjoint
  struct BackwardProblem;
  bool weighted_gradient(const Point& p, N_Vector back, std::span<const double> weights);
  bool input_rates(double s, N_Vector y, N_Vector back, std::span<const double> weights, std::span<double> out);
  bool place_multipliers(N_Vector back, N_Vector back_p, std::span<const double> weights);
  void backward_tolerances(N_Vector back, std::span<const double> weights, N_Vector state, std::span<double> input) const;
  bool back_to(double s);
  bool many_inputs() const { return inputs() > ManyIntegrals::many; }

  // sensitivities
  static int residual_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector, N_Vector* S, N_Vector* Sp,
                                    N_Vector* out, void* user, N_Vector, N_Vector, N_Vector);
  static int quadrature_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector* S, N_Vector*, N_Vector, N_Vector* out,
                                      void* user, N_Vector, N_Vector, N_Vector);
  bool differentiate(double s, N_Vector y);
  Eigen::MatrixXd moved_inputs(double s) const;
  bool place_sensitivities(const Segment::Directions& d, std::vector<Vector>& sens, std::vector<Vector>& sens_p);
  bool start_sensitivities(const Segment::Directions& directions);
  bool set_sensitivity_tolerances(void* memory, const Segment::Directions& directions, bool with_integrals);

  struct Second;

  std::size_t n_z_, n_;
  Context context_;
  Vector y_, yp_, q_;
  std::vector<double> u_, rates_, gradient_, combined_, minus_mu_, end_;
  nonlinear::Derivative derivative_;
  std::unique_ptr<NewtonSystem> newton_, newton_sens_;
  Memory memory_, sens_memory_;
  AdjointPieces pieces_;
  bool recorded_ = false;  // there is an older record in memory_
  std::vector<std::shared_ptr<BackwardProblem>> backward_;
  const NewtonSystem* form_ = nullptr;  // of the forward matrices, which are all alike
  std::vector<Vector> sens_, sens_p_, quad_sens_;
  std::shared_ptr<Second> second_;
  Eigen::MatrixXd direct_;            // [inputs × m] of the sensitivities
  Eigen::MatrixXd by_y_, by_direct_;  // at a point: [(n_x + n_q + n_z) × n], [… × m] of (f, q, h)
};

}  // namespace bolza::integrate
