// A segment on IDAS: x' = f, 0 = h as they stand, and the adjoint of the continuous equations,    [SUNDIALS, 6.2.7]
//   λ' = −(f_xᵀ λ − h_xᵀ μ + q_xᵀ w),   0 = f_zᵀ λ − h_zᵀ μ + q_zᵀ w,
// with μ at the end from the second line: the final conditions of equations of index 0 and 1. Rows are functions of s, so
// they carry the length.
#include <idas/idas.h>
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "runtime/integrate/segment_work_internal.h"
#include "runtime/integrate/sundials_internal.h"

namespace bolza::integrate {
namespace {

using nonlinear::ModelAt;
using Part = ModelAt::Part;
using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;

struct FreeIdas {
  void operator()(void* m) const { IDAFree(&m); }
};

void silent(int, const char*, const char*, char*, void*) {}

std::span<double> view(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }

class IdasSegment final : public Segment::Work {
 public:
  IdasSegment(ReducedModel& model, const SegmentOptions& options)
      : Work(model, options),
        n_z_(model.model().n_z),
        n_(n_x + n_z_),
        context_(make_context()),
        y_(make_vector(n_, context_.get())),
        yp_(make_vector(n_, context_.get())),
        q_(make_vector(std::max<std::size_t>(n_q, 1), context_.get())),
        back_(make_vector(n_, context_.get())),
        back_p_(make_vector(n_, context_.get())),
        quad_(make_vector(inputs(), context_.get())),
        u_(n_u),
        rates_(n_x + n_q),
        gradient_(model.columns() + n_z_) {}

  bool forward(std::span<double> x, std::span<double> integrals) override;
  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override {
    if (!sensitivities_) sensitivities_ = make_cvodes_segment(model, options);  // algebraics eliminated
    sensitivities_->set(times, left, right);
    return sensitivities_->tangent(x, integrals, d);
  }

 private:
  ModelAt::Point point(double s, N_Vector y) {
    for (std::size_t i = 0; i < n_u; ++i) u_[i] = options.linear_control ? (1 - s) * left[i] + s * right[i] : left[i];
    return {times.begin + s * times.length, N_VGetArrayPointer(y), N_VGetArrayPointer(y) + n_x, u_.data()};
  }

  static int residual(double s, N_Vector y, N_Vector yp, N_Vector out, void* user) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    ModelAt::Point p = w.point(s, y);
    auto o = view(out);
    if (!w.model.at().value(Part::rates, p, w.rates_)) return 1;
    if (w.n_z_ && !w.model.at().value(Part::residuals, p, o.subspan(w.n_x))) return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = view(yp)[i] - w.times.length * w.rates_[i];
    return 0;
  }

  static int quadrature(double s, N_Vector y, N_Vector, N_Vector out, void* user) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    if (!w.model.at().value(Part::rates, w.point(s, y), w.rates_)) return 1;
    for (std::size_t i = 0; i < w.n_q; ++i) view(out)[i] = w.times.length * w.rates_[w.n_x + i];
    return 0;
  }

