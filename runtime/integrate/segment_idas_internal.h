// A segment on IDAS: x' = f, 0 = h as they stand; values, the adjoint of the continuous equations and sensitivities. Rows
// are functions of s, so they carry the length.
#pragma once
#include <idas/idas.h>

#include "runtime/integrate/segment_work_internal.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {

class IdasSegment final : public Segment::Work {
 public:
  IdasSegment(ReducedModel& model, const SegmentOptions& options);
  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override;

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
  std::unique_ptr<NewtonSystem> newton(bool backward);
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
  bool results(void* memory, std::span<double> x, std::span<double> integrals);

  // index 2
  struct Constraint {
    Eigen::MatrixXd h_x, h_z, f_z, by_other;  ///< by_other: h by (t, u, p) [n_z × (1 + n_u + n_p)]
    Eigen::MatrixXd M, N;                     ///< left and right null space of h_z [n_z × r]
  };
  bool hidden() const { return model.model().index == 2; }
  bool constrain(const Point& p, Constraint& c);
  bool find_algebraics(double s);
  bool project(std::span<double> lambda, std::span<double> out);
  bool guess_multipliers(const Point& end);

  // adjoint
  bool weighted_gradient(const Point& p, N_Vector back);
  static int residual_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user);
  static int jacobian_back(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* user,
                           N_Vector, N_Vector, N_Vector);
  static int quadrature_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector, N_Vector out, void* user);
  bool make_backward();
  bool start_backward(std::span<const double> lambda);
  void set_backward_tolerances();

  // sensitivities
  static int residual_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector, N_Vector* S, N_Vector* Sp,
                                    N_Vector* out, void* user, N_Vector, N_Vector, N_Vector);
  static int quadrature_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector* S, N_Vector*, N_Vector, N_Vector* out,
                                      void* user, N_Vector, N_Vector, N_Vector);
  bool differentiate(double s, N_Vector y);
  bool start_sensitivities(const Segment::Directions& directions);
  bool set_sensitivity_tolerances(const Segment::Directions& directions);

  std::size_t n_z_, n_;
  Context context_;
  Vector y_, yp_, q_, back_, back_p_, quad_;
  std::vector<double> u_, rates_, gradient_, combined_, minus_mu_, end_;
  nonlinear::Derivative derivative_;
  std::unique_ptr<NewtonSystem> newton_, newton_back_, newton_sens_;
  Memory memory_, sens_memory_;
  int which_ = 0;
  bool backward_made_ = false;
  const NewtonSystem* form_ = nullptr;  // of the forward matrices, which are all alike
  std::vector<Vector> sens_, sens_p_, quad_sens_;
  Eigen::MatrixXd direct_;            // [inputs × m] of the sensitivities
  Eigen::MatrixXd by_y_, by_direct_;  // at a point: [(n_x + n_q + n_z) × n], [… × m] of (f, q, h)
};

}  // namespace bolza::integrate