  /// Calls take(row, column, value) for the entries of (f, h) by (x, z), rows and columns from 0.
  template <class Take>
  bool entries(const ModelAt::Point& p, Take&& take) {
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

  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                      N_Vector) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    double* data = w.newton_->clear(J);
    auto slot = w.newton_->slot().begin();
    if (!w.entries(w.point(s, y),
                   [&](bool rate, std::size_t, std::size_t, double v) { data[*slot++] += rate ? -w.times.length * v : v; }))
      return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
    return 0;
  }

  /// Gradient of L = λ'f + w'q − μ'h by (t, x, z, u, p).
  bool weighted_gradient(const ModelAt::Point& p, N_Vector back) {
    combined_.assign(view(back).begin(), view(back).begin() + static_cast<std::ptrdiff_t>(n_x));
    combined_.insert(combined_.end(), weight.begin(), weight.end());
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    if (!model.at().vjp(Part::rates, p, combined_, gradient_)) return false;
    minus_mu_.assign(view(back).begin() + static_cast<std::ptrdiff_t>(n_x), view(back).end());
    for (double& v : minus_mu_) v = -v;
    return !n_z_ || model.at().vjp(Part::residuals, p, minus_mu_, gradient_);
  }

  static int residual_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    if (!w.weighted_gradient(w.point(s, y), back)) return 1;
    auto o = view(out);
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = view(back_p)[i] + w.times.length * w.gradient_[1 + i];
    for (std::size_t i = w.n_x; i < w.n_; ++i) o[i] = w.gradient_[1 + i];
    return 0;
  }

  static int jacobian_back(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* user,
                           N_Vector, N_Vector, N_Vector) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    double* data = w.newton_back_->clear(J);
    auto slot = w.newton_back_->slot().begin();
    if (!w.entries(w.point(s, y), [&](bool rate, std::size_t, std::size_t col, double v) {
          data[*slot++] += (col < w.n_x ? w.times.length : 1) * (rate ? v : -v);
        }))
      return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
    return 0;
  }

  static int quadrature_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector, N_Vector out, void* user) {
    IdasSegment& w = *static_cast<IdasSegment*>(user);
    ModelAt::Point p = w.point(s, y);
    if (!w.weighted_gradient(p, back) || !w.model.at().value(Part::rates, p, w.rates_)) return 1;
    auto o = view(out);
    double h = w.times.length, value = 0;
    const double *by_u = w.gradient_.data() + 1 + w.n_, *by_p = by_u + w.n_u;
    for (std::size_t i = 0; i < w.controls(); ++i)
      o[i] = -h * by_u[i % w.n_u] * (!w.options.linear_control ? 1 : i < w.n_u ? 1 - s : s);
    for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = -h * by_p[j];
    for (std::size_t i = 0; i < w.rates_.size(); ++i) value += w.combined_[i] * w.rates_[i];
    o[w.begin_input()] = -h * w.gradient_[0];
    o[w.length_input()] = -value - h * s * w.gradient_[0];
    return 0;
  }

  std::unique_ptr<NewtonSystem> newton(bool backward) {
    Places places;
    auto take = [&](const bolza_function* f, std::size_t rows, std::size_t first) {
      for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
        auto row = static_cast<std::size_t>(f->jac_row[e]), col = static_cast<std::size_t>(f->jac_col[e]);
        if (row >= rows || col < 1 || col > n_) continue;
        auto r = static_cast<std::int32_t>(first + row), c = static_cast<std::int32_t>(col - 1);
        places.emplace_back(backward ? c : r, backward ? r : c);
      }
    };
    take(model.model().rates, n_x, 0);
    if (n_z_) take(model.model().residuals, n_z_, n_x);
    for (std::size_t i = 0; i < n_x; ++i) places.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
    return std::make_unique<NewtonSystem>(n_, std::move(places), y_.get(), context_.get(), MethodOptions{});
  }

  double size_of(std::size_t i) const {
    const bolza_model& m = model.model();
    return nonlinear::size_of(i < n_x ? m.x[i] : m.z[i - n_x]);
  }

  bool make();
  bool make_backward();
  bool start_backward(std::span<const double> lambda);
  void set_backward_tolerances();

  std::size_t n_z_, n_;
  Context context_;
  Vector y_, yp_, q_, back_, back_p_, quad_;
  std::vector<double> u_, rates_, gradient_, combined_, minus_mu_, end_;
  nonlinear::Derivative derivative_;
  std::unique_ptr<NewtonSystem> newton_, newton_back_;
  std::unique_ptr<void, FreeIdas> memory_;
  std::unique_ptr<Segment::Work> sensitivities_;
  int which_ = 0;
  bool backward_made_ = false;
};

bool IdasSegment::make() {
  memory_.reset(IDACreate(context_.get()));
  void* memory = memory_.get();
  expects(memory != nullptr, "there is memory for an integrator");
  IDASetErrHandlerFn(memory, silent, nullptr);
  if (IDAInit(memory, residual, 0, y_.get(), yp_.get()) < 0) return false;
  Vector tolerance = make_vector(n_, context_.get()), kind = make_vector(n_, context_.get());
  for (std::size_t i = 0; i < n_; ++i) view(tolerance.get())[i] = options.rtol * size_of(i), view(kind.get())[i] = i < n_x;
  IDASVtolerances(memory, options.rtol, tolerance.get());
  IDASetUserData(memory, this);
  IDASetId(memory, kind.get());
  IDASetMaxNumSteps(memory, options.max_steps);
  newton_ = newton(false);
  IDASetLinearSolver(memory, newton_->solver(), newton_->matrix());
  IDASetJacFn(memory, jacobian);
  if (n_q) {
    IDAQuadInit(memory, quadrature, q_.get());
    IDAQuadSStolerances(memory, options.rtol, options.rtol);
    IDASetQuadErrCon(memory, 1);
  }
  const MethodOptions& o = options.method_options;
  return IDAAdjInit(memory, whole(o.checkpoint_steps, 500),
                    o.checkpoint_interpolation == "hermite" ? IDA_HERMITE : IDA_POLYNOMIAL) >= 0;
}

bool IdasSegment::forward(std::span<double> x, std::span<double> integrals) {
  std::copy(x.begin(), x.end(), view(y_.get()).begin());
  if (!n_x || times.length == 0) return n_q == 0 || times.length == 0;
  ModelAt::Point begin = point(0, y_.get());
  if (!model.move_to(begin.t, x, u_)) return false;
  std::copy(model.z().begin(), model.z().end(), view(y_.get()).begin() + static_cast<std::ptrdiff_t>(n_x));
  N_VConst(0, yp_.get()), N_VConst(0, q_.get());
  if (!model.rates(rates_)) return false;
  for (std::size_t i = 0; i < n_x; ++i) view(yp_.get())[i] = times.length * rates_[i];
  bool fresh = !memory_;
  if (fresh && !make()) return false;
  void* memory = memory_.get();
  if (!fresh && (IDAReInit(memory, 0, y_.get(), yp_.get()) < 0 || IDAAdjReInit(memory) < 0)) return false;
  if (n_q && IDAQuadReInit(memory, q_.get()) < 0) return false;
  IDASetStopTime(memory, 1);
  double reached = 0;
  int checkpoints = 0;
  if (IDASolveF(memory, 1, &reached, y_.get(), yp_.get(), IDA_NORMAL, &checkpoints) < 0) return false;
  std::copy_n(view(y_.get()).begin(), n_x, x.begin());
  end_.assign(view(y_.get()).begin(), view(y_.get()).end());
  if (n_q) IDAGetQuad(memory, &reached, q_.get());
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += view(q_.get())[i];
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

bool IdasSegment::make_backward() {
  void* memory = memory_.get();
  if (IDACreateB(memory, &which_) < 0 || IDAInitB(memory, which_, residual_back, 1, back_.get(), back_p_.get()) < 0)
    return false;
  Vector kind = make_vector(n_, context_.get());
  for (std::size_t i = 0; i < n_; ++i) view(kind.get())[i] = i < n_x;
  IDASetUserDataB(memory, which_, this);
  IDASetMaxNumStepsB(memory, which_, options.max_steps);
  IDASStolerancesB(memory, which_, options.rtol, options.rtol);
  IDASetIdB(memory, which_, kind.get());
  newton_back_ = newton(true);
  IDASetLinearSolverB(memory, which_, newton_back_->solver(), newton_back_->matrix());
  IDASetJacFnB(memory, which_, jacobian_back);
  IDAQuadInitB(memory, which_, quadrature_back, quad_.get());
  IDASetQuadErrConB(memory, which_, options.method_options.quadrature_error_control > 0);
  return backward_made_ = true;
}

// μ and λ' at the end fit λ and the states there.
bool IdasSegment::start_backward(std::span<const double> lambda) {
  std::copy(end_.begin(), end_.end(), view(y_.get()).begin());
  ModelAt::Point end = point(1, y_.get());
  N_VConst(0, back_.get()), N_VConst(0, back_p_.get());
  std::copy(lambda.begin(), lambda.end(), view(back_.get()).begin());
  if (!weighted_gradient(end, back_.get())) return false;
  if (n_z_) {
    auto n = static_cast<Eigen::Index>(n_z_);
    Eigen::MatrixXd h_z = Eigen::MatrixXd::Zero(n, n);
    if (!entries(end, [&](bool rate, std::size_t row, std::size_t col, double v) {
          if (!rate && col >= n_x) h_z(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(col - n_x)) += v;
        }))
      return false;
    Eigen::VectorXd by_z = Eigen::Map<const Eigen::VectorXd>(gradient_.data() + 1 + n_x, n);
    Eigen::VectorXd mu = h_z.transpose().partialPivLu().solve(by_z);
    if (!mu.allFinite()) return false;
    std::copy_n(mu.data(), n_z_, view(back_.get()).begin() + static_cast<std::ptrdiff_t>(n_x));
    if (!weighted_gradient(end, back_.get())) return false;
  }
  for (std::size_t i = 0; i < n_x; ++i) view(back_p_.get())[i] = -times.length * gradient_[1 + i];
  return true;
}

// Relative to the function's own size, as those of CVODES.
void IdasSegment::set_backward_tolerances() {
  double size = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(view(back_.get())[i]) * size_of(i));
  for (double w : weight) size = std::max(size, std::fabs(w));
  if (size == 0) size = 1;
  Vector tolerance = make_vector(n_, context_.get()), quad = make_vector(inputs(), context_.get());
  for (std::size_t i = 0; i < n_x; ++i) view(tolerance.get())[i] = options.rtol * size / size_of(i);
  double largest = 0;  // μ has the size that it begins with, or that of λ
  for (std::size_t i = n_x; i < n_; ++i) largest = std::max(largest, std::fabs(view(back_.get())[i]));
  for (std::size_t i = n_x; i < n_; ++i) view(tolerance.get())[i] = options.rtol * std::max(size, largest);
  for (std::size_t i = 0; i < inputs(); ++i) {
    double input = i < controls() ? nonlinear::size_of(model.model().u[i % n_u]) : times.length;
    if (i >= controls() && i < begin_input()) input = std::max(1.0, std::fabs(model.at().shared[i - controls()]));
    view(quad.get())[i] = options.rtol * size / std::max(std::fabs(input), 1e-300);
  }
  IDASVtolerancesB(memory_.get(), which_, options.rtol, tolerance.get());
  IDAQuadSVtolerancesB(memory_.get(), which_, options.rtol, quad.get());
}

bool IdasSegment::adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
                          std::vector<double>* at_samples) {
  auto keep = [&](N_Vector v) {
    at_samples->insert(at_samples->end(), view(v).begin(), view(v).begin() + static_cast<std::ptrdiff_t>(n_x));
  };
  if (!n_x || times.length == 0) {
    for (std::size_t k = 0; k < samples.size(); ++k) at_samples->insert(at_samples->end(), lambda.begin(), lambda.end());
    return true;
  }
  if (!start_backward(lambda)) return false;
  void* memory = memory_.get();
  bool again = backward_made_;
  N_VConst(0, quad_.get());
  if (!again && !make_backward()) return false;
  if (again &&
      (IDAReInitB(memory, which_, 1, back_.get(), back_p_.get()) < 0 || IDAQuadReInitB(memory, which_, quad_.get()) < 0))
    return false;
  set_backward_tolerances();
  double reached = 0;
  for (double s : samples) {
    if (s < 1 && (IDASolveB(memory, s, IDA_NORMAL) < 0 || IDAGetB(memory, which_, &reached, back_.get(), back_p_.get()) < 0))
      return false;
    keep(back_.get());
  }
  if (IDASolveB(memory, 0, IDA_NORMAL) < 0 || IDAGetB(memory, which_, &reached, back_.get(), back_p_.get()) < 0 ||
      IDAGetQuadB(memory, which_, &reached, quad_.get()) < 0)
    return false;
  std::copy_n(view(back_.get()).begin(), n_x, lambda.begin());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += view(quad_.get())[k];
  return true;
}

}  // namespace

std::unique_ptr<Segment::Work> make_idas_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<IdasSegment>(model, options);
}

}  // namespace bolza::integrate
